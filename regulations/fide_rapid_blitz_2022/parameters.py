"""The figures and choices of the FIDE Rapid and Blitz Rating Regulations of 1 January 2022."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations import parameters
from regulations.exact import ROUNDINGS
from regulations.parameters import param


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    """Each figure stands once, here. Where a text can be read in two ways the field is the choice."""

    # 0-5: the registration
    appeal_days: int = param(7, "0.4", "days from a refusal to rate an event within which it may be appealed")
    notice_days: int = param(3, "0.2", "days between the registration and the start")
    rapid_above: int = param(10, "1.1.1", "rapid: more minutes than this for 60 moves")
    rapid_below: int = param(60, "1.1.1", "rapid: fewer minutes than this for 60 moves")
    blitz_above: int = param(3, "1.1.2", "blitz: more minutes than this for 60 moves, to rapid_above")
    rapid_rounds_per_day: int = param(15, "3.1.1", "most rounds of rapid chess on one day")
    blitz_rounds_per_day: int = param(30, "3.1.2", "most rounds of blitz on one day")
    cut_decided_match: bool = param(True, "5.2", "games after a match was decided are not rated")
    # 6: the list
    closing_days: int = param(3, "6.13", "days from the last day of an event to the list")
    closing_days_official: int = param(1, "6.13", "the same for FIDE's official events")
    first_rating_games: int = param(5, "6.14", "least games behind a first rating")
    first_rating_months: int = param(26, "6.14", "consecutive months whose results are pooled")
    floor: int = param(1000, "6.12, 6.14, 6.21", "lowest rating on the list")
    active_games: int = param(1, "6.22", "fewer games than this in a year: inactive")
    # 7: the rating
    dp_certain: int = param(800, "7.1", "dp where p is 1.0; negative at 0.0")
    half_point_bonus: Fraction = param(Fraction(20), "7.23", "points of Ru for each half point above 50 %")
    difference_limit: int = param(400, "7.31", "greatest difference of ratings that counts")
    k: int = param(20, "7.32", "K, while n × K does not pass nk_limit")
    nk_limit: int = param(700, "7.32", "greatest n × K in a period")
    change_rounding: str = param(
        "half-to-zero",
        "7.33",
        "rounding of a period's change: the text says that 0.5 becomes 0; FIDE's practice is half-away",
        tuple(ROUNDINGS),
    )
    # 8: the report
    aim_days: int = param(
        5, "8.1", "days left in the month, or fewer: the report may aim at the following list"
    )
    last_list: int = param(3, "8.1", "lists after the end of the event: not in by this one, not rated")
