"""A share of a large period's events, rated by one worker."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.ledger import Work
from ratinglists.models import Job


class Share(Work):
    """Every so-manieth event of a period, in their order: a piece of work of its own in the ledger."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="shares")
    number = models.PositiveSmallIntegerField(help_text=_("From 0."))
    of = models.PositiveSmallIntegerField()
    result_sha256 = models.CharField(max_length=64, blank=True, help_text=_("Of the sums in the archive."))

    class Meta:
        ordering = ["job", "number"]
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="share_once_a_job"),
            models.CheckConstraint(condition=Q(number__lt=F("of")), name="share_number_below_of"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="share_state"
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | ~Q(result_sha256=""), name="share_done_with_result"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job}, share {self.number + 1} of {self.of}"
