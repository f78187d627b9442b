"""The pages on which an arbiter types a crosstable: players, rounds, check. All is kept as it is typed."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from players.languages.texts import said
from players.privacy import named
from regulations.characters import without_forbidden
from tournaments import draft_rows, drafting, outlook, pasted, preview
from tournaments.arbiter_pages import OPEN_FOR_REPORTS, own_tournament
from tournaments.drafted import Drafted, Found, read_draft
from tournaments.drafting import MAX_ROUNDS, MAX_ROWS, PLAYERS
from tournaments.models import ReportDraft, Tournament
from tournaments.reporting import ReportRefused
from tournaments.reports import boards
from tournaments.sealed import Broken, Sealed, seal, unseal
from tournaments.transitions import NotAllowedNow
from tournaments.typed import FILENAME

SPARE_ROWS = 5


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, pk: int) -> HttpResponse:
    """Who plays, by start number."""
    return _typing(request, pk, PLAYERS)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def round_page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The boards of one round."""
    if not 1 <= number <= MAX_ROUNDS:
        raise Http404
    return _typing(request, pk, str(number))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest, pk: int) -> HttpResponse:
    """All that is wrong with the draft and all that it changes; from here it is sent."""
    event = own_tournament(request, pk)
    drafted = None
    if request.method == "POST":
        try:
            held = unseal(request.user, event, request.POST.get("token", ""))
            report = drafting.send(event, request.user, held.content)
            return redirect("arbiter-report", pk, report.pk)
        except Broken:
            messages.error(request, "The preview is too old or was changed. Look at the new one.")
        except drafting.Changed as change:
            messages.warning(request, "The crosstable changed since the preview. Look at the new one.")
            drafted = change.drafted
        except ReportRefused:
            messages.error(request, "Something changed since the preview; nothing was sent.")
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
    draft = drafting.draft_of(event, request.user)
    drafted = drafted or read_draft(draft)
    context = _frame(event, draft, "check") | {
        "found": [_shown(event, draft, each) for each in drafted.found],
        "errors": len(drafted.errors),
        "warnings": len(drafted.found) - len(drafted.errors),
        "outlook": outlook.of_receipt(event, event.rating_system.today()) if drafted.ok else None,
        "parts": preview.of_reading(drafted.reading) if drafted.ok else [],
        "reading": drafted.reading,
        "seal": _sealed(request, event, drafted),
    }
    return render(request, "tournaments/draft_check.html", context)


@login_required
@require_POST
def resume(request: HttpRequest, pk: int, report: int) -> HttpResponse:
    """Go on from a report that was sent: its players and games are filled in."""
    event = own_tournament(request, pk)
    try:
        drafting.resume(get_object_or_404(event.reports, pk=report), request.user)
    except drafting.NotSaved as refusal:
        messages.error(request, str(refusal))
    return redirect("arbiter-crosstable", pk)


