"""Rounds laid over days and times."""

from __future__ import annotations

from datetime import date, time

import pytest

from tournaments.schedule import at_times, read_times, spread

SATURDAY, SUNDAY = date(2022, 3, 5), date(2022, 3, 6)
TEN, FOUR = time(10), time(16)


@pytest.mark.parametrize(
    "text",
    ["10:00 and 16:00", "10:00, 16:00", "10.00 16.00", "10h y 16h", "10;16", " 10h00/16h00 ", "10:00,16"],
)
def test_times_as_people_write_them(text):
    assert read_times(text) == [TEN, FOUR]


def test_no_times():
    assert read_times("  ") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("25:00", "“25:00” is no time of day"),
        ("10:60", "“10:60” is no time of day"),
        ("ten", "“ten” is no time of day"),
        ("16:00, 10:00", "10:00 is not later than 16:00"),
        ("10, 10:00", "10:00 is not later than 10:00"),
        ("١٠", "is no time of day"),
        ("10\x0016", "is no time of day"),
    ],
)
def test_what_is_no_time_is_named(text, said):
    with pytest.raises(ValueError, match=said):
        read_times(text)


def test_rounds_of_a_day_take_its_times_in_turn():
    days = spread(SATURDAY, SUNDAY, 3)
    assert at_times(days, [TEN, FOUR]) == [(SATURDAY, TEN), (SATURDAY, FOUR), (SUNDAY, TEN)]
    assert at_times(days, []) == [(SATURDAY, None), (SATURDAY, None), (SUNDAY, None)]
    assert at_times([], [TEN]) == []
    with pytest.raises(ValueError, match=r"2 rounds a day need 2 times; 1 given\."):
        at_times(days, [TEN])


def test_rounds_that_do_not_fit():
    with pytest.raises(ValueError, match=r"5 rounds at 2 a day need 3 days; there are 2\."):
        spread(SATURDAY, SUNDAY, 5, 2)
