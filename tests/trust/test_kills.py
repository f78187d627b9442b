"""The web server is killed while reports and lists are sent: nothing is half there, and nothing twice."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections
from django.test import Client

from players import player_imports
from players.models import AuditEntry, PlayerImport
from ratinglists import services
from ratinglists.models import ApiSubmission
from tests.chaos.points import OF_UPLOADS, named_points
from tests.trust import counts, samples
from tests.trust.struck import CSRF, TOKEN, Visitor, Web
from tests.trust.world import World, place
from tournaments.models import Game, Report, StateChange
from tournaments.reports import formats

pytestmark = [pytest.mark.trust]

CLIENTS = 3
#: players and rounds; of fewer players so many games would be another's by chance that a report is refused
SIZES = ((12, 5), (16, 4), (20, 5))
OF_LISTS = "upload: a list is in its place, its row not written"
OF_PROGRAMS = ("upload: the answer to a program is written", "upload: sent by a program, not answered")
OF_FORMS = ("upload: stored, not answered",)


def cookies_of(user) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"Cookie": f"{name}={client.cookies[name].value}; csrftoken={CSRF}", "X-CSRFToken": CSRF}


class Sender(threading.Thread):
    """Sends reports, each of a tournament of its own, until it is told to end: by the form and by the key
    in turn."""

    def __init__(self, trial: Trial, number: int) -> None:
        super().__init__()
        self.trial, self.number, self.rng = trial, number, random.Random(number)
        self.wrong: list[str] = []

    def run(self) -> None:
        at = 0
        try:
            while not self.trial.over.is_set():
                at += 1
                self._send(self.number + CLIENTS * at, by_key=bool((self.number + at) % 2))
        except Exception as error:
            self.wrong.append(f"{type(error).__name__}: {error}")
        finally:
            connections.close_all()

    def _send(self, number: int, by_key: bool) -> None:
        trial = self.trial
        size, rounds = SIZES[number % len(SIZES)]
        # Rounds of their own for each: no report looks like another tournament's.
        event = samples.event(random.Random(number), size, rounds, teams=False)
        tournament = trial.world.tournament(trial.world.event.rating_system, trial.named, f"Open {number}")
        kind = formats.FORMATS[(0, 2, 3, 4)[number % 4]]
        content = kind.write(event)
        trial.sent[tournament.pk] = (content, len(event.games), size, by_key)
        crash = trial.next_point(by_key)
        file = lambda: {"file": SimpleUploadedFile(f"report{kind.suffix}", content)}  # noqa: E731
        if by_key:
            path = f"/api/v1/tournaments/{tournament.pk}/reports"
            given = {"Idempotency-Key": f"n{number}", "X_Crash_At": crash}
            status, _, text = trial.program.insist(path, file(), **given)
            if status != 201:
                self.wrong.append(f"{number} by key: {status} {text[:300]}")
            return
        for _ in range(20):
            status, _, text = trial.board.insist(place("arbiter-upload", tournament), file())
            token = TOKEN.search(text)
            if token is None:
                break
            form = {"token": token[1]}
            status, to, text = trial.board.insist(place("arbiter-submit", tournament), form, X_Crash_At=crash)
            if "/reports/" in to:
                return
            crash = ""
        # It was stored before the process died: sent again, it is refused as reported already.
        if status != 200 or not Report.objects.filter(tournament=tournament).exists():
            self.wrong.append(f"{number} by form: {status} {text[-300:]}")


class Importer(Sender):
    """Brings in lists: each is tried without a worker, so that the next one can come."""

    def _send(self, number: int, by_key: bool) -> None:
        trial = self.trial
        lines = [b"fide_id,name,federation"] + [
            b"%d,Nadie,ESP" % (5_000_000 + n) for n in range(number * 7, 20_000)
        ]
        content = b"\n".join(lines)
        # Larger than what is kept in memory, so that a file is written while it comes in.
        file = {"file": SimpleUploadedFile(f"list{number}.csv", content * 8), "list_date": "2026-10-01"}
        file["single"] = "rapid"
        crash = OF_LISTS if trial.crash_lists() else ""
        for _ in range(50):
            asked = PlayerImport.objects.filter(file_name=f"list{number}.csv")
            file["file"].seek(0)
            if asked.exists():
                break
            trial.desk.insist("/admin/players/playerimport/add/", file, X_Crash_At=crash)
            crash = ""
        PlayerImport.objects.filter(state="queued").update(state="failed", message="tried enough")
        trial.lists.append(f"list{number}.csv")


class Trial:
    """The server, its clients, and whoever kills it."""

    def __init__(self, world: World, var: Path, kills: int, workers: int) -> None:
        self.world, self.kills = world, kills
        self.named = world.event.arbiters.get()
        self.over, self.sent, self.lists = threading.Event(), {}, []
        self.struck: Counter[str] = Counter()
        self.lock, self.rng = threading.Lock(), random.Random(5)
        self.web = Web(var, workers)
        self.board = Visitor(self.web, cookies_of(world.arbiter))
        self.desk = Visitor(self.web, cookies_of(world.officer))
        self.program = Visitor(self.web, {"Authorization": f"Bearer {world.key}"})

    def next_point(self, by_key: bool) -> str:
        """The crash point at which this upload's first process dies; "" for two of three."""
        with self.lock:
            if self.rng.random() < 0.67:
                return ""
            others = sorted(p for p in named_points() if p.partition(":")[0] in OF_UPLOADS)
            fitting = [p for p in others if p not in (OF_LISTS, *(OF_FORMS if by_key else OF_PROGRAMS))]
            point = min(fitting, key=lambda point: self.struck[point])
            self.struck[point] += 1
            return point

    def crash_lists(self) -> bool:
        with self.lock:
            again = self.rng.random() < 0.3
            self.struck[OF_LISTS] += again
            return again

    def run(self) -> list[str]:
        """Kill so often; returns what the clients have to complain of."""
        senders = [Sender(self, n) for n in range(CLIENTS - 1)] + [Importer(self, CLIENTS - 1)]
        for sender in senders:
            sender.start()
        try:
            while sum(self.struck.values()) < self.kills:
                self.web.keep()
                self._strike()
                if not any(sender.is_alive() for sender in senders):
                    break
        finally:
            self.over.set()
            while any(sender.is_alive() for sender in senders):
                self.web.keep()
                time.sleep(0.1)
            self.web.stop()
        return [wrong for sender in senders for wrong in sender.wrong]

    def _strike(self) -> None:
        """A blow at a random moment of a request, not before another one was answered."""
        deadline, answered = time.monotonic() + 60, Visitor.answered
        while (Visitor.answered == answered or not Visitor.under_way) and time.monotonic() < deadline:
            self.web.keep()
            time.sleep(0.002)
        time.sleep(self.rng.random() * 0.4)
        pids = self.web.children()
        if not Visitor.under_way or not pids:
            return
        if self.rng.random() < 0.08:
            self.struck["master"] += 1
            self.web.kill_master()
        else:
            self.struck["worker"] += 1
            self.web.kill_worker(self.rng.choice(pids))

    def faults(self) -> list[str]:
        """What is half there, or twice."""
        found = []
        for pk, (content, games, players, by_key) in self.sent.items():
            reports = list(Report.objects.filter(tournament=pk))
            steps = StateChange.objects.filter(tournament=pk).count()
            stored = (
                [(r.state, bytes(r.content) == content) for r in reports],
                Game.objects.filter(tournament=pk).count(),
                reports[0].tournament.entries.count() if reports else 0,
                steps,
                ApiSubmission.objects.filter(tournament=pk).count(),
            )
            if stored != ([("submitted", True)], games, players, 1, int(by_key)):
                found.append(f"{pk}, {games} games of {players}, by key {by_key}: {stored}")
        told = AuditEntry.objects.filter(act="report.sent-by-key").count()
        if told != sum(by_key for *_, by_key in self.sent.values()):
            found.append(f"{told} entries of the audit log for reports sent by key")
        for name in self.lists:
            if PlayerImport.objects.filter(file_name=name).count() != 1:
                found.append(f"{name} was not brought in once")
        return found


