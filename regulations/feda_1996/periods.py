"""Articles 8.11, 8.13 and 10.1: half-yearly lists, closing dates and late reports."""

from __future__ import annotations

from datetime import date, timedelta

from regulations import calendar
from regulations.feda_1996.parameters import Parameters
from regulations.model import Finding

PERIODS_OF_A_YEAR = calendar.YEAR // calendar.HALF_YEARLY


def list_in_force(day: date) -> date:
    """8.11: the list of January or July that events starting on this day are rated with."""
    return calendar.list_in_force(day, calendar.HALF_YEARLY)


def next_list_date(after: date) -> date:
    """8.0, 8.11: a list on 1 January and one on 1 July."""
    return calendar.next_list_date(after, calendar.HALF_YEARLY)


def closing_date(list_date: date) -> date:
    """8.13: 30 November or 31 May."""
    return calendar.add_months(list_date, -1) - timedelta(days=1)


def list_for(day: date) -> date:
    """8.13: the first list whose closing date is not before this day."""
    found = next_list_date(day)
    return found if day <= closing_date(found) else next_list_date(found)


def due_date(p: Parameters, end: date) -> date:
    """10.11: the report is posted within two weeks of the last round."""
    return end + timedelta(days=p.report_days)


def last_list_for(p: Parameters, end: date) -> date:
    """10.14: one period after that of the due date."""
    number = calendar.index(list_for(due_date(p, end)), calendar.HALF_YEARLY)
    return calendar.first_day(number + p.periods_late, calendar.HALF_YEARLY)


def report_status(p: Parameters, end: date, posted: date) -> str:
    """10.11, 10.12, 10.14: ``in-time``, ``late`` or ``rejected``, by the postmark."""
    if posted <= due_date(p, end):
        return "in-time"
    return "late" if list_for(posted) <= last_list_for(p, end) else "rejected"


def is_corrected_in_time(p: Parameters, returned: date, resubmitted: date) -> bool:
    """10.13: a returned report is posted again within four weeks, or the event was not reported."""
    return resubmitted <= returned + timedelta(days=p.corrected_days)


def corrected_status(p: Parameters, end: date, posted: date, returned: date, resubmitted: date) -> str:
    """10.11-10.14 for a report that was returned: ``not-reported`` where the corrected one is late."""
    status = report_status(p, end, posted)
    if status == "rejected" or is_corrected_in_time(p, returned, resubmitted):
        return status
    return "not-reported"


def report_findings(p: Parameters, end: date, received: date, list_date: date) -> tuple[Finding, ...]:
    """8.13.a, 10.11 and 10.14 on a report for this list; an error means: not in this list. The day of
    receipt stands for the postmark."""
    closing, found = closing_date(list_date), []
    for day, code, what, subject in (
        (end, "completed-after-closing", "Completed", "end"),
        (received, "received-after-closing", "Received", "received"),
    ):
        if day > closing:
            text = (
                f"{what} on {day}, after the closing date {closing} of the list of {list_date}: "
                f"for the list of {list_for(max(end, received))}."
            )
            found.append(Finding("error", code, "8.13.a", text, None, subject))
    status, due = report_status(p, end, received), due_date(p, end)
    last = last_list_for(p, end)
    if status == "rejected" or list_date > last:
        text = (
            f"Not in by the list of {last}; due on {due}, more than {p.periods_late} period late: rejected."
        )
        found.append(Finding("error", "report-too-late", "10.14", text, None, "received"))
    elif status == "late":
        text = f"Received on {received}; it was due on {due}, {p.report_days} days after the end."
        found.append(Finding("warning", "report-late", "10.11", text, None, "received"))
    return tuple(found)
