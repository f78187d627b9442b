"""Publications: what was published together, its files, the chain of manifests; and the live ratings."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from ratinglists.models import RatingList
from tournaments.models import RatingSystem

SHA256 = r"^[0-9a-f]{64}$"


class Publication(models.Model):
    """Lists published in one transaction, under a signed manifest that names the one before it."""

    number = models.PositiveIntegerField(primary_key=True, help_text=_("1, 2, 3 … without gaps."))
    previous = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="following"
    )
    manifest_sha256 = models.CharField(
        max_length=64, unique=True, help_text=_("Of the manifest in the archive.")
    )
    signature = models.CharField(max_length=128, blank=True, help_text=_("Ed25519 of the manifest, in hex."))
    key_id = models.CharField(max_length=64, blank=True, help_text=_("SHA-256 of the public key."))
    published_at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.CheckConstraint(
                # A CHECK that comes to NULL passes: the second half must be false without a previous one.
                condition=Q(number=1, previous__isnull=True)
                | Q(previous__isnull=False, previous=models.F("number") - 1),
                name="publication_follows",
            ),
            models.CheckConstraint(condition=Q(manifest_sha256__regex=SHA256), name="publication_sha256"),
        ]

    def __str__(self) -> str:
        return f"Publication {self.number}"


class ListFile(models.Model):
    """A file of a list in the archive, found by its content."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=100, help_text=_("As it is downloaded."))
    media_type = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "name"], name="file_once_a_list"),
            models.CheckConstraint(condition=Q(sha256__regex=SHA256), name="file_sha256"),
        ]

    def __str__(self) -> str:
        return self.name


class LiveRating(models.Model):
    """What the reports accepted so far would make of a player; not a rating that anything counts with."""

    system = models.ForeignKey(RatingSystem, on_delete=models.CASCADE, related_name="live_ratings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="live_ratings")
    base = models.ForeignKey(RatingList, null=True, on_delete=models.CASCADE, related_name="+")
    list_date = models.DateField(help_text=_("Of the list that it looks ahead to."))
    rating_before = models.PositiveSmallIntegerField(null=True)
    rating = models.PositiveSmallIntegerField(null=True)
    change = models.DecimalField(max_digits=10, decimal_places=4, null=True)
    games = models.PositiveSmallIntegerField(default=0)
    computed_at = models.DateTimeField()

    class Meta:
        ordering = ["system", models.F("rating").desc(nulls_last=True), "id"]
        constraints = [models.UniqueConstraint(fields=["system", "player"], name="live_rating_once")]

    def __str__(self) -> str:
        return f"{self.player} {self.rating or 'unrated'} (live)"
