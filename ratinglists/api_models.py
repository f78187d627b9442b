"""Keys of the programs of federations, and what was answered to their reports."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Federation
from tournaments.models import Report, Tournament


class ApiKey(models.Model):
    """A key for a federation's own program. Only its hash is kept; whoever has it acts for ``user``."""

    name = models.CharField(max_length=100, help_text=_("Which program uses it, and where."))
    federation = models.ForeignKey(
        Federation,
        on_delete=models.PROTECT,
        help_text=_("Its tournaments are those that the key may report."),
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("acts for"),
        help_text=_("The program can do what this account may do at that moment, and no more."),
    )
    prefix = models.CharField(max_length=12, unique=True, help_text=_("How the key begins."))
    sha256 = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, help_text=_("To a quarter of an hour."))
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("API key")
        permissions = [("revoke_apikey", "Can revoke an API key")]
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="apikey_sha256"),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="apikey_expires_later"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
                name="apikey_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def holds(self) -> bool:
        """Can it be used now?"""
        return self.revoked_at is None and self.expires_at > timezone.now() and self.user.is_active


class ApiSubmission(models.Model):
    """A report sent with a key, and the answer: the same is given whenever it is sent again."""

    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="submissions")
    idempotency_key = models.CharField(max_length=200)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="+")
    request_sha256 = models.CharField(max_length=64, help_text=_("Of all that was sent."))
    report = models.ForeignKey(Report, null=True, on_delete=models.PROTECT, related_name="+")
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.TextField(blank=True, help_text=_("JSON as text: a database may reorder JSON."))
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name, verbose_name_plural = "report sent with a key", "reports sent with keys"
        constraints = [
            models.UniqueConstraint(fields=["key", "idempotency_key"], name="submission_once_a_key"),
            models.CheckConstraint(
                condition=Q(request_sha256__regex=r"^[0-9a-f]{64}$"), name="submission_sha256"
            ),
            models.CheckConstraint(condition=~Q(idempotency_key=""), name="submission_has_key"),
        ]

    def __str__(self) -> str:
        return f"{self.idempotency_key} ({self.key})"
