"""What a published list says of each federation: how many players, who leads, and who stands where.

One reading of the list's active players makes it all. A published list never changes, so this is done
once: the figures lie in ``figures/`` of PORTAL_VAR under the list's key and hashes (delete them at will),
and those of the lists in use stay in memory.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Q

from ratinglists.listing import RATED
from ratinglists.models import ListRow, RatingList
from ratinglists.special import JUNIOR_AGE
from regulations import lists
from regulations import model as rules

#: how many lead a federation, and of how many the average is told (FIDE ranks federations by ten players)
LEAD = 10
#: the name under which the figures of the whole list stand
WORLD = ""
_BATCH = 2000
_once = threading.Lock()


@dataclass(slots=True)
class Figures:
    """A federation on a list. ``rated`` counts everybody with a rating, all others the active players.

    ``ratings`` and ``counts``: the active players' ratings from the highest down, and how many have each.
    ``leaders``: the keys of the rows of who leads among all, the women and the juniors.
    """

    rated: int = 0
    active: int = 0
    titled: int = 0
    women: int = 0
    juniors: int = 0
    ratings: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    leaders: dict[str, list[int]] = field(default_factory=dict)

    def place(self, rating: int) -> int:
        """The place of an active player of this rating: one more than are rated higher, so that equal
        ratings share a place."""
        higher = bisect_left(self.ratings, -rating, key=lambda own: -own)
        return 1 + sum(self.counts[:higher])

    @property
    def average(self) -> int | None:
        """The average rating of the ten strongest active players, halves up; None of fewer than ten."""
        left, total = LEAD, 0
        for rating, count in zip(self.ratings, self.counts, strict=True):
            total += rating * min(left, count)
            left -= min(left, count)
            if not left:
                return (2 * total + LEAD) // (2 * LEAD)
        return None


def of_list(listed: RatingList) -> dict[str, Figures]:
    """The figures of each federation on a published list by its code, and of the whole list as ``WORLD``."""
    if listed.state != RatingList.State.PUBLISHED:
        raise ValueError(f"{listed} is a draft and can still change: only a published list has figures.")
    with _once:  # many who come at once after a publication wait for the first
        hashes = f"{listed.sha256}-{listed.input_sha256}"
        return _kept(listed.pk, hashes, listed.list_date.year - JUNIOR_AGE)


@lru_cache(32)
def _kept(pk: int, hashes: str, junior: int) -> dict[str, Figures]:
    path = Path(settings.VAR_DIR) / "figures" / f"{pk}-{hashes}.json"
    try:
        told = json.loads(path.read_bytes())
        return {code: Figures(**each) for code, each in told.items()}
    except (OSError, ValueError, TypeError):  # not there yet, or of another version of the portal
        made = _made(pk, junior)
        with suppress(OSError):  # without a place on disk every process makes its own
            _write(path, {code: asdict(each) for code, each in made.items()})
        return made


def _write(path: Path, told: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False) as file:
        json.dump(told, file, separators=(",", ":"))
    os.replace(file.name, path)


def _made(pk: int, junior: int) -> dict[str, Figures]:
    rows = ListRow.objects.filter(rating_list=pk)
    made: dict[str, Figures] = {WORLD: Figures()}
    titled = Count("pk", filter=Q(status=ListRow.Status.ACTIVE) & ~Q(title="", women_title=""))
    counted = rows.filter(status__in=RATED).order_by().values("federation")
    for row in counted.annotate(rated=Count("pk"), titled=titled):
        made[row["federation"]] = Figures(rated=row["rated"], titled=row["titled"])
        made[WORLD].rated += row["rated"]
        made[WORLD].titled += row["titled"]
    candidates: dict[tuple[str, str], list[rules.ListRow]] = {}
    active = rows.filter(status=ListRow.Status.ACTIVE).order_by("-rating")
    fields = ("federation", "pk", "rating", "games", "sex", "birth_year")
    for federation, row, rating, games, sex, born in active.values_list(*fields).iterator(chunk_size=_BATCH):
        kinds = ["all"]
        if sex == "f":
            kinds.append("women")
        if born is not None and born >= junior:
            kinds.append("juniors")
        for own in (made[federation], made[WORLD]) if federation else (made[WORLD],):
            own.active += 1
            own.women += "women" in kinds
            own.juniors += "juniors" in kinds
            if own.ratings and own.ratings[-1] == rating:
                own.counts[-1] += 1
            else:
                own.ratings.append(rating)
                own.counts.append(1)
        for kind in kinds:
            found = candidates.setdefault((federation, kind), [])
            if len(found) < LEAD or found[-1].rating == rating:
                found.append(rules.ListRow(str(row), "active", rating, None, games, None))
    for (federation, kind), found in candidates.items():
        if federation:
            made[federation].leaders[kind] = [int(row.id) for row in lists.top_list(found, LEAD)]
    return made


@dataclass(frozen=True, slots=True)
class Places:
    """Where a player stands among the active of his list, and of his federation there."""

    federation: str
    own: int
    of_own: int
    world: int
    of_world: int


def places(row: ListRow) -> Places | None:
    """The places of an active player on a published list; None for who is not active."""
    if row.status != ListRow.Status.ACTIVE or row.rating is None:
        return None
    known = of_list(row.rating_list)
    own, world = known.get(row.federation, Figures()), known[WORLD]
    return Places(row.federation, own.place(row.rating), own.active, world.place(row.rating), world.active)


def mark(rows: Iterable[ListRow]) -> None:
    """Tell each row of a published list its ``places``."""
    for row in rows:
        row.places = places(row)
