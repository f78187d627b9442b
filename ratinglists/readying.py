"""What the first readers of a new publication would wait for, made by whoever published it."""

from __future__ import annotations

from collections.abc import Iterable

from ratinglists import differing, figures, listing, revisions
from ratinglists.models import RatingList


def make_ready(keys: Iterable[int]) -> None:
    """The figures of federations of these published lists, and whose rows a revision changed. What is not
    made because somebody died is made by the first who asks for it."""
    lists = list(listing.standing(RatingList.objects.filter(pk__in=keys)))
    figures.of_lists(lists)
    for listed in lists:
        if (earlier := revisions.before(listed)) is not None:
            differing.records(earlier, listed)
