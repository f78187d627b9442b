"""Lists and corrections that wait for a person: to be proposed, or to be approved by a second one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse

from players import access
from ratinglists.approving import PROPOSE, PUBLISH, too_early
from ratinglists.models import RatingList


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done with a draft. ``own``: by somebody else, since this account took the step before."""

    name: str
    what: str
    since: datetime
    page: str
    own: bool


def for_user(user) -> list[Step]:
    """The steps that the rights of an account are for, the longest waiting first."""
    drafts = RatingList.objects.filter(state=RatingList.State.DRAFT, approved_by__isnull=True).defer("report")
    wanted = Q(pk__in=())
    if user.has_perm(PROPOSE):
        wanted |= Q(proposed_by__isnull=True)
    if user.has_perm(PUBLISH):
        wanted |= Q(proposed_by__isnull=False)
    drafts = access.for_user(drafts.filter(wanted), user).select_related(
        "period__system", "correction__system", "proposed_by"
    )
    return sorted(_steps(drafts, user), key=lambda step: step.since)


def _steps(drafts, user) -> Iterator[Step]:
    corrections = set()
    for draft in drafts:
        if draft.correction_id is None:
            if not draft.awaits_proof and not (draft.proposed_by_id and too_early(draft.period)):
                page = reverse("admin:ratinglists_period_change", args=[draft.period_id])
                yield _step(str(draft), page, draft, user)
        elif draft.correction_id not in corrections:  # its drafts go together
            corrections.add(draft.correction_id)
            page = reverse("admin:ratinglists_correction_change", args=[draft.correction_id])
            yield _step(str(draft.correction), page, draft, user)


def _step(name: str, page: str, draft: RatingList, user) -> Step:
    if draft.proposed_by_id is None:
        return Step(name, "Look at the draft and propose it", draft.computed_at, page, False)
    own = draft.proposed_by_id == user.pk
    what = f"Proposed by {draft.proposed_by}: another person approves it"
    return Step(name, what, draft.proposed_at, page, own)
