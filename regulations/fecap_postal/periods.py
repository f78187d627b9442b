"""General 7 and 8: half-yearly lists, each with the games reported finished before it."""

from __future__ import annotations

from datetime import date, timedelta

from regulations import calendar
from regulations.model import Finding

PERIODS_OF_A_YEAR = calendar.YEAR // calendar.HALF_YEARLY


def list_in_force(day: date) -> date:
    """General 7: the January list holds for the first half of the year, that of July for the second."""
    return calendar.list_in_force(day, calendar.HALF_YEARLY)


def next_list_date(after: date) -> date:
    """General 7: a list on 1 January and one on 1 July."""
    return calendar.next_list_date(after, calendar.HALF_YEARLY)


def closing_date(list_date: date) -> date:
    """General 8: games reported up to the eve of the list count for it."""
    return list_date - timedelta(days=1)


def report_findings(received: date, list_date: date) -> tuple[Finding, ...]:
    """General 8 on a report for this list; an error means: not in this list. When the event ends does not
    matter, for a list counts the games that were finished by then."""
    closing = closing_date(list_date)
    if received <= closing:
        return ()
    text = (
        f"Received on {received}, after the closing date {closing} of the list of {list_date}: "
        f"for the list of {next_list_date(received)}."
    )
    return (Finding("error", "received-after-closing", "General 8", text, None, "received"),)
