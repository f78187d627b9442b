"""A crosstable that an arbiter is still typing."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class ReportDraft(models.Model):
    """What one user has typed of one tournament's crosstable, right or wrong, until it is sent.

    ``players`` holds rows of start number, player number and name, ``games`` by round the rows of
    White's start number, result and Black's start number: all texts as typed. ``version`` counts the
    saves; ``changed`` tells at which version each part ("players" or a round) changed last.
    """

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    version = models.PositiveIntegerField(default=0)
    players = models.JSONField(default=list)
    games = models.JSONField(default=dict)
    changed = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "tournaments"
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="report_draft_once")]

    def __str__(self) -> str:
        return f"{self.tournament}, being typed by {self.user}"

    @property
    def token(self) -> str:
        """What a page gives back with its changes, to tell which state of the draft they were made on."""
        return f"{self.pk}-{self.version}" if self.pk else ""
