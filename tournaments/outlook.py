"""Which list a report comes into by the day of its receipt, and whether it is late for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from regulations.model import Finding
from tournaments.models import Tournament
from tournaments.ratings import closing_days_of

#: more lists than any text lets pass between the end of an event and its list
_MOST_LISTS = 60


@dataclass(frozen=True, slots=True)
class Outlook:
    """``list_date`` is the first list that a report received on this day can come into; None: too late
    for every list. ``findings`` are the regulation's on the receipt alone."""

    received: date
    list_date: date | None
    findings: tuple[Finding, ...]
    goes_on: bool


def first_list(
    tournament: Tournament, received: date, closing_days: Mapping[date, date] | None = None
) -> date | None:
    """The first list that a report received on this day can come into by the calendar, whatever limit
    the tournament's regulation sets to it; None where no regulation makes lists so late.

    ``closing_days`` are those of the periods that the federation has opened, by the date of the list:
    they may close otherwise than the regulation says, and have a date that its calendar does not know.
    """
    own, system = tournament.regulation, tournament.rating_system
    if own is None:
        return None
    goes_on = own.counts_finished_games
    day = received if goes_on else max(received, tournament.end)
    # Lists are dated after what they count; only a list of that very day may close on it.
    day -= timedelta(days=1)
    regulation = system.regulation_on(day) or own
    for _ in range(_MOST_LISTS):
        following = regulation.next_list_date(day)
        day = min((opened for opened in closing_days or () if day < opened < following), default=following)
        regulation = system.regulation_on(day)
        if regulation is None:
            return None
        if received <= last_receipt(regulation, day, closing_days) and (
            goes_on or tournament.end <= last_end(tournament, regulation, day, closing_days)
        ):
            return day
    return None


def last_end(
    tournament: Tournament, regulation, list_date: date, closing_days: Mapping[date, date] | None = None
) -> date:
    """The last day on which this tournament may end for a list."""
    closes = (closing_days or {}).get(list_date) or regulation.closing_date(list_date)
    if tournament.fide_official:
        closes = max(closes, regulation.closing_date(list_date, official=True))
    return closes


def last_receipt(regulation, list_date: date, closing_days: Mapping[date, date] | None = None) -> date:
    """The last day on which a report may arrive for a list."""
    last = regulation.last_receipt(list_date)
    closes = (closing_days or {}).get(list_date)
    return last if closes is None else max(closes, last)


def of_receipt(tournament: Tournament, received: date) -> Outlook | None:
    """What a report received on this day can expect; None where no regulation is in effect."""
    regulation = tournament.regulation
    opened = closing_days_of(tournament.rating_system)
    found = first_list(tournament, received, opened)
    if regulation is None or found is None:
        return None
    goes_on = regulation.counts_finished_games
    limit = None if goes_on else regulation.last_list_for(tournament.end)
    in_time = found if goes_on else first_list(tournament, tournament.end, opened)
    said = {}
    # Of the list that it misses a text names the one that comes instead, of the other how late it is.
    for day in sorted({in_time or found, found}):
        for finding in regulation.report_findings(end=tournament.end, received=received, list_date=day):
            if finding.subject == "received":
                said[finding.code] = finding
    if limit is not None and found > limit:
        late = tuple(finding for finding in said.values() if finding.code == "report-too-late")
        return Outlook(received, None, late or tuple(said.values()), goes_on)
    said.pop("report-too-late", None)
    return Outlook(received, found, tuple(said.values()), goes_on)
