"""The model of the notice that a player's account gets when a report names him."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class ReportNotice(models.Model):
    """A report names a player who has an account: what he was told, and whether it was read.

    One row for a player in a tournament. A later report that says the same of him changes nothing;
    one that says something else makes the notice unread again, and mails again.
    """

    class Mail(models.TextChoices):
        WAITING = "waiting", "to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        NONE = "none", "no address"
        FAILED = "failed", "given up"

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="notices")
    player = models.ForeignKey("players.Player", models.CASCADE, related_name="notices")
    report = models.ForeignKey("tournaments.Report", models.CASCADE, related_name="+")
    digest = models.CharField(
        max_length=64, blank=True, help_text=_("Of his games in the report; empty when it names him no more.")
    )
    told_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    mail = models.CharField("e-mail", max_length=7, choices=Mail, default=Mail.WAITING)
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mail_at = models.DateTimeField(null=True, blank=True, help_text=_("Of the last attempt."))

    class Meta:
        app_label = "tournaments"
        ordering = ["-told_at", "-id"]
        indexes = [models.Index(fields=["mail", "mail_at"])]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="notice_once"),
            models.CheckConstraint(
                condition=Q(mail__in=["waiting", "sending", "sent", "none", "failed"]), name="notice_mail"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.tournament}"
