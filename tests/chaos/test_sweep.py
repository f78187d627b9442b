"""The sweep does not wait for a worker that is alive in the middle of a long transaction."""

import threading
from datetime import timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone

from players import ledger
from ratinglists import jobs
from ratinglists.models import Job, Period
from tests.chaos import guards
from tests.chaos.arena import broken
from tests.chaos.oracle import hold

pytestmark = [pytest.mark.chaos, pytest.mark.postgresql]


def sweep_beside_a_long_transaction(city) -> None:
    """Two jobs whose leases are over: one row is locked by its worker, which writes; the other's is dead."""
    city.fresh("trial")
    periods = Period.objects.filter(pk__in=city.expected)[:2]
    over = timezone.now() - timedelta(seconds=1)
    busy, dead = (
        Job.objects.create(kind="compute", period=p, state="running", token="x", lease_until=over)
        for p in periods
    )
    writing, swept = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            ledger.Claim(busy).fence()
            writing.set()
            swept.wait(10)
        connections.close_all()

    worker = threading.Thread(target=write)
    worker.start()
    writing.wait(10)
    rung = []
    sweeper = threading.Thread(target=lambda: (rung.extend(jobs.sweep()), connections.close_all()))
    sweeper.start()
    sweeper.join(5)
    late = sweeper.is_alive()
    swept.set()
    sweeper.join()
    worker.join()
    hold(not late, "the sweep waited for a worker's transaction")
    hold(rung == [dead.pk], f"rung for {rung}, dead is {dead.pk}")


def test_a_long_transaction_holds_up_nobody(city):
    sweep_beside_a_long_transaction(city)


def test_without_passing_over_locked_rows_the_sweep_waits(city, monkeypatch):
    monkeypatch.setattr("django.db.models.QuerySet.select_for_update", guards.waiting_lock)
    with broken():
        sweep_beside_a_long_transaction(city)
