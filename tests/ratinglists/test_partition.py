"""A large period shared out among workers gives the same bytes, however many there are."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from players import ledger
from ratinglists import archive, bulk_inputs, jobs, partition, services
from ratinglists.models import Job, Share
from regulations.columns import Sums
from tests.ratinglists import bulk_world


def compute(period, settings, shares: int) -> dict:
    """The draft's figures, the period shared out so; each share is done by a worker of its own."""
    settings.PORTAL_EXPLAIN_AT_ONCE, settings.PORTAL_SHARES = 0, shares
    job = services.request_compute(period)
    services.run_job(job.pk)
    for share in job.shares.all():
        assert partition.run(share.pk)
    if shares > 1:
        services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.message
    assert job.shares.count() == (shares if shares > 1 else 0)
    return bulk_world.figures(period.lists.get()) | {"columns": period.lists.get().report["columns"]}


@pytest.mark.django_db
@pytest.mark.parametrize("code", bulk_world.TEXTS)
def test_one_two_and_four_shares_give_the_same_bytes(code, settings):
    period = bulk_world.build(code, 11)
    one = compute(period, settings, 1)
    assert compute(period, settings, 2) == one
    assert compute(period, settings, 4) == one


@pytest.fixture
def shared(settings, db):
    """A job that waits for two shares."""
    settings.PORTAL_EXPLAIN_AT_ONCE, settings.PORTAL_SHARES = 0, 2
    period = bulk_world.build("fide-standard-2024", 12)
    job = services.request_compute(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return SimpleNamespace(period=period, job=job, shares=list(job.shares.all()))


def test_the_job_waits_for_its_shares(shared):
    assert shared.job.state == Job.State.QUEUED
    partition.run(shared.shares[0].pk)
    services.run_job(shared.job.pk)
    assert not shared.period.lists.exists()
    partition.run(shared.shares[1].pk)
    services.run_job(shared.job.pk)
    assert shared.period.lists.exists()


def test_a_share_whose_worker_died_is_done_again_and_nothing_twice(shared):
    """He died behind his file and before his row."""
    first, second = shared.shares
    held = ledger.claim(Share, first.pk)
    assert held is not None
    assert not partition.run(first.pk), "another has it"
    assert first.pk not in partition.sweep(), "its lease still runs"
    partition.sweep(timezone.now() + jobs.LEASE + timedelta(seconds=1))
    assert partition.run(first.pk)
    assert not partition.run(first.pk), "done once"
    with pytest.raises(jobs.LeaseLost):
        partition.rate(held)
    partition.run(second.pk)
    services.run_job(shared.job.pk)
    shared.job.refresh_from_db()
    first.refresh_from_db()
    assert (shared.job.state, first.state, first.attempts) == ("done", "done", 2)


def test_a_share_of_other_games_or_a_lost_file_is_rated_again(shared):
    """Positive control: sums of the same games that were tampered with would be believed, others are not."""
    for share in shared.shares:
        partition.run(share.pk)
    inputs = bulk_inputs.read(shared.period, lambda *_: None)
    right = partition.sums_of(shared.job, inputs)
    share = Share.objects.get(pk=shared.shares[0].pk)
    places, parts, cells = partition._cut(inputs.given, share.number, share.of)
    wrong = Sums.of(len(places))
    mark = partition._mark(parts, cells)
    for lie, believed in ((mark, True), (bytes(32), False)):
        stored = archive.store(partition._packed(lie, wrong))
        Share.objects.filter(pk=share.pk).update(result_sha256=stored.sha256)
        sums = partition.sums_of(shared.job, inputs)
        assert (sums.gain.tolist() != right.gain.tolist()) == believed
    archive.path_of(stored.sha256).unlink()
    assert partition.sums_of(shared.job, inputs).gain.tolist() == right.gain.tolist()
