"""Calendars of lists: lists that appear on the first day of every month, quarter or half-year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from regulations.model import ScheduledRound

#: months between two lists
MONTHLY, QUARTERLY, HALF_YEARLY = 1, 3, 6
YEAR = 12


def index(day: date, months: int) -> int:
    """The number of the period that ``day`` lies in; consecutive periods have consecutive numbers."""
    return (day.year * YEAR + day.month - 1) // months


def first_day(number: int, months: int) -> date:
    """The first day of a period, which is the date of the list in force during it."""
    year, month = divmod(number * months, YEAR)
    return date(year, month + 1, 1)


def list_in_force(day: date, months: int) -> date:
    """The date of the list in force on ``day``."""
    return first_day(index(day, months), months)


def next_list_date(after: date, months: int) -> date:
    """The first list date later than ``after``."""
    return first_day(index(after, months) + 1, months)


def add_months(day: date, months: int) -> date:
    """The first of the month so many months from the month of ``day``."""
    return first_day(index(day, MONTHLY) + months, MONTHLY)


def days(start: date, end: date) -> int:
    """Length of an event in days, first and last day both counted."""
    return (end - start).days + 1


def rounds_by_day(rounds: Iterable[ScheduledRound]) -> list[tuple[date, int]]:
    """How many rounds each day has, in order of days."""
    return sorted(Counter(each.date for each in rounds).items())
