"""Damaged files through the web: arbiters' form, programs' door, imports, and damaged forms around them.

Each begins from the same database. What is refused has written nothing, what is taken has everything.
"""

from __future__ import annotations

import logging
import random
import re
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import got_request_exception
from django.db import transaction
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from players import player_imports
from players.models import PlayerImport
from tests.trust import counts, fuzz, mutants
from tests.trust.measure import MB_LIMIT, SECONDS_LIMIT, more, peak_mb, row_counts, timed
from tests.trust.world import World, place
from tournaments.models import Game, Report
from tournaments.reports import formats

pytestmark = [pytest.mark.django_db, pytest.mark.trust]

REPORTS = {each.code for each in formats.FORMATS}
LISTS = {"fide-txt", "fide-xml", "list-csv", "zip"}
NAMES = (
    "report.trf",
    "a.csv",
    "b.xlsx",
    "../../etc/passwd",
    "x" * 300,
    "ñ\u202egnp.exe",
    'q"uote;.csv',
    " ",
    "a\tb",
)
TOKEN = re.compile(r'name="token" value="([^"]+)"')
#: what each accepted report writes to
OF_REPORTS = {"tournaments_report", "tournaments_entry", "tournaments_statechange"}


@dataclass
class Found:
    """What the run found."""

    states: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    worst: float = 0.0


