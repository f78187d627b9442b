"""Exact numbers between regulations (Fraction) and the database (Decimal or text)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from regulations.exact import show

MINUS = "\N{MINUS SIGN}"


def to_decimal(value: Fraction | int | None) -> Decimal | None:
    """A fraction to at most four decimals, half up: for showing and adding up, never for computing on."""
    return None if value is None else Decimal(show(value))


def to_text(value: Fraction | int) -> str:
    """A number without loss: "2117" or "12703/6"."""
    return str(Fraction(value))


def from_text(text: str) -> Fraction | int:
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def exact(value: object) -> str:
    """A number without trailing zeros; stored fractions such as "12703/6" as decimals."""
    if value is None or value == "":
        return ""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}" if value else "0"
    return show(Fraction(str(value).replace(MINUS, "-")))


def signed(value: object) -> str:
    """A change with its sign, as people read it: "+4.8", "−16.95", "0"."""
    text = exact(value)
    return text.replace("-", MINUS) if text in ("", "0") or text.startswith("-") else f"+{text}"
