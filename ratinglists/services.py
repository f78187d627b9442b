"""Changes to periods and lists: opening, computing, publishing, each result one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from django.db import transaction
from django.dispatch import Signal

from players import audit, crashpoints, outbox, player_imports
from ratinglists import (
    archive,
    bulk_drafts,
    bulk_inputs,
    complaint_senders,
    jobs,
    live,
    messages,
    partition,
    privacy_requests,
    proving,
)
from ratinglists.approving import approve, approve_and_publish, may_publish, propose, require
from ratinglists.automation import ensure_periods, look_for_due_periods
from ratinglists.cascade import compute_correction
from ratinglists.computation import Progress, read_inputs
from ratinglists.correction_publishing import publish_correction
from ratinglists.drafts import write_draft
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Job, Period, RatingList
from ratinglists.opening import OpeningRefused, open_system
from ratinglists.pipeline import proven
from ratinglists.publishing import flip, write_files
from ratinglists.validation import due_reports, read_back
from tournaments.models import RatingSystem, Tournament
from tournaments.services import NotAllowedNow, mark_counted

__all__ = [
    "OpeningRefused", "approve", "approve_and_publish", "compute_period", "drop_period", "ensure_periods",
    "look_for_due_periods", "open_system", "propose", "publish_draft", "request_compute", "request_proof",
    "request_publish", "run_job", "sweep",
]  # fmt: skip
log = logging.getLogger(__name__)

#: sent when a sweep is through
swept = Signal()


# --- jobs that staff or the scheduler ask for ---------------------------------------------------


def request_compute(period: Period, by=None) -> Job:
    """Have a period computed (again) in the background."""
    require(by, "ratinglists.compute_period")
    return jobs.request(Job.Kind.COMPUTE, period, by)[0]


def request_proof(period: Period, by=None) -> Job:
    """Have a draft that was computed by columns proven (again) in the background."""
    require(by, "ratinglists.compute_period")
    return jobs.request(Job.Kind.PROVE, period, by)[0]


def request_publish(period: Period, by=None) -> Job:
    """Have a period's draft published in the background."""
    require(by, "ratinglists.publish_list")
    return jobs.request(Job.Kind.PUBLISH, period, by)[0]


def run_job(job_id: int, watch: Progress | None = None) -> bool:
    """Do a job if it is free (called by the worker); ``watch`` is told its progress as well."""
    work = {
        Job.Kind.COMPUTE: compute_period,
        Job.Kind.PROVE: proving.prove,
        Job.Kind.PUBLISH: publish_draft,
        Job.Kind.CORRECT: compute_correction,
        Job.Kind.PUBLISH_CORRECTION: publish_correction,
        Job.Kind.LIVE: live.compute_live,
    }
    return jobs.run(job_id, {kind: _watched(does, watch) for kind, does in work.items()})


def _watched(work: Callable[[Claim], None], watch: Progress | None) -> Callable[[Claim], None]:
    if watch is None:
        return work

    def watched(held: Claim) -> None:
        write = held.progress

        def progress(stage: str, done: int, total: int, **fields) -> None:
            write(stage, done, total, **fields)
            watch(stage, done, total)

        held.progress = progress
        work(held)

    return watched


def compute_period(held: Claim) -> None:
    """Compute a period's draft list. Nothing is written before the whole list is known and checked."""
    period = Period.objects.select_related("system").get(pk=held.job.period_id)
    _refuse_published(period)
    if bulk_inputs.goes_by_columns(period) and not partition.is_ready(held):
        return  # rung again when its events are rated
    write, size = computed(period, held.progress, held.job)
    held.progress("writing the draft", 0, size)
    crashpoints.here("compute: the list is computed")
    with transaction.atomic():
        held.fence()
        _refuse_published(period)
        replaced = period.lists.filter(state=RatingList.State.DRAFT).first()
        draft = write()
        messages.draft_computed(draft, replaced)
        counted = sum(event["outcome"] == "counted" for event in draft.report["events"])
        events = "1 tournament" if counted == 1 else f"{counted} tournaments"
        follows = ""
        if draft.awaits_proof:
            jobs.request(Job.Kind.PROVE, period, held.job.requested_by)
            follows = " It is proven next."
        held.finish(f"{events} counted, {size} players on the draft.{follows}")
        crashpoints.here("compute: before the commit")


