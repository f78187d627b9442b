"""The figures and choices of the FIDE Rapid and Blitz Rating Regulations of 1 July 2018."""

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

    # 0-4: the registration
    appeal_days: int = param(7, "0.5", "days from a refusal to rate an event within which it may be appealed")
    notice_days: int = param(3, "0.2", "days between the registration and the start")
    notice_days_norms: int = param(30, "0.2", "the same where title norms are possible")
    rapid_above: int = param(10, "1.1", "rapid chess: more minutes than this for 60 moves")
    rapid_below: int = param(60, "1.1", "rapid chess: fewer minutes than this for 60 moves")
    blitz_above: int = param(3, "1.1", "blitz: more minutes than this, up to rapid_above")
    rapid_rounds_per_day: int = param(15, "3.1", "most rounds of rapid chess on one day")
    blitz_rounds_per_day: int = param(30, "3.1", "most rounds of blitz on one day")
    maximum_days: int = param(30, "4.1", "longest event in days, first and last day counted")
    # 6: composition
    dropped_score: Fraction = param(
        Fraction(1, 2), "6.1, 6.31", "an unrated player with this score or less in his first event is ignored"
    )
    rated_share: Fraction = param(Fraction(1, 3), "6.2", "least share of rated players in a round robin")
    small_event: int = param(10, "6.21", "a round robin of fewer players than this is small")
    small_event_rated: int = param(4, "6.21", "least rated players in a small round robin")
    double_players: int = param(6, "6.22", "least players of a double round robin with unrated players")
    double_rated: int = param(4, "6.22", "least rated players of a double round robin with unrated players")
    decided_match_above: int = param(
        8, "6.5", "games after a match was decided are cut only in a match of more games than this"
    )
    # 7: the list
    closing_days: int = param(3, "7.13", "days from the last day of an event to the list")
    closing_days_official: int = param(1, "7.13", "the same for FIDE's official events")
    first_rating_games: int = param(5, "7.14a, 7.14b", "least games behind a first rating")
    first_rating_months: int = param(26, "7.14c", "consecutive months whose results are pooled")
    floor: int = param(1000, "7.12, 7.14d, 7.21", "lowest rating on the list")
    active_games: int = param(1, "7.23a", "fewer games than this in a year: inactive")
    # 8: the rating
    dp_certain: int = param(800, "8.1", "dp where p is 1.0; negative at 0.0")
    half_point_bonus: Fraction = param(Fraction(10), "8.24", "points of Ru for each half point above 50 %")
    unrated_opponents: str = param(
        "closed",
        "8.52, 8.58",
        "Ru of the unrated in a round robin: by the closed formula and one pass of the limit, or iterated "
        "until the average of the tournament, limit included, stands still",
        ("closed", "iterated"),
    )
    iteration_limit: int = param(1000, "8.58", "rounds after which an iteration ends at the latest")
    difference_limit: int = param(735, "8.54", "greatest difference of ratings that counts")
    k: int = param(20, "8.56", "K of a period of few games")
    nk_limit: int = param(700, "8.56", "K of a period of more games is this, divided by their number")
    k_games: int = param(35, "8.56", "most games of a period with the full K")
    change_rounding: str = param(
        "half-away", "8.57", "rounding of a period's change: 0.5 away from zero", tuple(ROUNDINGS)
    )
    # 9: the report
    arbiter_days: int = param(7, "9.1", "days after the end within which the chief arbiter reports")
    federation_days: int = param(30, "9.1", "days after the end within which the federation uploads")
