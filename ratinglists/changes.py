"""Two stored lists compared (``ratinglists.differences``), read as streams whatever their size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models.functions import Coalesce

from ratinglists.differences import Difference, differences
from ratinglists.models import ListRow, RatingList


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
    """Everybody who stands otherwise on ``after`` than on ``before``, by person; ``which`` filters both."""
    return differences(printed_rows(before, **which), printed_rows(after, **which))
