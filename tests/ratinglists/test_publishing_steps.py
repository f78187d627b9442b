"""A failure at any step of a publication or a computation leaves the lists before as they were, whole."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from datetime import date

import pytest
from django.conf import settings

from ratinglists import archive, services
from ratinglists.models import Job, ListFile, Period, Publication, RatingList
from ratinglists.queries import latest_list
from tests.factories import make_list, make_period, make_player, make_report, make_system, make_tournament
from tests.programs import ROOT, database_url
from tournaments.models import Tournament

PUBLISHING = ("publish: a file is written", "publish: the manifest is written", "publish: before the commit")
COMPUTING = (
    "compute: the request is kept",
    "compute: the sources are kept",
    "compute: the canonical list is kept",
    "compute: the list is proven",
    "compute: the draft is written",
)


class Broken(Exception):
    """What a test has go wrong."""


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


def month() -> Period:
    system = make_system()
    players = [make_player(), make_player()]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    make_report(make_tournament(system), players, [(1, 1, 2, "1-0")])
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


@pytest.fixture
def period(db) -> Period:
    return month()


def run(kind: str, period: Period) -> Job:
    job = getattr(services, f"request_{kind}")(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


def state(period: Period) -> tuple:
    """All that the public and the next step see."""
    listed = latest_list(period.system)
    return (
        listed.pk,
        list(listed.rows.order_by("pk").values_list("pk", "rating")),
        list(RatingList.objects.order_by("pk").values_list("pk", "state", "sha256")),
        Publication.objects.count(),
        ListFile.objects.count(),
        list(Tournament.objects.values_list("state", flat=True)),
    )


def fail_at(monkeypatch, place: str) -> None:
    def here(name: str) -> None:
        if name == place:
            raise Broken(name)

    monkeypatch.setattr("players.crashpoints.here", here)


def fail_in(monkeypatch, target: str, error: Exception) -> None:
    def broken(*args, **kwargs):
        raise error

    monkeypatch.setattr(target, broken)


STEPS = [
    *((lambda m, place=place: fail_at(m, place)) for place in PUBLISHING),
    lambda m: fail_in(m, "ratinglists.archive.store", OSError(errno.ENOSPC, "No space left on device")),
    lambda m: fail_in(m, "ratinglists.manifest.build", Broken("manifest")),
    lambda m: fail_in(m, "ratinglists.manifest.sign", Broken("key")),
    lambda m: fail_in(m, "ratinglists.publishing._publish", Broken("row")),
    lambda m: fail_in(m, "ratinglists.messages.published", Broken("message")),
    lambda m: fail_in(m, "ratinglists.services.mark_counted", Broken("tournaments")),
]


@pytest.mark.parametrize("broken", STEPS)
def test_a_publication_that_fails_changes_nothing_and_can_be_repeated(period, monkeypatch, broken):
    assert run("compute", period).state == "done"
    before = state(period)
    with monkeypatch.context() as patched:
        broken(patched)
        job = run("publish", period)
        assert job.state == "queued", "the sweep tries it again"
        assert state(period) == before
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.message
    after = state(period)
    assert after[0] != before[0]
    assert (after[3], after[5]) == (2, ["counted"])
    for file in ListFile.objects.all():
        assert archive.is_whole(file.sha256)


@pytest.mark.parametrize("place", COMPUTING)
def test_a_computation_that_fails_leaves_the_draft_before(period, monkeypatch, place):
    run("compute", period)
    before = state(period)
    with monkeypatch.context() as patched:
        fail_at(patched, place)
        job = run("compute", period)
        assert (job.state, place in job.message) == ("queued", True)
        assert state(period) == before
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done"


def test_the_archive_on_a_full_disk_leaves_no_part_of_a_file(settings, tmp_path):
    settings.PORTAL_ARCHIVE = tmp_path

    def chunks():
        yield b"one"
        raise OSError(errno.ENOSPC, "No space left on device")

    for store in (archive.store, archive.store_packed):
        with pytest.raises(OSError, match="No space"):
            store(chunks())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("place", ["compute: the draft is written", "publish: before the commit"])
def test_a_process_killed_just_before_the_commit(place):
    """As by a power cut, in a process of its own; then the sweep's turn."""
    period = month()
    act = place.split(":")[0]
    if act == "publish":
        assert run("compute", period).state == "done"
    before = state(period)
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
        "PORTAL_DATABASE_URL": database_url(),
        "PORTAL_CRASH_AT": place,
    }
    command = [sys.executable, "manage.py", "period", act, "rapid", "2022-04-01"]
    killed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert state(period) == before
    job = Job.objects.get(kind=act, state="running")
    Job.objects.filter(pk=job.pk).update(lease_until=job.started_at)
    from ratinglists import jobs

    jobs.sweep()
    services.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)
    assert settings.PORTAL_ONE_PERSON, "published by the portal alone in this test"
