"""What changed between two lists: a pure function of their rows, and never more than two of them in memory.

The rows of both lists come in the order of the person whom they name. One person has one row on a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Protocol

Kind = Literal["new", "gone", "rating", "title", "federation", "name", "status"]
#: in the order in which the kinds are told, with what they mean
KINDS: dict[Kind, str] = {
    "new": "rated now, and not on the list before",
    "gone": "rated on the list before, and not now",
    "rating": "another rating",
    "title": "another title",
    "federation": "another federation",
    "name": "another name",
    "status": "another status",
}


class Row(Protocol):
    """What is compared of a player; ``person`` is the same on both lists, whatever record was printed."""

    person: int
    name: str
    federation: str
    title: str
    women_title: str
    status: str
    rating: int | None


class Difference(NamedTuple):
    """A person who stands otherwise on the second list than on the first, or on one of them only."""

    before: Row | None
    after: Row | None
    kinds: tuple[Kind, ...]

    @property
    def row(self) -> Row:
        """The person as the later list has him."""
        row = self.after or self.before
        if row is None:
            raise ValueError("A difference has a row of at least one list.")
        return row

    @property
    def points(self) -> int | None:
        """By how much the rating changed; None unless both lists rate him."""
        if self.before is None or self.after is None:
            return None
        if self.before.rating is None or self.after.rating is None:
            return None
        return self.after.rating - self.before.rating


def differences(before: Iterable[Row], after: Iterable[Row]) -> Iterator[Difference]:
    """Every person whose rows differ in what a list prints of him, by ``person``.

    Whoever becomes rated is new, whoever is rated no longer is gone; of others all kinds are told that
    apply. A person without a rating on both lists is no difference unless his name, title, federation
    or status changed; without a rating on one and missing on the other he is none.
    Raises ValueError if rows are not in the order of ``person`` or a person stands twice on a list.
    """
    for one, other in _pairs(before, after):
        if kinds := kinds_of(one, other):
            yield Difference(one, other, kinds)


def kinds_of(before: Row | None, after: Row | None) -> tuple[Kind, ...]:
    """How one person's rows of two lists differ; either may be missing."""
    was, now = (
        before is not None and before.rating is not None,
        after is not None and after.rating is not None,
    )
    if now and not was:
        return ("new",)
    if was and not now:
        return ("gone",)
    if before is None or after is None:
        return ()
    found: list[Kind] = []
    if before.rating != after.rating:
        found.append("rating")
    if (before.title, before.women_title) != (after.title, after.women_title):
        found.append("title")
    if before.federation != after.federation:
        found.append("federation")
    if before.name != after.name:
        found.append("name")
    if before.status != after.status:
        found.append("status")
    return tuple(found)


def _pairs(before: Iterable[Row], after: Iterable[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """The two lists side by side, like two sorted files that are merged."""
    lefts, rights = _in_order(before), _in_order(after)
    left, right = next(lefts, None), next(rights, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left.person < right.person):
            yield left, None
            left = next(lefts, None)
        elif left is None or right.person < left.person:
            yield None, right
            right = next(rights, None)
        else:
            yield left, right
            left, right = next(lefts, None), next(rights, None)


def _in_order(rows: Iterable[Row]) -> Iterator[Row]:
    last: int | None = None
    for row in rows:
        if last is not None and row.person <= last:
            raise ValueError(f"Person {row.person} stands after person {last}: sort the rows by person.")
        last = row.person
        yield row
