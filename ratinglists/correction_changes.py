"""What the items of a correction change, for the lists that are computed again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ratinglists.models import CorrectionItem
from tournaments.correcting import reading_of
from tournaments.issues import Reading

Kind = CorrectionItem.Kind


@dataclass(frozen=True)
class Changes:
    """The items of a correction, by tournament, with the corrected reports as read."""

    items: dict[int, CorrectionItem]
    readings: dict[int, Reading]
    #: from the lists of this date on persons are those of the register now
    persons_from: date | None

    @classmethod
    def of(cls, items: Iterable[CorrectionItem]) -> Changes:
        items = list(items)
        by_event = {item.tournament_id: item for item in items if item.tournament_id}
        readings = {pk: reading_of(item.report) for pk, item in by_event.items() if item.kind == Kind.REPORT}
        persons = [item.list_date for item in items if item.kind == Kind.PERSONS]
        return cls(by_event, readings, min(persons, default=None))

    @property
    def first(self) -> date | None:
        """The date of the first list concerned."""
        days = [item.list_date for item in self.items.values()]
        return min([*days, *([self.persons_from] if self.persons_from else [])], default=None)

    def included(self, tournament: int) -> date | None:
        """The list in which an event counts that came late."""
        item = self.items.get(tournament)
        return item.list_date if item is not None and item.kind == Kind.INCLUDE else None
