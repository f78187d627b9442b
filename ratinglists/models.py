"""Periods, the lists computed for them, and the jobs that do the computing.

A list's rows, events, results and samples can be written while it is a draft. Once it is
published, database triggers (``ratinglists.triggers``) refuse every change, whoever asks.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.ledger import Work
from players.models import Player
from tournaments.models import RatingSystem, Tournament


class Period(models.Model):
    """The time for which a system collects events, up to the list that counts them."""

    system = models.ForeignKey(RatingSystem, on_delete=models.PROTECT, related_name="periods")
    list_date = models.DateField(help_text=_("The day from which the list is in force."))
    closes_on = models.DateField(help_text=_("The last day on which an event may end or its report arrive."))

    class Meta:
        ordering = ["-list_date", "system"]
        permissions = [
            ("compute_period", "Can have a period computed"),
            ("propose_list", "Can propose a computed list for publication"),
            ("publish_list", "Can publish a list"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["system", "list_date"], name="period_once"),
            models.CheckConstraint(
                condition=Q(closes_on__lte=F("list_date")),
                name="period_closes_before_list",
                violation_error_message="A period closes on or before its list date.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.list_date}"


class RatingList(models.Model):
    """The list of a period. A draft can be computed again; a published one never changes."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        PUBLISHED = "published", "published"

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="lists")
    revision = models.PositiveSmallIntegerField(default=1)
    regulation = models.CharField(max_length=60, help_text=_("The regulation of the list date."))
    previous = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="next_lists"
    )
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    is_opening = models.BooleanField(
        default=False, help_text=_("Brought in from elsewhere, not computed here.")
    )
    input_sha256 = models.CharField(
        max_length=64,
        help_text=_("Of everything that the computation read; empty until a large draft is proven."),
    )
    sha256 = models.CharField(max_length=64, help_text=_("Of the canonical list, as in the calculator."))
    report = models.JSONField(
        default=dict, help_text=_("Events counted, deferred and refused, with reasons.")
    )
    computed_at = models.DateTimeField()
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    one_person = models.BooleanField(
        default=False, help_text=_("Published while the federation did without the two-person rule.")
    )
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Empty: the portal, on the day of the list."),
    )
    correction = models.ForeignKey(
        "Correction", null=True, blank=True, on_delete=models.PROTECT, related_name="lists"
    )
    publication = models.ForeignKey(
        "Publication", null=True, blank=True, on_delete=models.PROTECT, related_name="lists"
    )

    class Meta:
        ordering = ["-period__list_date", "-revision"]
        constraints = [
            models.UniqueConstraint(fields=["period", "revision"], name="list_revision_once"),
            models.UniqueConstraint(fields=["period"], condition=Q(state="draft"), name="list_one_draft"),
            models.CheckConstraint(condition=Q(state__in=["draft", "published"]), name="list_state"),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True)
                | Q(state="published", published_at__isnull=False),
                name="list_published_with_time",
            ),
            models.CheckConstraint(
                condition=Q(state="draft")
                | Q(one_person=True)
                | (
                    Q(proposed_by__isnull=False, approved_by__isnull=False) & ~Q(proposed_by=F("approved_by"))
                ),
                name="list_two_persons",
                violation_error_message="One person proposes a list, another approves it.",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True)
                | Q(proposed_by__isnull=False, approved_at__isnull=False),
                name="list_approved_after_proposed",
            ),
            models.CheckConstraint(
                condition=Q(revision=1) | Q(correction__isnull=False), name="list_revision_has_correction"
            ),
            models.CheckConstraint(
                condition=Q(state="draft") | Q(publication__isnull=False),
                name="list_published_in_publication",
            ),
            models.CheckConstraint(
                condition=Q(state="draft") | ~Q(input_sha256=""), name="list_published_with_input"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period} (revision {self.revision})" if self.revision > 1 else str(self.period)

    @property
    def has_two_persons(self) -> bool:
        """Did one person propose it and another approve it?"""
        return bool(
            self.proposed_by_id and self.approved_by_id and self.proposed_by_id != self.approved_by_id
        )

    @property
    def awaits_proof(self) -> bool:
        """Was it computed by columns, and not from its reports once more yet (``proving``)?"""
        return not self.input_sha256

    @property
    def system(self) -> RatingSystem:
        return self.period.system

    @property
    def list_date(self):
        return self.period.list_date


