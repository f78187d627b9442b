"""Exact numbers: reading, writing and the roundings that the texts ask for. No binary floats."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?|[+-]?\d{1,30}/[1-9]\d{0,29}", re.ASCII)
_PLACES = 4


def parse(text: str) -> Fraction:
    """The value of ``"-16.95"`` or ``"2/3"``; ValueError for anything else."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f'"{text[:40]}" is not an exact number such as "2.5"')
    return Fraction(text)


@lru_cache(maxsize=1 << 15)
def show(value: int | Fraction) -> str:
    """The exact decimal; one that does not end is rounded to four places, half up."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    denominator, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while denominator % prime == 0:
            denominator //= prime
            power += 1
        places = max(places, power)
    if denominator != 1:
        places = _PLACES
    scaled = half_up(value * 10**places)
    sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled):0{places + 1}d}"
    return sign + f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")


def half_up_of(value: Any, unit: int) -> Any:
    """The nearest whole number of units, a half upwards; integers or columns of integers."""
    return (2 * value + unit) // (2 * unit)


def half_away_of(value: Any, unit: int) -> Any:
    """The nearest whole number of units, a half away from zero; integers or columns."""
    sign = (value >= 0) * 2 - 1
    return sign * half_up_of(sign * value, unit)


def half_to_zero_of(value: Any, unit: int) -> Any:
    """The nearest whole number of units, a half towards zero; integers or columns."""
    sign = (value >= 0) * 2 - 1
    return -sign * half_up_of(-sign * value, unit)


#: rounding to whole units, by the names that the texts' parameters take
ROUNDINGS_OF = {"half-up": half_up_of, "half-away": half_away_of, "half-to-zero": half_to_zero_of}


def half_up(value: int | Fraction) -> int:
    """Nearest integer, a half upwards: 1800.5 → 1801, -0.5 → 0."""
    return half_up_of(value.numerator, value.denominator)


def half_away(value: int | Fraction) -> int:
    """Nearest integer, a half away from zero: 0.5 → 1, -0.5 → -1."""
    return half_away_of(value.numerator, value.denominator)


def half_to_zero(value: int | Fraction) -> int:
    """Nearest integer, a half towards zero: 0.5 → 0, -1.5 → -1."""
    return half_to_zero_of(value.numerator, value.denominator)


ROUNDINGS = {"half-up": half_up, "half-away": half_away, "half-to-zero": half_to_zero}


def mean(values: list[int | Fraction] | tuple[int | Fraction, ...]) -> Fraction:
    """The exact average of at least one value."""
    return Fraction(sum(values)) / len(values)


def sum_text(values: list[int | Fraction] | tuple[int | Fraction, ...]) -> str:
    """``2100 + 2200 - 5``, as a person would write the sum."""
    text = ""
    for value in values:
        part = show(value)
        if not text:
            text = part
        else:
            text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def mean_text(values: list[int | Fraction] | tuple[int | Fraction, ...]) -> str:
    """``(2100 + 2200)/2``; a single value stands alone."""
    if len(values) == 1:
        return show(values[0])
    return f"({sum_text(values)})/{len(values)}"
