"""What an account has asked the federation for: its complaints, and the requests about its own record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from players.models import Player, PrivacyRequest
from ratinglists.models import Complaint

MOST = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with its state in words; ``page`` is empty where there is none."""

    what: str
    state: str
    since: datetime
    page: str = ""


def of_user(user) -> list[Asked]:
    """The newest first. Of a request about one's own record stands what is wished and what became of it,
    and neither who sent it nor his words: a parent may have."""
    cases = Complaint.objects.filter(user=user.pk).select_related("tournament").order_by("-pk")[:MOST]
    found = [
        Asked(
            str(case),
            case.get_state_display(),
            case.opened_at,
            reverse("complaint-case", args=[case.token]),
        )
        for case in cases
    ]
    records = Player.objects.filter(user=user.pk).values("pk")
    wishes = PrivacyRequest.objects.filter(player__in=records)[:MOST]
    found += [Asked(str(each), each.get_state_display(), each.asked_at) for each in wishes]
    return sorted(found, key=lambda each: each.since, reverse=True)