class Doors:
    """Where a file can be sent, and what has to hold of each answer."""

    def __init__(self, world: World, stored: Path) -> None:
        self.world, self.stored = world, stored
        self.fuzz = fuzz.Fuzz(1)
        self.errors: list[str] = []
        got_request_exception.connect(self._note, weak=False, dispatch_uid="trust")

    def _note(self, sender, request, **_) -> None:
        self.errors.append(traceback.format_exc())

    def mutant(self, number: int, kinds: set[str]) -> tuple[str, str, bytes]:
        """The next mutant of these kinds; every tenth file is a sound one, so that some are taken."""
        at = number * 101
        while fuzz.KINDS[at % len(fuzz.KINDS)] not in kinds:
            at += 1
        kind, name, data = self.fuzz.mutant(at)
        rng = random.Random(number)
        if rng.random() < 0.1:
            name, data = rng.choice(self.fuzz.sound[kind])
        if rng.random() < 0.1:
            name = rng.choice(NAMES)
        return kind, name, data

    def send(self, number: int) -> tuple[str, list[str]]:
        """One upload: what came of it, and what was wrong with that."""
        ways = (
            self.form,
            self.form,
            self.form,
            self.form,
            self.api,
            self.api,
            self.api,
            self.listed,
            self.listed,
        )
        way = ways[number % 10] if number % 10 < len(ways) else self.envelope
        self.errors.clear()
        files = self._files()
        with transaction.atomic():
            before = row_counts()
            state, faults = way(number, before)
            transaction.set_rollback(True)
        for path in self._files() - files:
            if state != "list taken":
                faults.append(f"left the file {path}")
            path.unlink()
        return state, [*faults, *self.errors]

    def _files(self) -> set[Path]:
        return {path for path in self.stored.rglob("*") if path.is_file()}

    def form(self, number: int, before: dict[str, int]) -> tuple[str, list[str]]:
        """Choose, look at the preview, confirm."""
        kind, name, data = self.mutant(number, REPORTS)
        event = self.world.event_for(kind)
        board = self.world.at_board
        page = board.post(place("arbiter-upload", event), {"file": SimpleUploadedFile(name or "x", data)})
        faults = self._answered(page, {200, 413})  # a mutant may be a byte too long
        if changed := more(before, row_counts()):
            faults.append(f"a preview wrote {changed}")
        token = TOKEN.search(page.content.decode())
        if token is None:
            return "form refused", faults
        sent = board.post(place("arbiter-submit", event), {"token": token[1]})
        faults += self._answered(sent, {200, 302})
        changed = more(before, row_counts())
        if sent.status_code == 302 and "/reports/" in sent.url:
            return "form taken", faults + self._whole(Report.objects.get(), data, changed)
        return "form refused", faults + [f"refused, but wrote {changed}"] * bool(changed)

    def api(self, number: int, before: dict[str, int]) -> tuple[str, list[str]]:
        kind, name, data = self.mutant(number, REPORTS)
        path = f"/api/v1/tournaments/{self.world.event_for(kind).pk}/reports"
        file = {"file": SimpleUploadedFile(name or "x", data)}
        answer = self.world.program.post(path, file, headers={"Idempotency-Key": f"n{number}"})
        faults = self._answered(answer, {201, 400, 409, 413, 422})
        changed = more(before, row_counts())
        kept = changed.pop("ratinglists_apisubmission", 0)
        if answer.status_code == 201:
            changed.pop("players_auditentry", None)
            return "api taken", faults + self._whole(Report.objects.get(), data, changed)
        if changed or kept != (answer.status_code in (409, 422) and "findings" in answer.json()):
            faults.append(f"refused with {answer.status_code}, but wrote {changed} and {kept} answers")
        return "api refused", faults

    def listed(self, number: int, before: dict[str, int]) -> tuple[str, list[str]]:
        """A list brought in; its dry run, and the import if that went well."""
        _, name, data = self.mutant(number, LISTS)
        given = {"file": SimpleUploadedFile(name or "x", data), "list_date": "2026-10-01", "single": "rapid"}
        answer = self.world.at_desk.post("/admin/players/playerimport/add/", given)
        faults = self._answered(answer, {200, 302})
        if answer.status_code != 302:
            changed = more(before, row_counts())
            return "list refused", faults + [f"refused, but wrote {changed}"] * bool(changed)
        preview = PlayerImport.objects.get()
        register = self._register()
        faults += self._ended(preview)
        if self._register() != register:
            faults.append("a dry run changed the register")
        if not player_imports.why_not_apply(preview):
            faults += self._ended(player_imports.request_apply(preview, self.world.officer))
        return "list taken", faults

    def envelope(self, number: int, before: dict[str, int]) -> tuple[str, list[str]]:
        """The form itself damaged, or posted under another type."""
        rng = random.Random(number)
        kind, name, data = self.mutant(number, REPORTS | LISTS)
        body = encode_multipart(
            BOUNDARY, {"file": SimpleUploadedFile(name or "x", data), "correcting": "false"}
        )
        body = mutants.mutate(rng, body, body) if rng.random() < 0.8 else body
        types = (
            MULTIPART_CONTENT,
            MULTIPART_CONTENT,
            MULTIPART_CONTENT,
            "multipart/form-data",
            "text/csv",
            "é",
        )
        event = self.world.event_for(kind).pk
        client, path = rng.choice(
            (
                (self.world.at_board, f"/arbiter/{event}/upload/"),
                (self.world.at_board, f"/arbiter/{event}/dry-run/"),
                (self.world.at_board, f"/arbiter/{event}/submit/"),
                (self.world.program, f"/api/v1/tournaments/{event}/reports"),
                (self.world.at_desk, "/admin/players/playerimport/add/"),
            )
        )
        key = {"Idempotency-Key": f"n{number}"}
        answer = client.generic("POST", path, body, content_type=rng.choice(types), headers=key)
        faults = self._answered(answer, {200, 201, 302, 400, 404, 409, 413, 415, 422})
        changed = more(before, row_counts())
        if answer.status_code == 201:
            return "envelope taken", faults + self._whole(Report.objects.get(), None, changed)
        if answer.status_code == 302 and "playerimport" in answer.url:
            return "list taken", faults
        changed.pop("ratinglists_apisubmission", None)
        return "envelope refused", faults + [f"refused, but wrote {changed}"] * bool(changed)

    @staticmethod
    def _answered(answer, allowed: set[int]) -> list[str]:
        return [] if answer.status_code in allowed else [f"answered {answer.status_code}"]

    @staticmethod
    def _whole(report: Report, data: bytes | None, changed: dict[str, int]) -> list[str]:
        """A report stored has its bytes, all its players and all its games."""
        content = bytes(report.content)
        parsed = formats.parse(content, report.filename, report.tournament.start)
        wanted = (len(parsed.games), len(parsed.players))
        found = (Game.objects.filter(report=report).count(), report.tournament.entries.count())
        wrong = [] if wanted == found else [f"half a report: {found} of {wanted}"]
        if data is not None and content != data:
            wrong.append("other bytes than were sent")
        if not set(changed) >= OF_REPORTS:
            wrong.append(f"nothing stored but {changed}")
        return wrong

    @staticmethod
    def _register() -> dict[str, int]:
        return {name: count for name, count in row_counts().items() if name.startswith("players_player")}

    @staticmethod
    def _ended(job: PlayerImport) -> list[str]:
        player_imports.run(job.pk)
        job.refresh_from_db()
        return [] if job.state in ("done", "failed") and job.attempts < 2 else [f"{job}: {job.message}"]


@pytest.fixture
def quiet():
    """Without it the report of a failure has a line for every request."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_damaged_uploads(settings, tmp_path, monkeypatch, quiet):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    doors, found, count = Doors(World(), tmp_path), Found(), counts.number(10_000, 100)
    for number in range(10):  # what is imported and kept once is not the file's
        doors.send(number)
    idle = peak_mb()
    for number in range(count):
        (state, faults), seconds = timed(lambda number=number: doors.send(number))
        found.states[state] += 1
        found.worst = max(found.worst, seconds)
        found.faults += [f"no. {number}, {state}: {fault}" for fault in faults]
    memory = peak_mb() - idle
    print(found.states)
    is_slow = found.worst >= SECONDS_LIMIT and not counts.SHORT  # chaos runs beside the short part
    slow = is_slow + (memory >= MB_LIMIT)
    counts.counted(
        "damaged uploads through the web",
        count,
        sum(found.states.values()),
        found.worst,
        memory,
        len(found.faults) + slow,
    )
    assert not found.faults, "\n".join(found.faults[:5])
    assert not is_slow, found.worst
    assert memory < MB_LIMIT
    assert {"form taken", "api taken", "list taken", "form refused", "api refused", "list refused"} <= set(
        found.states
    )
