"""Dates in the forms that report files hold. What is read otherwise than YYYY/MM/DD says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from tournaments.reports.model import Birth

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEPARATOR = r"\s*[./-]\s*"
_YEAR_FIRST = re.compile(rf"([0-9]{{4}}){_SEPARATOR}([0-9]{{1,2}}){_SEPARATOR}([0-9]{{1,2}})\.?")
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}}){_SEPARATOR}([0-9]{{1,2}}){_SEPARATOR}([0-9]{{4}})")
_SHORT = re.compile(rf"([0-9]{{1,2}}){_SEPARATOR}([0-9]{{1,2}}){_SEPARATOR}([0-9]{{1,2}})")
_MONTH_NAME = re.compile(r"([a-z]{3})[a-z]*\.?\s+([0-9]{1,2}),?\s+([0-9]{4})")
_DAY_MONTH_NAME = re.compile(r"([0-9]{1,2})\.?\s+([a-z]{3})[a-z]*\.?,?\s+([0-9]{4})")
_BIRTH_PARTS = re.compile(r"([0-9]{4})(?:\s*[./-]\s*([0-9]{0,2})(?:\s*[./-]\s*([0-9]{0,2}))?)?\s*\.?")

#: Date-like pieces of a line 132, the long form first.
TOKEN = re.compile(
    r"[0-9]{4}[./-][0-9]{1,2}[./-][0-9]{1,2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}(?![0-9])"
    r"|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}"
)


def _make(year: int, month: int, day: int) -> Iterator[date]:
    try:
        made = date(year, month, day)
    except ValueError:
        return
    if 1900 <= made.year <= 2100:
        yield made


def candidates(text: str) -> Iterator[date]:
    """The dates that ``text`` can mean, the likeliest first; of two digits 70 to 99 are 19YY first."""
    text = text.strip().lower()
    if match := _YEAR_FIRST.fullmatch(text):
        year, second, third = map(int, match.groups())
        yield from _make(year, second, third)
        yield from _make(year, third, second)
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = map(int, match.groups())
        yield from _make(year, second, first)
        yield from _make(year, first, second)
    elif match := _SHORT.fullmatch(text):
        first, second, third = map(int, match.groups())
        yield from _make(_full_year(first), second, third)
        yield from _make(_full_year(third), second, first)
        yield from _make(_full_year(first), third, second)
        yield from _make(first + (2000 if first >= 70 else 1900), second, third)
    elif (match := _MONTH_NAME.fullmatch(text)) and match[1] in _MONTHS:
        yield from _make(int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2]))
    elif (match := _DAY_MONTH_NAME.fullmatch(text)) and match[2] in _MONTHS:
        yield from _make(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))


def _full_year(short: int) -> int:
    return short + (1900 if short >= 70 else 2000)


def is_standard(text: str) -> bool:
    """Is it YYYY/MM/DD, as the format asks?"""
    return re.fullmatch(r"[0-9]{4}/[0-9]{2}/[0-9]{2}", text) is not None


def read_birth(text: str) -> tuple[Birth, bool]:
    """The known parts of a birth date, and whether all of ``text`` was understood.

    Zeros are unknown parts. A month or day that cannot exist is left out, never guessed from the
    other; a month without a day stays. Six digits are DDMMYY, of which the century is taken as
    19 for 30-99 and 20 for 00-29.
    """
    text = text.strip()
    if not text or re.fullmatch(r"[0./\s-]+", text):
        return Birth(), True
    if match := re.fullmatch(r"([0-9]{2})([0-9]{2})([0-9]{2})", text):
        day, month, short = map(int, match.groups())
        return _birth(short + (2000 if short < 30 else 1900), month, day)
    if match := _YEAR_LAST.fullmatch(text):
        day, month, year = map(int, match.groups())
        return _birth(year, month, day)
    if match := _BIRTH_PARTS.fullmatch(text):
        year, month, day = (int(part or 0) for part in match.groups())
        return _birth(year, month, day)
    return Birth(), False


def _birth(year: int, month: int, day: int) -> tuple[Birth, bool]:
    if not 1880 <= year <= 2100:
        return Birth(), False
    if not month:
        return Birth(year), not day
    if month > 12:
        return Birth(year), False
    if not day:
        return Birth(year, month), True
    if next(_make_any(year, month, day), None) is None:
        return Birth(year, month), False
    return Birth(year, month, day), True


def _make_any(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return
