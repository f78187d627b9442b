"""Requests to be hidden or erased, as the public page takes them: their limits, and forgetting senders."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from players.hiding import RIGHT, State
from players.models import Player, PrivacyRequest
from players.outbox import tell_staff
from ratinglists.complaint_senders import mailbox, months_ago
from tournaments.transitions import NotAllowedNow

#: requests that are open or of the last day: of one mailbox, of one network, about one player
MOST_OF_A_MAILBOX, MOST_OF_A_CLIENT, MOST_ABOUT_A_PLAYER = 3, 10, 5


@transaction.atomic
def ask(
    player: Player, wish: str, *, name: str, email: str, text: str = "", client: str = ""
) -> PrivacyRequest:
    """Note a wish of who says that he is the player; staff find out and decide. Raises NotAllowedNow."""
    person = Player.objects.select_for_update(no_key=True).get(pk=player.standing.pk)
    if person.privacy == Player.Privacy.ERASED:
        raise NotAllowedNow("The player is erased already.")
    lately = Q(state=State.OPEN) | Q(asked_at__gt=timezone.now() - timedelta(days=1))
    recent = PrivacyRequest.objects.filter(lately)
    for found, most in (
        # From elsewhere too, and anybody could ask with another's address whether that one has asked.
        (recent.filter(mailbox=mailbox(email), client=client), MOST_OF_A_MAILBOX),
        (recent.filter(client=client) if client else recent.none(), MOST_OF_A_CLIENT),
        (recent.filter(player=person), MOST_ABOUT_A_PLAYER),
    ):
        if found.count() >= most:
            raise NotAllowedNow(
                f"{most} requests from your address, from your network or about this player are open or of "
                "today: wait for their answers, or write to the federation."
            )
    request = PrivacyRequest.objects.create(
        player=person,
        wish=wish,
        text=text,
        name=name[:120],
        email=email,
        mailbox=mailbox(email),
        client=client,
    )
    tell_staff(
        f"privacy:{request.pk}",
        RIGHT,
        str(request),
        "Find out whether the player asks himself, then decide.",
        reverse("admin:players_privacyrequest_change", args=[request.pk]),
    )
    return request


@transaction.atomic
def forget(now: datetime | None = None) -> int:
    """Blank who sent a request that was decided ``PORTAL_COMPLAINT_MONTHS`` ago; returns how many."""
    before = months_ago(now or timezone.now(), settings.PORTAL_COMPLAINT_MONTHS)
    known = ~Q(name="", email="", mailbox="", client="")
    stale = PrivacyRequest.objects.filter(known, decided_at__lt=before)
    return stale.update(text="", name="", email="", mailbox="", client="")
