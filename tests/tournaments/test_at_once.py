"""Two who change the same thing at once, on connections of their own: nothing is counted twice or lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from django.db import connection

from players.models import Player
from players.services import merge
from ratinglists import approving
from ratinglists import services as lists
from tests.factories import (
    STANDARD,
    make_list,
    make_period,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.tournaments.report_files import line, report
from tournaments import notices
from tournaments.entries import add_entry
from tournaments.models import Entry, Game, Tournament
from tournaments.services import (
    NotAllowedNow,
    ReportRefused,
    accept_report,
    return_report,
    submit_report,
)

WAIT = 30


def file_of(result: str = "1") -> bytes:
    other = {"1": "0", "0": "1"}[result]
    players = [
        line(1, "Alder, Tom", None, "7000011", f"{result}.0", 1, f"   2 w {result}"),
        line(2, "Birch, Lou", None, "7000012", f"{other}.0", 2, f"   1 b {other}"),
    ]
    return report("Pairs", "2004/05/01", "2004/05/02", players)


class World:
    def __init__(self) -> None:
        self.system = make_system("standard", regulation=STANDARD)
        self.tom = make_player("Alder, Tom", fide_id="7000011", born=1980)
        lou = make_player("Birch, Lou", fide_id="7000012", born=1980)
        rows = {p: {"rating": 1900, "career_games": 100} for p in (self.tom, lou)}
        make_list(self.system, date(2004, 4, 1), rows=rows)
        self.officer = make_user("officer", is_superuser=True)

    def event(self) -> Tournament:
        dates = {"start": date(2004, 5, 1), "end": date(2004, 5, 2)}
        return make_tournament(self.system, rounds=0, minutes=120, **dates)


@pytest.fixture
def world(transactional_db) -> World:
    return World()


class Aside:
    """Something done on another connection; ``begin`` gives it a second, ``outcome`` waits for its end."""

    def __init__(self, act) -> None:
        self.act, self.pool, self.future = act, ThreadPoolExecutor(1), None

    def _run(self):
        try:
            return self.act()
        finally:
            connection.close()

    def begin(self) -> None:
        self.future = self.pool.submit(self._run)
        try:
            self.future.exception(1)
        except TimeoutError:
            return  # it waits for a lock

    def outcome(self):
        return self.future.result(WAIT)


def test_the_same_games_sent_at_once_under_two_names_are_stored_once(world):
    start, content = Barrier(2), file_of()

    def send(tournament: Tournament) -> bool:
        try:
            start.wait(WAIT)
            submit_report(tournament, world.officer, "a.trf", content)
        except ReportRefused as refusal:
            (error,) = refusal.reading.errors
            assert "are reported already in" in error.message
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        stored = list(pool.map(send, [world.event(), world.event()]))
    assert sorted(stored) == [False, True]
    assert Game.objects.count() == 1


def _twin(world) -> Player:
    twin = make_player("Alder, Tomas", born=1980)
    twin.identifiers.all().delete()
    return twin


def test_a_merge_waits_for_a_report_that_names_the_player(world, monkeypatch):
    twin, event = _twin(world), world.event()
    aside = Aside(lambda: merge(world.tom, twin, world.officer, "The same person."))
    monkeypatch.setattr(notices, "tell", lambda report: aside.begin())
    submit_report(event, world.officer, "a.trf", file_of())
    assert aside.outcome().kind == "merge"
    assert {entry.player_id for entry in event.entries.all()} == {
        twin.pk,
        Player.objects.get(name="Birch, Lou").pk,
    }


def test_nobody_is_entered_who_was_merged_meanwhile(world, monkeypatch):
    twin, event = _twin(world), world.event()
    event.start = event.end = date(2100, 1, 1)
    event.save()
    event.rounds.all().delete()

    def found(federation, numbers):
        stale = Player.objects.get(pk=world.tom.pk)
        merge(world.tom, twin, world.officer, "The same person.")
        return {"7000011": stale}

    monkeypatch.setattr("tournaments.entries.by_number", found)
    with pytest.raises(NotAllowedNow, match="just merged"):
        add_entry(event, world.officer, "7000011")
    assert not Entry.objects.exists()


def test_a_list_that_is_being_published_counts_the_report_that_stands(world, monkeypatch):
    """Between the look at what the draft was computed from and the end of the publication, a report is
    returned, replaced and accepted."""
    event = world.event()
    accept_report(submit_report(event, world.officer, "a.trf", file_of("1")), world.officer)
    Tournament.objects.filter(pk=event.pk).update(end=date(2004, 5, 2))
    event.reports.update(submitted_at="2004-05-03T12:00:00Z", received_on="2004-05-03")
    period = make_period(world.system, date(2004, 7, 1), date(2004, 5, 31))
    job = lists.request_compute(period)
    assert lists.run_job(job.pk)

    def replace() -> str:
        try:
            return_report(event.reports.get(state="accepted"), world.officer, "Wrong result.")
            better = submit_report(event, world.officer, "b.trf", file_of("0"))
            accept_report(better, world.officer)
        except NotAllowedNow:
            return "too late"
        return "replaced"

    aside, look = Aside(replace), approving.is_stale

    def looked(draft) -> bool:
        found = look(draft)
        if connection.in_atomic_block:  # a first look comes before the files are written
            aside.begin()
        return found

    monkeypatch.setattr(approving, "is_stale", looked)
    job = lists.request_publish(period)
    assert lists.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.message
    assert aside.outcome() == "too late"
    event.refresh_from_db()
    assert event.state == "counted"
    assert event.games.get().result == "1-0"