class ListRow(models.Model):
    """A player on a list, as he was printed, and what the next list needs to know of him."""

    class Status(models.TextChoices):
        ACTIVE = "active", "active"
        INACTIVE = "inactive", "inactive"
        DELISTED = "delisted", "delisted"
        UNRATED = "unrated", "unrated"
        TITLED_UNRATED = "titled-unrated", "titled, unrated"
        PROVISIONAL = "provisional", "provisional"

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="rows")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="list_rows")
    status = models.CharField(max_length=15, choices=Status)
    rating = models.PositiveSmallIntegerField(null=True)
    change = models.DecimalField(max_digits=10, decimal_places=4, null=True, help_text=_("Before rounding."))
    games = models.PositiveSmallIntegerField(default=0, help_text=_("Counted in the period."))
    k = models.PositiveSmallIntegerField(null=True, help_text=_("With which the change was computed."))
    k_next = models.PositiveSmallIntegerField(
        null=True, help_text=_("For events that start under this list.")
    )
    name = models.CharField(max_length=120)
    federation = models.CharField(max_length=3)
    title = models.CharField(max_length=3, blank=True)
    women_title = models.CharField(max_length=3, blank=True)
    sex = models.CharField(max_length=1, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True)
    birth_date = models.DateField(null=True, help_text=_("Kept only where the system prints full dates."))
    withheld = models.CharField(
        max_length=6, blank=True, help_text=_("What its files do not print: the year of birth, or who he is.")
    )
    fide_id = models.CharField(max_length=20, blank=True)
    national_id = models.CharField(
        max_length=20, blank=True, help_text=_("Given by the federation whose list it is.")
    )
    flags = models.JSONField(default=list)
    steps = models.JSONField(default=list)
    career_games = models.PositiveIntegerField(default=0)
    reached_k10 = models.BooleanField(default=False)
    highest_rating = models.PositiveSmallIntegerField(
        null=True, help_text=_("Ever printed by this system, this list included.")
    )
    games_by_period = models.JSONField(default=list)
    inactive_lists = models.PositiveSmallIntegerField(default=0)
    totals = models.JSONField(
        null=True, help_text=_("Postal chess: all games of a provisional player so far.")
    )

    class Meta:
        ordering = [F("rating").desc(nulls_last=True), "name", "id"]
        indexes = [
            models.Index(fields=["rating_list", "-rating"]),
            models.Index(fields=["rating_list", "federation", "-rating"]),
            models.Index(fields=["rating_list", "name"]),
        ]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "player"], name="row_once_a_list"),
            models.CheckConstraint(
                condition=Q(
                    status__in=["active", "inactive", "delisted", "unrated", "titled-unrated", "provisional"]
                ),
                name="row_status",
            ),
            models.CheckConstraint(
                condition=Q(rating__isnull=False, status__in=["active", "inactive", "provisional"])
                | Q(rating__isnull=True, status__in=["delisted", "unrated", "titled-unrated"]),
                name="row_rated_or_not",
            ),
            models.CheckConstraint(condition=Q(withheld__in=["", "year", "person"]), name="row_withheld"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.rating or 'unrated'}"


