"""The figures of the text, each once, with its article."""

from __future__ import annotations

from dataclasses import dataclass

from regulations import parameters
from regulations.parameters import param


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    minutes: int = param(60, "1.1", "least minutes for 60 moves")
    notice_days: int = param(1, "1.2", "days between the registration and the start")
    difference_limit: int = param(400, "2.1", "greatest difference that counts")
    table: tuple[tuple[int, int], ...] = param(
        ((0, 50), (25, 57), (75, 64), (125, 70), (175, 76), (225, 81), (275, 85), (325, 89), (375, 91)),
        "2.2",
        "from this difference on, the expected score of the higher rated in hundredths",
    )
    k: int = param(20, "2.3", "K of everybody")
    first_rating_games: int = param(4, "3.1", "least games against rated opponents for a first rating")
    closing_days: int = param(7, "4.2", "days between the end of an event and the list")
    report_days: int = param(10, "4.3", "days after the end within which the report is due")
    last_list: int = param(2, "4.3", "lists after the end: not in by this one, not rated")
    floor: int = param(1000, "4.5", "lowest rating on the list")
    active_games: int = param(1, "4.6", "fewer games than this in two periods: inactive")
