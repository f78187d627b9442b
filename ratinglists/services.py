"""Changes to periods and lists: opening, computing, publishing, each result one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date
from functools import partial

from django.db import transaction
from django.utils import timezone

from players import audit, crashpoints, outbox, player_imports
from players.models import Federation
from players.queries import by_identifier
from players.services import add_player
from ratinglists import archive, bulk_drafts, bulk_inputs, jobs, live, messages, partition
from ratinglists.approving import approve, approve_and_publish, may_publish, propose, require
from ratinglists.automation import ensure_periods, look_for_due_periods
from ratinglists.cascade import compute_correction
from ratinglists.computation import Progress, read_inputs, regulation_of
from ratinglists.correction_publishing import publish_correction
from ratinglists.drafts import printed, write_draft
from ratinglists.formats.opening_csv import read_opening_csv
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Job, ListRow, Period, RatingList
from ratinglists.pipeline import proven
from ratinglists.publishing import flip, write_files
from ratinglists.validation import due_reports, read_back
from tournaments.models import RatingSystem, Tournament
from tournaments.services import NotAllowedNow, mark_counted

__all__ = [
    "OpeningRefused", "approve", "approve_and_publish", "compute_period", "drop_period", "ensure_periods",
    "look_for_due_periods", "open_system", "propose", "publish_draft", "request_compute", "request_publish",
    "run_job", "sweep",
]  # fmt: skip
log = logging.getLogger(__name__)


class OpeningRefused(Exception):
    """An opening list with faults; ``problems`` holds every one. Nothing was stored."""

    def __init__(self, problems: list) -> None:
        self.problems = problems
        super().__init__("; ".join(str(problem) for problem in problems))


# --- jobs that staff or the scheduler ask for ---------------------------------------------------


def request_compute(period: Period, by=None) -> Job:
    """Have a period computed (again) in the background."""
    require(by, "ratinglists.compute_period")
    return jobs.request(Job.Kind.COMPUTE, period, by)[0]


def request_publish(period: Period, by=None) -> Job:
    """Have a period's draft published in the background."""
    require(by, "ratinglists.publish_list")
    return jobs.request(Job.Kind.PUBLISH, period, by)[0]


def run_job(job_id: int, watch: Progress | None = None) -> bool:
    """Do a job if it is free (called by the worker); ``watch`` is told its progress as well."""
    work = {
        Job.Kind.COMPUTE: compute_period,
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
        held.finish(f"{events} counted, {size} players on the draft.")
        crashpoints.here("compute: before the commit")


def _refuse_published(period: Period) -> None:
    if period.lists.filter(state=RatingList.State.PUBLISHED).exists():
        raise Refusal(f"The list of {period} is published already and does not change.")


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
    """Take up what a dead worker or a lost message left: jobs, imports, messages to staff, seals, files."""
    live.sweep()
    if rung := jobs.sweep():
        log.info("rang for jobs %s", rung)
    if rung := partition.sweep():
        log.info("rang for shares %s", rung)
    if rung := player_imports.sweep():
        log.info("rang for imports of players %s", rung)
    outbox.sweep()
    audit.seal()
    archive.tidy()


# --- opening list -------------------------------------------------------------------------------


@transaction.atomic
def open_system(system: RatingSystem, list_date: date, data: bytes, by=None) -> RatingList:
    """Bring in the list that a system starts from (CSV, see docs/formats/csv.md), and publish it.

    Players not on the register yet are added to it. Raises OpeningRefused with every fault.
    """
    require(by, "ratinglists.publish_list")
    if RatingList.objects.filter(period__system=system).exists():
        raise NotAllowedNow(f"{system} already has a list; its next one is computed.")
    rows, problems = read_opening_csv(data)
    federations = {federation.code: federation for federation in Federation.objects.all()}
    problems = list(problems) + [
        f"Row {row.row}, federation: {row.federation} is not among the federations; add it first."
        for row in rows
        if row.federation not in federations
    ]
    if problems or not rows:
        raise OpeningRefused(problems or ["The file has no players."])
    period = Period.objects.create(system=system, list_date=list_date, closes_on=list_date)
    regulation = regulation_of(period)
    kept = archive.store([data]).sha256
    opening = RatingList.objects.create(
        period=period,
        regulation=regulation.code,
        is_opening=True,
        input_sha256=kept,
        sha256=kept,
        computed_at=timezone.now(),
        report={"fingerprint": "", "events": []},
    )
    known = by_identifier("FIDE", [row.fide_id for row in rows])
    ListRow.objects.bulk_create(
        [
            _opening_row(opening, row, known.get(row.fide_id) or _add(row, federations), regulation)
            for row in rows
        ],
        batch_size=1000,
    )
    flip([opening], write_files([opening], lambda *_: None), by)
    return opening


def _add(row, federations: dict[str, Federation]):
    year, month, day = row.birth
    return add_player(
        name=row.name,
        federation=federations[row.federation],
        sex=row.sex,
        birth_date=date(year, month or 1, day or 1) if year else None,
        birth_precision="day" if day else "month" if month else "year" if year else "",
        identifiers={"FIDE": row.fide_id} if row.fide_id else {},
        titles=(row.title,) if row.title else (),
    )


def _opening_row(opening: RatingList, row, player, regulation) -> ListRow:
    rated = row.rating is not None
    return ListRow(
        rating_list=opening,
        player=player,
        status=ListRow.Status.ACTIVE if rated else ListRow.Status.UNRATED,
        rating=row.rating,
        games=0,
        k_next=regulation.k_of(
            rating=row.rating,
            career_games=row.career_games,
            reached_k10=row.k10,
            birth_year=player.birth_year,
            on=opening.list_date,
        )
        if rated
        else None,
        **printed(player, opening.system),
        career_games=row.career_games or 0,
        reached_k10=bool(row.k10),
        highest_rating=row.rating,
        games_by_period=[row.games_last_year] if row.games_last_year else [],
    )