@login_required
@require_POST
def discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw the draft away."""
    event = own_tournament(request, pk)
    drafting.discard(event, request.user)
    messages.info(request, _("What was typed of the crosstable is thrown away."))
    return redirect("arbiter-tournament", pk)


def _sealed(request: HttpRequest, event: Tournament, drafted: Drafted) -> str:
    if not drafted.ok or event.state not in OPEN_FOR_REPORTS:
        return ""
    return seal(request.user, event, Sealed(FILENAME, drafted.content))


# --- a page of rows ------------------------------------------------------------------------------


def _typing(request: HttpRequest, pk: int, part: str) -> HttpResponse:
    event = own_tournament(request, pk)
    if request.method != "POST":
        return _page(request, event, part, drafting.draft_of(event, request.user))
    rows = _posted(request, part)
    token = request.POST.get("over", request.POST.get("token", ""))
    script = request.headers.get("Accept") == "application/json"
    try:
        draft = _save(request, event, part, rows, token)
    except drafting.NotSaved as refusal:
        if script:
            return JsonResponse({"outcome": "refused", "faults": [said(fault) for fault in refusal.faults]})
        draft = drafting.draft_of(event, request.user)
        return _page(request, event, part, draft, rows, token, refused=refusal.faults)
    except drafting.Stale as stale:
        conflict = draft_rows.conflict(part, rows, stale.draft)
        if script:
            html = render_to_string("tournaments/_draft_conflict.html", {"conflict": conflict}, request)
            return JsonResponse({"outcome": "stale", "html": html})
        return _page(request, event, part, stale.draft, rows, token, conflict=conflict)
    if script:
        return JsonResponse(draft_rows.saved(part, draft))
    return redirect(_going(request, event, part, draft))


def _posted(request: HttpRequest, part: str) -> list[list[str]]:
    """The rows of the page as typed, blank ones too."""
    fields = draft_rows.fields(part)
    name = re.compile(rf"(?:{'|'.join(fields)})-([1-9][0-9]{{0,3}})")
    last = max((int(match[1]) for key in request.POST if (match := name.fullmatch(key))), default=0)
    return [[request.POST.get(f"{field}-{n}", "") for field in fields] for n in range(1, last + 1)]


def _save(
    request: HttpRequest, event: Tournament, part: str, rows: list[list[str]], token: str
) -> ReportDraft:
    if not rows:
        raise drafting.NotSaved(["The page came without rows. Load it again."])
    if request.POST.get("go") == "paste":
        lines = request.POST.get("lines", "")
        found = pasted.parse_lines(lines)
        while rows and not any(rows[-1][1:]):
            rows = rows[:-1]
        merged, replaced = pasted.merge(rows, found)
        draft = drafting.autosave(event, request.user, part, merged, token)
        told = f"Lines taken over: {len(found)}."
        if replaced:
            told = f"Lines taken over: {len(found)}; rows of other players that gave way: {replaced}."
        messages.success(request, told)
        return draft
    draft = drafting.autosave(event, request.user, part, rows, token)
    if request.POST.get("go") == "absent" and part != PLAYERS:
        number = drafting.absent(event, request.user, part, draft.token)
        messages.success(request, f"Marked absent in round {part}: {number}.")
    return draft


def _going(request: HttpRequest, event: Tournament, part: str, draft: ReportDraft) -> str:
    """Where the button that was pressed leads to."""
    order = [PLAYERS, *map(str, range(1, _rounds(event, draft) + 1)), "check"]
    at = order.index(part) if part in order else len(order) - 2
    step = {"next": 1, "previous": -1}.get(request.POST.get("go", ""), 0)
    if request.POST.get("go") == "check":
        return _url(event, "check")
    return _url(event, order[max(at + step, 0)] if step else part)


def _url(event: Tournament, part: str) -> str:
    if part == PLAYERS:
        return reverse("arbiter-crosstable", args=[event.pk])
    if part == "check":
        return reverse("arbiter-check", args=[event.pk])
    return reverse("arbiter-round", args=[event.pk, int(part)])


def _rounds(event: Tournament, draft: ReportDraft) -> int:
    """Rounds with a page: the registered ones; without a schedule, one more than are typed."""
    scheduled = max((row.number for row in event.rounds.all()), default=0)
    last = max(map(int, draft.games), default=0)
    return min(max(scheduled or last + 1, last, 1), MAX_ROUNDS)


def _frame(event: Tournament, draft: ReportDraft, part: str) -> dict:
    """What all pages of the draft have in common."""
    number = sum(any(row[1:]) for row in draft.players)
    steps = [(PLAYERS, f"Players ({number})")]
    for round_ in range(1, _rounds(event, draft) + 1):
        typed = sum(any(row) for row in draft.games.get(str(round_), []))
        steps.append((str(round_), f"Round {round_} ({typed})" if typed else f"Round {round_}"))
    steps.append(("check", "Check and send"))
    return {
        "tournament": event,
        "draft": draft,
        "may_report": event.state in OPEN_FOR_REPORTS,
        "steps": [(label, _url(event, step), step == part) for step, label in steps],
        "round": None if part in (PLAYERS, "check") else int(part),
        "last_round": part == str(_rounds(event, draft)),
    }


def _page(
    request: HttpRequest,
    event: Tournament,
    part: str,
    draft: ReportDraft,
    rows: list[list[str]] | None = None,
    token: str | None = None,
    **trouble,
) -> HttpResponse:
    """The page of a part; ``rows`` and ``token`` are those of a page that could not be saved."""
    context = _frame(event, draft, part) | trouble
    if rows is not None:
        draft = ReportDraft(
            tournament=event, user=request.user, games=dict(draft.games), players=draft.players
        )
        if part == PLAYERS:
            draft.players = [[without_forbidden(text) for text in row] for row in rows]
        else:
            draft.games[part] = [[without_forbidden(text) for text in row] for row in rows]
    said = draft_rows.remarks(part, draft)
    kept = drafting.rows_of(draft, part)
    spare = max(SPARE_ROWS, 0 if part == PLAYERS else (len(said["names"]) + 1) // 2 - len(kept))
    last = max((boards.start_number(row[0]) or 0 for row in draft.players), default=0)
    blank = [[str(last + n) if part == PLAYERS else "", "", ""] for n in range(1, spare + 1)]
    shown = [*kept, *blank][: max(MAX_ROWS, len(kept))]
    context |= {
        "sent": None if context["draft"].pk else event.reports.defer("content").first(),
        "token": context["draft"].token if token is None else token,
        "unsaved": rows is not None,
        "lines": without_forbidden(request.POST.get("lines", "")),
        "rows": [draft_rows.row_shown(part, number, row, said) for number, row in enumerate(shown, start=1)],
        "new_row": draft_rows.row_shown(part, "__n__", ["", "", ""], said),
        "max_rows": MAX_ROWS,
        "focus": len(kept) + 1,
        "names": {start: named(name) for start, name in said["names"].items()},
        "missing": said["missing"],
    }
    template = "tournaments/draft_players.html" if part == PLAYERS else "tournaments/draft_round.html"
    return render(request, template, context)


def _shown(event: Tournament, draft: ReportDraft, found: Found) -> dict:
    """An issue with a link to the field where it was typed."""
    where = url = ""
    if found.part:
        url = _url(event, found.part)
        where = "Players" if found.part == PLAYERS else f"Round {found.part}"
    if found.row:
        url += f"#{found.field}-{found.row}"
        where += f", {'row' if found.part == PLAYERS else 'board'} {found.row}"
    return {"issue": found.issue, "where": where, "url": url}
