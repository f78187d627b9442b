"""Rating regulation of an invented federation: one K, one table, a floor, a deadline."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from norrholm import lists, rating, registration
from norrholm.parameters import Parameters
from regulations.model import CheckResult, Event, EventResult, Finding, ListInput, ListResult, Registration


@dataclass(frozen=True)
class Norrholm2024(Parameters):
    """Its fields are the figures of the text and its methods apply the articles."""

    code: ClassVar[str] = "norrholm-2024"
    title: ClassVar[str] = "Norrholm Chess Federation, rating regulation (2024)"
    effective_from: ClassVar[date] = date(2024, 1, 1)
    effective_until: ClassVar[date | None] = None
    rates: ClassVar[tuple[str, ...]] = ("standard",)
    pools_opponents: ClassVar[bool] = True
    counts_finished_games: ClassVar[bool] = False
    rates_totals: ClassVar[bool] = False
    calendar_articles: ClassVar[tuple[str, str]] = ("4.2", "4.2")
    printed: ClassVar[tuple[str, ...]] = ("id", "name", "federation", "rating", "change", "games")

    def check(self, registration_: Registration) -> CheckResult:
        """Article 1."""
        return registration.check(self, registration_)

    def rate(self, event: Event) -> EventResult:
        """Articles 1.3, 2 and 3.1."""
        return rating.rate(self, event)

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 3 and 4."""
        return lists.next_list(self, given)

    def next_list_date(self, after: date) -> date:
        """4.1."""
        return lists.next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """4.2: the last day on which an event may end; the text knows no official events."""
        return list_date - timedelta(days=self.closing_days)

    def last_receipt(self, list_date: date) -> date:
        """4.2: reports arrive by the eve."""
        return list_date - timedelta(days=1)

    def last_list_for(self, end: date) -> date:
        """4.3."""
        return lists.last_list_for(self, end)

    def report_findings(self, *, end: date, received: date, list_date: date) -> tuple[Finding, ...]:
        """4.3."""
        return lists.report_findings(self, end, received, list_date)

    def k_of(self, **record: object) -> int:
        """2.3: K is the same for everybody, whatever his record."""
        return self.k

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """An event is rated with the list in force at its start, however long it lasts."""
        return False
