"""The last days that a regulation gives for each step of a tournament's way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from tournaments.models import Tournament
from tournaments.outlook import first_list


@dataclass(frozen=True, slots=True)
class Deadline:
    """The last day of something; ``article`` is empty where no article counts the days."""

    day: date
    article: str = ""
    why: str = ""


def _days(tournament: Tournament, names: tuple[str, ...], start: date, what: str) -> Deadline | None:
    parameters = tournament.regulation.parameters if tournament.regulation else {}
    found = next((parameters[name] for name in names if name in parameters), None)
    if found is None:
        return None
    return Deadline(start + timedelta(days=found.value), found.article, f"{found.value} days after {what}")


def appeal_until(tournament: Tournament, refused_on: date) -> Deadline | None:
    """Until when a refusal may be appealed (B 0.5, C 0.4); None: the text has no such right."""
    return _days(tournament, ("appeal_days",), refused_on, "the refusal")


def correction_due(tournament: Tournament, returned_on: date) -> Deadline | None:
    """Until when a returned report must come back (D 10.13); None: the text names no days."""
    return _days(tournament, ("corrected_days",), returned_on, "the return")


def report_due(tournament: Tournament) -> Deadline | None:
    """When the report is due (B 9.1, D 10.11); elsewhere the last receipt for the next list."""
    if tournament.regulation is None:
        return None
    named = _days(tournament, ("arbiter_days", "report_days"), tournament.end, "the end")
    if named is not None:
        return named
    list_date = first_list(tournament, tournament.end)
    if list_date is None:
        return None
    day = tournament.regulation.last_receipt(list_date)
    return Deadline(max(day, tournament.end), "", f"to count in the list of {list_date}")
