"""Within which values a parameter of a text means something: by its name, for all texts alike.

A figure outside is a slip of the pen: an ``nk_limit`` of 0 would make every K 0, a divisor of 0 would end
in a fault. Within them a federation reads its text as it likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

#: ratings and differences of ratings, as the calculator takes them
_RATING = (1, 4000)
_K = (1, 200)
_DAYS = (0, 366)
_LENGTH = (1, 3660)
_MINUTES = (1, 1440)
_ROUNDS = (1, 100)
_COUNT = (0, 1000)
_AT_LEAST_ONE = (1, 1000)
_SHARE = (0, 1)
#: where no line below names the parameter
_ANY_NUMBER = (0, 1_000_000)


def _each(bounds: tuple[int, int], names: str) -> dict[str, tuple[int, int]]:
    return dict.fromkeys(names.split(), bounds)


BOUNDS: Mapping[str, tuple[int, int]] = {
    **_each(
        _RATING,
        "start first_provisional championship_unrated hypothetical_rating first_rating_maximum "
        "k_strong_rating k_junior_below early_notice_above early_notice_above_women excluded_above "
        "full_difference_from f_from f_to a_from a_to dp_certain difference_limit excluded_difference",
    ),
    "floor": (0, 4000),
    **_each(_K, "k k_new k_junior k_normal k_strong"),
    **_each((1, 100_000), "nk_limit iteration_limit"),
    **_each(
        _DAYS,
        "notice_days notice_days_norms early_notice_days closing_days closing_days_official "
        "closing_days_monthly aim_days arbiter_days federation_days report_days corrected_days",
    ),
    **_each(_LENGTH, "maximum_days interim_days"),
    **_each((1, 24), "hours_per_day"),
    **_each(_ROUNDS, "rounds_per_day rapid_rounds_per_day blitz_rounds_per_day"),
    **_each(
        _MINUTES,
        "rapid_from rapid_above rapid_below blitz_above guillotine_minutes first_control_minutes "
        "finish_minutes electronic_minutes",
    ),
    **_each((0, 3600), "electronic_increment"),
    **_each((1, 500), "moves_per_hour first_control_moves recommended_first_moves"),
    **_each(_SHARE, "rated_share batch_share championship_share"),
    **_each((0, 100), "half_point_bonus dropped_score hypothetical_opponents root_decimals"),
    **_each(
        _COUNT,
        "small_event small_event_rated double_players double_rated championship_rated file_above "
        "championship_rated_women unrated_allowed rated_opponents decided_match_above k_games k_new_games "
        "active_games inactive_lists_shown periods_late",
    ),
    **_each(
        _AT_LEAST_ONE,
        "first_rating_games first_rating_lists first_rating_months definitive_games last_list",
    ),
    **_each((1, 10_000), "a_divisor b_divisor f_divisor"),
    **_each((1, 100), "rounding_step"),
    **_each((1, 4), "printed_digits"),
    **_each((0, 150), "least_age most_age k_junior_age"),
}
#: of each pair the first must be less than the second
_LESS = (("blitz_above", "rapid_above"), ("rapid_above", "rapid_below"), ("rapid_from", "rapid_below"))
#: of each pair the first must not be more than the second
_AT_MOST = (
    *((name, "nk_limit") for name in ("k", "k_new", "k_junior", "k_normal", "k_strong")),
    ("f_from", "f_to"),
    ("a_from", "a_to"),
    ("b_from", "b_to"),
    ("least_age", "most_age"),
    ("floor", "first_rating_maximum"),
)


def fault(name: str, value: Any) -> str | None:
    """What is wrong with a number of the right type, or None."""
    if name == "minimum_minutes":
        return _fault_of_rows(value)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return None
    least, most = BOUNDS.get(name, _ANY_NUMBER)
    return None if least <= value <= most else f"must be from {least} to {most}; not {value}"


def _fault_of_rows(rows: tuple[tuple[int, int], ...]) -> str | None:
    ratings = [rating for rating, _ in rows]
    if ratings != sorted(set(ratings), reverse=True):
        return "must go from the highest rating to the lowest, each once"
    most = _MINUTES[1]
    return f"must have at most {most} minutes in a row" if any(row[1] > most for row in rows) else None


def faults_between(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Parameters that contradict each other: the name of one and what is wrong with it."""
    for low, high in _LESS:
        if low in values and high in values and values[low] >= values[high]:
            yield low, f"must be less than {high}, {values[high]}; not {values[low]}"
    for low, high in _AT_MOST:
        if low in values and high in values and values[low] > values[high]:
            yield low, f"must not be more than {high}, {values[high]}; not {values[low]}"
