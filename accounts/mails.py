"""Mail to accounts, written as rows and sent by a worker: no page waits for a mail server, and asking for a
new password takes the same time whether there is such an account or not."""

from __future__ import annotations

from datetime import timedelta

from allauth.account.app_settings import PASSWORD_RESET_TOKEN_GENERATOR
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Mail
from accounts.people import at_address
from players.sending import Sending

_SENDING = Sending(nobody=Mail.State.NOBODY)
#: more mails with a link for a new password do not go to an address within an hour
RESETS_AN_HOUR = 3
#: how long addresses are kept of mail that went out, and of mail that did not
KEPT, KEPT_FAILED = timedelta(days=1), timedelta(days=30)
_DONE = (Mail.State.SENT, Mail.State.NOBODY)


@transaction.atomic
def write(to: str, subject: str = "", text: str = "", **fields) -> Mail:
    """Have a mail sent once the transaction commits."""
    mail = Mail.objects.create(to=to, subject=subject[:200], text=text, **fields)
    transaction.on_commit(ring, robust=True)
    return mail


def ask_reset(email: str, origin: str) -> None:
    """Somebody asks for a new password for whatever account has this address."""
    write(email, kind=Mail.Kind.RESET, origin=origin)


def ring() -> None:
    """Tell the workers that something waits. Failure is no harm: the sweep rings again."""
    from accounts.tasks import send_mails

    send_mails.delay()


def sweep() -> None:
    """Ring if a mail waits or was left by a worker that died."""
    if _SENDING.due(Mail.objects.all()).exists():
        ring()


def send_waiting(limit: int = 200) -> int:
    """Send what waits; returns how many mails went out."""
    sent = _SENDING.send(Mail.objects.select_related("invitation"), _mail, limit)
    Mail.objects.filter(state__in=_DONE).exclude(text="").update(text="")
    return sent


def prune() -> int:
    """Forget to whom mail went; returns how many rows."""
    now = timezone.now()
    gone, _ = Mail.objects.filter(state__in=_DONE, written_at__lt=now - KEPT).delete()
    failed, _ = Mail.objects.filter(state=Mail.State.FAILED, written_at__lt=now - KEPT_FAILED).delete()
    return gone + failed


def _mail(row: Mail) -> bool:
    if not settings.PORTAL_MAIL:
        return False
    if row.kind == Mail.Kind.RESET:
        return _reset(row)
    if row.kind == Mail.Kind.INVITATION:
        return _invite(row)
    EmailMessage(row.subject, f"{row.text}\n", to=[row.to]).send()
    return True


def _origin(row: Mail) -> str:
    return settings.PORTAL_ORIGIN or row.origin


def _reset(row: Mail) -> bool:
    hour = Mail.objects.filter(kind=row.kind, to=row.to, written_at__gt=row.written_at - timedelta(hours=1))
    if hour.filter(state=Mail.State.SENT).count() >= RESETS_AN_HOUR:
        return False
    users = [user for user in at_address(row.to) if user.is_active]
    for user in users:
        key = {"uidb36": user_pk_to_url_str(user), "key": PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)}
        link = _origin(row) + reverse("account_reset_password_from_key", kwargs=key)
        text = (
            f"A new password was asked for, for the account {user.get_username()}. Set it here within "
            f"{settings.PASSWORD_RESET_TIMEOUT // 60} minutes:\n\n{link}\n\n"
            "If it was not you who asked, there is nothing to do: the password stays as it is.\n"
        )
        EmailMessage("A new password for the rating portal", text, to=[user.email or row.to]).send()
    return bool(users)


def _invite(row: Mail) -> bool:
    from accounts import invitations

    invitation = row.invitation
    if invitation is None or not invitations.is_open(invitation):
        return False
    link = _origin(row) + reverse("invitation", args=[invitations.token_of(invitation)])
    text = (
        f"{invitation.by.get_full_name() or invitation.by.get_username()} invites you to the rating portal "
        f"as {invitations.described(invitation)}. Make your account here until "
        f"{timezone.localtime(invitation.expires_at):%Y-%m-%d %H:%M}:\n\n{link}\n\n"
        "The link works once. If you expect no invitation, there is nothing to do.\n"
    )
    EmailMessage("Invitation to the rating portal", text, to=[row.to]).send()
    return True
