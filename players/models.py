"""Who plays: federations, players, and the numbers by which others know them."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from players.history import FormerName, IdentityChange, Keyed

__all__ = [
    "Clerkship",
    "Federation",
    "FormerName",
    "Identifier",
    "IdentityChange",
    "IssuingBody",
    "Membership",
    "Player",
    "PrivacyRequest",
    "Title",
]

#: what stands for a name that is not shown any more
HIDDEN_NAME = "Hidden player"

#: Titles from the highest down; women's titles rank below the open title of the same norm level.
TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


def highest_title(held: set[str]) -> str:
    """The highest of these titles, or an empty string."""
    return next((code for code in TITLES if code in held), "")


class Federation(models.Model):
    """A national (or regional) chess federation, by its three-letter code."""

    code = models.CharField(
        max_length=3,
        primary_key=True,
        validators=[RegexValidator(r"^[A-Z]{3}$", "Three capital letters, as in ESP.")],
    )
    name = models.CharField(max_length=100)
    hides_minors = models.BooleanField(
        "hide the birth year of minors",
        default=False,
        help_text=_(
            "Of its players, until the end of the year in which they become 18: on all pages, in what "
            "programs get, and in the files of lists computed from now on. A published file stays as it is."
        ),
    )

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z]{3}$"), name="federation_code_form")
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"


class IssuingBody(models.Model):
    """Who gives out player numbers: FIDE, or a federation with its own register."""

    code = models.CharField(max_length=10, primary_key=True)
    name = models.CharField(max_length=100)
    one_each = models.BooleanField(
        "one number a player",
        default=True,
        help_text=_("Untick it for a body that gives a player a new number beside the old one."),
    )

    class Meta:
        ordering = ["code"]
        verbose_name_plural = _("issuing bodies")

    def __str__(self) -> str:
        return self.code


class Player(Keyed):
    """A person on the register. Names are written "Family name, Given name".

    A record merged into another stays, since published lists and addresses name it; ``merged_into``
    is always the record that stands now, however many merges there were.
    """

    class Sex(models.TextChoices):
        UNKNOWN = "", "not known"
        FEMALE = "f", "female"
        MALE = "m", "male"

    class Precision(models.TextChoices):
        UNKNOWN = "", "not known"
        YEAR = "year", "year only"
        MONTH = "month", "month and year"
        DAY = "day", "full date"

    class Privacy(models.TextChoices):
        NONE = "", "shown"
        HIDDEN = "hidden", "hidden"
        ERASED = "erased", "erased"

    name = models.CharField(max_length=120, help_text=_("Family name, Given name"))
    sex = models.CharField(max_length=1, choices=Sex, blank=True, default=Sex.UNKNOWN)
    birth_date = models.DateField(
        null=True, blank=True, help_text=_("Where only the year (or month) is known, use its first day.")
    )
    birth_precision = models.CharField(max_length=5, choices=Precision, blank=True, default=Precision.UNKNOWN)
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, help_text=_("The federation that the player represents.")
    )
    otb_category = models.CharField(
        "category over the board",
        max_length=40,
        blank=True,
        help_text=_("Postal chess: a category such as “Experto Provincial” can give a provisional rating."),
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="merged_records"
    )
    privacy = models.CharField(
        max_length=6, choices=Privacy, blank=True, default=Privacy.NONE, editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        permissions = [("merge_player", "Can merge and split player records")]
        indexes = [
            models.Index(fields=["name"]),
            models.Index(fields=["privacy"], condition=~Q(privacy=""), name="player_hidden"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(sex__in=["", "f", "m"]), name="player_sex"),
            models.CheckConstraint(
                condition=Q(birth_date__isnull=True, birth_precision="")
                | Q(birth_date__isnull=False, birth_precision__in=["year", "month", "day"]),
                name="player_birth_with_precision",
                violation_error_message="Give the birth date together with its precision, or neither.",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_name"),
            models.CheckConstraint(
                condition=Q(privacy="") | Q(privacy__in=["hidden", "erased"], name=HIDDEN_NAME),
                name="player_hidden_without_name",
                violation_error_message="The name of a hidden player is not shown: reveal him first.",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("id")),
                name="player_not_merged_into_itself",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        if self.birth_date and self.birth_date > timezone.localdate():
            raise ValidationError({"birth_date": "The birth date lies in the future."})

    @cached_property
    def records(self) -> list[int]:
        """The keys of this record and of those merged into it, as lists may know the person."""
        return [self.pk, *Player.objects.filter(merged_into=self.pk).order_by().values_list("pk", flat=True)]

    @property
    def standing(self) -> Player:
        """This record, or the one that it was merged into."""
        return self.merged_into or self

    @property
    def birth_year(self) -> int | None:
        return self.birth_date.year if self.birth_date else None

    def number_of(self, issuer: str | None) -> str:
        """The number that this body gave, or an empty string. Prefetch ``identifiers`` for many."""
        return next((each.value for each in self.identifiers.all() if each.issuer_id == issuer), "")

    @property
    def title(self) -> str:
        """The highest title held, or an empty string. Prefetch ``titles`` where many are read."""
        return highest_title({title.code for title in self.titles.all()})

    @property
    def women_title(self) -> str:
        """The highest women's title held, or an empty string."""
        return highest_title({title.code for title in self.titles.all() if title.code.startswith("W")})

    @property
    def fide_id(self) -> str:
        """The player's FIDE number, or an empty string. Prefetch ``identifiers`` where many are read."""
        return next((i.value for i in self.identifiers.all() if i.issuer_id == "FIDE"), "")


