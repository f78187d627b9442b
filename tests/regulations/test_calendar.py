from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations import calendar
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import Stage
from regulations.timecontrol import minutes_for_60_moves
from tests.regulations.build import stages

days = st.dates(date(1990, 1, 1), date(2100, 1, 1))


@given(days, st.sampled_from([1, 3, 6]))
def test_each_day_lies_between_its_list_and_the_next(day, months):
    current, following = calendar.list_in_force(day, months), calendar.next_list_date(day, months)
    assert current <= day < following
    assert calendar.index(following, months) == calendar.index(current, months) + 1
    assert calendar.first_day(calendar.index(day, months), months) == current


@given(days, st.integers(-30, 30))
def test_adding_months_moves_by_months(day, months):
    moved = calendar.add_months(day, months)
    assert moved.day == 1
    assert (moved.year - day.year) * 12 + moved.month - day.month == months


def test_a_long_league_takes_the_list_of_each_day():
    """A 4.11 with 4.1: only a league, only over 90 days; 1 January to 30 March 2004 are 90 (31 + 29 + 30)."""
    standard, league = FideStandard2004(), frozenset({"league"})
    first, last = date(2004, 1, 1), date(2004, 3, 30)
    assert not standard.splits_by_list(start=first, end=last, flags=league)
    assert standard.splits_by_list(start=first, end=last + timedelta(1), flags=league)
    assert not standard.splits_by_list(start=first, end=last + timedelta(1), flags=frozenset())


@pytest.mark.parametrize(
    ("control", "minutes"),
    [
        (stages(120), "120"),  # A 1.15: all moves in two hours
        (stages(75, 15, increment=30), "120"),  # A 1.15: 75 + 15 + 60 × 30 s
        (stages(90, 30), "120"),  # A 1.15
        (
            (Stage(40, Fraction(100)), Stage(20, Fraction(50)), Stage(None, Fraction(15))),
            "150",
        ),  # third not reached
        ((Stage(40, Fraction(90)),), "90"),
        ((Stage(40, Fraction(60), 0), Stage(None, Fraction(30), 30)), "100"),  # 20 increments only
        ((Stage(None, Fraction(2), 1),), "3"),
        ((), "0"),
        ((Stage(40, Fraction(90), 30),), "120"),  # 40 increments, and 20 more of the same
        ((Stage(100, Fraction(60), 30), Stage(None, Fraction(30), 90)), "90"),  # second not reached
        ((Stage(None, Fraction(5, 2), 5),), "7.5"),
    ],
)
def test_minutes_for_sixty_moves(control, minutes):
    assert minutes_for_60_moves(control) == Fraction(minutes)


def test_a_single_day_is_named_once():
    assert calendar.span(date(2024, 5, 1), date(2024, 5, 1)) == "2024-05-01"
    assert calendar.span(date(2024, 5, 1), date(2024, 5, 2)) == "2024-05-01 to 2024-05-02"
