"""What a computation read, kept for ever: the calculator's request, the reports, and which is which.

The *request* is what ``python -m regulations list`` takes; the SHA-256 of its text is the list's
``input_sha256``. The *sources* say of each tournament what became of it and, of those counted, in which file
its report lies and whom each start number means, so that its games can be read from the file again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from players import crashpoints
from ratinglists import archive
from ratinglists.computation import Candidate, Inputs, Progress, SourceOf
from ratinglists.jobs import Refusal
from regulations.answers import write_catalog
from regulations.jsonrequest import list_request
from regulations.lists import sha256_of
from regulations.registry import get
from tournaments.models import Report, Tournament
from tournaments.queries import authorizations
from tournaments.sources import Place, goes_on, stored_source

FORMAT = "rating-portal-sources-1"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The two files in the archive, by the SHA-256 of their content."""

    request: str
    sources: str


def keep(inputs: Inputs, progress: Progress, pieces: Iterable[bytes] | None = None) -> Snapshot:
    """Write the snapshot of these inputs into the archive and name it in them. Raises Refusal if a stored
    report is not the file that was sent, OSError if the disk is full. ``pieces`` are their request, where
    it does not fit into memory (``request_by_events``)."""
    progress("keeping what was read", 0, len(inputs.candidates) + 1)
    request = archive.store_packed(request_of(inputs) if pieces is None else pieces).sha256
    crashpoints.here("compute: the request is kept")
    body = _canonical(_sources(inputs, request, progress))
    sources = archive.store([body]).sha256
    crashpoints.here("compute: the sources are kept")
    inputs.sha256, inputs.sources = request, sources
    return Snapshot(request, sources)


def request_of(inputs: Inputs) -> Iterator[bytes]:
    """The calculator's request of these inputs, in pieces."""
    codes = {part.event.id: code for _, code, part, _ in inputs.parts}
    return list_request(inputs.regulation.code, inputs.given, codes)


def hash_of(inputs: Inputs) -> str:
    """SHA-256 of the request, where nothing is kept."""
    return sha256_of(request_of(inputs))


def _canonical(value) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _sources(inputs: Inputs, request: str, progress: Progress) -> dict:
    previous, period = inputs.previous, inputs.period
    events: dict[int, list[str]] = defaultdict(list)
    for tournament, _, part, _ in inputs.parts:
        events[tournament.pk].append(part.event.id)
    codes = sorted({inputs.regulation.code, *(code for _, code, _, _ in inputs.parts)})
    tournaments = []
    for done, candidate in enumerate(inputs.candidates, start=1):
        source_of = inputs.source_of or stored_source
        tournaments.append(_source(candidate, events[candidate.tournament.pk], source_of))
        progress("keeping the reports", done, len(inputs.candidates) + 1)
    return {
        "format": FORMAT,
        "system": period.system_id,
        "list_date": period.list_date.isoformat(),
        "closes_on": period.closes_on.isoformat(),
        "request": request,
        "previous": previous
        and {
            "list_date": previous.list_date.isoformat(),
            "revision": previous.revision,
            "sha256": previous.sha256,
        },
        "regulations": write_catalog(tuple(get(code) for code in codes)),
        "tournaments": tournaments,
    }


def _source(candidate: Candidate, events: list[str], source_of: SourceOf) -> dict:
    tournament, report = candidate.tournament, candidate.report
    told = {
        "id": str(tournament.pk),
        "name": tournament.name,
        "start": tournament.start.isoformat(),
        "end": tournament.end.isoformat(),
        "outcome": candidate.outcome,
        "reason": candidate.reason,
    }
    if report is not None:
        told["report"] = {
            "sha256": report.sha256,
            "format": report.format,
            "filename": report.filename,
            "received_on": report.received_on.isoformat(),
        }
    if candidate.outcome != "counted":
        return told
    source = source_of(tournament, report)
    _keep_report(tournament, report)
    return told | {
        "events": events,
        "flags": sorted(tournament.flags),
        "authorizations": sorted(authorizations(tournament)),
        "players": {str(number): str(player) for number, player in source.players.items()},
        "phases": {str(row.number): row.phase for row in tournament.rounds.all() if row.phase != 1},
        "goes_on": goes_on(tournament),
        "counted_elsewhere": _places(source.elsewhere),
        "finished": _places(source.finished),
    }


def _places(games: dict[Place, date | None]) -> list[list]:
    """Games by round and White, each with a day or none."""
    return [[number, str(white), day and day.isoformat()] for (number, white), day in sorted(games.items())]


def _keep_report(tournament: Tournament, report: Report) -> None:
    """The file as it was sent, into the archive."""
    if archive.is_whole(report.sha256):
        return
    content = Report.objects.values_list("content", flat=True).get(pk=report.pk)
    stored = archive.store([bytes(content)])
    if stored.sha256 != report.sha256:
        raise Refusal(
            f"{tournament}: the stored report “{report.filename}” is not the file that was sent (its SHA-256 "
            f"is {stored.sha256}, not {report.sha256}). Restore it from a backup, or return the report."
        )
