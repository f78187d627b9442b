"""The pages of federations."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.models import Federation
from ratinglists import federations
from ratinglists.forms import FederationFilter
from ratinglists.presentation import standing_of

TOURNAMENTS = 10


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    known = {system.code: (system, listed) for system, listed in federations.systems_with_lists()}
    form = FederationFilter(request.GET, [(code, system.name) for code, (system, _) in known.items()])
    system, listed = known.get(form.value("system") or next(iter(known), ""), (None, None))
    context = {
        "form": form,
        "system": system,
        "list": listed,
        "rows": federations.table(listed) if listed else [],
        "federations": None if listed else Federation.objects.all(),
    }
    return render(request, "ratinglists/federations.html", context)


@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponse:
    shown = get_object_or_404(Federation, code=code)
    today = timezone.localdate()
    context = {
        "federation": shown,
        "standings": federations.standings(shown),
        "tournaments": [
            (row, standing_of(row, today)) for row in federations.tournaments(shown, TOURNAMENTS)
        ],
    }
    return render(request, "ratinglists/federation.html", context)
