"""FIDE Rapid and Blitz Rating Regulations, in force from 1 January 2022."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from regulations.fide_rapid_blitz_2022 import lists, rating, registration
from regulations.fide_rapid_blitz_2022.columns import Columns
from regulations.fide_rapid_blitz_2022.parameters import Parameters
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
class FideRapidBlitz2022(Parameters):
    """The regulation; its fields are the parameters and its methods apply the articles.

    Rapid and blitz are two systems with the same rules: lists of one never hold games of the other.
    """

    code: ClassVar[str] = "fide-rapid-blitz-2022"
    title: ClassVar[str] = "FIDE Rapid and Blitz Rating Regulations (2022)"
    effective_from: ClassVar[date] = date(2022, 1, 1)
    effective_until: ClassVar[date | None] = date(2024, 2, 29)
    rates: ClassVar[tuple[str, ...]] = ("rapid", "blitz")
    pools_opponents: ClassVar[bool] = True
    counts_finished_games: ClassVar[bool] = False
    rates_totals: ClassVar[bool] = False
    calendar_articles: ClassVar[tuple[str, str]] = ("6.13", "8.1")
    #: 6.12
    printed: ClassVar[tuple[str, ...]] = (
        "id", "name", "title", "federation", "rating", "games", "birth_date", "sex", "k",
    )  # fmt: skip

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 0-5: is this registration ratable, and as what? All findings at once."""
        return registration.check(self, registration_)

    def rate(self, event: Event, only: Collection[str] | None = None) -> EventResult:
        """Articles 4, 5 and 7: changes, performances and uncounted games of one event; K as if
        ``games_in_period`` (or this event) were the whole period; ``only`` of these players."""
        return rating.rate(self, event, only)

    @property
    def by_columns(self) -> Columns:
        """The same articles for columns of games and players."""

        def findings(event: Event) -> tuple[Finding, ...]:
            return registration.hybrid(event.flags, event.authorizations)

        return Columns(self, rating.period_k, "unrated", findings, ("match",))

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 6 and 7: the list that follows ``given.previous``, with K by the whole period."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """6.11: the date of the list that an event starting on ``day`` is rated with."""
        return lists.list_in_force(day)

    def next_list_date(self, after: date) -> date:
        """6.1: the first list date later than ``after``."""
        return lists.next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """6.13: the last day on which an event may end; ``official`` for those of FIDE's handbook."""
        return lists.closing_date(self, list_date, official=official)

    def last_receipt(self, list_date: date) -> date:
        """6.1, 8.1: reports may arrive until the eve of the list that their period leads to."""
        return list_date - timedelta(days=1)

    def last_list_for(self, end: date) -> date | None:
        """8.1: an event not in by the third list after its end is not rated."""
        return lists.last_possible_list(self, end)

    def k_of(
        self,
        *,
        rating: int,
        career_games: int | None,
        reached_k10: bool | None,
        birth_year: int | None = None,
        on: date | None = None,
    ) -> int:
        """7.32: K is 20 for everybody (less in a period of more than 35 games)."""
        return self.k

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """No article lets the ratings change during an event."""
        return False

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """6.13: the first list that an event ending on ``end`` can come into."""
        return lists.list_for_end(self, end, official=official)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """6.13, 8.1: an error means that this list does not include the event; a warning, late."""
        return lists.report_findings(self, end, received, list_date, official=official)
