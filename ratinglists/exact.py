"""Exact numbers between regulations (Fraction) and the database (Decimal or text)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

_PLACES = Decimal("0.0001")


def to_decimal(value: Fraction | int | None) -> Decimal | None:
    """A fraction to four decimals, half up: for showing and adding up, never for computing on."""
    if value is None:
        return None
    value = Fraction(value)
    scaled = abs(value.numerator) * 10_000
    quotient, rest = divmod(scaled, value.denominator)
    quotient += 2 * rest >= value.denominator
    return Decimal(quotient if value >= 0 else -quotient).scaleb(-4).quantize(_PLACES, ROUND_HALF_UP)


def to_text(value: Fraction | int) -> str:
    """A number without loss: "2117" or "12703/6"."""
    return str(Fraction(value))


def from_text(text: str) -> Fraction | int:
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value
