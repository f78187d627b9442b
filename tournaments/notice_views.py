"""The page of a player who has an account: which reports name him."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.models import Player
from tournaments import notices

PAGE = 25


@never_cache
@login_required
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """The player of the account, and the notices, unread first."""
    rows = notices.of_user(request.user)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {
        "player": Player.objects.filter(user=request.user.pk).first(),
        "page": page,
        "rows": notices.with_games(page),
        "unread": rows.filter(read_at=None).count(),
    }
    return render(request, "tournaments/me.html", context)


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark one notice read, or all of them."""
    given = request.POST.get("notice", "")
    if given == "all":
        notices.mark_read(request.user)
    elif given.isascii() and given.isdigit() and len(given) < 19:
        notices.mark_read(request.user, [int(given)])
    return redirect("me")
