"""Every check of a registration, kept: what changed a tournament's prospects, when, and by whom."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class RegistrationCheck(models.Model):
    """What the regulation said of a registration after a change. Rows are added, never changed."""

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="checks")
    checked_at = models.DateTimeField(default=timezone.now)
    why = models.TextField(help_text=_("What had changed, such as “entry added: Alder, Tom”."))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    ratable = models.BooleanField()
    findings = models.JSONField(default=list)

    class Meta:
        ordering = ["-pk"]
        default_permissions = ("view",)
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="check_has_reason")]

    def __str__(self) -> str:
        return f"{'ratable' if self.ratable else 'not ratable'}: {self.why}"
