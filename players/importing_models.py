"""Imports of player lists, and what FIDE's lists said of each player."""

from __future__ import annotations

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.ledger import Work
from players.listformats.model import RATES, ListRating
from players.listformats.reading import FORMATS


class ListStorage(FileSystemStorage):
    """Lists lie in ``player-lists`` in the folder of PORTAL_VAR, from where nothing is served, for the
    portal's own account only."""

    file_permissions_mode, directory_permissions_mode = 0o600, 0o700

    @property
    def base_location(self) -> str:
        return str(settings.VAR_DIR / "player-lists")

    @property
    def location(self) -> str:
        return self.base_location


class PlayerImport(Work):
    """A list of players to be compared with the register (preview), or taken into it (apply).

    ``position`` counts the records of the file that are done with, so that a worker goes on where
    another died; with each batch it is written in the batch's own transaction.
    """

    class Kind(models.TextChoices):
        PREVIEW = "preview", "dry run"
        APPLY = "apply", "import"

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PREVIEW)
    preview = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="applied"
    )
    file = models.FileField(storage=ListStorage(), upload_to="uploads", max_length=255)
    file_name = models.CharField(max_length=255)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=10, choices=list(FORMATS.items()))
    single = models.CharField(
        "kind of rating", max_length=8, blank=True, choices=[(rate, rate) for rate in RATES]
    )
    list_date = models.DateField(help_text=_("From which the list is in force."))
    federations = models.JSONField(
        default=list, blank=True, help_text=_("New players of these only; none: of all.")
    )
    position = models.PositiveIntegerField(default=0, help_text=_("Records of the file that are done with."))
    created = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    passed_over = models.PositiveIntegerField(default=0, help_text=_("New, but of other federations."))
    faulty = models.PositiveIntegerField(default=0, help_text=_("Lines left out for their faults."))
    fault_count = models.PositiveIntegerField(default=0)
    broken = models.BooleanField(default=False, help_text=_("The file could not be read to its end."))
    faults = models.JSONField(default=list, help_text=_("The first: line, column, field, message, remedy."))
    changes = models.JSONField(
        default=list, help_text=_("The first: number, name, and each field old and new.")
    )
    new_federations = models.JSONField(default=list)

    class Meta:
        ordering = ["-requested_at", "-id"]
        verbose_name = _("import of players")
        verbose_name_plural = _("imports of players")
        constraints = [
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(state__in=["queued", "running"]),
                name="import_one_at_a_time",
                violation_error_message="Another import is at work: wait for its end or stop it.",
            ),
            models.CheckConstraint(condition=Q(kind__in=["preview", "apply"]), name="import_kind"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="import_state"
            ),
        ]

    def __str__(self) -> str:
        return self.file_name


class FideListing(models.Model):
    """What FIDE's list of a date said of a player. A rating of 0 is unrated, null was not said."""

    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="fide_listings")
    list_date = models.DateField()
    title = models.CharField(max_length=5, blank=True)
    women_title = models.CharField(max_length=5, blank=True)
    other_titles = models.CharField(max_length=60, blank=True)
    foa_title = models.CharField(max_length=5, blank=True)
    active = models.BooleanField(null=True, help_text=_("In standard chess."))
    standard = models.PositiveSmallIntegerField(null=True)
    standard_games = models.PositiveSmallIntegerField(null=True)
    standard_k = models.PositiveSmallIntegerField(null=True)
    rapid = models.PositiveSmallIntegerField(null=True)
    rapid_games = models.PositiveSmallIntegerField(null=True)
    rapid_k = models.PositiveSmallIntegerField(null=True)
    blitz = models.PositiveSmallIntegerField(null=True)
    blitz_games = models.PositiveSmallIntegerField(null=True)
    blitz_k = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["-list_date"]
        constraints = [
            models.UniqueConstraint(fields=["player", "list_date"], name="fide_listing_once_a_list")
        ]

    def __str__(self) -> str:
        return f"{self.player}, FIDE {self.list_date}"

    def rating_of(self, rate: str) -> ListRating | None:
        """Rating, games and K of one kind as the list had them; None if it said nothing."""
        rating = getattr(self, rate)
        if rating is None:
            return None
        return ListRating(rating or None, getattr(self, f"{rate}_games") or 0, getattr(self, f"{rate}_k"))
