"""Addresses for a monitor: is the database there, and does the queue move?"""

from datetime import timedelta

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from ratingsite.models import Heartbeat

SILENCE = timedelta(minutes=3)


@never_cache
def database(request: HttpRequest) -> JsonResponse:
    """200 when the database answers a query, else 503."""
    return _answer(None)


@never_cache
def queue(request: HttpRequest) -> JsonResponse:
    """200 when a heartbeat came through the queue in the last three minutes, else 503."""
    return _answer(SILENCE)


def _answer(silence: timedelta | None) -> JsonResponse:
    try:
        last = Heartbeat.objects.filter(pk=1).first()
    except DatabaseError:
        return JsonResponse({"database": "unreachable"}, status=503)
    age = timezone.now() - last.beaten_at if last else None
    answer = {"database": "ok", "heartbeat_age_seconds": int(age.total_seconds()) if last else None}
    late = silence is not None and (age is None or age > silence)
    return JsonResponse(answer, status=503 if late else 200)
