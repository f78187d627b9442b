"""What is told of a list as a whole: how many rows a choice of it has, and what became of each event.

A published list never changes: what was found once stays in memory, since its report may be megabytes and
counting half a million rows takes a moment.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from django.db.models import Count, Q

from players import kept_pages
from players.privacy import policy
from ratinglists.computation import OUTCOMES
from ratinglists.listing import STATUSES, Choice, rows_of_choice
from ratinglists.models import EventResult, RatingList

#: lists whose facts stay in memory, and counts
_MOST_LISTS, _MOST_COUNTS = 8, 4096


@dataclass(frozen=True, slots=True)
class Handled:
    """A tournament that a list's computation looked at, and what became of it."""

    tournament: int
    name: str
    outcome: str
    reason: str
    findings: tuple[dict, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """``rows``: how many of each status the list shows, where its report tells it; ``handled``: what the
    computation counted, deferred and refused, by outcome, each with reasons and articles."""

    rows: Mapping[str, int] | None
    handled: dict[str, list[Handled]]


@dataclass(frozen=True, slots=True)
class _Ratings:
    """The ratings of a list, lowest first, and how many rows lie below each and, at last, in all. A
    dictionary would take nine times the memory, and visitors may ask for many lists."""

    found: array
    below: array

    def between(self, low: int | None, high: int | None) -> int:
        first = 0 if low is None else bisect_left(self.found, low)
        last = len(self.found) if high is None else bisect_right(self.found, high)
        return max(self.below[last] - self.below[first], 0)


_facts: OrderedDict[tuple, Facts] = OrderedDict()
#: how many rows a choice of a published list has; by ratings: how many have each
_counts: dict[tuple, int | _Ratings] = {}


def of(listed: RatingList) -> Facts:
    """The facts of a list; of a draft as they are now."""
    if listed.state == RatingList.State.DRAFT:
        return _read(listed)
    key = _key(listed)
    found = _facts.get(key) or _read(listed)
    _facts[key] = found
    with suppress(KeyError):  # another thread may have taken it out
        _facts.move_to_end(key)
    while len(_facts) > _MOST_LISTS:
        _facts.popitem(last=False)
    return found


def _key(listed: RatingList) -> tuple:
    return (listed.pk, listed.sha256, listed.input_sha256, listed.published_at)


def _read(listed: RatingList) -> Facts:
    """An event that the computation took in but its regulation does not rate stands with the refused."""
    told = EventResult.objects.filter(Q(rated=False) | ~Q(findings=[]), rating_list=listed, part=1)
    found = {tournament: rest for tournament, *rest in told.values_list("tournament", "rated", "findings")}
    groups: dict[str, list[Handled]] = {outcome: [] for outcome in OUTCOMES}
    report = listed.report
    for row in report.get("events", []):
        outcome, reason = row["outcome"], row["reason"]
        rated, findings = found.get(row["tournament"], (True, ()))
        if outcome == "counted" and not rated:
            outcome, reason = "refused", "Its regulation does not rate it."
        event = Handled(row["tournament"], row["name"], outcome, reason, tuple(findings))
        groups.setdefault(outcome, []).append(event)
    return Facts(report.get("rows"), groups)


def count_of(listed: RatingList, choice: Choice) -> int:
    """How many rows ``listing.chosen_rows`` has, if possible without counting: the draft's report tells how
    many there are of each status, and what was counted once on a published list is kept."""
    choice = replace(choice, order="rating", turned=False)
    if replace(choice, status="active") == Choice() and (counts := _rows(listed)):
        return sum(counts.get(status, 0) for status in STATUSES[choice.status])
    if listed.state == RatingList.State.DRAFT or choice.text:  # names are looked up in the register
        return rows_of_choice(listed, choice).count()
    bounds = {"rating_from": None, "rating_to": None}
    if (choice.rating_from, choice.rating_to) != (None, None) and replace(
        choice, status="active", **bounds
    ) == Choice():
        return _between(listed, choice)
    # No choice by age finds a person whose age is withheld: that goes by the day, by settings, and by acts in
    # the register (a transfer to a federation that hides its minors, a merge).
    of_age = choice.born_from is not None or choice.born_to is not None
    now = (policy().mark, kept_pages.stamp()) if of_age else ()
    return _kept((*_key(listed), now, choice), rows_of_choice(listed, choice).count)


def _rows(listed: RatingList) -> Mapping[str, int] | None:
    fetched = "report" not in listed.get_deferred_fields()
    return listed.report.get("rows") if fetched else of(listed).rows


def _between(listed: RatingList, choice: Choice) -> int:
    """A choice by ratings alone, as the pages of a long list go on: counted for all ratings at once."""

    def counted() -> _Ratings:
        rows = rows_of_choice(listed, Choice(status=choice.status)).exclude(rating=None)
        each = dict(rows.order_by("rating").values_list("rating").annotate(n=Count("pk")))
        return _Ratings(array("H", each), array("L", accumulate(each.values(), initial=0)))

    ratings = _kept((*_key(listed), "ratings", choice.status), counted)
    return ratings.between(choice.rating_from, choice.rating_to)


def _kept(key: tuple, find: Callable[[], Any]) -> Any:
    """What was found before; between two looks another thread may have emptied everything."""
    told = _counts.get(key)
    if told is None:
        told = find()
        if len(_counts) >= _MOST_COUNTS:
            _counts.clear()
        _counts[key] = told
    return told
