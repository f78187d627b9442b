"""The arbiters' pages: own tournaments, and the way of a report from file or form to receipt."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from regulations import registry
from regulations.exact import show
from tournaments import comparison, duplicates, preview, services
from tournaments.downloads import original_file
from tournaments.findings import Shown
from tournaments.intake import Reading, read
from tournaments.models import Report, Tournament
from tournaments.queries import authorizations, check_registration, for_user, spelled_otherwise
from tournaments.ratings import facts_in_force
from tournaments.report_forms import RowFormSet, SizeForm, UploadForm, default_size
from tournaments.reporting import NEW
from tournaments.reports.text import MAX_BYTES
from tournaments.sealed import Broken, Sealed, seal, unseal
from tournaments.services import NotAllowedNow, ReportRefused, submit_report
from tournaments.typed import FILENAME, Typed, people, understand
from tournaments.uploads import LimitedUpload

State = Tournament.State
OPEN_FOR_REPORTS = (State.REGISTERED, State.RETURNED, State.REPORTED, State.ACCEPTED)
NEXT_STEPS = {
    State.DRAFT: "Wait: the federation has not registered it yet.",
    State.REFUSED: "The federation refused the registration.",
    State.APPEALED: "Wait for the federation's decision on the appeal.",
    State.REGISTERED: "Send the report when the tournament is over.",
    State.REPORTED: "Wait for the federation's decision; until then a better report replaces this one.",
    State.RETURNED: "Correct the report and send it again.",
    State.ACCEPTED: "Nothing: the next list that its dates allow counts it. Till then a report can follow.",
    State.COUNTED: "Nothing: it is counted in a published list.",
}


def _own(request: HttpRequest, pk: int) -> Tournament:
    return get_object_or_404(for_user(request.user), pk=pk)


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Own tournaments, those to be reported first."""
    urgent = Case(
        When(state=State.RETURNED, then=Value(0)),
        When(state=State.REGISTERED, then=Value(1)),
        default=Value(2),
    )
    page = Paginator(for_user(request.user).order_by(urgent, "-start", "name", "pk"), 50).get_page(
        request.GET.get("page")
    )
    rows = [(row, NEXT_STEPS[row.state], row.state in OPEN_FOR_REPORTS) for row in page]
    return render(request, "tournaments/arbiter.html", {"page": page, "rows": rows})