def _refuse_published(period: Period) -> None:
    if period.lists.filter(state=RatingList.State.PUBLISHED).exists():
        raise Refusal(f"The list of {period} is published already and does not change.")
    if period.lists.filter(is_opening=True).exists():
        raise Refusal(f"The list of {period} is brought in: delete the period to bring in another.")


def computed(
    period: Period, progress: Progress, job: Job | None = None
) -> tuple[Callable[[], RatingList], int]:
    """A period's list, not written yet: what writes its draft, and how many rows it has.

    A large period goes by columns where its texts can: the same figures, explained when somebody asks.
    The shares of a ``job`` may have rated its events already.
    """
    if bulk_inputs.goes_by_columns(period):
        inputs = bulk_inputs.read(period, progress)
        sums = partition.sums_of(job, inputs) if job else None
        result = bulk_drafts.compute(inputs, progress, sums)
        return partial(bulk_drafts.write_draft, inputs, result), result.size
    due = due_reports(period)
    inputs = read_inputs(period, progress)
    crashpoints.here("compute: the inputs are read")
    result = proven(inputs, due, progress)

    def write() -> RatingList:
        draft = write_draft(inputs, result)
        crashpoints.here("compute: the draft is written")
        read_back(draft, result)
        return draft

    return write, len(result.players)


def publishable(period: Period) -> RatingList:
    """The draft that would be published now. Raises Refusal with what stands in the way."""
    own = period.lists.filter(state=RatingList.State.DRAFT, correction__isnull=True)
    draft = own.select_related("period__system").first()
    if draft is None:
        _refuse_published(period)
        raise Refusal(f"{period} has no draft: compute it first.")
    may_publish(period, draft)
    return draft


def publish_draft(held: Claim) -> None:
    """Publish a period's draft: its files first, then one transaction, the list row locked first."""
    period = Period.objects.select_related("system").get(pk=held.job.period_id)
    draft = publishable(period)
    files = write_files([draft], held.progress)
    with transaction.atomic():
        # The list row before anything else: the triggers of its rows wait for this lock.
        locked = RatingList.objects.select_for_update().filter(pk=draft.pk, state=RatingList.State.DRAFT)
        draft = locked.select_related("period__system").first()
        held.fence()
        if draft is None:
            raise Refusal(f"The draft of {period} was computed again meanwhile. Publish the new one.")
        counted = [e["tournament"] for e in draft.report["events"] if e["outcome"] != "deferred"]
        # No report of theirs may be returned, replaced and accepted while the draft is compared with them.
        list(Tournament.objects.select_for_update().filter(pk__in=counted).order_by("pk").values_list("pk"))
        # Nor may a correction of the lists before come out in between.
        RatingSystem.objects.select_for_update(no_key=True).get(pk=period.system_id)
        may_publish(period, draft)
        try:
            mark_counted(counted, period.list_date)
        except NotAllowedNow as error:
            raise Refusal(f"{error} Compute the period again.") from error
        crashpoints.here("publish: the tournaments are counted")
        flip([draft], files, held.job.requested_by)
        held.finish(f"Published: {draft.rows.filter(rating__isnull=False).count()} rated players.")
        crashpoints.here("publish: before the commit")


@transaction.atomic
def drop_period(period: Period, by=None) -> None:
    """Delete a period that has no published list, with its draft and its jobs."""
    held = Period.objects.select_for_update().get(pk=period.pk)
    if held.lists.filter(state=RatingList.State.PUBLISHED).exists():
        raise NotAllowedNow(f"The list of {held} is published and stays.")
    audit.record("period.dropped", by, held, str(held))
    held.lists.all().delete()
    held.delete()


def sweep() -> None:
    """Take up what dead workers and lost messages left: jobs, imports, mail, seals, files. Forget senders."""
    live.sweep()
    if rung := jobs.sweep():
        log.info("rang for jobs %s", rung)
    if rung := partition.sweep():
        log.info("rang for shares %s", rung)
    if rung := player_imports.sweep():
        log.info("rang for imports of players %s", rung)
    outbox.sweep()
    complaint_senders.forget()
    privacy_requests.forget()
    audit.seal()
    archive.tidy()
    player_imports.tidy()
    swept.send(sweep)
