"""The lists beside a rating list: who leads it, who is new, who left it, and what changed.

Each is a table of what the regulation has its list print. The last column is always the number of the
player's page on the portal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from django.db.models import Q, QuerySet

from ratinglists import leaders
from ratinglists.changes import PrintedRow, between
from ratinglists.differences import KINDS, Difference
from ratinglists.formats.table import Column, Row
from ratinglists.listing import SHOWN, lines_of, printed_text, regulation_of
from ratinglists.models import ListRow, RatingList
from ratinglists.printing import (
    FEDERATION,
    NAME,
    NUMBER,
    RATING,
    STATUS,
    TITLE,
    cells,
    columns_of,
    number_of,
)

#: how many lead a list
TOP = 100
#: A junior has not had this birthday before the list's year began. No text names an age: it is the one of
#: FIDE's championships.
JUNIOR_AGE = 20
PLAYER = Column("player", "Page", 8, number=True)
RANK = Column("rank", "No.", 4, number=True)
CHANGED = Column("changed", "Changed", 16)
RATING_BEFORE = Column("rating_before", "Before", 6, number=True)
DIFFERENCE = Column("difference", "Change", 6, number=True)
BEFORE = Column("before", "On the list before", 40)
ARTICLE = Column("article", "Article", 8)
REASON = Column("reason", "Reason", 40)
_BATCH = 2000


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a list, and its rows, read anew at each call."""

    columns: tuple[Column, ...]
    rows: Callable[[], Iterable[Row]]


@dataclass(frozen=True, slots=True)
class Special:
    """One of the lists beside a rating list. ``nobody`` says that it has no row."""

    title: str
    note: str
    nobody: str
    table: Callable[[RatingList], Table]
    needs_previous: bool = False


def kinds_of(listed: RatingList) -> dict[str, Special]:
    """The special lists that a list has, by the names of their files: the first list of a system has
    nothing to be compared with."""
    return {
        key: each
        for key, each in SPECIAL.items()
        if listed.previous_id is not None or not each.needs_previous
    }


def _rated(listed: RatingList) -> tuple[Column, ...]:
    return columns_of(regulation_of(listed))


def _lines(listed: RatingList, rows: Iterable[ListRow], columns: tuple[Column, ...]) -> Iterator[list]:
    for line in lines_of(listed, rows):
        yield [*cells(line, columns), line.record]


def _rows(listed: RatingList, *conditions: Q, **which) -> QuerySet:
    rows = ListRow.objects.filter(*conditions, rating_list=listed, **which)
    return rows.defer("steps", "games_by_period").order_by("-rating", "name", "id")


# --- who leads ------------------------------------------------------------------------------------


def _top(which: Callable[[RatingList], dict], listed: RatingList) -> Table:
    columns = _rated(listed)

    def rows() -> Iterator[Row]:
        found = leaders.strongest(_active(listed, **which(listed)), TOP)
        for rank, row in enumerate(_lines(listed, found, columns), 1):
            yield [rank, *row]

    return Table((RANK, *columns, PLAYER), rows)


def _active(listed: RatingList, **which) -> QuerySet:
    # None of them is without a rating: said for the way through the list, which would begin with those.
    return _rows(listed, status=ListRow.Status.ACTIVE, rating__isnull=False, **which)


def _top_of_federations(listed: RatingList) -> Table:
    columns = tuple(column for column in _rated(listed) if column != FEDERATION)

    def rows() -> Iterator[Row]:
        for federation, players in leaders.by_federation(_active(listed), TOP).items():
            own = {row.player_id: row for row in _rows(listed, player__in=players)}
            found = _lines(listed, [own[player] for player in players], columns)
            for rank, row in enumerate(found, 1):
                yield [federation, rank, *row]

    return Table((FEDERATION, RANK, *columns, PLAYER), rows)


# --- who stands apart -----------------------------------------------------------------------------


def _inactive(listed: RatingList) -> Table:
    columns, regulation = _rated(listed), regulation_of(listed)
    shown = Q() if regulation is not None and regulation.lists_all_inactive else SHOWN
    found = _rows(listed, shown, status=ListRow.Status.INACTIVE)
    return Table((*columns, PLAYER), lambda: _lines(listed, found.iterator(chunk_size=_BATCH), columns))


def _titled(listed: RatingList) -> Table:
    columns = columns_of(regulation_of(listed), rated=False)
    found = _rows(listed, status=ListRow.Status.TITLED_UNRATED).order_by("name", "id")
    return Table((*columns, PLAYER), lambda: _lines(listed, found.iterator(chunk_size=_BATCH), columns))


