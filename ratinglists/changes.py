"""Two stored lists compared (``ratinglists.differences``), read as streams whatever their size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models.functions import Coalesce

from players.privacy import HIDDEN_NAME, PERSON
from ratinglists.differences import Difference, differences
from ratinglists.models import ListRow, RatingList
from ratinglists.privacy import nameless


class PrintedRow(NamedTuple):
    """What a list prints of a person. ``record`` is the player's record that the list names."""

    person: int
    record: int
    fide_id: str
    national_id: str
    name: str
    federation: str
    title: str
    women_title: str
    status: str
    rating: int | None
    highest_rating: int | None
    change: object
    withheld: str


def printed_rows(rating_list: RatingList | None, **which) -> Iterator[PrintedRow]:
    """The rows of a list by person: of somebody who stands on it under two records that are one by now,
    the rated row, or else the later. ``which`` filters rows. No list has no rows."""
    if rating_list is None:
        return
    found = (
        ListRow.objects.filter(rating_list=rating_list, **which)
        .annotate(person=Coalesce("player__merged_into_id", "player_id"))
        .order_by("person", "pk")
        .values_list("person", "player_id", *PrintedRow._fields[2:])
    )
    rows = (PrintedRow(*row) for row in found.iterator(chunk_size=2000))
    for _, own in groupby(rows, attrgetter("person")):
        yield max(enumerate(own), key=lambda row: (row[1].rating is not None, row[0]))[1]


def between(before: RatingList | None, after: RatingList | None, **which) -> Iterator[Difference]:
    """Everybody who stands otherwise on ``after`` than on ``before``, by person; ``which`` filters both.
    Who is not named on the later list is not named as on the earlier one either."""
    for found in differences(printed_rows(before, **which), printed_rows(after, **which)):
        if found.before is not None and found.after is not None and found.after.withheld == PERSON:
            found = found._replace(
                before=unnamed(found.before), kinds=tuple(kind for kind in found.kinds if kind != "name")
            )
        if found.kinds:
            yield found


def shown_today(found: Iterable[Difference]) -> list[Difference]:
    """Differences as they may be shown today (``ratinglists.privacy``)."""
    found = list(found)
    hidden = nameless(side.record for each in found for side in (each.before, each.after) if side)
    return [_unnamed(each) if each.row.record in hidden else each for each in found]


def _unnamed(found: Difference) -> Difference:
    before, after = (side and unnamed(side) for side in (found.before, found.after))
    return Difference(before, after, tuple(kind for kind in found.kinds if kind != "name"))


def unnamed(row: PrintedRow) -> PrintedRow:
    return row._replace(name=HIDDEN_NAME, fide_id="", national_id="")
