"""What happens to periods by itself: opened, computed after they close, published on the day of their list.

It may run at any time, any number of times, from several schedulers at once, or not for weeks: what is due
follows from the rows. A scheduler holds its system's row while it looks, so that the next one sees what it
asked for. Periods are taken in order: the next is computed when the one before is published.
"""

from __future__ import annotations

import logging
from datetime import date

from django.db import transaction

from players import audit, crashpoints
from ratinglists import jobs, messages
from ratinglists.approving import lacking
from ratinglists.computation import is_stale
from ratinglists.jobs import Refusal
from ratinglists.models import Job, Period, RatingList
from ratinglists.queries import latest_list, proposed_period
from tournaments.models import RatingSystem

log = logging.getLogger(__name__)


@transaction.atomic
def ensure_periods(system: RatingSystem, today: date) -> list[Period]:
    """The periods that follow a system's latest list up to the first one still open."""
    latest = latest_list(system)
    if latest is None or system.schedule == RatingSystem.Schedule.MANUAL:
        return []
    made, list_date = [], latest.list_date
    while list_date <= today:
        before = list_date
        list_date, closes = proposed_period(system, after=list_date)
        if list_date is None or closes is None:
            log.error("%s follows no regulation: its periods cannot be opened", system)
            messages.no_regulation(system, before, today)
            break
        period, created = Period.objects.get_or_create(
            system=system, list_date=list_date, defaults={"closes_on": closes}
        )
        if created:
            audit.record("period.opened", None, period, str(period), closes_on=closes.isoformat())
            made.append(period)
    return made


def look_for_due_periods(today: date | None = None) -> list[Job]:
    """Open the periods that the calendar asks for, queue what is due, and tell staff once a day why a list
    does not appear on its day.

    ``today`` is the day in each system's time zone if it is not given. A failed job stops a period's
    automation until staff have looked at it, or what it failed for has changed.
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


@transaction.atomic
def _look_at(system: RatingSystem, today: date) -> tuple[Job | None, bool]:
    system = RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
    ensure_periods(system, today)
    unpublished = system.periods.exclude(lists__state=RatingList.State.PUBLISHED)
    period = unpublished.filter(closes_on__lt=today).order_by("list_date").first()
    if period is None:
        return None, False
    period.system = system
    try:
        kind, why_not = _due(period, today)
    except Refusal as refusal:  # such as a regulation taken away meanwhile
        kind, why_not = None, str(refusal)
    if kind is not None:
        crashpoints.here("calendar: before a request")
        return jobs.request(kind, period)
    if why_not and _publishes(period, today):
        messages.not_published(period, today, why_not)
    return None, False


def _publishes(period: Period, today: date) -> bool:
    return period.system.schedule == RatingSystem.Schedule.PUBLISH and today >= period.list_date


def _due(period: Period, today: date) -> tuple[str | None, str]:
    """The job that a closed period needs now; if none, what stands in the way of its list."""
    last = period.jobs.first()
    if last is not None and last.is_open:
        return None, ""
    failed = last is not None and last.state == Job.State.FAILED
    draft = period.lists.filter(state=RatingList.State.DRAFT).first()
    if draft is None:
        return (None, last.message) if failed else (Job.Kind.COMPUTE, "")
    # Reports still come in by ones and twos: a draft that nobody has looked at can wait for the night.
    if not (_publishes(period, today) or draft.proposed_by_id or _computed_before(draft, today)):
        return None, ""
    if is_stale(draft):
        return (None, last.message) if failed and last.kind == Job.Kind.COMPUTE else (Job.Kind.COMPUTE, "")
    if draft.awaits_proof:
        return (None, last.message) if failed and last.kind == Job.Kind.PROVE else (Job.Kind.PROVE, "")
    if not _publishes(period, today):
        return None, ""
    if missing := lacking(draft):
        return None, missing
    if failed and not _changed_since(last, draft):
        return None, last.message
    return Job.Kind.PUBLISH, ""


def _computed_before(draft: RatingList, today: date) -> bool:
    return draft.period.system.day_of(draft.computed_at) < today


def _changed_since(job: Job, draft: RatingList) -> bool:
    """Is the draft, or the agreement to it, newer than a failure?"""
    moments = [moment for moment in (draft.computed_at, draft.approved_at) if moment is not None]
    return job.finished_at is not None and max(moments) > job.finished_at
