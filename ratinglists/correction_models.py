"""Corrections of published lists, and the complaints that may lead to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models import RatingSystem, Report, ReportNotice, Tournament


class Correction(models.Model):
    """A set of changes to what published lists counted, published as new revisions of them."""

    class State(models.TextChoices):
        OPEN = "open", "being prepared"
        PUBLISHED = "published", "published"
        DROPPED = "dropped", "dropped"

    system = models.ForeignKey(RatingSystem, on_delete=models.PROTECT, related_name="corrections")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    reason = models.TextField(help_text=_("Stands on the corrected lists, for everybody to read."))
    remark = models.TextField(blank=True, help_text=_("For staff."))
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-opened_at", "-id"]
        permissions = [("correct_list", "Can prepare corrections of published lists")]
        constraints = [
            models.UniqueConstraint(
                fields=["system"], condition=Q(state="open"), name="correction_one_open_a_system"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "published", "dropped"]), name="correction_state"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_has_reason"),
        ]

    def __str__(self) -> str:
        return f"Correction {self.pk} of {self.system}"


class CorrectionItem(models.Model):
    """One change: of a tournament in the list of a date, or of who is who from a list on."""

    class Kind(models.TextChoices):
        REPORT = "report", "counts by a corrected report"
        INCLUDE = "include", "counts although it came late"
        EXCLUDE = "exclude", "does not count any more"
        PERSONS = "persons", "counts for the persons as the register knows them now"

    correction = models.ForeignKey(Correction, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=8, choices=Kind)
    list_date = models.DateField(help_text=_("Of the list that it changes first."))
    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.PROTECT, related_name="correction_items"
    )
    report = models.ForeignKey(
        Report, null=True, blank=True, on_delete=models.PROTECT, related_name="correction_items"
    )
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["list_date", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["correction", "tournament"], name="correction_item_once_a_tournament"
            ),
            models.CheckConstraint(
                condition=Q(kind="persons", tournament__isnull=True)
                | Q(kind__in=["include", "exclude"], tournament__isnull=False, report__isnull=True)
                | Q(kind="report", tournament__isnull=False, report__isnull=False),
                name="correction_item_names_what",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament or 'Persons'}: {self.get_kind_display()}"


class Complaint(models.Model):
    """A case that a player or arbiter opened on a game, an identity or a calculation."""

    class Subject(models.TextChoices):
        GAME = "game", "a game or its result"
        IDENTITY = "identity", "who somebody is"
        CALCULATION = "calculation", "how a change was computed"

    class State(models.TextChoices):
        OPEN = "open", "waits for an answer"
        UPHELD = "upheld", "upheld"
        REJECTED = "rejected", "rejected"
        WITHDRAWN = "withdrawn", "withdrawn"

    subject = models.CharField(max_length=11, choices=Subject)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="complaints")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="complaints")
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField(max_length=4000)
    name = models.CharField(max_length=120, help_text=_("Of who complains; not shown to the public."))
    email = models.EmailField(blank=True, help_text=_("For the answer; not shown to the public."))
    mailbox = models.CharField(
        max_length=254, blank=True, help_text=_("Of the address: who sent it, for limits.")
    )
    client = models.CharField(max_length=64, blank=True, help_text=_("Keyed hash of the sender's network."))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    token = models.CharField(
        max_length=43, unique=True, help_text=_("In the address of the sender's own page.")
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    until = models.DateField(null=True, blank=True, help_text=_("The last day for complaints on this list."))
    late = models.BooleanField(default=False)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    correction = models.ForeignKey(
        Correction, null=True, blank=True, on_delete=models.SET_NULL, related_name="complaints"
    )
    mail = models.CharField("e-mail sent", max_length=7, choices=ReportNotice.Mail, default="waiting")
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mail_at = models.DateTimeField(null=True, blank=True, help_text=_("Of the last attempt."))

    class Meta:
        ordering = ["-opened_at", "-id"]
        permissions = [("answer_complaint", "Can answer complaints")]
        indexes = [models.Index(fields=["mailbox"]), models.Index(fields=["client"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["open", "upheld", "rejected", "withdrawn"]), name="complaint_state"
            ),
            models.CheckConstraint(
                condition=Q(subject__in=["game", "identity", "calculation"]), name="complaint_subject"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "withdrawn"]) | ~Q(answer=""), name="complaint_answered"
            ),
            models.CheckConstraint(
                condition=Q(mail__in=["waiting", "sending", "sent", "none", "failed"]), name="complaint_mail"
            ),
        ]

    def __str__(self) -> str:
        return f"Complaint {self.pk}: {self.tournament}"

    @property
    def is_open(self) -> bool:
        """Does it wait for an answer?"""
        return self.state == self.State.OPEN
