"""What the portal keeps of sign-ins that failed, of mail to accounts, and of invitations."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from players.models import Federation, Player
from tournaments.models import Arbiter


class Failures(models.Model):
    """How often something failed and when last (``accounts.slowdown``). Keys are keyed hashes: neither names
    nor addresses stand here."""

    key = models.CharField(max_length=64, unique=True)
    account = models.CharField(max_length=64, blank=True, db_index=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name, verbose_name_plural = "failed attempts", "failed attempts"

    def __str__(self) -> str:
        return f"{self.failures} failures"


class Invitation(models.Model):
    """Somebody is asked by mail to make an account, which then gets a role. Of the token in the mail only
    its hash is kept."""

    email = models.EmailField()
    role = models.CharField(max_length=20)
    federation = models.ForeignKey(Federation, null=True, blank=True, on_delete=models.CASCADE)
    arbiter = models.ForeignKey(Arbiter, null=True, blank=True, on_delete=models.CASCADE)
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    salt = models.CharField(max_length=32)
    token_sha256 = models.CharField(max_length=64, unique=True)
    sent_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-sent_at", "-id"]
        verbose_name, verbose_name_plural = "invitation", "invitations"
        constraints = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(revoked_at__isnull=True),
                name="invitation_used_or_revoked",
            )
        ]

    def __str__(self) -> str:
        return f"{self.role}, {self.sent_at:%Y-%m-%d}"

    @property
    def mail_state(self) -> str:
        """How its newest mail fared, in words."""
        mail = self.mails.order_by("-pk").first()
        return mail.get_state_display() if mail else Mail.State.SENT.label


class Mail(models.Model):
    """A mail to one address, sent by a worker. Links with tokens are made when it is sent."""

    class Kind(models.TextChoices):
        TEXT = "text", "text"
        RESET = "reset", "new password"
        INVITATION = "invitation", "invitation"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        NOBODY = "nobody", "nobody to send it to"
        FAILED = "failed", "not sent"

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TEXT)
    to = models.EmailField()
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)
    origin = models.CharField(max_length=200, blank=True)
    invitation = models.ForeignKey(
        Invitation, null=True, blank=True, on_delete=models.CASCADE, related_name="mails"
    )
    written_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = "mail to an account", "mails to accounts"
        indexes = [models.Index(fields=["kind", "to", "written_at"], name="mail_by_address")]

    def __str__(self) -> str:
        return self.get_kind_display()
