"""The figures and choices of FIDE's two rating regulations of 1 March 2024."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from regulations import parameters
from regulations.base import Parameter
from regulations.exact import ROUNDINGS
from regulations.fide_2024 import articles
from regulations.parameters import param

#: a day as a parameter: year, month, day
Day = tuple[int, int, int]


@dataclass(frozen=True)
class Shared(parameters.Parameters):
    """What both texts say, each figure once, under its number in the standard text."""

    #: how this text numbers the shared rules
    articles: ClassVar[Mapping[str, str]] = articles.STANDARD

    # 0: the registration
    appeal_days: int = param(7, "0.4", "days from a refusal to rate an event within which it may be appealed")
    notice_days: int = param(3, "0.2.2", "days between the registration and the start")
    # 6: matches
    cut_decided_match: bool = param(True, "6.2", "games after a match was decided are not rated")
    # 7: the list
    closing_days: int = param(3, "7.1.3", "days from the last day of an event to the list")
    closing_days_official: int = param(1, "7.1.3", "the same for FIDE's official events")
    first_rating_games: int = param(5, "7.1.4", "least games behind a first rating")
    first_rating_months: int = param(26, "7.1.4", "consecutive months whose results are pooled")
    floor: int = param(1400, "7.1.2, 7.1.4, 7.2.1", "lowest rating on the list")
    active_games: int = param(1, "7.2.2", "fewer games than this in a year: inactive")
    # 8: the rating
    dp_certain: int = param(800, "8.1.1", "dp where p is 1.0; negative at 0.0")
    hypothetical_opponents: int = param(
        2, "8.2.2", "drawn games that are added to an unrated player's games, once over all his events"
    )
    hypothetical_rating: int = param(1800, "8.2.2", "rating of the opponents of these drawn games")
    first_rating_maximum: int = param(2200, "8.2.3", "highest first rating, after rounding")
    difference_limit: int = param(400, "8.3.1", "greatest difference of ratings that counts")
    k_new: int = param(40, "8.3.3", "K of a player new to the list")
    k_new_games: int = param(30, "8.3.3", "games after which a player is no longer new")
    k_junior: int = param(40, "8.3.3", "K of a junior whose rating is below k_junior_below")
    k_junior_age: int = param(18, "8.3.3", "a junior is one until the end of the year of this birthday")
    k_junior_below: int = param(2300, "8.3.3", "from this rating on a junior's K is not k_junior")
    k_normal: int = param(20, "8.3.3", "K of a player whose rating never reached k_strong_rating")
    k_strong: int = param(10, "8.3.3", "K for good after the published rating reached k_strong_rating")
    k_strong_rating: int = param(2400, "8.3.3", "published rating from which K is k_strong for good")
    nk_limit: int = param(700, "8.3.3", "greatest n × K in a period")
    change_rounding: str = param(
        "half-away", "8.3.4", "rounding of a period's change: 0.5 away from zero", tuple(ROUNDINGS)
    )
    # 9: the report
    aim_days: int = param(
        5, "9.1", "days left in the month, or fewer: the report may aim at the following list"
    )
    last_list: int = param(3, "9.1", "lists after the end of the event: not in by this one, not rated")

    def article(self, number: str) -> str:
        """The number in this text of a rule that the standard text gives this number."""
        return self.articles[number]

    @property
    def calendar_articles(self) -> tuple[str, str]:
        """Of the closing date and of the report."""
        return self.article("7.1.3"), self.article("9.1")

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Every figure and choice of the text, by name, under the numbers of this text."""
        return {name: self._renumbered(name, one) for name, one in super().parameters.items()}

    def _renumbered(self, name: str, one: Parameter) -> Parameter:
        if name not in Shared.__dataclass_fields__:
            return one
        numbers = ", ".join(self.article(number) for number in one.article.split(", "))
        return Parameter(one.value, numbers, one.meaning)


@dataclass(frozen=True)
class Standard(Shared):
    """The regulations of standard chess."""

    early_notice_days: int = param(30, "0.2.1", "days of notice where a very strong player takes part")
    early_notice_above: int = param(2700, "0.2.1", "a player rated above this is very strong")
    early_notice_above_women: int = param(2500, "0.2.1", "a woman rated above this is very strong")
    minimum_minutes: tuple[tuple[int, int], ...] = param(
        ((2400, 120), (1800, 90), (0, 60)),
        "1.1",
        "minutes for 60 moves by the higher rating in the game: (rating from, minutes)",
    )
    first_control_moves: int = param(30, "1.2", "least moves of a first control that counts moves")
    hours_per_day: int = param(12, "3.1", "most hours of play on one day, both clocks, 60 moves a game")
    interim_days: int = param(30, "4", "an event of more days than this sends a report every month")
    full_difference_from: int = param(
        2650, "8.3.1", "a player rated so high takes every difference as it is, from full_difference_start on"
    )
    full_difference_start: Day = param(
        (2025, 10, 1), "8.3.1", "first day (year, month, day) of the events in which that holds"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        date(*self.full_difference_start)


@dataclass(frozen=True)
class RapidBlitz(Shared):
    """The regulations of rapid chess and blitz."""

    articles: ClassVar[Mapping[str, str]] = articles.RAPID_BLITZ

    rapid_above: int = param(10, "1.1.1", "rapid: more minutes than this for 60 moves")
    rapid_below: int = param(60, "1.1.1", "rapid: fewer minutes than this for 60 moves")
    blitz_above: int = param(3, "1.1.2", "blitz: more minutes than this for 60 moves, to rapid_above")
    rapid_rounds_per_day: int = param(15, "3.1.1", "most rounds of rapid chess on one day")
    blitz_rounds_per_day: int = param(30, "3.1.2", "most rounds of blitz on one day")
    excluded_difference: int = param(
        600, "7.3.1", "a game with this difference or more is not rated if a player is very strong"
    )
    excluded_above: int = param(2600, "7.3.1", "a player rated above this is very strong")
    excluded_start: Day = param(
        (2024, 12, 1), "7.3.1", "first day (year, month, day) of the events in which that holds"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        date(*self.excluded_start)
