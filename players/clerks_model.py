"""Which federations a clerk works for, and the rights that go with roles."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Clerkship(models.Model):
    """An account works for a federation. Rows come and go by ``players.roles`` only."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="clerkships")
    federation = models.ForeignKey("players.Federation", models.PROTECT, related_name="clerkships")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "players"
        ordering = ["federation", "user"]
        verbose_name = _("clerkship")
        verbose_name_plural = _("clerkships")
        default_permissions = ("view",)
        permissions = [
            ("grant_role", "Can give roles that one holds oneself, and take roles"),
            ("all_federations", "Works for every federation"),
        ]
        constraints = [models.UniqueConstraint(fields=["user", "federation"], name="clerkship_once")]

    def __str__(self) -> str:
        return f"{self.user}, {self.federation_id}"
