"""Changes to periods and lists: opening, computing, publishing, each result one transaction."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import date
from functools import partial

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from players import audit
from players.models import Federation
from players.queries import by_identifier
from players.services import add_player
from ratinglists import bulk_drafts, bulk_inputs, jobs, partition
from ratinglists.computation import Progress, compute, is_stale, read_inputs, regulation_of
from ratinglists.drafts import printed, write_draft
from ratinglists.formats.opening_csv import read_opening_csv
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Job, ListRow, Period, RatingList
from ratinglists.publishing import flip, write_files
from ratinglists.queries import latest_list, proposed_period
from tournaments.models import RatingSystem, Tournament
from tournaments.services import NotAllowedNow, mark_counted

log = logging.getLogger(__name__)


class OpeningRefused(Exception):
    """An opening list with faults; ``problems`` holds every one. Nothing was stored."""

    def __init__(self, problems: list) -> None:
        self.problems = problems
        super().__init__("; ".join(str(problem) for problem in problems))


def _require(user, permission: str) -> None:
    if user is not None and not user.has_perm(permission):
        raise PermissionDenied(f"{user} lacks the right “{permission}”.")


# --- jobs that staff or the scheduler ask for ---------------------------------------------------


def request_compute(period: Period, by=None) -> Job:
    """Have a period computed (again) in the background."""
    _require(by, "ratinglists.compute_period")
    return jobs.request(Job.Kind.COMPUTE, period, by)[0]


def request_publish(period: Period, by=None) -> Job:
    """Have a period's draft published in the background."""
    _require(by, "ratinglists.publish_list")
    return jobs.request(Job.Kind.PUBLISH, period, by)[0]


@transaction.atomic
def propose(draft: RatingList, by) -> None:
    """The first person of two: he has looked at the draft and proposes it for publication."""
    _require(by, "ratinglists.propose_list")
    held = _held_draft(draft)
    held.proposed_by, held.proposed_at = by, timezone.now()
    held.approved_by = held.approved_at = None
    held.save(update_fields=["proposed_by", "proposed_at", "approved_by", "approved_at"])
    audit.record("list.proposed", by, held, str(held), sha256=held.sha256)


@transaction.atomic
def approve(draft: RatingList, by) -> None:
    """The second person: somebody else agrees that a proposed draft is published."""
    _require(by, "ratinglists.publish_list")
    held = _held_draft(draft)
    if held.proposed_by is None:
        raise NotAllowedNow("Nobody has proposed this draft yet.")
    if held.proposed_by == by:
        raise NotAllowedNow("You proposed this draft: another person has to approve it.")
    held.approved_by, held.approved_at = by, timezone.now()
    held.save(update_fields=["approved_by", "approved_at"])
    audit.record("list.approved", by, held, str(held), sha256=held.sha256)


def _held_draft(draft: RatingList) -> RatingList:
    held = RatingList.objects.select_for_update().filter(pk=draft.pk, state=RatingList.State.DRAFT).first()
    if held is None:
        raise NotAllowedNow("This draft was computed again, or its list is published already.")
    return held


def run_job(job_id: int) -> bool:
    """Do a job if it is free (called by the worker)."""
    return jobs.run(job_id, {Job.Kind.COMPUTE: compute_period, Job.Kind.PUBLISH: publish_draft})


def compute_period(held: Claim) -> None:
    """Compute a period's draft list. Nothing is written before the whole list is known and checked."""
    period = Period.objects.select_related("system").get(pk=held.job.period_id)
    _refuse_published(period)
    if bulk_inputs.goes_by_columns(period) and not partition.is_ready(held):
        return  # rung again when its events are rated
    write, size = computed(period, held.progress, held.job)
    held.progress("writing the draft", 0, size)
    with transaction.atomic():
        held.fence()
        _refuse_published(period)
        draft = write()
        counted = sum(event["outcome"] == "counted" for event in draft.report["events"])
        events = "1 tournament" if counted == 1 else f"{counted} tournaments"
        held.finish(f"{events} counted, {size} players on the draft.")


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
    inputs = read_inputs(period, progress)
    result = compute(inputs, progress)
    return partial(write_draft, inputs, result), len(result.players)


def publish_draft(held: Claim) -> None:
    """Publish a period's draft: its files first, then one transaction, the list row locked first."""
    period = Period.objects.select_related("system").get(pk=held.job.period_id)
    draft = period.lists.filter(state=RatingList.State.DRAFT).select_related("period__system").first()
    if draft is None:
        _refuse_published(period)
        raise Refusal(f"{period} has no draft: compute it first.")
    _may_publish(period, draft)
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
        _may_publish(period, draft)
        try:
            mark_counted(counted, period.list_date)
        except NotAllowedNow as error:
            raise Refusal(f"{error} Compute the period again.") from error
        flip([draft], files, held.job.requested_by)
        held.finish(f"Published: {draft.rows.filter(rating__isnull=False).count()} rated players.")


