"""The ledger: one job at a time, one worker a job, nothing lost with a dead one."""

from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from players import ledger
from ratinglists import jobs
from ratinglists.models import Job
from tests.factories import make_period, make_system

pytestmark = pytest.mark.django_db


@pytest.fixture
def period():
    return make_period(make_system(), date(2022, 5, 1))


@pytest.fixture
def bells(monkeypatch):
    rung = []
    monkeypatch.setattr("ratinglists.jobs.ring", rung.append)
    return rung


def finish(held):
    held.fence()
    held.finish("well")


def test_a_second_request_joins_the_first(period, bells, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first, new = jobs.request("compute", period)
        second, again = jobs.request("compute", period)
    assert (new, again) == (True, False)
    assert first == second
    assert bells == [first.pk]


def test_two_workers_get_one_job_once(period, bells):
    job, _ = jobs.request("compute", period)
    assert jobs.claim(job.pk) is not None
    assert jobs.claim(job.pk) is None


def test_a_job_is_done_once_however_often_the_bell_rings(period, bells):
    job, _ = jobs.request("compute", period)
    done = []

    def work(held):
        done.append(held.job.pk)
        finish(held)

    assert jobs.run(job.pk, {"compute": work})
    assert not jobs.run(job.pk, {"compute": work})
    job.refresh_from_db()
    assert (job.state, job.message, done) == ("done", "well", [job.pk])


def test_an_unknown_id_does_nothing(bells):
    assert not jobs.run(987654, {})


def test_a_refusal_fails_at_once_with_its_text(period, bells):
    job, _ = jobs.request("compute", period)

    def work(held):
        raise jobs.Refusal("no draft")

    jobs.run(job.pk, {"compute": work})
    job.refresh_from_db()
    assert (job.state, job.message, job.attempts) == ("failed", "no draft", 1)


def test_an_unexpected_fault_is_tried_five_times(period, bells):
    job, _ = jobs.request("compute", period)

    def work(held):
        raise ZeroDivisionError("oops")

    for attempt in range(1, 6):
        assert jobs.run(job.pk, {"compute": work})
        job.refresh_from_db()
        assert job.attempts == attempt
        assert job.state == ("failed" if attempt == 5 else "queued")
    assert "ZeroDivisionError: oops" in job.message


def test_the_sweep_takes_up_the_job_of_a_dead_worker(period, bells):
    job, _ = jobs.request("compute", period)
    jobs.claim(job.pk)
    now = timezone.now()
    assert jobs.sweep(now) == []  # alive until the lease runs out
    later = now + jobs.LEASE + timedelta(seconds=1)
    assert jobs.sweep(later) == [job.pk]
    assert bells == [job.pk]
    assert jobs.run(job.pk, {"compute": finish})
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)


def test_a_worker_that_dies_each_time_ends_the_job(period, bells):
    job, _ = jobs.request("compute", period)
    now = timezone.now()
    for _ in range(jobs.MAX_ATTEMPTS):
        assert jobs.claim(job.pk) is not None
        now += jobs.LEASE + timedelta(seconds=1)
        jobs.sweep(now)
    job.refresh_from_db()
    assert job.state == "failed"
    assert jobs.claim(job.pk) is None


def test_a_worker_that_lost_its_lease_writes_nothing(period, bells):
    job, _ = jobs.request("compute", period)
    slow = jobs.claim(job.pk)
    jobs.sweep(timezone.now() + jobs.LEASE + timedelta(seconds=1))
    quick = jobs.claim(job.pk)
    with pytest.raises(jobs.LeaseLost):
        slow.progress("late", 1, 2)
    with pytest.raises(jobs.LeaseLost):
        slow.fence()
    slow.finish("must not count")
    finish(quick)
    job.refresh_from_db()
    assert (job.state, job.message) == ("done", "well")


def test_a_lost_message_is_rung_again(period, bells):
    job, _ = jobs.request("compute", period)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(rung_at=now)
    assert jobs.sweep(now + timedelta(seconds=10)) == []
    assert jobs.sweep(now + timedelta(seconds=31)) == [job.pk]


def test_progress_is_seen_at_once(period, bells):
    job, _ = jobs.request("compute", period)
    held = jobs.claim(job.pk)
    held.progress("rating events", 3, 20)
    job.refresh_from_db()
    assert (job.stage, job.progress, job.total) == ("rating events", 3, 20)


def test_a_broker_that_is_away_loses_nothing(period, monkeypatch):
    monkeypatch.setattr("ratinglists.tasks.run_job.apply_async", lambda *args, **kwargs: None)
    job, _ = jobs.request("compute", period)
    jobs.ring(job.pk)
    job.refresh_from_db()
    assert job.rung_at is None
    assert job.state == "queued"


def test_a_renewal_that_failed_is_tried_again_soon(period, bells, monkeypatch):
    """A third of the lease is one renewal; after a failure the next must not come as late again."""
    job, _ = jobs.request("compute", period, ring_workers=False)
    held = jobs.claim(job.pk)
    pauses, outcomes = [], iter([OperationalError("the database is away"), None, None])

    class Pauses:
        def wait(self, seconds):
            pauses.append(seconds)
            return len(pauses) > 3

    class Row:
        def update(self, **_):
            if error := next(outcomes):
                raise error

    held._stop = Pauses()
    monkeypatch.setattr(held, "_mine", Row)
    monkeypatch.setattr(ledger, "connection", SimpleNamespace(close=lambda: None))
    held._keep()
    regular = ledger.LEASE.total_seconds() / 3
    assert pauses == [regular, regular / 10, regular, regular]
