"""A tournament tried out before round 1, from its entry list or from a file of players; exports."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments import dryrun, exporting
from tournaments.arbiter_pages import of_preview, own_tournament
from tournaments.entries import enter_list
from tournaments.intake import Reading, read_entry_list
from tournaments.issues import NEW
from tournaments.models import Tournament
from tournaments.report_forms import UploadForm
from tournaments.reports import csv_table, xlsx_table
from tournaments.reports.formats import CSV, XLSX
from tournaments.sealed import Sealed, seal, with_choices
from tournaments.services import NotAllowedNow
from tournaments.uploads import takes_report

TEMPLATES = {"csv": (CSV, csv_table.template), "xlsx": (XLSX, xlsx_table.template)}


@takes_report
def dry_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Who counts as what and what round 1 can bring, with the players entered or those of a file."""
    event = own_tournament(request, pk)
    if request.method != "POST":
        return _page(request, event, None, None)
    form = UploadForm(request.POST, request.FILES, tournament=event, staff=False)
    if not form.is_valid():
        return _page(request, event, form, None)
    file = form.cleaned_data["file"]
    return _page(request, event, None, _read(request, event, Sealed(file.name, file.read())))


def _read(request: HttpRequest, event: Tournament, held: Sealed) -> Reading:
    """Players that are not on the register cannot be put there by an entry list."""
    people = {number: player for number, player in held.people.items() if player != NEW}
    return read_entry_list(event, held.filename, held.content, people, request.user)


def _page(
    request: HttpRequest, event: Tournament, form: UploadForm | None, reading: Reading | None
) -> HttpResponse:
    players = {entry.player_id: entry.player for entry in event.entries.select_related("player")}
    if reading is not None:
        players |= {player.pk: player for player in reading.players.values()}
    form = form or UploadForm(tournament=event, staff=False)
    form.fields["file"].label = _("A file of players (or a report)")
    context = {
        "tournament": event,
        "form": form,
        "reading": reading,
        "issues": reading.issues if reading else [],
        "errors": len(reading.errors) if reading else 0,
        "warnings": len(reading.warnings) if reading else 0,
        "run": dryrun.of_entries(event, list(players.values())),
        "players": players,
        "results": dryrun.RESULTS,
        "token": seal(request.user, event, _held(reading)) if reading else "",
        "choose": "arbiter-choose-entries",
    }
    return render(request, "tournaments/dryrun.html", context, status=form.status)


def _held(reading: Reading) -> Sealed:
    return Sealed(reading.filename, reading.content, reading.people)


@of_preview("arbiter-dry-run")
def choose(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """The file again, with the persons chosen among those suggested."""
    return _page(request, event, None, _read(request, event, with_choices(held, request.POST)))


@of_preview("arbiter-dry-run")
def enter(request: HttpRequest, event: Tournament, held: Sealed) -> HttpResponse:
    """Put the players of the file on the entry list: all, or none where one is in doubt."""
    reading = _read(request, event, held)
    if not reading.ok:
        return _page(request, event, None, reading)
    try:
        enter_list(event, request.user, reading.players.values())
        messages.success(request, "The players are on the entry list.")
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return redirect("arbiter-tournament", event.pk)


def _file(content: bytes, media_type: str, filename: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, filename)
    return response


@login_required
@require_safe
def export(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """The tournament as it is stored, as a file of one of the formats."""
    event = own_tournament(request, pk)
    wanted = next((each for each in exporting.offered(event) if each.code == code), None)
    if wanted is None:
        raise Http404
    kind = "-trf26" if wanted.code == "trf26" else ""  # TRF16 has the same suffix
    name = f"{event.rating_system.code}-{event.pk}-{event.start:%Y%m%d}{kind}{wanted.suffix}"
    # An arbiter can enter anybody on the register; he learns nobody's birthday by it.
    report = exporting.report_of(event, birth_days=request.user.has_perm("players.view_player"))
    return _file(wanted.write(report), wanted.media_type, name)


@login_required
@require_safe
def template(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """An empty table to fill in, of the size of the tournament."""
    event = own_tournament(request, pk)
    if code not in TEMPLATES:
        raise Http404
    form, write = TEMPLATES[code]
    size = max(event.entries.count(), 10), max(event.rounds.count(), 1)
    return _file(write(*size), form.media_type, f"crosstable-{event.pk}{form.suffix}")
