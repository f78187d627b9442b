"""Addresses for a monitor, and a page in plain words: is the database there, and does the queue move?"""

from __future__ import annotations

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ratingsite import condition
from ratingsite.condition import SILENCE
from ratingsite.models import Heartbeat

__all__ = ["SILENCE", "database", "queue", "ready", "status", "sweep"]


@never_cache
@require_safe
def database(request: HttpRequest) -> JsonResponse:
    """200 when the database answers a query, else 503."""
    return _answer(Heartbeat.QUEUE, demanded=False)


@never_cache
@require_safe
def queue(request: HttpRequest) -> JsonResponse:
    """200 when a heartbeat came through the queue in the last three minutes, else 503."""
    return _answer(Heartbeat.QUEUE, demanded=True)


@never_cache
@require_safe
def sweep(request: HttpRequest) -> JsonResponse:
    """200 when the sweep looked in the last three minutes, else 503."""
    return _answer(Heartbeat.SWEEP, demanded=True)


def _answer(who: int, *, demanded: bool) -> JsonResponse:
    try:
        last = condition.heartbeat(who)
    except DatabaseError:
        return JsonResponse({"database": "unreachable"}, status=503)
    age = int((timezone.now() - last).total_seconds()) if last else None
    answer = {"database": "ok", "heartbeat_age_seconds": age}
    return JsonResponse(answer, status=503 if demanded and condition.is_silent(last) else 200)


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when this process can serve pages, else 503 with what keeps it from that."""
    try:
        obstacles = condition.obstacles()
    except DatabaseError:
        obstacles = ["The database does not answer: check PORTAL_DATABASE_URL and that the server runs."]
    return JsonResponse({"ready": not obstacles, "obstacles": obstacles}, status=503 if obstacles else 200)


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """The status page. Its own answer is always 200: whoever reads it is no monitor."""
    try:
        found = _found()
    except DatabaseError:
        away = (_("Pages and downloads"), False, _("are not there: the database does not answer."))
        found = {"parts": [away], "well": False, "unknown": True, "now": timezone.now()}
    return render(request, "ratingsite/status.html", found)


def _found() -> dict[str, object]:
    """What the status page tells. Raises DatabaseError."""
    jobs = condition.jobs()
    outbox = condition.outbox()
    queue_beat, sweep_beat = (condition.heartbeat(who) for who in (Heartbeat.QUEUE, Heartbeat.SWEEP))
    parts = [
        (_("Pages and downloads"), True, _("work."), ""),
        (
            _("Computations and imports"),
            not condition.is_silent(queue_beat),
            _("are taken up as they come."),
            _("stand still: what is asked for is kept, and done as soon as they go on."),
        ),
        (
            _("The calendar"),
            not condition.is_silent(sweep_beat),
            _("is looked at by itself."),
            _("is not looked at: lists that are due may come later."),
        ),
        (_("Work that waits"), not condition.is_late(jobs), _("is done within minutes."), _("is late.")),
        (
            _("Mail to staff"),
            not outbox.get("failed"),
            _("goes out."),
            _("could not be sent in part; staff find it on the portal."),
        ),
    ]
    return {
        "parts": [(name, well, good if well else bad) for name, well, good, bad in parts],
        "well": all(part[1] for part in parts),
        "last": condition.last_publication(),
        "now": timezone.now(),
    }
