"""Pages that tell what waits: the queue of the staff, and the reports received, for everybody."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players import outbox
from tournaments import queue
from tournaments.models import RatingSystem, Tournament
from tournaments.states import State

PAGE = 50
MESSAGES = 6
# Approvers register nothing; what waits for them stands among the messages.
CONCERNED = ("tournaments.register_tournament", "players.view_outboxmessage")


@never_cache
@login_required
@require_safe
def staff_queue(request: HttpRequest) -> HttpResponse:
    """What waits for whom, with ages and deadlines."""
    user = request.user
    concerned = any(user.has_perm(right) for right in CONCERNED)
    if not (concerned and user.has_perm("tournaments.view_tournament")):
        raise PermissionDenied
    counts = queue.counts(user)
    known = {kind.code: kind for kind in queue.KINDS}
    asked = request.GET.get("kind", "")
    first = next((code for code in known if counts[code]), queue.KINDS[0].code)
    kind = known.get(asked) or known[first]
    page = Paginator(queue.waiting(user, kind.code), PAGE).get_page(request.GET.get("page"))
    context = {
        "kinds": [(each, counts[each.code]) for each in queue.KINDS],
        "kind": kind,
        "page": page,
        "told": outbox.for_user(request.user)[:MESSAGES],
        "rows": [queue.shown(tournament) for tournament in page],
    }
    return render(request, "tournaments/queue.html", context)


@require_safe
def received(request: HttpRequest) -> HttpResponse:
    """Reports that the federation has, and what became of them."""
    reports = queue.received()
    systems = list(RatingSystem.objects.all())
    asked = request.GET.get("system", "")
    if asked in {system.code for system in systems}:
        reports = reports.filter(rating_system__code=asked)
    page = Paginator(reports, PAGE).get_page(request.GET.get("page"))
    rows = [(tournament, _counted(tournament)) for tournament in page]
    context = {"rows": rows, "page": page, "systems": systems, "asked": asked}
    return render(request, "tournaments/received.html", context)


def _counted(tournament: Tournament) -> str:
    """The list that counted it, in words."""
    counted = [change.reason for change in tournament.changes.all() if change.state == State.COUNTED]
    return counted[-1] if counted else ""
