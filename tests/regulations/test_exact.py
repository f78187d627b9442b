from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations.exact import half_away, half_to_zero, half_up, mean_text, parse, show, sum_text

fractions = st.fractions(min_value=-5000, max_value=5000, max_denominator=5000)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(-1695, 100), "-16.95"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(-2, 3), "-0.6667"),
        (Fraction(1, 32), "0.03125"),
        (Fraction(1, 30000), "0"),
        (Fraction(-1, 30000), "0"),
        (Fraction(3), "3"),
        (Fraction(29999, 30000), "1"),
        (Fraction(2, 5), "0.4"),
        (0, "0"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1, 10), "0.1"),
        (Fraction(1, 5**25), "0.0000000000000000033554432"),
        (Fraction(3**40, 2**3), "1519708182382116100.125"),
    ],
)
def test_numbers_are_written_exactly_or_to_four_places(value, shown):
    assert show(value) == shown


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_a_terminating_decimal_survives_writing_and_reading(digits, places):
    value = Fraction(digits, 10**places)
    assert parse(show(value)) == value


@given(fractions)
def test_what_does_not_end_is_off_by_half_a_ten_thousandth_at_most(value):
    assert abs(parse(show(value)) - value) <= Fraction(1, 20000)


@pytest.mark.parametrize("text", ["", "1.", ".5", "1e3", "nan", "1/0", "١", " 1", "1,5", "--1", "0x1"])
def test_other_spellings_of_numbers_are_refused(text):
    with pytest.raises(ValueError, match="exact number"):
        parse(text)


@pytest.mark.parametrize(
    ("value", "up", "away", "to_zero"),
    [
        ("0.5", 1, 1, 0),
        ("-0.5", 0, -1, 0),
        ("1.5", 2, 2, 1),
        ("-1.5", -1, -2, -1),
        ("2.49", 2, 2, 2),
        ("-2.51", -3, -3, -3),
        ("7", 7, 7, 7),
        ("0.7", 1, 1, 1),
        ("-0.7", -1, -1, -1),
        ("0", 0, 0, 0),
    ],
)
def test_the_three_roundings_differ_at_halves_only(value, up, away, to_zero):
    number = parse(value)
    assert (half_up(number), half_away(number), half_to_zero(number)) == (up, away, to_zero)


@given(st.decimals(-5000, 5000, places=3))
def test_half_away_agrees_with_the_decimal_module(value):
    assert half_away(Fraction(value)) == int(value.quantize(Decimal(1), ROUND_HALF_UP))


@given(fractions)
def test_half_away_and_half_to_zero_are_odd(value):
    assert half_away(-value) == -half_away(value)
    assert half_to_zero(-value) == -half_to_zero(value)


def test_sums_are_written_as_a_person_would():
    assert sum_text([351, -43, Fraction(1, 2)]) == "351 - 43 + 0.5"
    assert mean_text([2100, 2200]) == "(2100 + 2200)/2"
    assert mean_text([2100]) == "2100"
    assert sum_text([-43]) == "-43"
    assert sum_text([]) == ""


def test_a_long_text_is_quoted_up_to_its_fortieth_character():
    with pytest.raises(ValueError) as caught:
        parse("9" * 39 + "xy")
    assert str(caught.value) == f'"{"9" * 39}x" is not an exact number such as "2.5"'
