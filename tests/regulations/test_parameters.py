"""Every figure and choice of the texts, with its article, as read from the texts."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from regulations import registry
from regulations.adjusting import adjusted
from regulations.fide_2024 import FideStandard2024
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.reading import Problem

STANDARD_2004 = {
    "minimum_minutes": (((2200, 120), (1600, 90), (0, 60)), "1.12-1.14"),
    "recommended_first_moves": (40, "1.3"),
    "rounds_per_day": (3, "3.1"),
    "hours_per_day": (12, "3.1"),
    "maximum_days": (90, "4.1"),
    "dropped_score": (Fraction(1, 2), "6.1"),
    "rated_share": (Fraction(1, 3), "6.3"),
    "small_event": (10, "6.31"),
    "small_event_rated": (4, "6.31"),
    "double_players": (6, "6.32"),
    "double_rated": (4, "6.32"),
    "championship_rated": (3, "6.33"),
    "championship_rated_women": (2, "6.33"),
    "unrated_allowed": (1, "6.4"),
    "rated_opponents": (3, "6.42"),
    "calendar": ("quarterly", "9.1, 9.4"),
    "closing_days_monthly": (30, "9.43"),
    "first_rating_games": (9, "9.14"),
    "first_rating_lists": (8, "9.14c"),
    "floor": (1801, "9.21, 10.31, 10.32"),
    "active_games": (4, "9.23a"),
    "inactive_lists_shown": (7, "9.23b"),
    "dp_certain": (800, "10.1a"),
    "half_point_bonus": (Fraction("12.5"), "10.23"),
    "difference_limit": (350, "10.51"),
    "limit_in_round_robin": (True, "10.51, example 10.58"),
    "round_robin_low_ru": ("n/(n+1)", "10.25, example 10.58"),
    "ra_whole": (True, "10.21b, example 10.58"),
    "round_robin_whole": (False, "10.51, example 10.58"),
    "k_new": (25, "10.54"),
    "k_new_games": (30, "10.54"),
    "k_normal": (15, "10.54"),
    "k_strong": (10, "10.54"),
    "k_strong_rating": (2400, "10.54"),
}
RAPID_BLITZ_2022 = {
    "appeal_days": (7, "0.4"),
    "notice_days": (3, "0.2"),
    "rapid_above": (10, "1.1.1"),
    "rapid_below": (60, "1.1.1"),
    "blitz_above": (3, "1.1.2"),
    "rapid_rounds_per_day": (15, "3.1.1"),
    "blitz_rounds_per_day": (30, "3.1.2"),
    "cut_decided_match": (True, "5.2"),
    "closing_days": (3, "6.13"),
    "closing_days_official": (1, "6.13"),
    "first_rating_games": (5, "6.14"),
    "first_rating_months": (26, "6.14"),
    "floor": (1000, "6.12, 6.14, 6.21"),
    "active_games": (1, "6.22"),
    "dp_certain": (800, "7.1"),
    "half_point_bonus": (Fraction(20), "7.23"),
    "difference_limit": (400, "7.31"),
    "k": (20, "7.32"),
    "nk_limit": (700, "7.32"),
    "change_rounding": ("half-to-zero", "7.33"),
    "aim_days": (5, "8.1"),
    "last_list": (3, "8.1"),
}


@pytest.mark.parametrize(
    ("rules", "figures"),
    [(FideStandard2004(), STANDARD_2004), (FideRapidBlitz2022(), RAPID_BLITZ_2022)],
    ids=["fide-standard-2004", "fide-rapid-blitz-2022"],
)
def test_each_parameter_and_its_article(rules, figures):
    assert {name: (each.value, each.article) for name, each in rules.parameters.items()} == figures


@pytest.mark.parametrize(
    ("make", "name", "choices"),
    [
        (FideStandard2004, "calendar", ("quarterly", "monthly")),
        (FideStandard2004, "round_robin_low_ru", ("n/(n+1)", "1")),
        (FideRapidBlitz2022, "change_rounding", ("half-up", "half-away", "half-to-zero")),
    ],
)
def test_each_choice(make, name, choices):
    assert [getattr(make(**{name: choice}), name) for choice in choices] == list(choices)
    with pytest.raises(ValueError) as caught:
        make(**{name: "other"})
    assert str(caught.value) == f"{name} must be one of {', '.join(choices)}; not 'other'"


@pytest.mark.parametrize("rows", [((1,),), ((2200, 120, 1),), (2200, 120), ((2200, "120"),), ()])
def test_rows_of_a_table_keep_their_shape(rows):
    with pytest.raises(ValueError, match="minimum_minutes must be like"):
        FideStandard2004(minimum_minutes=rows)
    assert FideStandard2004(minimum_minutes=((0, 60),)).minimum_minutes == ((0, 60),)


@pytest.mark.parametrize("day", [(2025,), (2025, 10), (2025, 10, 1, 0)])
def test_a_date_has_three_numbers(day):
    with pytest.raises(ValueError, match="full_difference_start must be like"):
        FideStandard2024(full_difference_start=day)
    assert FideStandard2024(full_difference_start=(2026, 1, 1)).full_difference_start == (2026, 1, 1)


@pytest.mark.parametrize(
    ("code", "days"),
    [
        ("fide-rapid-blitz-2018", 7),
        ("fide-rapid-blitz-2022", 7),
        ("fide-standard-2024", 7),
        ("fide-rapid-blitz-2024", 7),
        ("fide-standard-2004", None),
        ("feda-1996", None),
    ],
)
def test_how_long_a_refusal_may_be_appealed(code, days):
    """B 0.5, C 0.4, 2024 0.4; the older texts give no appeal."""
    found = registry.get(code).parameters.get("appeal_days")
    assert (found and found.value) == days


@dataclass(frozen=True)
class Stubborn(FideStandard2004):
    """A text of another package, which refuses its figures in its own words."""

    def __post_init__(self) -> None:
        if self.k_new != FideStandard2004().k_new:
            raise ValueError("no figure of this text can be changed")


def test_what_another_package_says_of_its_figures_is_handed_on():
    regulation, problems = adjusted(Stubborn(), ["k_new=30"])
    assert problems == [Problem("--parameter", "no figure of this text can be changed")]
    assert regulation == Stubborn()
