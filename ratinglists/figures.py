"""What a published list says of each federation: how many players, who leads, and who stands where.

One reading of the list's active players makes it all. A published list never changes, so this is done
once: the figures lie in ``figures/`` of PORTAL_VAR under the list's key and hashes (delete them at will),
and those of the lists in use stay in memory.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from ratinglists import kept_json
from ratinglists.listing import RATED
from ratinglists.models import ListRow, RatingList
from ratinglists.special import JUNIOR_AGE
from regulations import lists
from regulations import model as rules

#: how many lead a federation, and of how many the average is told (FIDE ranks federations by ten players)
LEAD = 10
#: the name under which the figures of the whole list stand
WORLD = ""
_BATCH, _MOST = 2000, 32
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


#: the figures of the lists in use: list, hashes and year of the oldest juniors → figures
_kept: OrderedDict[tuple[int, str, int], dict[str, Figures]] = OrderedDict()


def of_list(listed: RatingList) -> dict[str, Figures]:
    """The figures of each federation on a published list by its code, and of the whole list as ``WORLD``."""
    return of_lists([listed])[listed.pk]


def of_lists(lists: Iterable[RatingList]) -> dict[int, dict[str, Figures]]:
    """The same of several by their keys, in one query for all that nobody has asked for yet."""
    keys = {}
    for listed in lists:
        if listed.state != RatingList.State.PUBLISHED:
            raise ValueError(f"{listed} is a draft and can still change: only a published list has figures.")
        hashes = f"{listed.sha256}-{listed.input_sha256}"
        keys[listed.pk] = (listed.pk, hashes, listed.list_date.year - JUNIOR_AGE)
    with _once:  # many who come at once after a publication wait for the first
        found = {pk: _kept.get(key) or _stored(key) for pk, key in keys.items()}
        missing = {pk: keys[pk][2] for pk, told in found.items() if told is None}
        for pk, made in _made(missing).items() if missing else ():
            found[pk] = made
            kept_json.write(*_place(keys[pk]), {code: asdict(each) for code, each in made.items()})
        for pk, key in keys.items():
            _kept[key] = found[pk]
            _kept.move_to_end(key)
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
    return found


def _stored(key: tuple[int, str, int]) -> dict[str, Figures] | None:
    try:
        return {code: Figures(**each) for code, each in kept_json.read(*_place(key)).items()}
    except (AttributeError, TypeError):  # not there yet, or of another version of the portal
        return None


def _place(key: tuple[int, str, int]) -> tuple[str, str]:
    return "figures", f"{key[0]}-{key[1]}"


def _made(juniors: dict[int, int]) -> dict[int, dict[str, Figures]]:
    """The figures of lists, whose keys come with the year of birth of their oldest juniors."""
    found = {pk: {WORLD: Figures()} for pk in juniors}
    candidates: dict[tuple[int, str, str], list[rules.ListRow]] = {}
    rows = ListRow.objects.filter(rating_list__in=juniors, status__in=RATED)
    fields = (
        "rating_list", "federation", "status", "pk", "rating", "games", "sex", "birth_year", "title",
        "women_title",
    )  # fmt: skip
    rows = rows.order_by("rating_list", "-rating").values_list(*fields)
    for pk, federation, status, *told in rows.iterator(chunk_size=_BATCH):
        made = found[pk]
        own = [made[WORLD], made.setdefault(federation, Figures())] if federation else [made[WORLD]]
        for each in own:
            each.rated += 1
        if status == ListRow.Status.ACTIVE:
            row, rating, games, sex, born, *titles = told
            kinds = ["all", *(["women"] if sex == "f" else [])]
            if born is not None and born >= juniors[pk]:
                kinds.append("juniors")
            for each in own:
                _count(each, rating, kinds, titled=any(titles))
            for kind in kinds:
                best = candidates.setdefault((pk, federation, kind), [])
                if len(best) < LEAD or best[-1].rating == rating:
                    best.append(rules.ListRow(str(row), "active", rating, None, games, None))
    for (pk, federation, kind), best in candidates.items():
        if federation:
            found[pk][federation].leaders[kind] = [int(row.id) for row in lists.top_list(best, LEAD)]
    return found


def _count(own: Figures, rating: int, kinds: list[str], *, titled: bool) -> None:
    """One more active player, not rated higher than those before."""
    own.active += 1
    own.titled += titled
    own.women += "women" in kinds
    own.juniors += "juniors" in kinds
    if own.ratings and own.ratings[-1] == rating:
        own.counts[-1] += 1
    else:
        own.ratings.append(rating)
        own.counts.append(1)


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
    rows = list(rows)
    of_lists({row.rating_list for row in rows if row.status == ListRow.Status.ACTIVE})
    for row in rows:
        row.places = places(row)
