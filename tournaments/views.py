"""The arbiters' pages: own tournaments, and what became of a report."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from players import access
from players.privacy import policy, shown_to
from regulations import registry
from regulations.exact import show
from tournaments import comparison, exporting, outlook, preview, rechecks, services
from tournaments.access import for_user, lapsed, why_not_enter
from tournaments.arbiter_pages import OPEN_FOR_REPORTS, next_step, own_tournament
from tournaments.downloads import original_file
from tournaments.findings import Shown
from tournaments.models import Arbiter, Report, Tournament
from tournaments.queries import (
    authorizations,
    check_registration,
    clock_words,
    counted_games,
    spelled_otherwise,
)
from tournaments.ratings import facts_in_force
from tournaments.services import NotAllowedNow

State = Tournament.State


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Own tournaments, those to be reported first."""
    urgent = Case(
        When(state=State.RETURNED, then=Value(0)),
        When(state=State.REGISTERED, then=Value(1)),
        default=Value(2),
    )
    own = rechecks.with_last_check(for_user(request.user)).prefetch_related("rating_system__regulations")
    page = Paginator(own.order_by(urgent, "-start", "name", "pk"), 50).get_page(request.GET.get("page"))
    arbiter = Arbiter.objects.filter(user=request.user.pk).first()
    why_not = lapsed(arbiter) if arbiter else ""
    rows = [(row, next_step(row), row.state in OPEN_FOR_REPORTS and not why_not) for row in page]
    context = {"page": page, "rows": rows, "why_not": why_not, "arbiter": arbiter}
    return render(request, "tournaments/arbiter.html", context)


@login_required
@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """One tournament: registration, findings, entry list, reports and what was remarked on them."""
    event = own_tournament(request, pk)
    result = check_registration(event)
    granted = authorizations(event)
    entries = list(event.entries.select_related("player").prefetch_related("player__identifiers"))
    goes_on = event.regulation is not None and event.regulation.counts_finished_games
    day = max(event.start, event.rating_system.today()) if goes_on else event.start
    facts = facts_in_force(event.rating_system, [entry.player_id for entry in entries], day)
    shown = partial(shown_to, partial(access.knows, request.user), policy())
    for entry in entries:
        entry.player = shown(entry.player)
    minutes = result.minutes_for_60_moves
    changes = list(event.changes.all())
    refused = event.state == State.REFUSED
    appealable = refused and event.due_on is not None and event.rating_system.today() <= event.due_on
    context = {
        "tournament": event,
        "changes": changes,
        "exports": exporting.offered(event) if entries else [],
        "refusal": changes[-1] if refused and changes else None,
        "cancelled": changes[-1] if event.state == State.CANCELLED and changes else None,
        "may_cancel": event.state == State.REGISTERED
        and not event.why_not_report
        and event.rating_system.today() < event.start,
        "appeal_until": event.due_on if appealable and not event.why_not_report else None,
        "next": next_step(event),
        "goes_on": goes_on,
        "begins_with": preview.start_rating(event.regulation),
        "counted": counted_games(event).count() if goes_on else 0,
        "may_report": event.state in OPEN_FOR_REPORTS and not event.why_not_report,
        "minutes": "" if minutes is None else show(minutes),
        "clock_words": clock_words(event),
        "lapse": rechecks.lapse(event, result),
        "restored": rechecks.restored(event, result),
        "may_enter": event.state in rechecks.OPEN
        and not rechecks.begun(event)
        and not why_not_enter(request.user, event),
        "result": result,
        "findings": [Shown(found, found.authorization in granted) for found in result.findings],
        "entries": [
            (entry, facts[entry.player_id].on_that_day(event.rating_system.reference_id)) for entry in entries
        ],
        "reports": event.reports.defer("content").select_related("submitted_by"),
    }
    return render(request, "tournaments/arbiter_tournament.html", context)


@login_required
@require_POST
def appeal(request: HttpRequest, pk: int) -> HttpResponse:
    """An arbiter's appeal against the refusal of his tournament."""
    return _done(request, pk, services.appeal, "The federation has your appeal.")


@login_required
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """An arbiter's word that his tournament is not played."""
    return _done(request, pk, services.cancel, "The tournament is cancelled, and everybody can read why.")


def _done(request: HttpRequest, pk: int, act, done: str) -> HttpResponse:
    event = own_tournament(request, pk)
    try:
        act(event, request.user, request.POST.get("reason", ""))
        messages.success(request, done)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return redirect("arbiter-tournament", pk)


@login_required
@require_safe
def receipt(request: HttpRequest, pk: int, report: int) -> HttpResponse:
    """A report that was sent: its SHA-256, its state, and what it changes while it stands."""
    event = own_tournament(request, pk)
    sent = get_object_or_404(event.reports.defer("content").select_related("submitted_by"), pk=report)
    stands = sent.state in Report.STANDING
    waits = stands and event.state in (State.REPORTED, State.ACCEPTED)
    context = {
        "tournament": event,
        "report": sent,
        "next": next_step(event),
        "parts": preview.of_stored(event) if waits else [],
        "spelled": spelled_otherwise(event) if stands else [],
        "outlook": outlook.of_receipt(event, sent.received_on) if waits else None,
    }
    return render(request, "tournaments/report_receipt.html", context)


@login_required
@require_safe
def download(request: HttpRequest, pk: int, report: int) -> HttpResponse:
    """The original file of one of the tournament's reports."""
    return original_file(get_object_or_404(own_tournament(request, pk).reports, pk=report))


@login_required
@permission_required("tournaments.accept_report", raise_exception=True)
@require_safe
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """A tournament's games under two regulations, for staff."""
    found = own_tournament(request, pk)
    form = comparison.CompareForm(found, request.GET.dict())
    parts = []
    if form.is_valid() and found.regulation is not None and found.games.exists():
        chosen = [registry.get(form.cleaned_data[name]) for name in ("first", "second")]
        parts = comparison.parts(found, chosen)
    context = {"tournament": found, "form": form, "parts": parts, "asked": form.is_valid()}
    return render(request, "tournaments/compare.html", context)
