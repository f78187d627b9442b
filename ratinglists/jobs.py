"""The ledger of jobs: who may work on one, for how long, and what happens when he dies.

A job row is written in the transaction that causes it; the queue only rings the bell. A worker
claims the row with a token and a lease that it renews; when the lease runs out, the sweep puts the
job back. Whatever a worker writes, it writes in a transaction that first checks its token, so that
two workers with one job leave one result.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from ratinglists.models import Job, Period

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
RENEW_SECONDS = 15
RING_AGAIN = timedelta(seconds=30)
MAX_ATTEMPTS = 5


class LeaseLost(Exception):
    """Another worker has this job now; what this one did is dropped."""


def request(kind: str, period: Period, by=None, *, ring_workers: bool = True) -> tuple[Job, bool]:
    """Queue a job unless one of its kind waits or runs already. Returns the job and whether it is new.

    Call it inside the causing transaction; the bell rings after the commit (unless the caller
    does the job himself).
    """
    with transaction.atomic():
        Period.objects.select_for_update().get(pk=period.pk)
        standing = Job.objects.filter(
            kind=kind, period=period, state__in=[Job.State.QUEUED, Job.State.RUNNING]
        ).first()
        if standing is not None:
            return standing, False
        job = Job.objects.create(kind=kind, period=period, requested_by=by)
        if ring_workers:
            transaction.on_commit(lambda: ring(job.pk), robust=True)
        return job, True


def ring(job_id: int) -> None:
    """Tell the workers of a job. Failure is no harm: the sweep rings again."""
    from ratinglists.tasks import run_job

    if run_job.apply_async((job_id,)) is None:
        return  # the broker is away; the row stays
    Job.objects.filter(pk=job_id).update(rung_at=timezone.now())


class Claim:
    """A worker's hold on a job, renewed in the background while the work goes on."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> Claim:
        self._thread.start()
        return self

    def __exit__(self, *exc) -> None:
        self._stop.set()
        self._thread.join()

    def _mine(self):
        return Job.objects.filter(pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING)

    def _keep(self) -> None:
        while not self._stop.wait(RENEW_SECONDS):
            try:
                self._mine().update(lease_until=timezone.now() + LEASE)
            except Exception:
                log.exception("job %s: the lease could not be renewed", self.job.pk)
            finally:
                connection.close()

    def progress(self, stage: str, done: int, total: int) -> None:
        """Show how far the work is. Raises LeaseLost if the job is another worker's now."""
        changed = self._mine().update(
            stage=stage, progress=done, total=total, lease_until=timezone.now() + LEASE
        )
        if not changed:
            raise LeaseLost(f"job {self.job.pk}")

    def fence(self) -> None:
        """First statement of every transaction that writes a result: still mine, and locked."""
        if not self._mine().select_for_update().exists():
            raise LeaseLost(f"job {self.job.pk}")

    def finish(self, message: str) -> None:
        """Close the job; call it in the transaction that writes the result, after ``fence``."""
        self._close(Job.State.DONE, message)

    def fail(self, message: str) -> None:
        self._close(Job.State.FAILED, message)

    def _close(self, state: str, message: str) -> None:
        self._mine().update(state=state, message=message, finished_at=timezone.now(), lease_until=None)


def claim(job_id: int) -> Claim | None:
    """Take a queued job. None if there is nothing to do: done, held by another, or gone."""
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None or job.state != Job.State.QUEUED:
            return None
        now = timezone.now()
        job.state, job.token = Job.State.RUNNING, secrets.token_hex(16)
        job.lease_until, job.started_at = now + LEASE, now
        job.attempts += 1
        job.stage, job.progress, job.total, job.message = "starting", 0, 0, ""
        job.save()
    return Claim(job)


def run(job_id: int, work: dict[str, Callable[[Claim], None]]) -> bool:
    """Do a job if it is free. True if this call did it (well or not).

    ``work`` maps each kind to the function that does it and calls ``finish``. An expected refusal
    (``Refusal``) fails the job at once with its text; anything else is left to the sweep, which
    tries again up to ``MAX_ATTEMPTS`` times.
    """
    held = claim(job_id)
    if held is None:
        return False
    try:
        with held:
            work[held.job.kind](held)
    except LeaseLost:
        log.warning("job %s: lease lost, result dropped", job_id)
    except Refusal as refusal:
        held.fail(str(refusal))
    except Exception as error:
        log.exception("job %s failed in attempt %s", job_id, held.job.attempts)
        _give_back(held, error)
    return True


class Refusal(Exception):
    """The work cannot be done as things stand; the text tells staff why and what to do."""


def _give_back(held: Claim, error: Exception) -> None:
    text = f"{type(error).__name__}: {error}"
    if held.job.attempts >= MAX_ATTEMPTS:
        held.fail(f"Given up after {held.job.attempts} attempts. {text}")
    else:
        held._mine().update(
            state=Job.State.QUEUED, token="", lease_until=None, message=text, rung_at=timezone.now()
        )


def sweep(now: datetime | None = None) -> list[int]:
    """Put back jobs whose worker died, and ring for jobs that nobody has heard of. Returns those rung."""
    now = now or timezone.now()
    dead = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=now)
    dead.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=Job.State.FAILED,
        finished_at=now,
        lease_until=None,
        message=f"Given up: the worker died in each of {MAX_ATTEMPTS} attempts.",
    )
    dead.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=Job.State.QUEUED,
        token="",
        lease_until=None,
        rung_at=None,
        message="The worker died; the job is taken up again.",
    )
    silent = Q(rung_at__isnull=True) | Q(rung_at__lt=now - RING_AGAIN)
    waiting = list(
        Job.objects.filter(silent, state=Job.State.QUEUED)
        .order_by(F("rung_at").asc(nulls_first=True), "pk")
        .values_list("pk", flat=True)
    )
    for job_id in waiting:
        ring(job_id)
    return waiting
