"""FIDE's rating regulations of 1 March 2024: standard chess, and rapid chess and blitz.

The two texts share nearly all rules; ``articles`` holds how each of them numbers these.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from regulations.fide_2024 import lists, rating, registration
from regulations.fide_2024.coefficient import k_factor
from regulations.fide_2024.columns import Columns
from regulations.fide_2024.parameters import RapidBlitz, Shared, Standard
from regulations.fide_rapid_blitz_2022 import lists as monthly
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
class _Fide2024(Shared):
    """What both regulations do alike; articles by their number in the standard text."""

    effective_from: ClassVar[date] = date(2024, 3, 1)
    effective_until: ClassVar[date | None] = None
    pools_opponents: ClassVar[bool] = True
    counts_finished_games: ClassVar[bool] = False
    rates_totals: ClassVar[bool] = False
    #: 7.1.2
    printed: ClassVar[tuple[str, ...]] = (
        "id", "name", "title", "federation", "rating", "games", "birth_year", "sex", "k",
    )  # fmt: skip

    def rate(self, event: Event, only: Collection[str] | None = None) -> EventResult:
        """Articles 5, 6 and 8: changes, performances and uncounted games of one event; K as if
        ``games_in_period`` (or this event) were the whole period; ``only`` of these players."""
        return rating.rate(self, event, only)

    @property
    def by_columns(self) -> Columns:
        """The same articles for columns of games and players."""
        return Columns(self)

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 7 and 8: the list that follows ``given.previous``, with K by the whole period."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """7.1.1: the date of the list that an event starting on ``day`` is rated with."""
        return monthly.list_in_force(day)

    def next_list_date(self, after: date) -> date:
        """7.1: the first list date later than ``after``."""
        return monthly.next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """7.1.3: the last day on which an event may end; ``official`` for FIDE's own events."""
        return monthly.closing_date(self, list_date, official=official)

    def last_receipt(self, list_date: date) -> date:
        """7.1, 9.1: reports may arrive until the eve of the list that their period leads to."""
        return list_date - timedelta(days=1)

    def last_list_for(self, end: date) -> date | None:
        """9.1: an event not in by the third list after its end is not rated."""
        return monthly.last_possible_list(self, end)

    def k_of(
        self,
        *,
        rating: int,
        career_games: int | None,
        reached_k10: bool | None,
        birth_year: int | None = None,
        on: date | None = None,
    ) -> int:
        """8.3.3: K by the player's record and the day's year; without both years nobody is a junior."""
        games = self.k_new_games if career_games is None else career_games
        return k_factor(self, rating, games, reached_k10, birth_year, on and on.year)[0]

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """No article lets the ratings change during an event, however long."""
        return False

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """7.1.3: the first list that an event ending on ``end`` can come into."""
        return monthly.list_for_end(self, end, official=official)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """7.1.3, 9.1: an error means that this list does not include the event; a warning, late."""
        return lists.report_findings(self, end, received, list_date, official=official)


@dataclass(frozen=True)
class FideStandard2024(_Fide2024, Standard):
    """Standard chess; its fields are the parameters and its methods apply the articles."""

    code: ClassVar[str] = "fide-standard-2024"
    title: ClassVar[str] = "FIDE Rating Regulations, standard chess (2024)"
    rates: ClassVar[tuple[str, ...]] = ("standard",)

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 0-4 and 6: is this registration ratable? All findings at once."""
        return registration.check_standard(self, registration_)


@dataclass(frozen=True)
class FideRapidBlitz2024(_Fide2024, RapidBlitz):
    """Rapid chess and blitz: two systems with the same rules, whose lists never mix."""

    code: ClassVar[str] = "fide-rapid-blitz-2024"
    title: ClassVar[str] = "FIDE Rapid and Blitz Rating Regulations (2024)"
    rates: ClassVar[tuple[str, ...]] = ("rapid", "blitz")

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 0-5: is this registration ratable, and as what? All findings at once."""
        return registration.check_rapid_blitz(self, registration_)
