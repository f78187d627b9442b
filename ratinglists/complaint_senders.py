"""Who sends complaints: how many he may have, and when the portal forgets him."""

from __future__ import annotations

import calendar
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from players import audit
from players.clients import network_of
from ratinglists.models import Complaint
from tournaments.transitions import NotAllowedNow

State = Complaint.State
#: cases of one sender that are open or of the last day: on one tournament, and on all
MOST_OF_A_SENDER, MOST_OF_A_SENDER_EVERYWHERE = 3, 10
#: the same of one address in the network, which a whole club may share
MOST_OF_A_CLIENT = 30
#: open cases on one tournament, whoever sent them
MOST_ON_A_TOURNAMENT = 100
#: senders that one sweep forgets
BATCH = 500


def mailbox(email: str) -> str:
    """The mailbox behind an e-mail address: without case, and without what stands behind a plus."""
    name, _, host = email.strip().casefold().rpartition("@")
    return f"{name.partition('+')[0] or name}@{host}" if host else ""


def client_of(request: HttpRequest) -> str:
    """A keyed hash of where a request comes from; empty if it cannot be told."""
    network = network_of(request)
    return network and salted_hmac("ratinglists.complaint.client", network, algorithm="sha256").hexdigest()


def not_again(own, tournament, player, subject: str, round: int | None) -> None:
    """Raises NotAllowedNow if one of the sender's own cases is this very one, and open."""
    found = own.filter(
        state=State.OPEN, tournament=tournament, player=player, subject=subject, round=round
    ).first()
    if found is not None:
        raise NotAllowedNow(f"You have complained about this already: complaint {found.pk} is open.")


def own_cases(email: str, user, client: str):
    """The cases of an account; of who is not signed in, those of his address (whatever of case and plus-tag
    he writes in it) that came from his network: with anybody's address anybody could ask whether that one
    has complained."""
    own = {"user": user} if user is not None else {"mailbox": mailbox(email), "client": client}
    return Complaint.objects.filter(**own)


def within_bounds(own, tournament, client: str) -> None:
    """Raises NotAllowedNow if the sender has too many cases, or his address in the network, or everybody."""
    lately = Q(state=State.OPEN) | Q(opened_at__gt=timezone.now() - timedelta(days=1))
    mine = own.filter(lately)
    if (
        mine.filter(tournament=tournament).count() >= MOST_OF_A_SENDER
        or mine.count() >= MOST_OF_A_SENDER_EVERYWHERE
    ):
        raise NotAllowedNow(
            f"You have {MOST_OF_A_SENDER} cases on this tournament, or {MOST_OF_A_SENDER_EVERYWHERE} on all, "
            "that are open or of today: wait for their answers, or withdraw one and write again tomorrow."
        )
    if client and Complaint.objects.filter(lately, client=client).count() >= MOST_OF_A_CLIENT:
        raise NotAllowedNow(
            f"{MOST_OF_A_CLIENT} cases that are open or of today came from your network: wait for their "
            "answers, or write to the federation."
        )
    if Complaint.objects.filter(tournament=tournament, state=State.OPEN).count() >= MOST_ON_A_TOURNAMENT:
        raise NotAllowedNow(
            f"{MOST_ON_A_TOURNAMENT} complaints about this tournament wait already: write to the federation."
        )


# --- forgetting ------------------------------------------------------------------------------------------


def months_ago(now: datetime, months: int) -> datetime:
    month = now.year * 12 + now.month - 1 - months
    year, month = divmod(month, 12)
    day = min(now.day, calendar.monthrange(year, month + 1)[1])
    return datetime.combine(date(year, month + 1, day), time(0), now.tzinfo)


@transaction.atomic
def forget(now: datetime | None = None) -> int:
    """Blank name, address, account and network of who sent a case that was closed
    ``PORTAL_COMPLAINT_MONTHS`` ago (a withdrawn one: opened then); the case itself stays. Returns how many.
    """
    before = months_ago(now or timezone.now(), settings.PORTAL_COMPLAINT_MONTHS)
    closed = Q(answered_at__lt=before) | Q(state=State.WITHDRAWN, opened_at__lt=before)
    known = ~Q(name="", email="", mailbox="", client="", user=None)
    cases = Complaint.objects.exclude(state=State.OPEN).filter(closed & known)
    keys = list(cases.order_by("pk").values_list("pk", flat=True)[:BATCH])
    if keys:
        Complaint.objects.filter(pk__in=keys).update(name="", email="", mailbox="", client="", user=None)
        audit.record("complaint.forgotten", None, None, f"The senders of {len(keys)} cases", cases=keys)
    return len(keys)