class Title(models.Model):
    """A title that a player holds."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="titles")
    code = models.CharField(max_length=3, choices=[(code, code) for code in TITLES])
    awarded_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "code"], name="title_once"),
            models.CheckConstraint(condition=Q(code__in=TITLES), name="title_code"),
        ]

    def __str__(self) -> str:
        return self.code


class Identifier(models.Model):
    """A number under which a body knows a player. A number belongs to one player only."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="identifiers")
    issuer = models.ForeignKey(IssuingBody, on_delete=models.PROTECT)
    value = models.CharField(max_length=20, validators=[RegexValidator(r"^[0-9A-Za-z-]+$")])

    class Meta:
        ordering = ["issuer", "value"]
        constraints = [
            models.UniqueConstraint(
                fields=["value", "issuer"],  # the value first: search does not know whose number it is
                name="identifier_unique",
                violation_error_message="Another player already has this number.",
            ),
            models.CheckConstraint(condition=~Q(value=""), name="identifier_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.issuer_id} {self.value}"

    def clean(self) -> None:
        super().clean()
        if self.issuer_id is None or self.player_id is None or not self.issuer.one_each:
            return
        others = Identifier.objects.filter(player=self.player_id, issuer=self.issuer_id).exclude(pk=self.pk)
        if other := others.first():
            raise ValidationError(
                {"value": f"The player has the {self.issuer_id} number {other.value}, and it gives one each."}
            )


class Membership(models.Model):
    """The time during which a player belongs to a federation; an open end means: still."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT)
    since = models.DateField()
    until = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["since"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")),
                name="membership_ends_after_start",
                violation_error_message="A membership cannot end before it starts.",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(until__isnull=True),
                name="membership_one_open",
                violation_error_message="End the open membership before another begins.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.since} – {self.until or ''}"


# Models of their own file, known to Django as of this app.

from players.audit_model import AuditEntry, AuditHead  # noqa: E402, F401
from players.clerks_model import Clerkship  # noqa: E402
from players.importing_models import FideListing, PlayerImport  # noqa: E402, F401
from players.outbox_model import OutboxMessage  # noqa: E402, F401
from players.privacy_model import ErasedNumber, PrivacyRequest  # noqa: E402, F401