def _delisted(listed: RatingList) -> Table:
    """Whoever lost his rating on this very list: as delisted, or as unrated again where the text says so."""
    columns = columns_of(regulation_of(listed), rated=False)
    found = (
        ListRow.objects.filter(rating_list=listed, rating__isnull=True)
        .filter(Q(status=ListRow.Status.DELISTED) | Q(status=ListRow.Status.UNRATED, change__isnull=False))
        .defer("games_by_period")
        .order_by("name", "id")
    )

    def rows() -> Iterator[Row]:
        for row in found.iterator(chunk_size=_BATCH):
            (line,) = lines_of(listed, [row])
            step = next((step for step in reversed(row.steps) if step["label"] == "status"), {})
            article, reason = step.get("article", ""), step.get("text", "")
            yield [*cells(line, columns), row.status, article, reason, row.player_id]

    return Table((*columns, STATUS, ARTICLE, REASON, PLAYER), rows)


# --- what changed ---------------------------------------------------------------------------------


def _newcomers(listed: RatingList) -> Table:
    columns = _rated(listed)

    def rows() -> Iterator[Row]:
        new = (each for each in between(listed.previous, listed) if each.kinds == ("new",))
        records = [
            each.row.record for each in new if each.before is None or each.before.highest_rating is None
        ]
        found = []
        for start in range(0, len(records), _BATCH):
            found += _rows(listed, player__in=records[start : start + _BATCH])
        found.sort(key=lambda row: (-row.rating, row.name, row.pk))
        return _lines(listed, found, columns)

    return Table((*columns, PLAYER), rows)


def _changes(listed: RatingList) -> Table:
    printed_before, printed = (
        partial(printed_text, rules=regulation_of(each)) for each in (listed.previous, listed)
    )

    def row_of(found: Difference) -> Row:
        row = found.row
        return [
            ", ".join(found.kinds),
            number_of(row.national_id, row.fide_id),
            row.name,
            row.title,
            row.federation,
            _number(printed_before(found.before.rating)) if found.before else None,
            _number(printed(found.after.rating)) if found.after else None,
            found.points or None,
            "; ".join(_before(found)),
            row.record,
        ]

    def rows() -> Iterator[Row]:
        order = list(KINDS)
        # As text a row takes a third of the memory; at FIDE's size there can be half a million.
        found = [
            (order.index(each.kinds[0]), each.row.name, each.row.person, json.dumps(row_of(each)))
            for each in between(listed.previous, listed)
        ]
        found.sort()
        return (json.loads(row) for *_, row in found)

    columns = (CHANGED, NUMBER, NAME, TITLE, FEDERATION, RATING_BEFORE, RATING, DIFFERENCE, BEFORE, PLAYER)
    return Table(columns, rows)


def _number(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def _before(found: Difference) -> Iterator[str]:
    """What the list before said otherwise, beside the rating."""
    before: PrintedRow | None = found.before
    if before is None or found.after is None:
        return
    for kind in found.kinds:
        if kind == "title":
            titles = dict.fromkeys(each for each in (before.title, before.women_title) if each)
            yield f"title {' '.join(titles) or 'none'}"
        elif kind != "rating" and kind in PrintedRow._fields:
            yield f"{kind} {getattr(before, kind) or 'none'}"
    if "status" not in found.kinds and before.status != found.after.status:
        yield f"status {before.status}"


def _juniors(listed: RatingList) -> dict:
    return {"birth_year__gte": listed.list_date.year - JUNIOR_AGE}


#: by the names of their files and addresses, in the order in which they are shown
SPECIAL = {
    "top": Special(
        f"Top {TOP}",
        "The strongest active players; equal ratings by games of the period.",
        "No active player is rated.",
        partial(_top, lambda _: {}),
    ),
    "top-women": Special(
        f"Top {TOP} women",
        "The strongest active women.",
        "No active woman is rated.",
        partial(_top, lambda _: {"sex": "f"}),
    ),
    "top-men": Special(
        f"Top {TOP} men",
        "The strongest active men.",
        "No active man is rated.",
        partial(_top, lambda _: {"sex": "m"}),
    ),
    "top-juniors": Special(
        f"Top {TOP} juniors",
        f"The strongest active players who were under {JUNIOR_AGE} when the list's year began.",
        "No active junior is rated.",
        partial(_top, _juniors),
    ),
    "top-federations": Special(
        f"Top {TOP} by federation",
        "The strongest active players of each federation.",
        "No active player is rated.",
        _top_of_federations,
    ),
    "newcomers": Special(
        "Newcomers",
        "Players who are rated for the first time on this list.",
        "Nobody is rated for the first time on this list.",
        _newcomers,
        needs_previous=True,
    ),
    "inactive": Special(
        "Inactive players",
        "Players with a rating who play too little to be active, as the regulation has them listed.",
        "No player is inactive.",
        _inactive,
    ),
    "titled-unrated": Special(
        "Titled players without a rating",
        "Players with a title who have no rating, published with the list.",
        "No titled player is without a rating, or the regulation has no such list.",
        _titled,
    ),
    "delisted": Special(
        "Delisted players",
        "Players who lost their rating on this list, with the article by which they did.",
        "Nobody lost his rating on this list.",
        _delisted,
    ),
    "changes": Special(
        "Changes since the list before",
        "Players who are new or gone, and those with another rating, title, federation, name or status.",
        "Nothing changed since the list before.",
        _changes,
        needs_previous=True,
    ),
}
