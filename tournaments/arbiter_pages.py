"""What the arbiters' pages share: whose tournament it is, and what comes next for it."""

from __future__ import annotations

from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.access import for_user, why_not_report
from tournaments.models import Tournament
from tournaments.sealed import Broken, unseal

State = Tournament.State
OPEN_FOR_REPORTS = (State.REGISTERED, State.RETURNED, State.REPORTED, State.ACCEPTED)
#: a report of a counted event corrects what lists made of it
TAKES_REPORTS = (*OPEN_FOR_REPORTS, State.COUNTED)
NEXT_STEPS = {
    State.DRAFT: "Wait: the federation has not registered it yet.",
    State.APPEALED: "Wait for the federation's decision on the appeal.",
    State.REGISTERED: "Send the report when the tournament is over.",
    State.REPORTED: "Wait for the federation's decision; until then a better report replaces this one.",
    State.RETURNED: "Correct the report and send it again.",
    State.ACCEPTED: "Nothing: the next list that its dates allow counts it. Till then a report can follow.",
    State.COUNTED: "Nothing: it is counted in a published list. If it is wrong, send a corrected report.",
    State.CANCELLED: "Nothing: it is cancelled. If it is played, ask the federation to register it again.",
}


GOES_ON = {
    State.REGISTERED: "Report finished games at any time: each list counts those that reached the federation "
    "before it.",
    State.ACCEPTED: "Nothing: the next list counts its new games. Report again when more are finished.",
}


def next_step(event: Tournament) -> str:
    if event.state == State.REFUSED:
        return _after_refusal(event)
    if event.state == State.REGISTERED and getattr(event, "last_ratable", None) is False:
        return "As it stands it cannot be rated: its page says why, and what can be done."
    goes_on = event.regulation is not None and event.regulation.counts_finished_games
    return (GOES_ON if goes_on else {}).get(event.state) or NEXT_STEPS[event.state]


def _after_refusal(event: Tournament) -> str:
    if event.changes.filter(state=State.APPEALED).exists():
        return "The federation refused the appeal, too."
    if event.due_on is None:
        return "The federation refused the registration. The regulation knows no appeal; it can be reopened."
    if event.due_on < event.rating_system.today():
        return f"The federation refused the registration; an appeal was possible until {event.due_on}."
    return f"The federation refused the registration. You can appeal until {event.due_on}."


def own_tournament(request: HttpRequest, pk: int) -> Tournament:
    """A tournament on whose pages the account gets, with the reason why it can only look; else 404."""
    event = get_object_or_404(for_user(request.user), pk=pk)
    event.why_not_report = why_not_report(request.user, event)
    return event


def of_preview(back: str):
    """A posted page about a report that was previewed: the view gets the tournament and the report that
    the page brings back. A preview that is too old or was changed leads to the page ``back``."""

    def decorate(view):
        @never_cache
        @login_required
        @require_POST
        @wraps(view)
        def page(request: HttpRequest, pk: int) -> HttpResponse:
            event = own_tournament(request, pk)
            try:
                held = unseal(request.user, event, request.POST.get("token", ""))
            except Broken:
                messages.error(request, "The preview is too old or was changed. Choose the file again.")
                return redirect(back, pk)
            return view(request, event, held)

        return page

    return decorate
