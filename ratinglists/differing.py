"""Whose rows two lists have otherwise, found by the database: few, where the one corrects the other.

Of two published lists this is asked once: the players' keys lie in ``differing/`` of PORTAL_VAR.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce

from ratinglists import kept_json, persons
from ratinglists.changes import between
from ratinglists.differences import Difference
from ratinglists.models import ListRow, RatingList

#: the columns that ``differences`` compares, beside the rating
_COMPARED = ("name", "federation", "title", "women_title", "status")
#: persons whose rows are read at once, which SQLite takes as values of one query
_BATCH = 500
_once = threading.Lock()


def differences_of(before: RatingList, after: RatingList) -> Iterator[Difference]:
    """As ``changes.between``, by reading the rows of those only who have others."""
    now = persons.aliases()
    people = sorted({now.get(record, record) for record in records(before, after)})
    for begin in range(0, len(people), _BATCH):
        own = persons.records(people[begin : begin + _BATCH])
        yield from between(before, after, player__in=list(own))


def records(before: RatingList, after: RatingList) -> list[int]:
    """The players of whom one list has what the other has not, or has otherwise; kept of published lists."""
    published = RatingList.State.PUBLISHED
    if before.state != published or after.state != published:
        return _found(before, after)
    both = [(each.pk, each.sha256, each.input_sha256, each.published_at) for each in (before, after)]
    name = hashlib.sha256(repr(both).encode()).hexdigest()
    with _once:  # many who come at once after a publication wait for the first
        kept = kept_json.read("differing", name)
        if isinstance(kept, list):
            return kept
        found = _found(before, after)
        kept_json.write("differing", name, found)
    return found


def _found(before: RatingList, after: RatingList) -> list[int]:
    """The players with another row on the later list, or with one on one of the lists only."""
    same = {name: OuterRef(name) for name in ("player", "shown", *_COMPARED)}
    changed = _rows(after).filter(~Exists(_rows(before).filter(**same)))
    gone = _rows(before).filter(~Exists(_rows(after).filter(player=OuterRef("player"))))
    return sorted({pk for rows in (changed, gone) for pk in rows.values_list("player", flat=True).iterator()})


def _rows(listed: RatingList) -> QuerySet:
    # No rating is 0: a comparison of it with NULL finds nothing.
    return ListRow.objects.filter(rating_list=listed).annotate(shown=Coalesce("rating", Value(0))).order_by()
