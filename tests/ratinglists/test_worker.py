"""Jobs through a real worker and a real queue, and what is left when it is killed."""

import time
from datetime import date, timedelta

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from ratinglists import jobs, services
from ratinglists.models import Job, ListRow
from tests.factories import make_list, make_period, make_player, make_report, make_system, make_tournament

pytestmark = pytest.mark.slow


@pytest.fixture
def period(transactional_db):
    """A month with enough events to be caught at work."""
    system = make_system()
    players = [make_player() for _ in range(12)]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    games = [(r, 1 + a, 12 - a, "1-0" if (a + r) % 2 else "0-1") for r in range(1, 4) for a in range(6)]
    for _ in range(30):
        make_report(make_tournament(system), players, games)
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


def wait(job: Job, *states: str, seconds: float = 60) -> Job:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job.refresh_from_db()
        if job.state in states:
            return job
        time.sleep(0.005)
    raise AssertionError(f"{job} is {job.state} after {seconds} s: {job.message}")


def test_a_worker_computes_and_publishes(period, worker):
    assert wait(services.request_compute(period), "done", "failed").state == "done"
    assert wait(services.request_publish(period), "done", "failed").state == "done"
    assert period.lists.get().state == "published"


def test_a_killed_worker_loses_nothing(period, worker):
    """Killed as by a power cut in the middle; the sweep gives its job to the next worker."""
    for _ in range(10):
        job = services.request_compute(period)
        wait(job, "running", "done")
        worker.kill()
        job.refresh_from_db()
        if job.state == "running":
            break
        worker.start()
    assert job.state == "running", "the worker was never caught at work"
    assert not ListRow.objects.filter(rating_list__period=period, rating_list__revision=2).exists()
    redis.Redis.from_url(settings.CELERY_BROKER_URL).flushdb()  # the message is lost as well
    worker.start()
    time.sleep(1)
    job.refresh_from_db()
    assert job.state == "running", "without the sweep nobody takes it up"
    assert jobs.sweep() == [], "the lease still runs"
    assert jobs.sweep(timezone.now() + jobs.LEASE + timedelta(seconds=1)) == [job.pk]
    wait(job, "done", "failed")
    assert (job.state, job.attempts) == ("done", 2)
    assert period.lists.get().rows.count() == 12


def test_a_bell_rung_a_hundred_times_computes_once(period, worker):
    job = services.request_compute(period)
    for _ in range(100):
        jobs.ring(job.pk)
    wait(job, "done", "failed")
    queue = redis.Redis.from_url(settings.CELERY_BROKER_URL)
    deadline = time.monotonic() + 30
    while queue.llen("celery") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert queue.llen("celery") == 0
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 1)
