"""Where a period stands: what its page in the admin shows."""

from __future__ import annotations

from django.conf import settings

from ratinglists import approving
from ratinglists.computation import OUTCOMES, candidates_of, is_stale
from ratinglists.jobs import Refusal
from ratinglists.models import Job, Period, RatingList


def standing(period: Period) -> dict:
    """The period's lists, its events by outcome with reasons, its latest job; is a draft stale?"""
    own = period.lists.exclude(state=RatingList.State.DRAFT, correction__isnull=False)
    own = own.select_related("proposed_by", "approved_by", "published_by").order_by("revision")
    lists = {found.state: found for found in own}
    published, draft = lists.get(RatingList.State.PUBLISHED), lists.get(RatingList.State.DRAFT)
    job = period.jobs.first()
    found = {
        "published": published,
        "draft": draft,
        "job": job,
        "running": job is not None and job.state in (Job.State.QUEUED, Job.State.RUNNING),
        "failed": job is not None and job.state == Job.State.FAILED,
        "stale": False,
        "unproven": "",
        "problem": "",
        "events": [],
        "one_person": settings.PORTAL_ONE_PERSON,
        "lacking": "",
        "too_early": "",
        "appears_on": None,
    }
    shown = draft or published
    if shown is not None and not shown.is_opening:
        found["events"] = _by_outcome(shown.report["events"])
    if published is None:
        try:
            if draft is not None:
                found["stale"] = is_stale(draft)
                found["unproven"] = approving.UNPROVEN * draft.awaits_proof
                found["lacking"] = approving.lacking(draft)
                found["too_early"] = approving.too_early(period)
                found["appears_on"] = approving.appears_on(period)
            else:
                found["events"] = _by_outcome(candidate.as_json() for candidate in candidates_of(period))
        except Refusal as refusal:
            found["problem"] = str(refusal)
    found["state"] = _state(found)
    return found


def _by_outcome(events) -> list[tuple[str, list[dict]]]:
    groups: dict[str, list[dict]] = {outcome: [] for outcome in OUTCOMES}
    for event in events:
        groups[event["outcome"]].append(event)
    return list(groups.items())


def _state(found: dict) -> str:
    if found["published"] is not None:
        return "published"
    if found["running"]:
        return "being worked on"
    draft = found["draft"]
    if draft is None:
        return "open"
    if draft.has_two_persons:
        return "approved"
    return "draft proposed" if draft.proposed_by_id else "draft computed"


def progress(period: Period) -> dict:
    """The latest job for the page that watches it."""
    return job_progress(period.jobs.first())


def job_progress(job: Job | None) -> dict:
    """A job for the page that watches it."""
    if job is None:
        return {"job": None, "finished": True}
    return {
        "job": job.pk,
        "kind": job.get_kind_display(),
        "state": job.state,
        "stage": job.stage or job.get_state_display(),
        "progress": job.progress,
        "total": job.total,
        "message": job.message,
        "finished": job.state in (Job.State.DONE, Job.State.FAILED),
    }
