"""Events: what is registered, who plays, what was reported, and under which regulation."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.languages.texts import said
from players.models import Federation, Player
from regulations.model import AUTHORIZATIONS, BYES, RESULTS, SCOPES, SYSTEMS
from tournaments.drafts_model import ReportDraft
from tournaments.history import RegistrationCheck
from tournaments.notice import ReportNotice
from tournaments.states import DistinctEvents, State, StateChange, standing
from tournaments.systems import Arbiter, RatingSystem, SystemRegulation, choices, known_regulation

__all__ = [
    "Arbiter",
    "DistinctEvents",
    "RatingSystem",
    "RegistrationCheck",
    "ReportDraft",
    "ReportNotice",
    "StateChange",
    "SystemRegulation",
    "known_regulation",
]


class Tournament(models.Model):
    """A registered event of one rating system."""

    State = State

    name = models.CharField(max_length=150)
    rating_system = models.ForeignKey(RatingSystem, on_delete=models.PROTECT, related_name="tournaments")
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT)
    city = models.CharField(max_length=100, blank=True)
    organiser = models.CharField(max_length=150)
    system = models.CharField("type", max_length=20, choices=choices(SYSTEMS), default="swiss")
    start = models.DateField()
    end = models.DateField()
    registered_on = models.DateField(
        default=timezone.localdate, help_text=_("The day on which the federation received the registration.")
    )
    scope = models.CharField(max_length=15, choices=choices(SCOPES), default="national")
    scheduled_games = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Matches only: how many games were announced.")
    )
    league = models.BooleanField(default=False)
    norms = models.BooleanField("title norms possible", default=False)
    fide_official = models.BooleanField("official FIDE event", default=False)
    national_championship = models.BooleanField(default=False)
    women = models.BooleanField("women only", default=False)
    hybrid = models.BooleanField(default=False)
    qualifier = models.BooleanField(
        default=False, help_text=_("Qualifies for the championship of the next level.")
    )
    games_in_event = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Postal chess only: how many games the whole event has.")
    )
    arbiters = models.ManyToManyField(Arbiter, through="TournamentArbiter", related_name="tournaments")
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT, editable=False)
    state_since = models.DateTimeField(default=timezone.now, editable=False)
    due_on = models.DateField(
        null=True, editable=False, help_text=_("The last day for what this state waits for.")
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    FLAG_FIELDS = (
        "league", "norms", "fide_official", "national_championship", "women", "hybrid", "qualifier",
    )  # fmt: skip

    class Meta:
        ordering = ["-start", "name"]
        indexes = [models.Index(fields=["rating_system", "state", "end"])]
        permissions = [
            ("register_tournament", "Can register or refuse a tournament"),
            ("grant_waiver", "Can grant a waiver of a registration rule"),
            ("accept_report", "Can accept or return a report"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=F("start")),
                name="tournament_ends_after_start",
                violation_error_message="The tournament ends before it starts.",
            ),
            models.CheckConstraint(condition=Q(system__in=SYSTEMS), name="tournament_type"),
            models.CheckConstraint(condition=Q(scope__in=SCOPES), name="tournament_scope"),
            models.CheckConstraint(
                condition=Q(state__in=State.values),
                name="tournament_state",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def regulation(self):
        """The regulation that the tournament's start falls under, or None before the first."""
        return self.rating_system.regulation_on(self.start)

    @property
    def standing(self) -> tuple[str, str]:
        """Code and label of where the tournament stands today: under way and report due included."""
        return standing(self.state, self.start, self.end, self.rating_system.today())

    @property
    def flags(self) -> frozenset[str]:
        return frozenset(name.replace("_", "-") for name in self.FLAG_FIELDS if getattr(self, name))


class TournamentArbiter(models.Model):
    class Role(models.TextChoices):
        CHIEF = "chief", "chief arbiter"
        DEPUTY = "deputy", "deputy arbiter"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="appointments")
    arbiter = models.ForeignKey(Arbiter, on_delete=models.PROTECT, related_name="appointments")
    role = models.CharField(max_length=6, choices=Role, default=Role.CHIEF)

    class Meta:
        ordering = ["role", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "arbiter"], name="arbiter_once_a_tournament"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(role="chief"),
                name="one_chief_arbiter",
                violation_error_message="A tournament has one chief arbiter.",
            ),
            models.CheckConstraint(condition=Q(role__in=["chief", "deputy"]), name="arbiter_role"),
        ]

    def __str__(self) -> str:
        return f"{self.arbiter} ({said(self.get_role_display())})"


class TimeControlStage(models.Model):
    """One period of a time control. Black's stages are entered only where they differ."""

    class Colour(models.TextChoices):
        WHITE = "w", "both, or White"
        BLACK = "b", "Black, where it differs"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    colour = models.CharField(max_length=1, choices=Colour, default=Colour.WHITE)
    number = models.PositiveSmallIntegerField("stage", default=1)
    moves = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Empty: the rest of the game.")
    )
    minutes = models.DecimalField(max_digits=6, decimal_places=2)
    increment_seconds = models.PositiveSmallIntegerField("increment (seconds per move)", default=0)

    class Meta:
        ordering = ["-colour", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "colour", "number"], name="stage_number_once"),
            models.CheckConstraint(condition=Q(colour__in=["w", "b"]), name="stage_colour"),
            models.CheckConstraint(condition=Q(minutes__gte=0), name="stage_minutes_not_negative"),
            models.CheckConstraint(condition=Q(number__gte=1), name="stage_number_from_one"),
            models.CheckConstraint(
                condition=Q(moves__isnull=True) | Q(moves__gte=1), name="stage_moves_positive"
            ),
        ]

    def __str__(self) -> str:
        moves = f"{self.moves} moves in " if self.moves else ""
        return said(f"{moves}{self.minutes.normalize():f} min + {self.increment_seconds} s")


