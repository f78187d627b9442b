"""Rating of postal chess by FECAP (text without a date, taken as in force from 1 January 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from regulations.fecap_postal import lists, periods, rating, registration
from regulations.fecap_postal.parameters import Parameters
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
class FecapPostal(Parameters):
    """The regulation; its fields are the parameters and its methods apply the articles.

    The text bears no date and names none: ``effective_from`` is a choice. Its rules are quoted by
    their Spanish names: General 1-9, Fase 1, Fase 2, Tabla 1, Tabla 2.
    """

    code: ClassVar[str] = "fecap-postal"
    title: ClassVar[str] = "FECAP postal rating"
    effective_from: ClassVar[date] = date(1998, 1, 1)
    effective_until: ClassVar[date | None] = None
    rates: ClassVar[tuple[str, ...]] = ("postal",)
    pools_opponents: ClassVar[bool] = False
    counts_finished_games: ClassVar[bool] = True
    rates_totals: ClassVar[bool] = False
    calendar_articles: ClassVar[tuple[str, str]] = ("General 8", "General 8")
    #: the text says nothing of it
    printed: ClassVar[tuple[str, ...]] = ("id", "name", "title", "federation", "rating", "games", "status")

    def check(self, registration_: Registration) -> CheckResult:
        """Objectives: postal chess, and nothing else is asked."""
        return registration.check(registration_)

    def rate(self, event: Event) -> EventResult:
        """Both phases for one event, as if it were the whole period."""
        return rating.rate(self, event)

    def next_list(self, given: ListInput) -> ListResult:
        """General 9 and both phases for all games of the period."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """General 7: the date of the list that is valid on ``day``."""
        return periods.list_in_force(day)

    def next_list_date(self, after: date) -> date:
        """General 7: the first list date later than ``after``."""
        return periods.next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """General 8: the eve of the list; nobody has another day."""
        return periods.closing_date(list_date)

    def last_receipt(self, list_date: date) -> date:
        """General 8: games are counted in the half-year in which they are reported."""
        return periods.closing_date(list_date)

    def last_list_for(self, end: date) -> date | None:
        """No article sets a limit."""
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
        """Phase 2 has no K but f = a·b·c: a to a whole number, half up."""
        return lists.k_of(self, rating)

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """General 8: a game counts as it is finished; events are not cut."""
        return False

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """General 8: the first list that a game finished on ``end`` comes into."""
        return periods.next_list_date(end)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """General 8: an error means that this list does not include the report."""
        return periods.report_findings(received, list_date)