@pytest.fixture
def world(transactional_db):
    return World()


def test_killed_while_reports_and_lists_are_sent(world, monkeypatch):
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    on_sqlite = connection.vendor == "sqlite"
    kills = counts.number(60 if on_sqlite else 300, 15)
    began = time.monotonic()
    trial = Trial(world, Path(settings.VAR_DIR), kills, workers=1 if on_sqlite else 3)
    faults = trial.run() + trial.faults()
    services.sweep()
    player_imports.tidy(time.time() + 2 * player_imports.KEPT_SECONDS)
    kept = set(PlayerImport.objects.values_list("file", flat=True))
    var = Path(settings.VAR_DIR)
    faults += [f"left: {p}" for p in var.glob("*.upload*")]
    faults += [
        f"left: {p}" for p in (var / "player-lists" / "uploads").glob("*") if f"uploads/{p.name}" not in kept
    ]
    faults += [f"missing: {name}" for name in kept if not (var / "player-lists" / name).exists()]
    done, seconds = sum(trial.struck.values()), time.monotonic() - began
    print(
        f"{dict(trial.struck)}; {len(trial.sent)} reports, {len(trial.lists)} lists, "
        f"{Visitor.tried} requests, {seconds:.0f} s"
    )
    counts.counted("web kills during upload, with clients that try again", kills, done, failures=len(faults))
    assert not faults, "\n".join(faults[:10])
    assert done >= kills
    assert trial.sent
    assert trial.lists
