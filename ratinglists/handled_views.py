"""The page of what a list counted, deferred and refused: all of it, by pages."""

from __future__ import annotations

from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratinglists import facts
from ratinglists.forms import HandledFilter
from ratinglists.models import RatingList
from ratinglists.views import list_or_404, suffix_of

EVENTS_PAGE = 100


@require_safe
def handled_page(request: HttpRequest, system: str, day: date) -> HttpResponse:
    """Every tournament that the list's computation looked at, with its outcome, reason and findings."""
    shown = list_or_404(request, system, day)
    form = HandledFilter(request.GET)
    groups = facts.of(shown).handled
    outcome, words = form.value("outcome"), form.value("q").casefold().split()
    events = [
        each
        for key, group in groups.items()
        if outcome in ("", key)
        for each in group
        if all(word in each.name.casefold() for word in words)
    ]
    page = Paginator(events, EVENTS_PAGE).get_page(request.GET.get("page"))
    context = {
        "list": shown,
        "draft": shown.state == RatingList.State.DRAFT,
        "form": form,
        "handled": groups,
        "page": page,
        "suffix": suffix_of(shown, request),
    }
    return render(request, "ratinglists/handled.html", context)
