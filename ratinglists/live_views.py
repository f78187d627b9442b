"""The page of a system's live ratings."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from players.models import Federation
from ratinglists import live
from ratinglists.forms import LiveFilter
from tournaments.models import RatingSystem

PAGE = 100


@require_safe
def live_page(request: HttpRequest, system: str) -> HttpResponse:
    """Who would gain and lose most by the events accepted so far."""
    found = get_object_or_404(RatingSystem, pk=system)
    federations = [(federation.code, str(federation)) for federation in Federation.objects.all()]
    form = LiveFilter(request.GET, federations)
    rows = live.largest_changes(found, form.value("q"), form.value("federation"))
    context = {
        "system": found,
        "form": form,
        "base": live.latest_list(found),
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "pending": live.is_pending(found),
        "any": live.shown(found).order_by("-computed_at").first(),
    }
    return render(request, "ratinglists/live.html", context)
