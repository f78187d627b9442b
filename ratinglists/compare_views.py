"""The pages on which two players are compared."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.privacy import named, public_birth_year
from players.queries import standing
from players.search import find
from ratinglists import compare, profiles
from ratinglists.forms import OpponentFilter
from ratinglists.person_pages import Moved, follows_merges, player_or_404

FOUND, GAMES_PAGE = 20, 50


@require_safe
@follows_merges
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Whom to compare a player with."""
    person = player_or_404(pk)
    form = OpponentFilter(request.GET)
    text = form.value("q")
    people = standing().exclude(pk=person.pk).prefetch_related("titles")
    found = find(people, text, size=FOUND) if text else None
    return render(
        request, "ratinglists/compare_choose.html", {"player": person, "form": form, "found": found}
    )


@require_safe
@follows_merges
def two(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Two players beside each other, and their games."""
    one = player_or_404(pk)
    try:
        second = player_or_404(other)
    except Moved as moved:
        return redirect("compare-players", pk=pk, other=moved.pk)
    if one.pk == second.pk:
        return redirect("compare-choose", pk=pk)
    games = compare.games_between(one, second)
    page = Paginator(games, GAMES_PAGE).get_page(request.GET.get("page"))
    lines = zip(
        *(profiles.game_lines(player, page.object_list) for player in (one, second)), page, strict=True
    )
    context = {
        "one": one,
        "other": second,
        "born": [public_birth_year(player) for player in (one, second)],
        "both": _("%(one)s and %(other)s") % {"one": named(one.name), "other": named(second.name)},
        "systems": compare.together(one, second),
        "scores": compare.scores(one, games),
        "page": page,
        "games": list(lines),
    }
    return render(request, "ratinglists/compare.html", context)
