"""The calendar of closing dates: a page, and the same to subscribe to."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratinglists import addresses, closing_dates
from ratinglists.conditional import answered
from ratinglists.icalendar import MEDIA_TYPE, DayEvent, written


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    context = {
        "systems": closing_dates.calendar(),
        "zone": settings.TIME_ZONE,
        "whole": addresses.whole(request, reverse("calendar-ics")),
    }
    return render(request, "ratinglists/calendar.html", context)


@require_safe
def ics(request: HttpRequest, system: str = "") -> HttpResponse:
    """The days of all systems, or of one. Their moment is the start of the day: they change with it."""
    found = closing_dates.calendar(system)
    if system and not found:
        raise Http404("No such rating system.")
    name = f"{found[0][0].name}: closing dates" if system else "Rating lists: closing dates"
    events = [event for _, _, terms in found for term in terms for event in _events(request, term)]
    stamp = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    content = written(name, events, stamp)
    answer = answered(request, content, MEDIA_TYPE)
    answer.headers["Content-Disposition"] = f'inline; filename="{system or "closing-dates"}.ics"'
    return answer


def _events(request: HttpRequest, term: closing_dates.Term) -> Iterator[DayEvent]:
    """The list's own day, the last day of play and, where it is another, the last one of reports."""
    system, host = term.system, addresses.host(request)
    zone = system.time_zone or settings.TIME_ZONE
    stem = f"{system.code}-{term.list_date}"
    articles = f"article {', '.join(term.articles)}" if term.articles else "day set by the federation"
    until = f"Until midnight, {zone}. {term.regulation.title}, {articles}."
    page = reverse("list", args=[system.code, term.list_date]) if term.listed else reverse("calendar")
    url = addresses.whole(request, page)
    of_list = f"list of {term.list_date.day} {term.list_date:%B %Y}"
    days = {
        "closing": (term.closes_on, "last day of play"),
        "reports": (term.received_until, "last day of reports"),
    }
    if term.received_until == term.closes_on:
        days = {"closing": (term.closes_on, "last day of play and of reports")}
    for what, (day, words) in days.items() if not term.opening else ():
        yield DayEvent(f"{stem}-{what}@{host}", day, f"{system.name}: {words}, {of_list}", until, url)
    yield DayEvent(f"{stem}-list@{host}", term.list_date, f"{system.name}: {of_list}", term.label, url)
