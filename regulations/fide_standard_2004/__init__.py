"""FIDE Rating Regulations, standard chess, about 2004."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from regulations import calendar
from regulations.fide_standard_2004 import lists, rating, registration
from regulations.fide_standard_2004.parameters import Parameters
from regulations.fide_standard_2004.rating import k_factor
from regulations.model import (
    CheckResult,
    Event,
    EventResult,
    Finding,
    ListInput,
    ListResult,
    Registration,
)


@dataclass(frozen=True)
class FideStandard2004(Parameters):
    """The regulation; its fields are the parameters and its methods apply the articles.

    ``FideStandard2004(calendar="monthly")`` is the system after article 9.4.
    """

    code: ClassVar[str] = "fide-standard-2004"
    title: ClassVar[str] = "FIDE Rating Regulations, standard chess (2004)"
    effective_from: ClassVar[date] = date(2004, 1, 1)
    effective_until: ClassVar[date | None] = None
    rates: ClassVar[tuple[str, ...]] = ("standard",)
    pools_opponents: ClassVar[bool] = False
    counts_finished_games: ClassVar[bool] = False
    rates_totals: ClassVar[bool] = False
    #: 9.12
    printed: ClassVar[tuple[str, ...]] = (
        "id", "name", "title", "federation", "rating", "games", "birth_date", "k", "career_games",
    )  # fmt: skip

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 1-7: is this registration ratable? All findings at once."""
        return registration.check(self, registration_)

    def rate(self, event: Event) -> EventResult:
        """Articles 5, 6 and 10: changes, performances and uncounted games of one event."""
        return rating.rate(self, event)

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 9 and 10.3-10.56: the list that follows ``given.previous``."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """9.11, 9.41: the date of the list that an event starting on ``day`` is rated with."""
        return lists.list_in_force(self, day)

    def next_list_date(self, after: date) -> date:
        """9.11, 9.41: the first list date later than ``after``."""
        return lists.next_list_date(self, after)

    @property
    def calendar_articles(self) -> tuple[str, str]:
        """9.13 gives both days of a quarterly list, 9.43 those of a monthly one."""
        article = "9.43" if self.calendar == "monthly" else "9.13"
        return article, article

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """9.13, 9.43: the last day for games and for their report; FIDE's own events have no other."""
        return lists.closing_date(self, list_date)

    def last_receipt(self, list_date: date) -> date:
        """9.13, 9.43: the last day on which a report may arrive for this list."""
        return lists.closing_date(self, list_date)

    def last_list_for(self, end: date) -> date | None:
        """9.13 sets no end: a late report comes into the next list."""
        return None

    def k_of(
        self,
        *,
        rating: int,
        career_games: int | None,
        reached_k10: bool | None,
        birth_year: int | None = None,
        on: date | None = None,
    ) -> int:
        """10.54: K by the player's record."""
        return k_factor(self, career_games, rating, reached_k10)[0]

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """4.11: in a league of more than 90 days each game takes the list in force on its day."""
        return "league" in flags and calendar.days(start, end) > self.maximum_days

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """9.13: the first list that an event completed (or received) on ``end`` comes into."""
        return lists.list_for_end(self, end)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """9.13: an error means that this list does not include the event, and names the one that does."""
        return lists.report_findings(self, end, received, list_date)


#: The reading that reproduces FIDE's worked example of 2003 (its article 10.58) to the last figure.
WORKED_EXAMPLE = replace(FideStandard2004(), round_robin_low_ru="1", round_robin_whole=True)
