"""The rows of the audit log (``players.audit``)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

#: acts whose traces public pages may show: all but signing in and what else an account does to itself
SHOWN = ~Q(act__startswith="account.")


class AuditEntry(models.Model):
    """An act that matters. Triggers let an entry be added and sealed once, and nothing else."""

    at = models.DateTimeField(default=timezone.now)
    act = models.CharField(max_length=60)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    actor_name = models.CharField(max_length=150, blank=True, help_text=_("Empty: the portal itself."))
    subject = models.CharField(max_length=100, blank=True, help_text=_("Kind and key of what was acted on."))
    text = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    number = models.PositiveBigIntegerField(null=True, unique=True, help_text=_("Its place in the chain."))
    sha256 = models.CharField(max_length=64, blank=True, help_text=_("Of the entry and the hash before it."))

    class Meta:
        ordering = ["-id"]
        verbose_name, verbose_name_plural = "audit entry", "audit log"
        indexes = [
            models.Index(fields=["subject"]),
            models.Index(fields=["act"]),
            models.Index(fields=["id"], condition=SHOWN, name="audit_shown"),
            models.Index(fields=["number"], condition=SHOWN, name="audit_shown_sealed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(number__isnull=True, sha256="")
                | Q(number__isnull=False, sha256__regex=r"^[0-9a-f]{64}$"),
                name="audit_sealed_whole",
            ),
            models.CheckConstraint(condition=~Q(act=""), name="audit_has_act"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.act}"


class AuditHead(models.Model):
    """The end of the chain: one row, which a sealer locks. It only ever goes forward."""

    ONLY = 1

    number = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="audit_one_head")]

    def __str__(self) -> str:
        return f"{self.number} {self.sha256[:12]}"
