"""The arbiter's entry list before round 1: a player entered by number, or withdrawn."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournaments.arbiter_pages import own_tournament
from tournaments.entries import add_entry, withdraw_entry
from tournaments.models import RegistrationCheck
from tournaments.services import NotAllowedNow


def _tell(request: HttpRequest, done: str, check: RegistrationCheck | None) -> None:
    if check is None or check.ratable:
        messages.success(request, done)
        return
    articles = {f["article"] for f in check.findings if f["severity"] == "error" and f["article"]}
    by = f" by article {', '.join(sorted(articles))}" if articles else ""
    messages.warning(request, f"{done} As the entry list is now, the tournament is not ratable{by}.")


@login_required
@require_POST
def add(request: HttpRequest, pk: int) -> HttpResponse:
    event = own_tournament(request, pk)
    try:
        entry, check = add_entry(event, request.user, request.POST.get("number", ""))
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        _tell(request, f"{entry.player.name} is entered.", check)
    return redirect("arbiter-tournament", pk)


@login_required
@require_POST
def withdraw(request: HttpRequest, pk: int, entry: int) -> HttpResponse:
    event = own_tournament(request, pk)
    try:
        check = withdraw_entry(event, request.user, entry)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        _tell(request, "The entry is withdrawn.", check)
    return redirect("arbiter-tournament", pk)
