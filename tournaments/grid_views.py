"""A round-robin table, typed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.languages.texts import said
from tournaments import outlook, preview
from tournaments.arbiter_pages import OPEN_FOR_REPORTS, own_tournament
from tournaments.models import Tournament
from tournaments.report_forms import RowFormSet, SizeForm, default_size
from tournaments.sealed import Broken, Sealed, seal, unseal
from tournaments.services import NotAllowedNow, ReportRefused, submit_report
from tournaments.typed import FILENAME, Typed, people, understand


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def grid(request: HttpRequest, pk: int) -> HttpResponse:
    """Type a small round robin; the page checks, previews and submits it, and brings back what was typed."""
    event = own_tournament(request, pk)
    if request.method != "POST":
        asked = {**default_size(event), **{key: request.GET[key] for key in request.GET}}
        size = SizeForm(asked)
        if not size.is_valid():
            size = SizeForm(default_size(event))
            size.is_valid()
        numbers = [entry.player.fide_id for entry in _in_order(event)]
        return _table_page(request, event, size, [(number, ()) for number in numbers])
    rows = _posted_rows(request)
    size = SizeForm(request.POST)
    last = max((n for n, row in enumerate(rows, start=1) if row[0] or any(row[1])), default=0)
    if size.is_valid() and size.cleaned_data["players"] < last:
        size.add_error("players", f"Row {last} is filled in: clear it before you take it away.")
    if size.errors or "resize" in request.POST:
        return _table_page(request, event, size, rows)
    typed = understand(event, rows, request.user)
    if "confirm" in request.POST and typed.ok:
        try:
            shown = unseal(request.user, event, request.POST.get("token", "")).content
        except Broken:
            shown = b""
        if shown != typed.content:
            messages.warning(request, "The crosstable changed since the preview. Look at the new one.")
            return _table_page(request, event, size, rows, typed)
        try:
            report = submit_report(event, request.user, FILENAME, typed.content)
        except ReportRefused:
            messages.error(request, "Something changed since the preview; nothing was stored.")
            return _table_page(request, event, size, rows, understand(event, rows, request.user))
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
            return _table_page(request, event, size, rows, typed)
        return redirect("arbiter-report", pk, report.pk)
    return _table_page(request, event, size, rows, typed)


def _in_order(event: Tournament):
    return event.entries.select_related("player").prefetch_related("player__identifiers")


def _posted_rows(request: HttpRequest) -> list[tuple[str, tuple[str, ...]]]:
    """Everything that was typed, in the size that the page had when it was sent."""
    old = SizeForm({"players": request.POST.get("had_players", "")})
    if not old.is_valid():
        return []
    rows = RowFormSet(request.POST, prefix="row", form_kwargs={"columns": old.columns})
    if not rows.management_form.is_valid():
        return []
    # A forged page may send more rows than it said it had.
    return [form.typed() for form in rows.forms[: old.columns]]


def _table_page(
    request: HttpRequest,
    event: Tournament,
    size: SizeForm,
    rows: list[tuple[str, tuple[str, ...]]],
    typed: Typed | None = None,
) -> HttpResponse:
    kept = size
    if size.errors:  # keep the page as it was beside the refused size
        kept = SizeForm({"players": max(len(rows), 2)})
        kept.is_valid()
    columns = kept.columns
    initial = [
        {"number": number, **{f"c{at}": text for at, text in enumerate(cells[:columns], start=1)}}
        for number, cells in rows[:columns]
    ]
    initial += [{} for _ in range(columns - len(initial))]
    formset = RowFormSet(prefix="row", initial=initial, form_kwargs={"columns": columns})
    issues = typed.issues if typed else []
    persons = typed.people if typed else people(event, rows)
    bad = {(i.line, i.column) for i in issues if i.severity == "error"}
    lines = []
    for number, form in enumerate(formset.forms, start=1):
        for at, cell in enumerate(form.cell_fields(), start=1):
            attrs = cell.field.widget.attrs
            attrs["aria-label"] = said(f"Row {number}, against {at}")
            if (number, at) in bad:
                attrs.update({"class": "cell is-invalid", "aria-invalid": "true"})
        attrs = form["number"].field.widget.attrs
        attrs["aria-label"] = said(f"Player number of row {number}")
        found = typed.by_row.get(number, []) if typed else []
        if any(issue.field == "number" and issue.severity == "error" for issue in found):
            attrs.update({"class": "number is-invalid", "aria-invalid": "true"})
        lines.append((number, form, persons.get(number), found))
    ok = typed is not None and typed.ok
    context = {
        "tournament": event,
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
        "outlook": outlook.of_receipt(event, typed.reading.received) if ok else None,
        "token": seal(request.user, event, Sealed(FILENAME, typed.content)) if ok else "",
    }
    return render(request, "tournaments/grid.html", context)
