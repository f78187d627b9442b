"""The way of a draft to its publication: one person proposes it, another approves it, then it may appear."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players import access, audit
from ratinglists import jobs, messages
from ratinglists.computation import is_stale
from ratinglists.jobs import Refusal
from ratinglists.models import Job, Period, RatingList
from ratinglists.queries import latest_list
from tournaments.models import RatingSystem
from tournaments.services import NotAllowedNow

PROPOSE, PUBLISH = "ratinglists.propose_list", "ratinglists.publish_list"
STALE = (
    "Reports were accepted or returned, or players merged or split, since the draft was computed. "
    "Compute the period again."
)

UNPROVEN = (
    "The draft is not proven yet: it has to come out the same once more from its reports before it is "
    "proposed. A job does that by itself after the computation; where it failed, put right what its message "
    "names, then have the draft proven again."
)


def require(user, permission: str) -> None:
    """PermissionDenied unless the account has the right; None is the portal itself."""
    if user is not None:
        access.require(user, permission)


@transaction.atomic
def propose(draft: RatingList, by) -> None:
    """The first person of two: he has looked at the draft and proposes it for publication. Proposed again,
    by whomever, it waits for a new approval. Raises NotAllowedNow and PermissionDenied."""
    require(by, PROPOSE)
    held = _held_draft(draft)
    _refuse_stale(held)
    if held.awaits_proof:
        raise NotAllowedNow(UNPROVEN)
    held.proposed_by, held.proposed_at = by, timezone.now()
    held.approved_by = held.approved_at = None
    held.save(update_fields=["proposed_by", "proposed_at", "approved_by", "approved_at"])
    audit.record("list.proposed", by, held, str(held), sha256=held.sha256)
    if not settings.PORTAL_ONE_PERSON:
        messages.waits_for_second(held)


@transaction.atomic
def approve(draft: RatingList, by) -> None:
    """The second person: somebody else agrees that a proposed draft is published. Raises NotAllowedNow and
    PermissionDenied."""
    require(by, PUBLISH)
    held = _held_draft(draft)
    if held.proposed_by is None:
        raise NotAllowedNow("Nobody has proposed this draft yet.")
    if held.proposed_by == by:
        raise NotAllowedNow("You proposed this draft: another person has to approve it.")
    if reason := too_early(held.period):
        raise NotAllowedNow(reason)
    _refuse_stale(held)
    held.approved_by, held.approved_at = by, timezone.now()
    held.save(update_fields=["approved_by", "approved_at"])
    audit.record("list.approved", by, held, str(held), sha256=held.sha256)


@transaction.atomic
def approve_and_publish(draft: RatingList, by) -> Job | None:
    """Approve a draft and have it published: at once, or (None) on its day where the system's schedule
    publishes by itself."""
    approve(draft, by)
    period = Period.objects.select_related("system").get(pk=draft.period_id)
    if appears_on(period) is not None:
        return None
    return jobs.request(Job.Kind.PUBLISH, period, by)[0]


def appears_on(period: Period) -> date | None:
    """The day on which an approved draft is published by itself, while that day is still to come."""
    waits = period.system.schedule == RatingSystem.Schedule.PUBLISH
    return period.list_date if waits and period.system.today() < period.list_date else None


def _held_draft(draft: RatingList) -> RatingList:
    rows = RatingList.objects.select_for_update(of=("self",)).select_related("period__system")
    held = rows.filter(pk=draft.pk, state=RatingList.State.DRAFT).first()
    if held is None:
        raise NotAllowedNow("This draft was computed again, or its list is published already.")
    if held.correction_id is not None:
        raise NotAllowedNow("The drafts of a correction are proposed and approved together, on its page.")
    return held


def _refuse_stale(draft: RatingList) -> None:
    """NotAllowedNow if its period has other reports by now; a correction's draft is judged elsewhere."""
    if draft.correction_id is None and is_stale(draft):
        raise NotAllowedNow(STALE)


def lacking(draft: RatingList) -> str:
    """What the two-person rule still asks of a draft, in words; empty if nothing."""
    if draft.has_two_persons or settings.PORTAL_ONE_PERSON:
        return ""
    if draft.proposed_by_id is None:
        return "Nobody has proposed the draft yet: one person proposes it, another approves it."
    return f"{draft.proposed_by} has proposed the draft: another person has to approve it."


def too_early(period: Period) -> str:
    """Why a period's list cannot appear yet; empty if it can. One brought in waits for no report."""
    if period.lists.filter(is_opening=True).exists():
        return ""
    today, manual = period.system.today(), period.system.schedule == RatingSystem.Schedule.MANUAL
    # By hand a federation may end a period on its closing day; on schedule the day's reports still count.
    if today < period.closes_on or (today == period.closes_on and not manual):
        return (
            f"The period closes on {period.closes_on}: it cannot be published before that day"
            f"{'' if manual else ' is over'}."
        )
    return ""


def may_publish(period: Period, draft: RatingList) -> None:
    """Raise Refusal unless this draft can be published as things stand."""
    if reason := UNPROVEN * draft.awaits_proof or lacking(draft) or too_early(period):
        raise Refusal(reason)
    latest = latest_list(period.system)
    if latest is not None and latest.list_date >= period.list_date:
        raise Refusal(f"A later list ({latest.list_date}) is published already.")
    earlier = Period.objects.filter(system=period.system, list_date__lt=period.list_date)
    waiting = earlier.exclude(lists__state=RatingList.State.PUBLISHED).order_by("list_date").first()
    if waiting is not None:
        raise Refusal(f"The list of {waiting.list_date} comes first: publish it, or delete that period.")
    if is_stale(draft):
        raise Refusal(STALE)
