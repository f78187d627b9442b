"""Calendars of lists: lists that appear on the first day of every month, quarter or half-year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from regulations.base import Regulation
from regulations.model import Finding, Registration, ScheduledRound

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


def span(start: date, end: date) -> str:
    """The days of an event in words; one day is named once."""
    return f"{start}" if start == end else f"{start} to {end}"


def not_in_force(regulation: Regulation, start: date) -> tuple[Finding, ...]:
    """A warning that this text does not rate an event of this start, whoever chose it."""
    first, last = regulation.effective_from, regulation.effective_until
    if first <= start <= (last or start):
        return ()
    until = f" to {last}" if last else " on"
    text = f"{regulation.title}: for events that start from {first}{until}; this one starts on {start}."
    return (Finding("warning", "not-in-force", "", text, None, "start"),)


def rounds_outside(registration: Registration, article: str) -> tuple[Finding, ...]:
    """Rounds on days on which the event is not played: their dates or those of the event are wrong."""
    start, end = registration.start, registration.end
    outside = [each for each in registration.rounds if not start <= each.date <= end]
    if not outside:
        return ()
    named = ", ".join(f"round {each.round} on {each.date}" for each in outside)
    text = f"Outside the days of the event, {span(start, end)}: {named}. Correct the rounds or the event."
    return (Finding("error", "round-outside-event", article, text, None, "rounds"),)


def rounds_by_day(rounds: Iterable[ScheduledRound]) -> list[tuple[date, int]]:
    """How many rounds each day has, in order of days."""
    return sorted(Counter(each.date for each in rounds).items())
