"""What a regulation offers, and the parameters by which a federation can read its text otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from regulations.model import (
    CheckResult,
    Event,
    EventResult,
    Finding,
    ListInput,
    ListResult,
    Registration,
)

#: what a list may print of a player
PRINTED = (
    "id", "name", "title", "federation", "rating", "k", "games", "birth_date", "birth_year", "sex",
    "status", "change", "career_games",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named figure or choice of a text: its value, its article and what it means."""

    value: Any
    article: str
    meaning: str


class Regulation(Protocol):
    """One rating regulation. Every method is a pure function of its arguments."""

    code: str
    title: str
    effective_from: date
    effective_until: date | None
    rates: tuple[str, ...]
    #: a first rating averages all opponents (True), or the performances of the events
    pools_opponents: bool
    #: what the text has its list print of a player, by the names of ``PRINTED``
    printed: tuple[str, ...]
    #: a list prints multiples of this many points
    list_step: int
    #: whoever is inactive for too long to stand on the list stands on one of inactive players (F 8.22.b)
    lists_all_inactive: bool
    #: a game counts in the period in which it was reported finished, while its event goes on
    counts_finished_games: bool
    #: an event can be reported by totals instead of games
    rates_totals: bool
    #: the articles that set ``closing_date`` and ``last_receipt``
    calendar_articles: tuple[str, str]

    @property
    def parameters(self) -> dict[str, Parameter]: ...

    def check(self, registration: Registration) -> CheckResult:
        """Is this registration ratable? All findings at once."""

    def rate(self, event: Event) -> EventResult:
        """The changes, performances and uncounted games of one event."""

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """Does each game of this event take the list in force on its own day (a long league)?"""

    def next_list(self, given: ListInput) -> ListResult:
        """The list that follows ``given.previous`` when ``given.events`` are counted."""

    def next_list_date(self, after: date) -> date:
        """The first list date later than ``after``."""

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """The last day on which an event may end for this list (``official``: of FIDE or a continent)."""

    def last_receipt(self, list_date: date) -> date:
        """The last day on which a report may arrive for this list."""

    def last_list_for(self, end: date) -> date | None:
        """The last list that may count an event that ended on this day; None: there is no such limit."""

    def k_of(
        self,
        *,
        rating: int,
        career_games: int | None,
        reached_k10: bool | None,
        birth_year: int | None = None,
        on: date | None = None,
    ) -> int:
        """The K on this day of a rated player with this record (None: the defaults of the calculator's
        contract; of a player whose year of birth is not known no text makes a junior)."""

    def printed_rating(self, rating: int) -> str:
        """A rating as the list of this text prints it (A 15c: three digits only)."""

    def report_findings(self, *, end: date, received: date, list_date: date) -> tuple[Finding, ...]:
        """What the text says of a report received on this day for this list (late, rejected)."""
