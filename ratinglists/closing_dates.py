"""The calendar of lists for the public: until when play and reports count for each, a year ahead.

Periods that are not opened yet are computed by the regulation and not stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Prefetch

from ratinglists.listing import latest_lists
from ratinglists.models import Period, RatingList
from ratinglists.queries import proposed_period
from regulations.base import Regulation
from tournaments.models import RatingSystem
from tournaments.outlook import last_receipt

AHEAD = timedelta(days=366)
#: a period is called closing in its last days
SOON = timedelta(days=7)
#: state -> its words and the tone of its badge
STATES = {
    "published": ("published", "good"),
    "draft": ("closed, draft computed", ""),
    "closed": ("closed, not computed yet", ""),
    "closing": ("closing", "warn"),
    "open": ("open", ""),
    "later": ("later", ""),
}


@dataclass(frozen=True, slots=True)
class Term:
    """The days of a list, each the last one, until midnight where the federation is.

    ``closes_on``: of play; ``official_until``: of FIDE's own events where the text gives them longer;
    ``received_until``: of reports. ``articles`` set these days, but for those that the federation set
    otherwise (``by_federation``). A list brought in from elsewhere (``opening``) counted nothing.
    """

    system: RatingSystem
    list_date: date
    closes_on: date
    official_until: date | None
    received_until: date
    regulation: Regulation
    state: str
    opening: bool = False
    listed: RatingList | None = None

    @property
    def by_federation(self) -> bool:
        return self.closes_on != self.regulation.closing_date(self.list_date)

    @property
    def articles(self) -> tuple[str, ...]:
        of_closing, of_receipt = self.regulation.calendar_articles
        by_text = self.received_until == self.regulation.last_receipt(self.list_date)
        named = [of_closing] * (not self.by_federation) + [of_receipt] * by_text
        return tuple(dict.fromkeys(named))

    @property
    def label(self) -> str:
        return STATES[self.state][0]

    @property
    def tone(self) -> str:
        return STATES[self.state][1]


def calendar(system: str = "") -> list[tuple[RatingSystem, date, list[Term]]]:
    """Each system, or the one of this code, with the day that it is there and its lists from the one in
    force until a year ahead."""
    found = []
    for each, latest in latest_lists():
        if system in ("", each.code):
            today = each.today()
            found.append((each, today, _terms(each, today, latest)))
    return found


def _terms(system: RatingSystem, today: date, latest: RatingList | None) -> list[Term]:
    base = min(latest.list_date, today) if latest else today
    lists = RatingList.objects.filter(period__system=system).order_by("revision")
    opened = {
        period.list_date: period
        for period in system.periods.filter(list_date__gte=base).prefetch_related(
            Prefetch("lists", lists, to_attr="known")
        )
    }
    days = {*opened, *_by_regulation(system, today, max(base, today) + AHEAD)}
    found, running = [], False
    for day in sorted(days):
        regulation = system.regulation_on(day)
        if regulation is None:
            continue
        term = _term(system, day, opened.get(day), regulation, today, running)
        running = running or term.state in ("open", "closing")
        found.append(term)
    return found


def _by_regulation(system: RatingSystem, after: date, until: date) -> Iterator[date]:
    day, _ = proposed_period(system, after=after)
    while day is not None and day <= until:
        yield day
        day, _ = proposed_period(system, after=day)


def _term(
    system: RatingSystem, day: date, period: Period | None, regulation: Regulation, today: date, running: bool
) -> Term:
    closes = period.closes_on if period else regulation.closing_date(day)
    official = max(closes, regulation.closing_date(day, official=True))
    known = period.known if period else []
    published = [each for each in known if each.state == RatingList.State.PUBLISHED]
    return Term(
        system=system,
        list_date=day,
        closes_on=closes,
        official_until=official if official > closes else None,
        received_until=last_receipt(regulation, day, {day: closes}),
        regulation=regulation,
        state=_state(known, bool(published), closes, today, running),
        opening=any(each.is_opening for each in known),
        listed=published[-1] if published else None,
    )


def _state(known: list[RatingList], published: bool, closes: date, today: date, running: bool) -> str:
    """``running``: an earlier period still takes what is played now."""
    if published:
        return "published"
    if today > closes:
        return "draft" if known else "closed"
    if running:
        return "later"
    return "closing" if closes - today < SOON else "open"
