"""A draft that was computed by columns is proven from its reports before anybody can propose it."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from players import crashpoints
from players.models import AuditEntry
from ratinglists import archive, bulk_inputs, jobs, proving, recompute, services, slices
from ratinglists.computation import is_stale
from ratinglists.models import Job, RatingList
from tests.factories import make_publication, make_user
from tests.ratinglists import bulk_world
from tournaments.models import Game, Report
from tournaments.services import NotAllowedNow

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


def compute(period, settings, at_once: int = 0) -> RatingList:
    settings.PORTAL_EXPLAIN_AT_ONCE = at_once
    job = services.request_compute(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.message
    return period.lists.get()


def prove(period) -> Job:
    job = services.request_proof(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("code", bulk_world.TEXTS)
def test_the_request_and_the_sources_are_those_of_the_event_by_event_way(code, settings, monkeypatch):
    """The very bytes of the snapshot, and the list from it; by one calculator and by several."""
    period = bulk_world.build(code, 11)
    small = compute(period, settings, 10**9)
    large = compute(period, settings)
    assert large.awaits_proof
    assert not large.report.get("sources")
    calls, real = [], recompute._calculator
    monkeypatch.setattr(recompute, "_calculator", lambda path: calls.append(path) or real(path))
    monkeypatch.setattr(slices, "GAMES", 40)
    monkeypatch.setattr(slices, "PLAYERS", 3)
    job = prove(period)
    assert job.state == Job.State.DONE, job.message
    large.refresh_from_db()
    assert (large.input_sha256, large.report["sources"]) == (small.input_sha256, small.report["sources"])
    assert large.sha256 == small.sha256
    assert archive.is_whole(large.sha256)
    assert len(calls) > 3
    assert "kept" not in large.report


@pytest.fixture
def period():
    return bulk_world.build("fide-standard-2024", 3)


def test_it_is_proven_by_itself_and_only_then_proposed(period, settings, client):
    draft = compute(period, settings)
    one = make_user("one", is_staff=True, is_superuser=True)
    (job,) = period.jobs.filter(state="queued")
    assert job.kind == "prove"
    client.force_login(one)
    page = reverse("admin:ratinglists_period_change", args=[period.pk])
    assert "The draft is not proven yet" in client.get(page).content.decode()
    with pytest.raises(NotAllowedNow, match="not proven yet"):
        services.propose(draft, one)
    settings.PORTAL_ONE_PERSON = True
    asked = services.request_publish(period)
    services.run_job(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, "not proven yet" in asked.message) == ("failed", True)
    assert "<li>Not proven</li>" in client.get(page).content.decode()
    services.run_job(job.pk)
    assert "<li>Not proven</li>" not in client.get(page).content.decode()
    services.propose(draft, one)
    assert AuditEntry.objects.filter(act="prove.done", data__job=job.pk).exists()


def test_what_is_not_proven_the_database_does_not_let_out(period, settings):
    draft = compute(period, settings)
    draft.state, draft.published_at, draft.one_person = "published", draft.computed_at, True
    draft.publication = make_publication(draft.computed_at)
    with pytest.raises(IntegrityError, match="list_published_with_input"):
        draft.save()


def flip_in_the_file():
    """Another result in a report as it was sent, beside the same table of games."""
    game = Game.objects.filter(result="1-0", tournament__state="accepted").order_by("pk").first()
    report = Report.objects.get(pk=game.report_id)
    lines = bytes(report.content).decode().split("\r\n")
    for side, number in (("=", game.white.start_number), ("=", game.black.start_number)):
        at = next(n for n, line in enumerate(lines) if line.startswith(f"001 {number:4}"))
        column = 91 + 10 * (game.round - 1) + 7
        lines[at] = lines[at][:column] + side + lines[at][column + 1 :]
    content = "\r\n".join(lines).encode()
    sha256 = hashlib.sha256(content).hexdigest()
    Report.objects.filter(pk=report.pk).update(content=content, sha256=sha256)


def flip_in_the_table():
    game = Game.objects.filter(result="1-0", tournament__state="accepted").order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(result="0-1")


@pytest.mark.parametrize(
    ("tamper", "words"),
    [(flip_in_the_file, ": 1-0 was counted, and its report"), (flip_in_the_table, ": 0-1 was counted")],
)
def test_a_game_that_is_not_the_reports_is_found(period, settings, tamper, words):
    tamper()
    draft = compute(period, settings)
    job = prove(period)
    assert (job.state, words in job.message) == ("failed", True), job.message
    with pytest.raises(NotAllowedNow, match="not proven yet"):
        services.propose(draft, make_user("one", is_superuser=True))


def test_columns_that_are_not_the_games_are_found(period, settings, monkeypatch):
    """One result is read into the columns turned round; reports and tables are as they should be."""
    real = bulk_inputs._cells

    def flipped(*given):
        cells = real(*given)
        won = (cells.result == 0) & (cells.black >= 0)
        cells.result[won.nonzero()[0][0]] = 1
        return cells

    monkeypatch.setattr(bulk_inputs, "_cells", flipped)
    compute(period, settings)
    job = prove(period)
    assert job.state == "failed"
    assert re.search(r"gives another list: player \d+: \w+ ", job.message), job.message


def test_what_changes_after_the_computation_is_told_apart(period, settings):
    draft = compute(period, settings)
    row = draft.rows.filter(rating__isnull=False).first()
    draft.rows.filter(pk=row.pk).update(rating=row.rating + 1)
    assert "somebody changed them in the database" in prove(period).message
    draft.rows.filter(pk=row.pk).update(rating=row.rating)
    assert "kept" not in period.lists.get().report, "it is read anew"
    games = Game.objects.filter(pk__in=list(Game.objects.filter(result="1-0").values_list("pk", flat=True)))
    games.update(result="0-1")
    compute(period, settings)
    games.update(result="1-0")
    assert not is_stale(period.lists.get())
    assert "have changed since the draft was computed: compute the period again" in prove(period).message
    assert is_stale(period.lists.get()), "the calendar computes it again"
    compute(period, settings)
    assert prove(period).state == "done"


class Death(BaseException):
    """The worker is killed: nothing of it runs on."""


@pytest.mark.parametrize("point", ["prove: the snapshot is kept", "prove: before the commit"])
def test_a_proof_whose_worker_died_is_taken_up_again(period, settings, monkeypatch, point):
    """From the snapshot, which is not read twice; and nothing is proven by half."""
    compute(period, settings)
    job = period.jobs.get(kind="prove")

    def die(name: str) -> None:
        if name == point:
            raise Death

    monkeypatch.setattr(crashpoints, "here", die)
    with pytest.raises(Death):
        services.run_job(job.pk)
    assert period.lists.get().awaits_proof
    monkeypatch.setattr(crashpoints, "here", lambda name: None)
    monkeypatch.setattr(proving, "keep", None)
    assert not services.run_job(job.pk), "its lease still runs"
    jobs.sweep(timezone.now() + jobs.LEASE + timedelta(seconds=1))
    assert services.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2), job.message
    assert not period.lists.get().awaits_proof
    assert prove(period).message == "The draft is proven already."


def test_a_draft_computed_again_meanwhile_is_the_one_that_is_proven(period, settings, monkeypatch):
    compute(period, settings)
    job, real = period.jobs.get(kind="prove"), proving.check

    def meanwhile(*given):
        compute(period, settings)
        real(*given)

    monkeypatch.setattr(proving, "check", meanwhile)
    services.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == ("queued", "The draft was computed again.")
    assert period.lists.get().awaits_proof
    monkeypatch.setattr(proving, "check", real)
    services.run_job(job.pk)
    assert not period.lists.get().awaits_proof


def test_at_the_command_line_the_proof_follows_the_computation(period, settings, capsys):
    settings.PORTAL_EXPLAIN_AT_ONCE = 0
    words = (period.system_id, str(period.list_date))
    call_command("period", "compute", *words)
    said = capsys.readouterr().out
    assert "computing again from the reports: 1 of 1" in said
    assert "the same byte by byte" in said
    call_command("recompute", *words)
    assert "the same bytes" in capsys.readouterr().out
    compute(period, settings)
    with pytest.raises(CommandError, match="is not proven yet"):
        call_command("recompute", *words)
    call_command("period", "prove", *words)
    assert "the same byte by byte" in capsys.readouterr().out


def test_the_calendar_has_it_proven(period, settings):
    """A proof that nobody asked for is asked for; one that failed waits for staff."""
    compute(period, settings)
    period.jobs.filter(kind="prove").delete()
    type(period.system).objects.filter(pk=period.system_id).update(schedule="compute")
    tomorrow = timezone.now().date() + timedelta(days=1)
    (job,) = services.look_for_due_periods(tomorrow)
    assert job.kind == "prove"
    Job.objects.filter(pk=job.pk).update(state="failed", message="Another list.")
    assert services.look_for_due_periods(tomorrow) == []
