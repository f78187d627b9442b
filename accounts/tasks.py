"""What the workers are told to do."""

from __future__ import annotations

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import invitations, mails, slowdown


@shared_task(name="accounts.send_mails")
def send_mails() -> None:
    mails.send_waiting()


@shared_task(name="accounts.prune")
def prune() -> None:
    """Forget what is over: failures, mail that went out, invitations, sessions."""
    from allauth.usersessions.models import UserSession

    slowdown.prune()
    mails.prune()
    invitations.prune()
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
