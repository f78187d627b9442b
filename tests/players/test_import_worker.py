"""An import through a real worker and a real queue, killed in the middle."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from players import ledger, player_imports
from players.models import Identifier, Player, PlayerImport
from tests.players.lists import listed, upload

pytestmark = pytest.mark.slow
PLAYERS = 9000


def wait(job: PlayerImport, until, seconds: float = 120) -> PlayerImport:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job.refresh_from_db()
        if until(job):
            return job
        time.sleep(0.01)
    raise AssertionError(f"{job} is {job.state} after {seconds} s: {job.message}")


def test_a_killed_worker_loses_a_batch_and_no_player(worker):
    rows = [listed(n) for n in range(1000, 1000 + PLAYERS)]
    asked = player_imports.request_preview(upload(rows), list_date="2026-10-01")
    wait(asked, lambda job: not job.is_open)
    assert (asked.state, asked.created, Player.objects.count()) == ("done", PLAYERS, 0)

    asked = player_imports.request_apply(asked)
    wait(asked, lambda job: job.position)
    worker.kill()
    asked.refresh_from_db()
    assert asked.state == "running", "the worker was not caught at work"
    assert Player.objects.count() == asked.created == asked.position < PLAYERS
    worker.start()
    assert player_imports.sweep() == [], "the lease still runs"
    assert player_imports.sweep(timezone.now() + ledger.LEASE + timedelta(seconds=1)) == [asked.pk]
    wait(asked, lambda job: not job.is_open)
    assert (asked.state, asked.created, asked.unchanged) == ("done", PLAYERS, 0)
    assert Player.objects.count() == Identifier.objects.count() == PLAYERS
