"""The way of a report file: chosen, checked, its doubts settled, sent."""

from __future__ import annotations

from datetime import date, datetime, time

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from tournaments import duplicates, outlook, preview, services
from tournaments.arbiter_pages import OPEN_FOR_REPORTS, own_tournament
from tournaments.intake import Reading, read
from tournaments.models import Tournament
from tournaments.report_forms import UploadForm
from tournaments.reporting import NEW
from tournaments.reports.text import MAX_BYTES
from tournaments.sealed import Broken, Sealed, seal, unseal, with_choices
from tournaments.services import NotAllowedNow, ReportRefused, submit_report
from tournaments.uploads import LimitedUpload


@csrf_exempt  # the limit must be set before the body is read; _upload checks the token
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a file; what it says and changes is shown, nothing is stored."""
    handler = LimitedUpload(request, MAX_BYTES)
    request.upload_handlers = [handler]
    return _upload(request, pk, handler)


@never_cache
@csrf_protect
def _upload(request: HttpRequest, pk: int, handler: LimitedUpload) -> HttpResponse:
    event = own_tournament(request, pk)
    if request.method != "POST":
        return _upload_page(request, event)
    files = request.FILES
    form = UploadForm(request.POST, files, too_large=handler.too_large, **_receipt(request, event))
    if not form.is_valid():
        return _upload_page(request, event, form)
    file = form.cleaned_data["file"]
    return _preview_page(request, event, Sealed(file.name, file.read(), received=form.earlier_day))


def _preview_page(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """The upload page with what the report says, as the sender's choices stand."""
    may_add = request.user.has_perm("players.add_player")
    people = {n: player for n, player in held.people.items() if player != NEW or may_add}
    reading = read(event, held.filename, held.content, received=held.received, people=people, may_add=may_add)
    return _upload_page(request, event, None, reading, held.received)


def _receipt(request: HttpRequest, event: Tournament) -> dict:
    """Only staff may say that a report reached the federation earlier."""
    return {"tournament": event, "staff": request.user.has_perm("tournaments.accept_report")}


def _upload_page(
    request: HttpRequest,
    event: Tournament,
    form: UploadForm | None = None,
    reading: Reading | None = None,
    received_on: date | None = None,
) -> HttpResponse:
    if form is None:
        form = UploadForm(initial={"received_on": received_on}, **_receipt(request, event))
    context = {"tournament": event, "form": form, "may_report": event.state in OPEN_FOR_REPORTS}
    if reading is not None:
        twins = duplicates.of_issues(reading.issues)
        usable = reading.ok or reading.unresolved or twins
        context |= {
            "received_on": received_on,
            "outlook": outlook.of_receipt(event, reading.received) if reading.ok else None,
            "reading": reading,
            "issues": reading.issues,
            "errors": len(reading.errors),
            "warnings": len(reading.warnings),
            "parts": preview.of_reading(reading) if reading.ok else [],
            "token": seal(request.user, event, _held(reading)) if usable else "",
            "duplicates": twins,
            "choose": "arbiter-choose",
        }
    return render(request, "tournaments/report_upload.html", context)


def _held(reading: Reading) -> Sealed:
    today = timezone.localdate()
    received = None if reading.received == today else reading.received
    return Sealed(reading.filename, reading.content, reading.people, received)


@never_cache
@login_required
@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """The previewed file again, with the persons that its sender chose among those suggested."""
    event = own_tournament(request, pk)
    try:
        held = unseal(request.user, event, request.POST.get("token", ""))
    except Broken:
        return _start_anew(request, pk)
    return _preview_page(request, event, with_choices(held, request.POST))


@never_cache
@login_required
@permission_required("tournaments.accept_report", raise_exception=True)
@require_POST
def rule_distinct(request: HttpRequest, pk: int) -> HttpResponse:
    """Staff rule that a tournament with the same games is another one; the preview is shown anew."""
    event = own_tournament(request, pk)
    try:
        held = unseal(request.user, event, request.POST.get("token", ""))
    except Broken:
        return _start_anew(request, pk)
    number = request.POST.get("other", "")
    other = get_object_or_404(Tournament, pk=number if number.isdecimal() and len(number) < 19 else 0)
    try:
        services.rule_distinct(event, other, request.user, request.POST.get("reason", ""))
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return _preview_page(request, event, held)


def _start_anew(request: HttpRequest, pk: int) -> HttpResponse:
    messages.error(request, "The preview is too old or was changed. Choose the file again.")
    return redirect("arbiter-upload", pk)


@never_cache
@login_required
@require_POST
def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the previewed file after everything about it was checked anew."""
    event = own_tournament(request, pk)
    try:
        held = unseal(request.user, event, request.POST.get("token", ""))
    except Broken:
        return _start_anew(request, pk)
    noon = held.received and timezone.make_aware(datetime.combine(held.received, time(12)))
    try:
        report = submit_report(
            event, request.user, held.filename, held.content, received_at=noon, people=held.people
        )
    except ReportRefused as refusal:
        messages.error(request, "Something changed since the preview; nothing was stored.")
        return _upload_page(request, event, None, refusal.reading, held.received)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return redirect("arbiter-tournament", pk)
    return redirect("arbiter-report", pk, report.pk)
