"""Forged messages for a real worker: it goes on, the database stays as it was, nothing is unpickled."""

from __future__ import annotations

import secrets
import time
from datetime import date

import pytest
import redis
from django.conf import settings

from ratinglists import services
from ratinglists.models import Job
from ratingsite.models import Heartbeat
from ratingsite.tasks import heartbeat
from tests.factories import make_list, make_period, make_player, make_report, make_system, make_tournament
from tests.trust import counts, forged
from tests.trust.measure import changed, contents

pytestmark = pytest.mark.trust

#: a sign of life may be written by whoever reaches the broker: it says so, and nothing else
NOT_OF_THE_FEDERATION = {"ratingsite_heartbeat"}
PATIENCE = 60


@pytest.fixture
def period(transactional_db):
    system = make_system(schedule="manual")
    players = [make_player() for _ in range(6)]
    make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    make_report(make_tournament(system), players, [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (1, 5, 6, "1-0")])
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


def wait(condition, seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def answers() -> bool:
    """Does the worker do what it is asked?"""
    token = secrets.randbelow(1 << 53)
    heartbeat.delay(token)
    return wait(lambda: Heartbeat.objects.filter(token=str(token)).exists())


def done(job: Job) -> bool:
    def over() -> bool:
        job.refresh_from_db()
        return not job.is_open

    return wait(over) and job.state == "done"


def test_forged_messages_change_nothing(period, worker, tmp_path):
    canary = tmp_path / "canary"
    broker = redis.Redis.from_url(settings.CELERY_BROKER_URL)
    first = services.request_compute(period)
    assert done(first)
    for task in forged.WITHOUT_ARGUMENTS:  # what is due is done; again it changes nothing
        broker.lpush(forged.QUEUE, forged.call(task))
    assert answers()
    assert wait(lambda: not Job.objects.filter(state__in=["queued", "running"]).exists())
    before = contents(NOT_OF_THE_FEDERATION)
    sent, deadly, slowest = 0, [], 0.0
    for what, message in forged.messages(canary, first.pk, 0):
        started = time.monotonic()
        broker.lpush(forged.QUEUE, message)
        sent += 1
        wait(lambda: not broker.llen(forged.QUEUE))
        time.sleep(0.02)
        if worker.process.poll() is not None or broker.llen(forged.QUEUE):
            deadly.append(what)
            worker.kill()
            worker.start()
        elif sent % 20 == 0 and not answers():
            deadly.append(f"{what}, or one of the twenty before")
            worker.kill()
            worker.start()
        slowest = max(slowest, time.monotonic() - started)
    for method, arguments in forged.CONTROL:
        broker.publish(*forged.control(int(settings.CELERY_BROKER_URL.rpartition("/")[2]), method, arguments))
        sent += 1
        time.sleep(0.3)
        if worker.process.poll() is not None or not answers():
            deadly.append(f"the order {method}")
            worker.kill()
            worker.start()
    alive = answers()
    other = changed(before, contents(NOT_OF_THE_FEDERATION))
    print(deadly, other)
    second = services.request_publish(period)
    went_on = done(second)
    failures = len(deadly) + len(other) + canary.exists() + (not alive) + (not went_on)
    counts.counted("forged and pickled messages", 100, sent, slowest, failures=failures)
    assert not canary.exists()
    assert not other
    assert not deadly, deadly
    assert went_on
