"""The jobs of periods in the ledger of work (``players.ledger``): asking for one, and ringing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Model
from django.dispatch import receiver
from django.utils import timezone

from players import audit, crashpoints, ledger
from players.ledger import LEASE, MAX_ATTEMPTS, Claim, LeaseLost, Refusal
from ratinglists.models import Correction, Job, Period
from tournaments.models import RatingSystem

__all__ = ["LEASE", "MAX_ATTEMPTS", "Claim", "LeaseLost", "Refusal", "request", "ring", "run", "sweep"]

#: kind of subject -> the field of a job that names it
FIELDS = {Period: "period", Correction: "correction", RatingSystem: "system"}


def request(kind: str, subject: Model, by=None, *, ring_workers: bool = True) -> tuple[Job, bool]:
    """Queue a job on a period, a correction or a system unless one of its kind waits or runs already.
    Returns the job and whether it is new.

    Call it inside the causing transaction; the bell rings after the commit (unless the caller
    does the job himself).
    """
    what = {FIELDS[type(subject)]: subject}
    with transaction.atomic():
        type(subject).objects.select_for_update(no_key=True).get(pk=subject.pk)
        standing = Job.objects.filter(
            kind=kind, state__in=[Job.State.QUEUED, Job.State.RUNNING], **what
        ).first()
        if standing is not None:
            return standing, False
        job = Job.objects.create(kind=kind, requested_by=by, **what)
        if kind != Job.Kind.LIVE:  # looks ahead and decides nothing
            audit.record(f"{kind}.asked", by, subject, str(job), job=job.pk)
        if ring_workers:
            transaction.on_commit(lambda: ring(job.pk), robust=True)
        return job, True


@receiver(ledger.closed, sender=Job)
def _closed(job: Job, **_) -> None:
    """What became of a job. That a list is published is told by the list itself."""
    failed = job.state == Job.State.FAILED
    if failed or job.kind in (Job.Kind.COMPUTE, Job.Kind.PROVE, Job.Kind.CORRECT):
        what = "failed" if failed else "done"
        audit.record(f"{job.kind}.{what}", None, job.subject, job.message, job=job.pk)
    if failed:
        from ratinglists import messages  # which reads of computations, where jobs stand

        messages.job_failed(job)


def ring(job_id: int) -> None:
    """Tell the workers of a job. Failure is no harm: the sweep rings again."""
    from ratinglists.tasks import run_job

    crashpoints.here("ring: before the message")
    if run_job.apply_async((job_id,)) is None:
        return  # the broker is away; the row stays
    crashpoints.here("ring: sent, not noted")
    Job.objects.filter(pk=job_id).update(rung_at=timezone.now())


def claim(job_id: int) -> Claim | None:
    """Take a queued job. None if there is nothing to do: done, held by another, or gone."""
    return ledger.claim(Job, job_id)


def run(job_id: int, work: dict[str, Callable[[Claim], None]]) -> bool:
    """Do a job if it is free; ``work`` maps each kind to the function that does it (``ledger.run``)."""
    return ledger.run(Job, job_id, lambda held: work[held.job.kind](held))


def sweep(now: datetime | None = None) -> list[int]:
    """Put back jobs whose worker died, and ring for those that nobody has heard of. Returns those rung."""
    return ledger.sweep(Job, lambda job_id: ring(job_id), now)
