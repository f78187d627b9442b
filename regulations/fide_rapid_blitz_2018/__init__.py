"""FIDE Rapid and Blitz Rating Regulations, in force from 1 July 2018."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from regulations.fide_rapid_blitz_2018 import lists, rating, registration
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2022.columns import Columns
from regulations.fide_rapid_blitz_2022.lists import closing_date, list_for_end, list_in_force, next_list_date
from regulations.lists import ROUND_ROBINS
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
class FideRapidBlitz2018(Parameters):
    """The regulation; its fields are the parameters and its methods apply the articles.

    Rapid and blitz are two systems with the same rules: lists of one never hold games of the other.
    """

    code: ClassVar[str] = "fide-rapid-blitz-2018"
    title: ClassVar[str] = "FIDE Rapid and Blitz Rating Regulations (2018)"
    effective_from: ClassVar[date] = date(2018, 7, 1)
    effective_until: ClassVar[date | None] = date(2021, 12, 31)
    rates: ClassVar[tuple[str, ...]] = ("rapid", "blitz")
    pools_opponents: ClassVar[bool] = True
    counts_finished_games: ClassVar[bool] = False
    rates_totals: ClassVar[bool] = False
    calendar_articles: ClassVar[tuple[str, str]] = ("7.13", "7.13")
    #: 7.12
    printed: ClassVar[tuple[str, ...]] = (
        "id", "name", "title", "federation", "rating", "games", "birth_year", "sex", "k",
    )  # fmt: skip

    def check(self, registration_: Registration) -> CheckResult:
        """Articles 0-6: is this registration ratable, and as what? All findings at once."""
        return registration.check(self, registration_)

    def rate(self, event: Event, only: Collection[str] | None = None) -> EventResult:
        """Articles 5, 6 and 8: changes, performances and uncounted games of one event; K as if
        ``games_in_period`` (or this event) were the whole period; ``only`` of these players."""
        return rating.rate(self, event, only)

    @property
    def by_columns(self) -> Columns:
        """The same articles for columns of games and players."""

        def findings(event: Event) -> tuple[Finding, ...]:
            if event.start is None or event.end is None:
                return ()
            return registration.duration(self, event.start, event.end, event.authorizations)

        return Columns(self, rating.period_k, "delisted", findings, ("match", *ROUND_ROBINS))

    def next_list(self, given: ListInput) -> ListResult:
        """Articles 7 and 8: the list that follows ``given.previous``, with K by the whole period."""
        return lists.next_list(self, given)

    def list_in_force(self, day: date) -> date:
        """7.11: the date of the list that an event starting on ``day`` is rated with."""
        return list_in_force(day)

    def next_list_date(self, after: date) -> date:
        """7.1: the first list date later than ``after``."""
        return next_list_date(after)

    def closing_date(self, list_date: date, *, official: bool = False) -> date:
        """7.13: the last day on which an event may end; ``official`` for those of FIDE."""
        return closing_date(self, list_date, official=official)

    def last_receipt(self, list_date: date) -> date:
        """7.13: the last day on which a report may arrive for this list."""
        return lists.last_receipt(self, list_date)

    def last_list_for(self, end: date) -> date | None:
        """No article keeps a late report off a later list."""
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
        """8.56: K is 20 for everybody (less in a period of more than 35 games)."""
        return self.k

    def splits_by_list(self, *, start: date, end: date, flags: frozenset[str]) -> bool:
        """No article lets the ratings change during an event."""
        return False

    def list_for_end(self, end: date, *, official: bool = False) -> date:
        """7.13: the first list that an event ending on ``end`` can come into."""
        return list_for_end(self, end, official=official)

    def deadlines(self, end: date) -> tuple[date, date]:
        """9.1: until when the chief arbiter reports, and until when the federation uploads."""
        return lists.deadlines(self, end)

    def report_findings(
        self, *, end: date, received: date, list_date: date, official: bool = False
    ) -> tuple[Finding, ...]:
        """7.13, 9.1: an error means that this list does not include the event; a warning, late."""
        return lists.report_findings(self, end, received, list_date, official=official)
