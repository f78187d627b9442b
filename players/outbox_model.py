"""The rows of the outbox (``players.outbox``)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class OutboxMessage(models.Model):
    """A message to all who have a right; its key makes it happen once."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        NOBODY = "nobody", "nobody to send it to"
        FAILED = "failed", "not sent"

    key = models.CharField(max_length=120, unique=True)
    right = models.CharField(max_length=100)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    link = models.CharField(max_length=200, blank=True)
    written_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-written_at", "-id"]
        verbose_name, verbose_name_plural = "message to staff", "messages to staff"
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sending", "sent", "nobody", "failed"]), name="outbox_state"
            ),
        ]

    def __str__(self) -> str:
        return self.subject
