"""The ledger of work: who may work on a row, for how long, and what happens when he dies.

A row is written in the transaction that causes it; the queue only rings the bell. A worker claims
the row with a token and a lease that it renews; when the lease runs out, the sweep puts the row
back. Whatever a worker writes, it writes in a transaction that first checks its token, so that two
workers with one row leave one result.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F, Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players import crashpoints

log = logging.getLogger(__name__)

#: Lease and sweep together (30 + 15 s) leave a dead worker's job to the next one within a minute.
LEASE = timedelta(seconds=settings.PORTAL_LEASE_SECONDS)
RENEW_SECONDS = LEASE.total_seconds() / 3
RING_AGAIN = LEASE
MAX_ATTEMPTS = 5


#: sent with ``job`` when a row is done or has failed for good, inside the transaction that closes it
closed = Signal()


class LeaseLost(Exception):
    """Another worker has this row now; what this one did is dropped."""


class Refusal(Exception):
    """The work cannot be done as things stand; the text tells staff why and what to do."""


class Work(models.Model):
    """A piece of work to be done once. The row is the truth; the queue only rings the bell."""

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.CharField(max_length=32, blank=True, help_text=_("Of the worker that holds the lease."))
    lease_until = models.DateTimeField(null=True, blank=True)
    rung_at = models.DateTimeField(null=True, blank=True)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    stage = models.CharField(max_length=80, blank=True)
    message = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    requested_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Does it wait or run?"""
        return self.state in (self.State.QUEUED, self.State.RUNNING)


class Claim:
    """A worker's hold on a row, renewed in the background while the work goes on."""

    def __init__(self, job: Work) -> None:
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
        rows = type(self.job)._default_manager
        return rows.filter(pk=self.job.pk, token=self.job.token, state=Work.State.RUNNING)

    def _keep(self) -> None:
        pause = RENEW_SECONDS
        while not self._stop.wait(pause):
            try:
                self._mine().update(lease_until=timezone.now() + LEASE)
                pause = RENEW_SECONDS
            except Exception:
                log.exception("job %s: the lease could not be renewed", self.job.pk)
                pause = RENEW_SECONDS / 10  # soon again: little of the lease is left
            finally:
                connection.close()

    def progress(self, stage: str, done: int, total: int, **fields) -> None:
        """Show how far the work is, and write other ``fields`` of the row.

        Raises LeaseLost if the row is another worker's now.
        """
        lease = timezone.now() + LEASE
        if not self._mine().update(stage=stage, progress=done, total=total, lease_until=lease, **fields):
            raise LeaseLost(f"job {self.job.pk}")

    def fence(self) -> None:
        """First statement of every transaction that writes a result: still mine, and locked."""
        if not self._mine().select_for_update().exists():
            raise LeaseLost(f"job {self.job.pk}")

    def finish(self, message: str) -> None:
        """Close the row; call it in the transaction that writes the result, after ``fence``."""
        self._close(Work.State.DONE, message)

    def fail(self, message: str) -> None:
        self._close(Work.State.FAILED, message)

    def hand_back(self, message: str = "") -> None:
        """Let others have their turn: the row waits again, its work so far kept, its attempts forgotten."""
        self._wait(message, attempts=0, rung_at=None)

    def give_up_or_retry(self, error: Exception) -> None:
        """After an unexpected error: the sweep tries again, up to ``MAX_ATTEMPTS`` times."""
        text = f"{type(error).__name__}: {error}"
        if self.job.attempts >= MAX_ATTEMPTS:
            self.fail(f"Given up after {self.job.attempts} attempts. {text}")
        else:
            self._wait(text, rung_at=timezone.now())

    def _wait(self, message: str, **fields) -> None:
        self._mine().update(state=Work.State.QUEUED, token="", lease_until=None, message=message, **fields)

    def _close(self, state: str, message: str) -> None:
        ending = {"state": state, "message": message, "finished_at": timezone.now(), "lease_until": None}
        with transaction.atomic():
            if self._mine().update(**ending):
                for name, value in ending.items():
                    setattr(self.job, name, value)
                closed.send(type(self.job), job=self.job)
                crashpoints.here("job: closed, before the commit")


def claim(model: type[Work], pk: int) -> Claim | None:
    """Take a queued row. None if there is nothing to do: done, held by another, or gone."""
    with transaction.atomic():
        job = model._default_manager.select_for_update().filter(pk=pk).first()
        if job is None or job.state != Work.State.QUEUED:
            return None
        now = timezone.now()
        job.state, job.token = Work.State.RUNNING, secrets.token_hex(16)
        job.lease_until, job.started_at = now + LEASE, now
        job.attempts += 1
        job.stage, job.progress, job.total, job.message = "starting", 0, 0, ""
        job.save()
        crashpoints.here("claim: before the commit")
    crashpoints.here("claim: taken")
    return Claim(job)


def run(model: type[Work], pk: int, work: Callable[[Claim], None]) -> bool:
    """Do the work of a row if it is free. True if this call did it (well or not).

    ``work`` calls ``finish``. An expected refusal (``Refusal``) fails the row at once with its text;
    anything else is left to the sweep, which tries again up to ``MAX_ATTEMPTS`` times.
    """
    held = claim(model, pk)
    if held is None:
        return False
    try:
        with held:
            work(held)
    except LeaseLost:
        log.warning("job %s: lease lost, result dropped", pk)
    except Refusal as refusal:
        held.fail(str(refusal))
    except Exception as error:
        log.exception("job %s failed in attempt %s", pk, held.job.attempts)
        held.give_up_or_retry(error)
    return True


def _bury(job: Work, now: datetime) -> None:
    job.state, job.lease_until, job.finished_at = Work.State.FAILED, None, now
    job.message = f"Given up: the worker died in each of {MAX_ATTEMPTS} attempts."
    job.save(update_fields=["state", "message", "finished_at", "lease_until"])
    closed.send(type(job), job=job)


def sweep(model: type[Work], ring: Callable[[int], None], now: datetime | None = None) -> list[int]:
    """Put back rows whose worker died, and ring for rows that nobody has heard of. Returns those rung."""
    now = now or timezone.now()
    rows = model._default_manager
    with transaction.atomic():
        # Who holds a row's lock is alive, in the middle of a long transaction: the others need not wait.
        late = rows.select_for_update(skip_locked=True).filter(state=Work.State.RUNNING, lease_until__lt=now)
        dead = rows.filter(pk__in=list(late.values_list("pk", flat=True)))
        for job in dead.filter(attempts__gte=MAX_ATTEMPTS):
            _bury(job, now)
        dead.filter(state=Work.State.RUNNING).update(
            state=Work.State.QUEUED,
            token="",
            lease_until=None,
            rung_at=None,
            message="The worker died; the job is taken up again.",
        )
        crashpoints.here("sweep: before the commit")
    crashpoints.here("sweep: the dead wait again")
    silent = Q(rung_at__isnull=True) | Q(rung_at__lt=now - RING_AGAIN)
    waiting = list(
        rows.filter(silent, state=Work.State.QUEUED)
        .order_by(F("rung_at").asc(nulls_first=True), "pk")
        .values_list("pk", flat=True)
    )
    for pk in waiting:
        ring(pk)
        crashpoints.here("sweep: rung for one")
    return waiting
