"""Persons who ask to be hidden or erased, and what staff decided."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class PrivacyRequest(models.Model):
    """A wish, a player's own or one that staff noted for him, with the decision on it.

    ``kept`` is what a hiding has put aside, by record, so that it can be undone; an erasure empties it.
    """

    class Wish(models.TextChoices):
        HIDE = "hide", "hide the name"
        REVEAL = "reveal", "show the name again"
        ERASE = "erase", "erase the person"

    class State(models.TextChoices):
        OPEN = "open", "waits for a decision"
        DONE = "done", "done"
        REFUSED = "refused", "refused"

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="privacy_requests")
    wish = models.CharField(max_length=6, choices=Wish)
    text = models.TextField(max_length=2000, blank=True)
    name = models.CharField(max_length=120, blank=True, help_text="Of who asks; not shown to the public.")
    email = models.EmailField(blank=True, help_text="For the answer; not shown to the public.")
    mailbox = models.CharField(max_length=254, blank=True, help_text="Of the address, for limits.")
    client = models.CharField(max_length=64, blank=True, help_text="Keyed hash of the sender's network.")
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    reason = models.TextField(blank=True, help_text="Why it was decided so; for staff.")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    kept = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["-asked_at", "-id"]
        verbose_name = "request for privacy"
        verbose_name_plural = "requests for privacy"
        permissions = [("decide_privacy", "Can hide and erase players")]
        indexes = [
            models.Index(fields=["mailbox"]),
            models.Index(fields=["client"]),
            models.Index(fields=["-decided_at"]),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(wish__in=["hide", "reveal", "erase"]), name="privacy_wish"),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True, decided_by__isnull=True)
                | (
                    Q(state__in=["done", "refused"], decided_at__isnull=False, decided_by__isnull=False)
                    & ~Q(reason="")
                ),
                name="privacy_decided_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"Request {self.pk}: {self.get_wish_display()}, record {self.player_id}"


class ErasedNumber(models.Model):
    """A number of an erased player as a keyed hash: a list that is imported does not bring him back."""

    digest = models.CharField(max_length=64, primary_key=True, help_text="HMAC of issuer and number.")

    class Meta:
        verbose_name = "number of an erased player"
        verbose_name_plural = "numbers of erased players"

    def __str__(self) -> str:
        return self.digest[:12]
