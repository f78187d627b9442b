"""The texts of 2024 for whole columns of games and players (``regulations.columns``)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from regulations.fide_2024 import lists, rating, registration
from regulations.fide_2024.coefficient import k_of_line, line_of_k, period_k
from regulations.fide_2024.parameters import RapidBlitz, Shared, Standard
from regulations.fide_rapid_blitz_2022.registration import hybrid
from regulations.model import Event


@dataclass(frozen=True, slots=True)
class Columns:
    """Articles 5-8 for columns; see ``regulations.columns.Text``."""

    p: Shared
    below_floor: str = "unrated"

    @property
    def standard_stands_in(self) -> bool:
        """7.2.1 of the rapid and blitz text."""
        return isinstance(self.p, RapidBlitz)

    def is_ordinary(self, event: Event, highest: int) -> bool:
        """No match, no hybrid event that nobody approved, and (1.1 of the standard text) time enough for
        the strongest player."""
        if event.system == "match" or event.totals:
            return False
        if any(finding.severity == "error" for finding in hybrid(event.flags, event.authorizations)):
            return False
        minutes = event.minutes_for_60_moves
        if minutes is None or not isinstance(self.p, Standard):
            return True
        return registration.game_has_time(self.p, minutes, highest, None)

    def era(self, event: Event) -> tuple[bool, bool]:
        """Full differences for the strongest (standard); too unequal games left out (rapid, blitz)."""
        return rating.has_full_differences(self.p, event), rating.excludes_unequal(self.p, event)

    def counted(self, era: tuple[bool, bool], own: Any, opponent: Any) -> Any:
        """7.3.1 of the rapid and blitz text."""
        return rating.are_too_unequal(self.p, own, opponent) == 0 if era[1] else own == own

    def differences(self, era: tuple[bool, bool], own: Any, opponent: Any) -> Any:
        """8.3.1."""
        return rating.difference(self.p, era[0], own, opponent)

    def k(self, rating: Any, games: Any, reached: Any, age: Any, highest: Any) -> Any:
        """8.3.3."""
        return k_of_line(self.p, line_of_k(self.p, rating, games, reached, age, highest))

    def period_k(self, k: Any, games: Any) -> Any:
        """8.3.3: n × K."""
        return period_k(self.p, k, games)

    def reached(self, reached: Any, *ratings: Any) -> Any:
        """8.3.3: 2400 once reached."""
        for each in ratings:
            reached = reached | (each >= self.p.k_strong_rating)
        return reached

    def year_of_k(self, list_date: date) -> int:
        """8.3.3, 7.1.2: that of the list before."""
        return lists.year_of_k(list_date)
