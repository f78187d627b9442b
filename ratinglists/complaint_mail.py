"""Mail to who complained: that his case is open, and that it is answered. What he wrote is not repeated,
since anybody can give anybody's address."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from players.sending import Sending
from ratinglists.models import Complaint
from tournaments.models import ReportNotice

#: more mails that a case is open do not go to an address within a day
MOST_A_DAY = 10
_SENDING = Sending(
    state="mail", attempts="mail_attempts", tried="mail_at", same="state", nobody=ReportNotice.Mail.NONE
)


def ring_after_commit() -> None:
    """Have the workers send what this transaction writes; a lost bell is made good by the schedule."""
    from ratinglists.tasks import send_complaints

    transaction.on_commit(lambda: send_complaints.delay(), robust=True)


def send_waiting(limit: int = 200) -> int:
    """Send what waits; returns how many mails went out. A withdrawn case gets none."""
    cases = Complaint.objects.exclude(state=Complaint.State.WITHDRAWN)
    return _SENDING.send(cases.select_related("tournament"), _mail, limit)


def _has_many(case: Complaint) -> bool:
    before = Complaint.objects.filter(
        mailbox=case.mailbox, pk__lt=case.pk, opened_at__gt=case.opened_at - timedelta(days=1)
    )
    return before.count() >= MOST_A_DAY


def _mail(case: Complaint) -> bool:
    if not settings.PORTAL_MAIL or not case.email or (case.is_open and _has_many(case)):
        return False
    page = reverse("complaint-case", args=[case.token])
    where = settings.PORTAL_ORIGIN + page if settings.PORTAL_ORIGIN else f"on the portal, {page}"
    name = " ".join(case.tournament.name.split())
    if case.is_open:
        subject = f"Complaint {case.pk} about {name} is open"
        text = (
            f"A complaint about {name} ({case.tournament.start}) was opened with this address. Its page,\n"
            f"where the answer will stand: {where}\n\n"
            "Keep the address of the page to yourself. If the complaint is not yours, withdraw it there.\n"
        )
    else:
        subject = f"Complaint {case.pk} about {name}: {case.get_state_display()}"
        text = f"Your complaint about {name} ({case.tournament.start}) is answered.\n\nThe answer: {where}\n"
    EmailMessage(subject, text, to=[case.email]).send()
    return True