class Round(models.Model):
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    date = models.DateField()
    time = models.TimeField(null=True, blank=True)
    phase = models.PositiveSmallIntegerField(
        default=1, help_text=_("1, or 2 and on for a final after preliminaries.")
    )
    reported = models.BooleanField(
        default=False, editable=False, help_text=_("Known from a report only: no part of the registration.")
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_one"),
            models.CheckConstraint(condition=Q(phase__gte=1), name="round_phase_from_one"),
        ]

    def __str__(self) -> str:
        return said(f"Round {self.number}")


class Waiver(models.Model):
    """A rule lifted for one tournament, by whom and why. Rows are added, never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="waivers")
    authorization = models.CharField(max_length=30, choices=choices(AUTHORIZATIONS))
    article = models.CharField(max_length=20)
    reason = models.TextField()
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["granted_at"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "authorization"], name="waiver_once"),
            models.CheckConstraint(condition=Q(authorization__in=AUTHORIZATIONS), name="waiver_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="waiver_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.authorization} ({self.article})"


class Report(models.Model):
    """An arbiter's report: the original bytes, kept for good, and what was found in them."""

    class State(models.TextChoices):
        SUBMITTED = "submitted", "submitted"
        ACCEPTED = "accepted", "accepted"
        RETURNED = "returned", "returned for correction"
        REPLACED = "replaced", "replaced by a later report"
        CORRECTION = "correction", "corrects a counted event"

    #: of the one report of a tournament that waits or counts
    STANDING = (State.SUBMITTED, State.ACCEPTED)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="reports")
    format = models.CharField(max_length=20)
    filename = models.CharField(max_length=150)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    findings = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=State, default=State.SUBMITTED)
    remark = models.TextField(blank=True, help_text=_("Why it was returned."))
    people = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Whom the sender chose for start numbers without a known number."),
    )
    changes = models.JSONField(default=dict, blank=True, help_text=_("What it changed in the report before."))
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField()
    received_on = models.DateField(
        help_text=_("The day of the receipt where the federation is, fixed when it came: periods go by it.")
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-submitted_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(state__in=["submitted", "accepted"]),
                name="report_one_standing",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["submitted", "accepted", "returned", "replaced", "correction"]),
                name="report_state",
            ),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="report_sha256"),
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.get_state_display()})"


class Team(models.Model):
    """A team of a reported event."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="team_number_once")]

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """A player in a tournament. The reported fields stay as the file had them."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="entries", limit_choices_to={"merged_into": None}
    )
    start_number = models.PositiveSmallIntegerField(null=True, blank=True)
    reported_name = models.CharField(max_length=120, blank=True)
    reported_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    reported_region = models.CharField(max_length=20, blank=True, editable=False)
    points = models.DecimalField(max_digits=5, decimal_places=1, null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    team = models.ForeignKey(
        Team, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="members"
    )
    board = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["start_number", "id"]
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once"),
            models.UniqueConstraint(fields=["tournament", "start_number"], name="entry_start_number_once"),
        ]

    def __str__(self) -> str:
        return self.player.name

    @property
    def spelled_otherwise(self) -> str:
        """The name as the report has it, where the register has another."""
        return self.reported_name if self.pk and self.reported_name != self.player.name else ""


class Game(models.Model):
    """One cell of the crosstable: a game, a forfeit or a bye."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="games")
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="games")
    round = models.PositiveSmallIntegerField()
    white = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="games_white")
    black = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="games_black")
    result = models.CharField(max_length=7, choices=[(code, code) for code in RESULTS])
    why_unplayed = models.CharField(max_length=40, blank=True, help_text=_("Where the report says more."))
    finished_on = models.DateField(null=True, help_text=_("Postal chess: when it was reported finished."))
    counted_on = models.DateField(
        null=True, help_text=_("Postal chess: the date of the list that counted it, while the event goes on.")
    )

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "white"], name="game_white_once_a_round"),
            models.UniqueConstraint(fields=["tournament", "round", "black"], name="game_black_once_a_round"),
            models.CheckConstraint(condition=Q(round__gte=1), name="game_round_from_one"),
            models.CheckConstraint(condition=Q(result__in=RESULTS), name="game_result"),
            models.CheckConstraint(
                condition=Q(black__isnull=True, result__in=BYES)
                | (Q(black__isnull=False) & ~Q(result__in=BYES) & ~Q(white=F("black"))),
                name="game_two_players_or_bye",
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.round}: {self.white} {self.result} {self.black or ''}".strip()


class Totals(models.Model):
    """A player's part of an event reported without single games (FEDA 10.31)."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="totals")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="totals")
    points = models.DecimalField(max_digits=5, decimal_places=1)
    games = models.PositiveSmallIntegerField()
    average = models.PositiveSmallIntegerField(help_text=_("Average rating of the opponents."))

    class Meta:
        verbose_name_plural = _("totals")
        constraints = [
            models.CheckConstraint(
                condition=Q(points__gte=0, points__lte=F("games")), name="totals_points_within_games"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.points} of {self.games}"
