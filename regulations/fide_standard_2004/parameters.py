"""The figures and choices of the FIDE Rating Regulations of about 2004 (standard chess)."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations import parameters
from regulations.parameters import param

ROUND_ROBIN_N = "n/(n+1)"


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    """Each figure stands once, here. Where a text can be read in two ways the field is the choice."""

    # 1-4: the registration
    minimum_minutes: tuple[tuple[int, int], ...] = param(
        ((2200, 120), (1600, 90), (0, 60)),
        "1.12-1.14",
        "minutes for 60 moves by the highest rating in the tournament: (rating from, minutes)",
    )
    recommended_first_moves: int = param(40, "1.3", "moves recommended for the first control")
    rounds_per_day: int = param(3, "3.1", "most rounds on one day")
    hours_per_day: int = param(12, "3.1", "most hours of play on one day, both clocks, 60 moves a game")
    maximum_days: int = param(90, "4.1", "longest event in days, first and last day counted")
    # 6: composition
    dropped_score: Fraction = param(
        Fraction(1, 2), "6.1", "an unrated player with this score or less in an event is disregarded"
    )
    rated_share: Fraction = param(Fraction(1, 3), "6.3", "least share of rated players in a round robin")
    small_event: int = param(10, "6.31", "a round robin of fewer players than this is small")
    small_event_rated: int = param(4, "6.31", "least rated players in a small round robin")
    double_players: int = param(6, "6.32", "least players of a double round robin with unrated players")
    double_rated: int = param(4, "6.32", "least rated players of a double round robin with unrated players")
    championship_rated: int = param(3, "6.33", "least rated players of a national championship")
    championship_rated_women: int = param(2, "6.33", "the same for a championship of women only")
    unrated_allowed: int = param(1, "6.4", "most unrated players in a match or a Scheveningen tournament")
    rated_opponents: int = param(3, "6.42", "different rated opponents that an unrated player must meet")
    # 9: the list
    calendar: str = param(
        "quarterly",
        "9.1, 9.4",
        "lists every quarter, or every month once so decided",
        ("quarterly", "monthly"),
    )
    closing_days_monthly: int = param(30, "9.43", "days from the closing date to a monthly list")
    first_rating_games: int = param(9, "9.14", "least games behind a first rating")
    first_rating_lists: int = param(8, "9.14c", "lists whose results are pooled: the same and the next 7")
    floor: int = param(1801, "9.21, 10.31, 10.32", "lowest rating on the list")
    active_games: int = param(4, "9.23a", "fewer games than this in a year: inactive")
    inactive_lists_shown: int = param(7, "9.23b", "lists that still show an inactive player")
    # 10: the rating
    dp_certain: int = param(800, "10.1a", "dp where p is 1.00, for the average dpa; negative at 0.00")
    half_point_bonus: Fraction = param(
        Fraction(25, 2), "10.23", "points of Ru for each half point above 50 %"
    )
    difference_limit: int = param(350, "10.51", "greatest difference of ratings that counts")
    limit_in_round_robin: bool = param(
        True, "10.51, example 10.58", "the limit holds in a round robin too, by one correction pass"
    )
    round_robin_low_ru: str = param(
        ROUND_ROBIN_N,
        "10.25, example 10.58",
        "what multiplies dp below 50 % in a round robin: n/(n+1), or nothing as in the worked example",
        (ROUND_ROBIN_N, "1"),
    )
    ra_whole: bool = param(True, "10.21b, example 10.58", "Ra of a round robin is rounded to a whole number")
    round_robin_whole: bool = param(
        False,
        "10.51, example 10.58",
        "Rc and Ru of a round robin are rounded at each step, as in the example",
    )
    k_new: int = param(25, "10.54", "K until the games of k_new_games are completed")
    k_new_games: int = param(30, "10.54", "games after which a player is no longer new")
    k_normal: int = param(15, "10.54", "K of a player whose rating never reached k_strong_rating")
    k_strong: int = param(10, "10.54", "K for good after the published rating reached k_strong_rating")
    k_strong_rating: int = param(2400, "10.54", "published rating from which K is k_strong for good")