def _may_publish(period: Period, draft: RatingList) -> None:
    if not (draft.has_two_persons or settings.PORTAL_ONE_PERSON):
        raise Refusal("One person proposes a list and another approves it: that is still to be done.")
    today, manual = period.system.today(), period.system.schedule == RatingSystem.Schedule.MANUAL
    # By hand a federation may end a period on its closing day; on schedule the day's reports still count.
    if today < period.closes_on or (today == period.closes_on and not manual):
        raise Refusal(
            f"The period closes on {period.closes_on}: it cannot be published before that day"
            f"{'' if manual else ' is over'}."
        )
    latest = latest_list(period.system)
    if latest is not None and latest.list_date >= period.list_date:
        raise Refusal(f"A later list ({latest.list_date}) is published already.")
    earlier = Period.objects.filter(system=period.system, list_date__lt=period.list_date)
    waiting = earlier.exclude(lists__state=RatingList.State.PUBLISHED).order_by("list_date").first()
    if waiting is not None:
        raise Refusal(f"The list of {waiting.list_date} comes first: publish it, or delete that period.")
    if is_stale(draft):
        raise Refusal(
            "Reports were accepted or returned, or players merged or split, since the draft was computed. "
            "Compute the period again."
        )


@transaction.atomic
def drop_period(period: Period) -> None:
    """Delete a period that has no published list, with its draft and its jobs."""
    held = Period.objects.select_for_update().get(pk=period.pk)
    if held.lists.filter(state=RatingList.State.PUBLISHED).exists():
        raise NotAllowedNow(f"The list of {held} is published and stays.")
    held.lists.all().delete()
    held.delete()


# --- opening list -------------------------------------------------------------------------------


@transaction.atomic
def open_system(system: RatingSystem, list_date: date, data: bytes, by=None) -> RatingList:
    """Bring in the list that a system starts from (CSV, see docs/formats/csv.md), and publish it.

    Players not on the register yet are added to it. Raises OpeningRefused with every fault.
    """
    _require(by, "ratinglists.publish_list")
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
    opening = RatingList.objects.create(
        period=period,
        regulation=regulation.code,
        is_opening=True,
        input_sha256=hashlib.sha256(data).hexdigest(),
        sha256=hashlib.sha256(data).hexdigest(),
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


# --- calendar -----------------------------------------------------------------------------------


def ensure_periods(system: RatingSystem, today: date) -> list[Period]:
    """The periods that follow a system's latest list up to the first one still open."""
    latest = latest_list(system)
    if latest is None or system.schedule == RatingSystem.Schedule.MANUAL:
        return []
    made, list_date = [], latest.list_date
    while list_date <= today:
        list_date, closes = proposed_period(system, after=list_date)
        if list_date is None or closes is None:
            log.error("%s follows no regulation: its periods cannot be opened", system)
            break
        period, created = Period.objects.get_or_create(
            system=system, list_date=list_date, defaults={"closes_on": closes}
        )
        if created:
            made.append(period)
    return made


def look_for_due_periods(today: date | None = None) -> list[Job]:
    """Open the periods that the calendar asks for, and queue what is due: at any time, any number of times.

    A failed job stops a period's automation until staff have looked at it.
    """
    queued = []
    for system in RatingSystem.objects.exclude(schedule=RatingSystem.Schedule.MANUAL):
        try:
            job, new = _look_at(system, today or system.today())
        except Exception:  # one system's trouble must not stop the others
            log.exception("%s: its periods cannot be looked at", system)
        else:
            queued += [job] if new else []
    return queued


def _look_at(system: RatingSystem, today: date) -> tuple[Job | None, bool]:
    with transaction.atomic():
        ensure_periods(system, today)
        unpublished = system.periods.exclude(lists__state=RatingList.State.PUBLISHED)
        period = unpublished.filter(closes_on__lt=today).order_by("list_date").first()
        if period is not None and (kind := _due(period, today)) is not None:
            return jobs.request(kind, period)
    return None, False


def _due(period: Period, today: date) -> str | None:
    last = period.jobs.first()
    if last is not None and last.state != Job.State.DONE:
        return None
    draft = period.lists.filter(state=RatingList.State.DRAFT).first()
    if draft is None:
        return Job.Kind.COMPUTE
    if period.system.schedule != RatingSystem.Schedule.PUBLISH or today < period.list_date:
        return None
    return Job.Kind.COMPUTE if is_stale(draft) else Job.Kind.PUBLISH
