"""The heartbeat goes through the queue: a worker that lives and takes nothing is found out."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from redis import Redis

from ratingsite.celery import app
from ratingsite.health import SILENCE
from ratingsite.models import Heartbeat
from ratingsite.tasks import heartbeat

BEAT = app.conf.beat_schedule["heartbeat"]


def test_a_beat_that_nobody_takes_is_not_kept_for_ever():
    """Else a worker that comes back after a week would first work through ten thousand of them."""
    assert BEAT["schedule"] < SILENCE.total_seconds()
    assert BEAT["options"]["expires"] <= SILENCE.total_seconds()


def beats_arrive(seconds: float) -> bool:
    """Does a heartbeat sent now come through within some seconds?"""
    token, deadline = time.monotonic_ns(), time.monotonic() + seconds
    heartbeat.delay(token)
    while time.monotonic() < deadline:
        if Heartbeat.objects.filter(token=token).exists():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.slow
def test_a_worker_that_hangs_after_a_reconnect_is_found(client, worker):
    """Its connection to the broker is cut, and it hangs as it comes back: the process is there, the broker
    answers, the database answers, and nothing is done."""
    assert beats_arrive(60)
    assert client.get("/healthz/queue").status_code == 200
    broker = Redis.from_url(settings.CELERY_BROKER_URL)
    os.killpg(worker.process.pid, signal.SIGSTOP)
    try:
        broker.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert not beats_arrive(3)
        assert worker.process.poll() is None, "a look at the processes sees nothing"
        assert broker.ping()
        assert client.get("/healthz").status_code == 200
        # as three minutes later
        Heartbeat.objects.update(beaten_at=timezone.now() - SILENCE - timedelta(seconds=1))
        assert client.get("/healthz/queue").status_code == 503
    finally:
        os.killpg(worker.process.pid, signal.SIGCONT)
    assert beats_arrive(90), "it comes back by itself once it goes on"
    assert client.get("/healthz/queue").status_code == 200
