"""Messages to staff: written in the transaction that causes them, sent afterwards, each once.

The row is the truth: a commit rings the workers, the sweep sends what was left. Staff also find them on
their pages, sent or not, since mail may be off.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from players.models import OutboxMessage
from players.sending import Sending

_SENDING = Sending(nobody=OutboxMessage.State.NOBODY)
#: how long a message stays on the page of those whom it concerns
SHOWN_FOR = timedelta(days=14)


def tell_staff(key: str, right: str, subject: str, text: str, link: str = "") -> OutboxMessage:
    """Have everybody with a right told once, however often this is called with the same key.

    Call it inside the causing transaction. ``right`` is a permission such as
    ``ratinglists.publish_list``; ``link`` a path on the portal.
    """
    message, new = OutboxMessage.objects.get_or_create(
        key=key, defaults={"right": right, "subject": subject[:200], "text": text, "link": link}
    )
    if new:
        transaction.on_commit(ring, robust=True)
    return message


def ring() -> None:
    """Tell the workers that something waits. Failure is no harm: the sweep rings again."""
    from players.tasks import send_messages

    send_messages.delay()


def sweep() -> bool:
    """Ring if a message waits or was left by a worker that died; returns whether."""
    waits = _SENDING.due(OutboxMessage.objects.all()).exists()
    if waits:
        ring()
    return waits


def send_waiting(limit: int = 200) -> int:
    """Send what waits; returns how many mails went out."""
    return _SENDING.send(OutboxMessage.objects.all(), _mail, limit)


def recipients(right: str) -> list[str]:
    """The addresses of the active accounts with a right."""
    people = get_user_model().objects.with_perm(right, backend="django.contrib.auth.backends.ModelBackend")
    return sorted(set(people.filter(is_active=True).exclude(email="").values_list("email", flat=True)))


def _mail(message: OutboxMessage) -> bool:
    to = recipients(message.right) if settings.PORTAL_MAIL else []
    if not to:
        return False
    where = f"\n\n{settings.PORTAL_ORIGIN}{message.link}" if message.link else ""
    # One mail for all: either everybody is told by this attempt or nobody.
    EmailMessage(message.subject, f"{message.text}{where}\n", bcc=to).send()
    return True


def for_user(user) -> list[OutboxMessage]:
    """The messages of the last days that concern an account by its rights, newest first."""
    recent = OutboxMessage.objects.filter(written_at__gte=timezone.now() - SHOWN_FOR)
    if not user.is_superuser:
        recent = recent.filter(right__in=user.get_all_permissions())
    return list(recent)
