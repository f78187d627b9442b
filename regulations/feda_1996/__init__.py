"""FEDA's national Elo rules (Normativa Elo FEDA), in force from 1 January 1996."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from regulations.feda_1996 import lists, periods, rating, registration, time_control
from regulations.feda_1996.formulas import k_factor
from regulations.feda_1996.parameters import Parameters
from regulations.model import (
    CheckResult,
    Entrant,
    Event,
    EventResult,
    Finding,
    ListInput,
    ListResult,
    Registration,
    Stage,
)


@dataclass(frozen=True)
class Feda1996(Parameters):
    """The regulation; its fields are the parameters and its methods apply the articles."""

    code: ClassVar[str] = "feda-1996"
    title: ClassVar[str] = "FEDA national Elo (1996)"
    effective_from: ClassVar[date] = date(1996, 1, 1)
    effective_until: ClassVar[date | None] = None
    rates: ClassVar[tuple[str, ...]] = ("standard",)
    pools_opponents: ClassVar[bool] = False
    counts_finished_games: ClassVar[bool] = False
    #: 10.31
    rates_totals: ClassVar[bool] = True
    calendar_articles: ClassVar[tuple[str, str]] = ("8.13", "8.13")
    #: 8.12.a
    printed: ClassVar[tuple[str, ...]] = (
        "id", "name", "title", "federation", "rating", "birth_date", "status", "games",
    )  # fmt: skip
    #: 8.22.b: after three lists their names are published as inactive players, with the list
    lists_all_inactive: ClassVar[bool] = True

    @property
    def list_step(self) -> int:
        """9.32, 9.55: a list prints multiples of 5."""
        return self.rounding_step

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 1-5 and 7.3: is this registration ratable? All findings at once."""
        return registration.check(self, registration_)

    def initial_order(self, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
        """1.2: the initial ranking order of a Swiss tournament."""
        return registration.initial_order(self, entrants)

    def accepted_under(self, stages: Sequence[Stage], other: Sequence[Stage] | None = None) -> str | None:
        """2: the article that accepts this time control, 2.1, 2.2 or 2.3; None if none does."""
        return time_control.accepted_under(self, stages, other)

    def rate(self, event: Event) -> EventResult:
        """Articles 6, 7 and 9: changes, performances and uncounted games of one event."""
        return rating.rate(self, event)

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 8 and 9.3-9.55: the list that follows ``given.previous``."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """8.11: the date of the list that an event starting on ``day`` is rated with."""
        return periods.list_in_force(day)

    def next_list_date(self, after: date) -> date:
        """8.11: the first list date later than ``after``."""
        return periods.next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """8.13: the last day for events and for their reports; nobody has another."""
        return periods.closing_date(list_date)

    def last_receipt(self, list_date: date) -> date:
        """8.13: the last day on which a report may arrive for this list."""
        return periods.closing_date(list_date)

    def last_list_for(self, end: date) -> date | None:
        """10.14: a report more than one period late is rejected."""
        return periods.last_list_for(self, end)

    def k_of(
        self,
        *,
        rating: int,
        career_games: int | None,
        reached_k10: bool | None,
        birth_year: int | None = None,
        on: date | None = None,
    ) -> int:
        """9.53.a: K by the player's record."""
        return k_factor(self, career_games, rating, reached_k10)[0]

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """8.11: the list in force at the start holds for the whole event."""
        return False

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """8.13: the first list that an event completed (or received) on ``end`` comes into."""
        return periods.list_for(end)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """8.13.a, 10.11, 10.14: an error means that this list does not include the event."""
        return periods.report_findings(self, end, received, list_date)
