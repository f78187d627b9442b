"""Pages beside a player's profile: every list, statistics, and the sheet of one list."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratinglists import histories, listing, sheets, statistics
from ratinglists.forms import SystemFilter
from ratinglists.no_list import NoSuchList
from ratinglists.person_pages import follows_merges, player_or_404
from ratinglists.views import systems_to_choose
from tournaments.models import RatingSystem


@require_safe
@follows_merges
def player_history(request: HttpRequest, pk: int) -> HttpResponse:
    """The player on every list that holds."""
    person = player_or_404(pk)
    context = {"player": person, "tables": histories.of(histories.read(person), most=None).tables}
    return render(request, "ratinglists/history.html", context)


@require_safe
@follows_merges
def player_statistics(request: HttpRequest, pk: int) -> HttpResponse:
    person = player_or_404(pk)
    form = SystemFilter(request.GET, systems_to_choose())
    chosen = form.value("system")
    context = {
        "player": person,
        "form": form,
        "statistics": statistics.of(person, RatingSystem(code=chosen) if chosen else None),
        "least": statistics.LEAST_GAMES,
    }
    return render(request, "ratinglists/statistics.html", context)


@require_safe
@follows_merges
def calculation_sheet(request: HttpRequest, pk: int, system: str, day: date, revision: int) -> HttpResponse:
    person = player_or_404(pk)
    listed = listing.find_list(system, day, revision=revision)
    if listed is None:
        raise NoSuchList(system, day, revision)
    made = sheets.sheet(person, listed)
    if made is None:
        raise Http404("The list does not have this player.")
    address = request.build_absolute_uri(request.path)
    context = {"player": person, "list": listed, "sheet": made, "address": address}
    return render(request, "ratinglists/sheet.html", context)
