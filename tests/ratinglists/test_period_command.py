"""Periods from the command line: each step, its progress and its refusals."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.management import CommandError, call_command

from ratinglists.models import Job, Period
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def strict(settings, monkeypatch):
    settings.PORTAL_ONE_PERSON = False
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


@pytest.fixture
def period() -> Period:
    system = make_system(schedule="compute")
    players = [make_player(), make_player()]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    make_report(make_tournament(system, name="Counted"), players, [(1, 1, 2, "1-0")])
    late = make_tournament(system, name="Later", start=date(2022, 3, 30))
    make_report(late, players, [(1, 1, 2, "1-0")])
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


@pytest.fixture
def command(capsys):
    def run(*words: str) -> str:
        call_command("period", *words)
        return capsys.readouterr().out

    return run


@pytest.mark.usefixtures("period")
def test_the_whole_way(command):
    make_user("one", "ratinglists.propose_list", "ratinglists.compute_period")
    make_user("two", "ratinglists.publish_list")
    this = ("rapid", "2022-04-01")
    assert "rapid 2022-04-01  closes 2022-03-29  open" in command("list", "rapid")
    said = command("compute", *this, "--as", "one")
    for words in (
        "rating events: 1 of 1",
        "reading the reports again: 1 of 1",
        "computing again from the reports: 1 of 1",
        "1 tournament counted, 2 players on the draft.",
        "draft computed",
        "counted: 1",
        "deferred: 1",
        "Later: It ended on 2022-03-30; the period closed on 2022-03-29.",
        "refused: 0",
        "Nobody has proposed the draft yet",
    ):
        assert words in said
    assert "another person has to approve" in command("propose", *this, "--as", "one")
    with pytest.raises(CommandError, match="two lacks the right"):
        command("propose", *this, "--as", "two")
    with pytest.raises(CommandError, match="one lacks the right"):
        command("approve", *this, "--as", "one")
    with pytest.raises(CommandError, match="another person has to approve it"):
        command("publish", *this, "--as", "two")
    assert not Job.objects.filter(kind="publish").exists(), "whoever asked was told; nobody else need be"
    assert "approved" in command("approve", *this, "--as", "two")
    said = command("publish", *this, "--as", "two")
    assert "Published: 2 rated players." in said
    assert "rapid 2022-04-01  closes 2022-03-29  published" in command("list")
    with pytest.raises(CommandError, match="published already"):
        command("compute", *this)
    with pytest.raises(CommandError, match="has no draft"):
        command("propose", *this, "--as", "one")


def test_the_last_count_of_a_stage_is_told(capsys):
    from ratinglists.management.commands.period import Command

    said = Command()
    for stage, done, total in (("reading", 0, 3), ("reading", 2, 3), ("writing", 0, 2), ("writing", 2, 2)):
        said._show(stage, done, total)
    said._close()
    told = ["reading: 0 of 3", "reading: 2 of 3", "reading: 3 of 3", "writing: 0 of 2", "writing: 2 of 2"]
    assert capsys.readouterr().out.splitlines() == told


@pytest.mark.usefixtures("period")
def test_one_person_is_refused_in_words(command):
    both = make_user("both", "ratinglists.propose_list", "ratinglists.publish_list")
    command("compute", "rapid", "2022-04-01")
    command("propose", "rapid", "2022-04-01", "--as", both.username)
    with pytest.raises(CommandError, match="You proposed this draft"):
        command("approve", "rapid", "2022-04-01", "--as", both.username)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compute"], "Name the system and the date"),
        (["compute", "rapid", "2031-01-01"], "There is no period rapid 2031-01-01"),
        (["propose", "rapid", "2022-04-01"], "Say who proposes it"),
        (["approve", "rapid", "2022-04-01"], "Say who approves it"),
        (["compute", "rapid", "2022-04-01", "--as", "nobody"], "no active account “nobody”"),
        (["propose", "rapid", "2022-04-01", "--as", "staff"], "has no draft"),
    ],
)
@pytest.mark.usefixtures("period")
def test_what_cannot_be_done_is_said(command, words, told):
    make_user("staff", "ratinglists.propose_list")
    with pytest.raises(CommandError, match=told):
        command(*words)
    assert not Job.objects.exists()


def test_a_job_that_a_worker_has_is_watched(command, period, monkeypatch):
    """Another process has the job already: the command waits and tells its end."""
    from ratinglists import jobs

    job, _ = jobs.request("compute", period)
    held = jobs.claim(job.pk)

    def meanwhile(_seconds: float) -> None:
        held.fail("The disk is full.")

    monkeypatch.setattr("ratinglists.management.commands.period.time.sleep", meanwhile)
    with pytest.raises(CommandError, match="The disk is full"):
        command("compute", "rapid", "2022-04-01")
    assert Job.objects.count() == 1
