"""The two tables: A 10.1, C 7.1."""

from fractions import Fraction

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations import tables

#: rows of 10.1b and 7.1.2 as printed: D from, D to, H
PD_PRINTED = """0-3 50,
4-10 51, 11-17 52, 18-25 53, 26-32 54, 33-39 55, 40-46 56, 47-53 57, 54-61 58, 62-68 59,
69-76 60, 77-83 61, 84-91 62, 92-98 63, 99-106 64, 107-113 65, 114-121 66, 122-129 67, 130-137 68, 138-145 69,
146-153 70, 154-162 71, 163-170 72, 171-179 73, 180-188 74, 189-197 75, 198-206 76, 207-215 77, 216-225 78,
226-235 79, 236-245 80, 246-256 81, 257-267 82, 268-278 83, 279-290 84, 291-302 85, 303-315 86, 316-328 87,
329-344 88, 345-357 89, 358-374 90, 375-391 91, 392-411 92, 412-432 93, 433-456 94, 457-484 95, 485-517 96,
518-559 97, 560-619 98, 620-735 99, 736-3000 100"""
#: 10.1a and 7.1.1 as printed, p from 0.99 down to 0.51
DP_PRINTED = """677 589
538 501 470 444 422 401 383 366 351 336 322 309 296 284 273 262 251 240 230 220 211 202 193
184 175 166 158 149 141 133 125 117 110 102 95 87 80 72 65 57 50 43 36 29 21 14 7"""


@pytest.mark.parametrize("row", PD_PRINTED.replace("\n", " ").replace(",  ", ", ").split(", "))
def test_every_row_of_the_probability_table_at_both_borders(row):
    span, high = row.split()
    low_d, high_d = map(int, span.split("-"))
    for d in (low_d, high_d):
        assert tables.pd(d) == int(high)
        assert tables.pd(-d) == 100 - int(high)


def test_every_entry_of_the_difference_table():
    for p, dp in zip(range(99, 50, -1), map(int, DP_PRINTED.split()), strict=True):
        assert tables.dp(p) == dp
        assert tables.dp(100 - p) == -dp
    assert tables.dp(50) == 0


def test_dp_at_nought_and_full_score_is_a_choice():
    assert (tables.dp(100), tables.dp(0)) == (800, -800)
    assert (tables.dp(100, 677), tables.dp(0, 677)) == (677, -677)


@given(st.integers(-4000, 4000))
def test_the_two_players_probabilities_sum_to_one(d):
    assert tables.pd(d) + tables.pd(-d) == 100
    assert 0 <= tables.pd(d) <= 100


@given(st.integers(-4000, 4000), st.integers(0, 4000))
def test_probability_never_falls_as_the_difference_grows(d, more):
    assert tables.pd(d) <= tables.pd(d + more)


@given(st.integers(-2000, 2000), st.sampled_from([350, 400, 735]))
def test_a_limited_difference_keeps_its_sign_and_never_passes_the_limit(d, limit):
    limited = tables.limited(d, limit)
    assert abs(limited) == min(abs(d), limit)
    assert limited * d >= 0


@pytest.mark.parametrize(
    ("score", "games", "p"),
    [("1", 8, 13), ("2", 3, 67), ("1", 3, 33), ("1", 200, 1), ("8", 9, 89), ("0", 5, 0), ("5", 5, 100)],
)
def test_p_is_rounded_to_hundredths_half_up(score, games, p):
    """A 14.2 and decision 45: 0.125 becomes 0.13, 0.005 becomes 0.01."""
    assert tables.hundredths(Fraction(score), games) == p


def test_the_same_code_serves_columns_of_integers():
    d, p = numpy.arange(-900, 901), numpy.arange(101)
    assert tables.pd(d).tolist() == [tables.pd(int(each)) for each in d]
    assert tables.dp(p).tolist() == [tables.dp(int(each)) for each in p]
    assert tables.limited(d, 400).tolist() == [tables.limited(int(each), 400) for each in d]
