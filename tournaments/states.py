"""The states of a tournament, and the rows that tell how it came through them."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class State(models.TextChoices):
    """Where a tournament stands. Under way is told from the dates, see ``standing``."""

    DRAFT = "draft", "draft"
    REGISTERED = "registered", "registered"
    REFUSED = "refused", "refused"
    APPEALED = "appealed", "refused, under appeal"
    REPORTED = "reported", "report submitted"
    RETURNED = "returned", "returned for correction"
    ACCEPTED = "accepted", "report accepted"
    COUNTED = "counted", "counted in a list"
    CANCELLED = "cancelled", "cancelled: not played"


def standing(state: str, start: date, end: date, on: date) -> tuple[str, str]:
    """A code and a label for what a tournament is on this day; registered ones go by their dates."""
    if state != State.REGISTERED or on < start:
        return state, State(state).label
    if on <= end:
        return "under-way", "under way"
    return "report-due", "report due"


class StateChange(models.Model):
    """A step of a tournament's way, by whom and why. Rows are added, never changed."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="changes")
    state = models.CharField(max_length=10, choices=State)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.TextField(blank=True)
    due_on = models.DateField(null=True)

    class Meta:
        app_label = "tournaments"
        ordering = ["at", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="change_state"),
            models.CheckConstraint(
                condition=~Q(state=State.CANCELLED) | ~Q(reason=""), name="change_cancelled_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.reason}".rstrip(": ")


class DistinctEvents(models.Model):
    """A ruling of staff: two events with the same games are two events all the same."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="rulings")
    other = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="+")
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "tournaments"
        verbose_name_plural = _("distinct events")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "other"], name="distinct_events_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="distinct_events_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} is not {self.other}"
