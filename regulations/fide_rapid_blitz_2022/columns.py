"""The texts of 2018 and 2022 for whole columns of games and players (``regulations.columns``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from regulations import per_game
from regulations.model import Event


@dataclass(frozen=True, slots=True)
class Columns:
    """The articles on rated players for columns; see ``regulations.columns.Text``. K is the same for
    everybody but for the number of games in the period."""

    p: Any
    of_period: Callable[[Any, Any], Any]
    below_floor: str
    #: the findings on an event that has no players yet
    findings: Callable[[Event], Any]
    #: types of event with rules of their own
    special: tuple[str, ...]
    standard_stands_in: bool = True

    def is_ordinary(self, event: Event, highest: int) -> bool:
        """An event whose games all count by themselves, with no finding that stops it."""
        if event.system in self.special or event.totals:
            return False
        return all(finding.severity != "error" for finding in self.findings(event))

    def era(self, event: Event) -> None:
        """Nothing in these texts changes while they hold."""

    def counted(self, era: None, own: Any, opponent: Any) -> Any:
        """7.31: every game between rated players."""
        return own == own

    def differences(self, era: None, own: Any, opponent: Any) -> Any:
        """7.31 (8.51 of 2018)."""
        return per_game.difference(self.p, own, opponent)

    def k(self, rating: Any, games: Any, reached: Any, age: Any, highest: Any) -> Any:
        """7.32 (8.56 of 2018)."""
        return self.p.k + 0 * rating

    def period_k(self, k: Any, games: Any) -> Any:
        """7.32 (8.56 of 2018): less in a period of more than 35 games."""
        return self.of_period(self.p, games)

    def reached(self, reached: Any, *ratings: Any) -> Any:
        """These texts lower no K for good."""
        return reached

    def year_of_k(self, list_date: date) -> int:
        """No age matters."""
        return list_date.year