class EventResult(models.Model):
    """A tournament as a list counted it."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="events")
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="results")
    part = models.PositiveSmallIntegerField(default=1, help_text=_("Above 1: a long league cut by list."))
    ratings_from = models.DateField(null=True, help_text=_("Date of the list whose ratings were used."))
    regulation = models.CharField(max_length=60)
    rated = models.BooleanField()
    treated_as = models.CharField(max_length=20)
    ra = models.CharField(max_length=20, blank=True, help_text=_("Exact decimal: average of a round robin."))
    findings = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "tournament", "part"], name="event_once_a_list")
        ]

    def __str__(self) -> str:
        return str(self.tournament)


class PlayerResult(models.Model):
    """What one event meant for one player, figures exact, with the explanation of each."""

    event = models.ForeignKey(EventResult, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="event_results")
    status = models.CharField(max_length=7, choices=[("rated", "rated"), ("unrated", "unrated")])
    rating = models.PositiveSmallIntegerField(null=True, help_text=_("In force when the event started."))
    games = models.PositiveSmallIntegerField()
    score = models.DecimalField(max_digits=5, decimal_places=1)
    rc = models.DecimalField(max_digits=9, decimal_places=4, null=True)
    expected = models.DecimalField(max_digits=9, decimal_places=4, null=True)
    k = models.PositiveSmallIntegerField(null=True)
    change = models.DecimalField(max_digits=10, decimal_places=4, null=True)
    list_change = models.DecimalField(
        max_digits=10,
        decimal_places=4,
        null=True,
        help_text=_("Its part of the list's change (K of the whole period)."),
    )
    performance = models.DecimalField(max_digits=9, decimal_places=4, null=True)
    pooled = models.BooleanField(null=True)
    met_rated = models.BooleanField(
        default=False, help_text=_("Played somebody rated, counted or not: his first event is over.")
    )
    #: {"counted": [...], "uncounted": [...], "steps": [...]} in the calculator's words
    detail = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="result_once_an_event"),
            models.CheckConstraint(condition=Q(status__in=["rated", "unrated"]), name="result_status"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.event}"


class PooledSample(models.Model):
    """A result that a list keeps towards a player's first rating."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="samples")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    event = models.CharField(max_length=40, blank=True, help_text=_("Tournament and part, as in 12.1."))
    list_date = models.DateField(help_text=_("Of the list whose period the result fell in."))
    performance = models.CharField(max_length=20, help_text=_("Exact: an integer or a fraction."))
    games = models.PositiveSmallIntegerField()
    score = models.DecimalField(max_digits=5, decimal_places=1)
    opponents = models.JSONField(default=list, help_text=_("Ratings, exact, as text."))

    def __str__(self) -> str:
        return f"{self.player}: {self.performance} in {self.games}"


class Job(Work):
    """A piece of work on a period, on a correction, or on a system's live ratings."""

    class Kind(models.TextChoices):
        COMPUTE = "compute", "compute the list"
        PROVE = "prove", "prove the draft"
        PUBLISH = "publish", "publish the list"
        CORRECT = "correct", "compute the correction"
        PUBLISH_CORRECTION = "publish-correction", "publish the correction"
        LIVE = "live", "compute the live ratings"

    kind = models.CharField(max_length=20, choices=Kind)
    period = models.ForeignKey(Period, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    correction = models.ForeignKey(
        "Correction", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )
    system = models.ForeignKey(
        RatingSystem, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )

    class Meta:
        ordering = ["-requested_at", "-id"]
        constraints = [
            *(
                models.UniqueConstraint(
                    fields=["kind", field],
                    condition=Q(state__in=["queued", "running"]),
                    name=f"job_one_at_a_time_{field}",
                )
                for field in ("period", "correction", "system")
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["compute", "prove", "publish"],
                    period__isnull=False,
                    correction__isnull=True,
                    system__isnull=True,
                )
                | Q(
                    kind__in=["correct", "publish-correction"],
                    period__isnull=True,
                    correction__isnull=False,
                    system__isnull=True,
                )
                | Q(kind="live", period__isnull=True, correction__isnull=True, system__isnull=False),
                name="job_has_its_subject",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="job_state"
            ),
        ]

    @property
    def subject(self) -> Period | models.Model:
        """What it works on."""
        return self.period or self.correction or self.system

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.subject}"


# Models of their own file, known to Django as of this app.

from ratinglists.api_models import ApiKey, ApiSubmission  # noqa: E402, F401
from ratinglists.correction_models import Complaint, Correction, CorrectionItem  # noqa: E402, F401
from ratinglists.publication_models import ListFile, LiveRating, Publication  # noqa: E402, F401
from ratinglists.share_model import Share  # noqa: E402, F401