@login_required
@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """One tournament: registration, findings, entry list, reports and what was remarked on them."""
    event = _own(request, pk)
    result = check_registration(event)
    granted = authorizations(event)
    entries = list(event.entries.select_related("player").prefetch_related("player__identifiers"))
    facts = facts_in_force(event.rating_system, [entry.player_id for entry in entries], event.start)
    minutes = result.minutes_for_60_moves
    changes = list(event.changes.all())
    refused = event.state == State.REFUSED
    appealable = refused and event.due_on is not None and timezone.localdate() <= event.due_on
    context = {
        "tournament": event,
        "changes": changes,
        "refusal": changes[-1] if refused and changes else None,
        "appeal_until": event.due_on if appealable else None,
        "next": NEXT_STEPS[event.state],
        "may_report": event.state in OPEN_FOR_REPORTS,
        "minutes": "" if minutes is None else show(minutes),
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
    event = _own(request, pk)
    try:
        services.appeal(event, request.user, request.POST.get("reason", ""))
        messages.success(request, "The federation has your appeal.")
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return redirect("arbiter-tournament", pk)


# --- a file --------------------------------------------------------------------------------------


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
    event = _own(request, pk)
    if request.method != "POST":
        return _upload_page(request, event, UploadForm())
    files = request.FILES
    form = UploadForm(request.POST, files, too_large=handler.too_large)
    if not form.is_valid():
        return _upload_page(request, event, form)
    file = form.cleaned_data["file"]
    return _preview_page(request, event, Sealed(file.name, file.read()))


def _preview_page(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """The upload page with what the report says, as the sender's choices stand."""
    may_add = request.user.has_perm("players.add_player")
    people = {n: player for n, player in held.people.items() if player != NEW or may_add}
    reading = read(event, held.filename, held.content, received=held.received, people=people, may_add=may_add)
    return _upload_page(request, event, UploadForm(), reading)


def _upload_page(
    request: HttpRequest, event: Tournament, form: UploadForm, reading: Reading | None = None
) -> HttpResponse:
    context = {"tournament": event, "form": form, "may_report": event.state in OPEN_FOR_REPORTS}
    if reading is not None:
        twins = duplicates.of_issues(reading.issues)
        usable = reading.ok or reading.unresolved or twins
        context |= {
            "reading": reading,
            "issues": reading.issues,
            "errors": len(reading.errors),
            "warnings": len(reading.warnings),
            "parts": preview.of_reading(reading) if reading.ok else [],
            "token": seal(request.user, event, _held(reading)) if usable else "",
            "duplicates": twins,
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
    event = _own(request, pk)
    try:
        held = unseal(request.user, event, request.POST.get("token", ""))
    except Broken:
        return _start_anew(request, pk)
    people = dict(held.people)
    for name, value in request.POST.items():
        number = name.removeprefix("person-")
        if name.startswith("person-") and number.isdecimal() and len(number) < 6:
            people.pop(int(number), None)
            if value == NEW or (value.isdecimal() and len(value) < 19):
                people[int(number)] = value if value == NEW else int(value)
    return _preview_page(request, event, replace(held, people=people))


@never_cache
@login_required
@permission_required("tournaments.accept_report", raise_exception=True)
@require_POST
def rule_distinct(request: HttpRequest, pk: int) -> HttpResponse:
    """Staff rule that a tournament with the same games is another one; the preview is shown anew."""
    event = _own(request, pk)
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
    event = _own(request, pk)
    try:
        held = unseal(request.user, event, request.POST.get("token", ""))
    except Broken:
        return _start_anew(request, pk)
    try:
        report = submit_report(event, request.user, held.filename, held.content, people=held.people)
    except ReportRefused as refusal:
        messages.error(request, "Something changed since the preview; nothing was stored.")
        return _upload_page(request, event, UploadForm(), refusal.reading)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return redirect("arbiter-tournament", pk)
    return redirect("arbiter-report", pk, report.pk)


# --- a typed crosstable --------------------------------------------------------------------------


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def crosstable(request: HttpRequest, pk: int, grid: bool = False) -> HttpResponse:
    """Type the results; the page checks, previews and submits them, and keeps what was typed."""
    event = _own(request, pk)
    if request.method != "POST":
        asked = {**default_size(event), **{key: request.GET[key] for key in request.GET}}
        size = SizeForm(asked, grid=grid)
        if not size.is_valid():
            size = SizeForm(default_size(event), grid=grid)
            size.is_valid()
        numbers = [entry.player.fide_id for entry in _in_order(event)]
        return _table_page(request, event, size, [(number, ()) for number in numbers], grid)
    rows = _posted_rows(request, grid)
    size = SizeForm(request.POST, grid=grid)
    last = max((n for n, row in enumerate(rows, start=1) if row[0] or any(row[1])), default=0)
    wide = max((n for _, cells in rows for n, cell in enumerate(cells, start=1) if cell), default=0)
    if size.is_valid():
        if size.cleaned_data["players"] < last:
            size.add_error("players", f"Row {last} is filled in: clear it before you take it away.")
        if not grid and size.cleaned_data["rounds"] < wide:
            size.add_error("rounds", f"Round {wide} has results: clear them before you take it away.")
    if size.errors or "resize" in request.POST:
        return _table_page(request, event, size, rows, grid)
    typed = understand(event, rows, grid=grid)
    if "confirm" in request.POST and typed.ok:
        try:
            shown = unseal(request.user, event, request.POST.get("token", "")).content
        except Broken:
            shown = b""
        if shown != typed.content:
            messages.warning(request, "The crosstable changed since the preview. Look at the new one.")
            return _table_page(request, event, size, rows, grid, typed)
        try:
            report = submit_report(event, request.user, FILENAME, typed.content)
        except ReportRefused:
            messages.error(request, "Something changed since the preview; nothing was stored.")
            return _table_page(request, event, size, rows, grid, understand(event, rows, grid=grid))
        return redirect("arbiter-report", pk, report.pk)
    return _table_page(request, event, size, rows, grid, typed)


def _in_order(event: Tournament):
    return event.entries.select_related("player").prefetch_related("player__identifiers")


def _posted_rows(request: HttpRequest, grid: bool) -> list[tuple[str, tuple[str, ...]]]:
    """Everything that was typed, in the size that the page had when it was sent."""
    had = {name: request.POST.get(f"had_{name}", "") for name in ("players", "rounds")}
    old = SizeForm(had, grid=grid)
    if not old.is_valid():
        return []
    rows = RowFormSet(request.POST, prefix="row", form_kwargs={"columns": old.columns})
    if not rows.management_form.is_valid():
        return []
    # A forged page may send more rows than it said it had.
    return [form.typed() for form in rows.forms[: old.cleaned_data["players"]]]


def _table_page(
    request: HttpRequest,
    event: Tournament,
    size: SizeForm,
    rows: list[tuple[str, tuple[str, ...]]],
    grid: bool,
    typed: Typed | None = None,
) -> HttpResponse:
    kept = size
    if size.errors:  # keep the page as it was beside the refused size
        wide = max((len(cells) for _, cells in rows), default=1)
        kept = SizeForm({"players": max(len(rows), 2), "rounds": max(wide, 1)}, grid=grid)
        kept.is_valid()
    columns = kept.columns
    initial = [
        {"number": number, **{f"c{at}": text for at, text in enumerate(cells[:columns], start=1)}}
        for number, cells in rows[: kept.cleaned_data["players"]]
    ]
    initial += [{} for _ in range(kept.cleaned_data["players"] - len(initial))]
    formset = RowFormSet(
        prefix="row", initial=initial, form_kwargs={"columns": columns, "size": 3 if grid else 6}
    )
    issues = typed.issues if typed else []
    persons = typed.people if typed else people(event, rows)
    bad = {(i.line, i.column) for i in issues if i.severity == "error"}
    lines = []
    for number, form in enumerate(formset.forms, start=1):
        for at, cell in enumerate(form.cell_fields(), start=1):
            attrs = cell.field.widget.attrs
            attrs["aria-label"] = f"Row {number}, {'against' if grid else 'round'} {at}"
            if (number, at) in bad:
                attrs.update({"class": "cell is-invalid", "aria-invalid": "true"})
        attrs = form["number"].field.widget.attrs
        attrs["aria-label"] = f"Player number of row {number}"
        found = typed.by_row.get(number, []) if typed else []
        if any(issue.field == "number" and issue.severity == "error" for issue in found):
            attrs.update({"class": "number is-invalid", "aria-invalid": "true"})
        lines.append((number, form, persons.get(number), found))
    ok = typed is not None and typed.ok
    context = {
        "tournament": event,
        "grid": grid,
        "size": size,
        "had": kept.cleaned_data,
        "formset": formset,
        "lines": lines,
        "columns": range(1, columns + 1),
        "typed": typed,
        "general": typed.general if typed else [],
        "errors": sum(issue.severity == "error" for issue in issues),
        "warnings": sum(issue.severity != "error" for issue in issues),
        "may_report": event.state in OPEN_FOR_REPORTS,
        "parts": preview.of_reading(typed.reading) if ok else [],
        "token": seal(request.user, event, Sealed(FILENAME, typed.content)) if ok else "",
    }
    return render(request, "tournaments/crosstable.html", context)


# --- after submission ----------------------------------------------------------------------------


@login_required
@require_safe
def receipt(request: HttpRequest, pk: int, report: int) -> HttpResponse:
    """A report that was sent: its SHA-256, its state, and what it changes while it stands."""
    event = _own(request, pk)
    sent = get_object_or_404(event.reports.defer("content").select_related("submitted_by"), pk=report)
    stands = sent.state in (Report.State.SUBMITTED, Report.State.ACCEPTED)
    waits = stands and event.state in (State.REPORTED, State.ACCEPTED)
    context = {
        "tournament": event,
        "report": sent,
        "next": NEXT_STEPS[event.state],
        "parts": preview.of_stored(event) if waits else [],
        "spelled": spelled_otherwise(event) if stands else [],
    }
    return render(request, "tournaments/report_receipt.html", context)


@login_required
@require_safe
def download(request: HttpRequest, pk: int, report: int) -> HttpResponse:
    """The original file of one of the tournament's reports."""
    return original_file(get_object_or_404(_own(request, pk).reports, pk=report))


@login_required
@permission_required("tournaments.accept_report", raise_exception=True)
@require_safe
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """A tournament's games under two regulations, for staff."""
    found = get_object_or_404(Tournament.objects.select_related("rating_system"), pk=pk)
    own, other = found.regulation, comparison.other_regulation(found)
    start = {"first": own.code if own else "", "second": other.code if other else ""}
    form = comparison.CompareForm({**start, **request.GET.dict()})
    parts = []
    if form.is_valid() and found.regulation is not None and found.games.exists():
        chosen = [registry.get(form.cleaned_data[name]) for name in ("first", "second")]
        parts = comparison.parts(found, chosen)
    context = {"tournament": found, "form": form, "parts": parts, "asked": form.is_valid()}
    return render(request, "tournaments/compare.html", context)
