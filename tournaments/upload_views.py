"""The way of a report file: chosen, checked, its doubts settled, sent."""

from __future__ import annotations

from datetime import datetime, time

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from players import crashpoints
from tournaments import duplicates, outlook, preview, services
from tournaments.arbiter_pages import TAKES_REPORTS, of_preview, own_tournament
from tournaments.intake import Reading, read
from tournaments.models import Tournament
from tournaments.report_forms import UploadForm
from tournaments.reporting import NEW
from tournaments.sealed import Sealed, seal, with_choices
from tournaments.services import NotAllowedNow, ReportRefused, submit_report
from tournaments.uploads import takes_report


@takes_report
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a file; what it says and changes is shown, nothing is stored."""
    event = own_tournament(request, pk)
    if request.method != "POST":
        return _upload_page(request, event)
    form = UploadForm(request.POST, request.FILES, **_receipt(request, event))
    if not form.is_valid():
        return _upload_page(request, event, form)
    file = form.cleaned_data["file"]
    correcting = request.GET.get("correcting") == "1"
    held = Sealed(file.name, file.read(), received=form.earlier_day, correcting=correcting)
    return _preview_page(request, event, held)


def _preview_page(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """The upload page with what the report says, as the sender's choices stand."""
    may_add = request.user.has_perm("players.add_player")
    people = {n: player for n, player in held.people.items() if player != NEW or may_add}
    reading = read(
        event,
        held.filename,
        held.content,
        received=held.received,
        people=people,
        may_add=may_add,
        correcting=held.correcting,
        by=request.user,
    )
    return _upload_page(request, event, None, reading, held)


def _receipt(request: HttpRequest, event: Tournament) -> dict:
    """Only staff may say that a report reached the federation earlier."""
    return {"tournament": event, "staff": request.user.has_perm("tournaments.accept_report")}


def _upload_page(
    request: HttpRequest,
    event: Tournament,
    form: UploadForm | None = None,
    reading: Reading | None = None,
    held: Sealed | None = None,
) -> HttpResponse:
    received_on = held.received if held else None
    correcting = held.correcting if held else request.GET.get("correcting") == "1"
    if form is None:
        form = UploadForm(initial={"received_on": received_on}, **_receipt(request, event))
    context = {
        "tournament": event,
        "form": form,
        "may_report": event.state in TAKES_REPORTS,
        "correcting": correcting or event.state == Tournament.State.COUNTED,
    }
    if reading is not None:
        twins = duplicates.of_issues(reading.issues)
        usable = reading.ok or reading.unresolved or twins
        context |= {
            "received_on": received_on,
            "outlook": outlook.of_receipt(event, reading.received)
            if reading.ok and not context["correcting"]
            else None,
            "reading": reading,
            "issues": reading.issues,
            "errors": len(reading.errors),
            "warnings": len(reading.warnings),
            "parts": preview.of_reading(reading) if reading.ok else [],
            "token": seal(request.user, event, _held(reading, correcting)) if usable else "",
            "duplicates": twins,
            "choose": "arbiter-choose",
        }
    return render(request, "tournaments/report_upload.html", context, status=form.status)


def _held(reading: Reading, correcting: bool) -> Sealed:
    today = reading.tournament.rating_system.today()
    received = None if reading.received == today else reading.received
    return Sealed(reading.filename, reading.content, reading.people, received, correcting)


@of_preview("arbiter-upload")
def choose(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """The previewed file again, with the persons that its sender chose among those suggested."""
    return _preview_page(request, event, with_choices(held, request.POST))


@login_required
@permission_required("tournaments.accept_report", raise_exception=True)
@of_preview("arbiter-upload")
def rule_distinct(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """Staff rule that a tournament with the same games is another one; the preview is shown anew."""
    number = request.POST.get("other", "")
    other = get_object_or_404(Tournament, pk=number if number.isdecimal() and len(number) < 19 else 0)
    try:
        services.rule_distinct(event, other, request.user, request.POST.get("reason", ""))
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return _preview_page(request, event, held)


@of_preview("arbiter-upload")
def submit(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """Store the previewed file after everything about it was checked anew."""
    noon = held.received and timezone.make_aware(datetime.combine(held.received, time(12)))
    try:
        report = submit_report(
            event,
            request.user,
            held.filename,
            held.content,
            received_at=noon,
            people=held.people,
            correcting=held.correcting,
        )
    except ReportRefused as refusal:
        messages.error(request, "Something changed since the preview; nothing was stored.")
        return _upload_page(request, event, None, refusal.reading, held)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return redirect("arbiter-tournament", event.pk)
    crashpoints.here("upload: stored, not answered")
    return redirect("arbiter-report", event.pk, report.pk)
