"""Rating systems, the regulations that they follow, and the arbiters."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Federation, Player
from regulations import registry
from regulations.model import RATES

#: what people call a code of the regulations where they do not use its word
LABELS = {"autonomic": "regional", "swiss": "Swiss", "scheveningen": "Scheveningen"}


def choices(values: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(value, LABELS.get(value, value.replace("-", " "))) for value in values]


def known_time_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(f"Unknown time zone “{name}”: write it as America/Havana.") from error


class RatingSystem(models.Model):
    """A list that a federation keeps, such as "FIDE rapid"."""

    class Schedule(models.TextChoices):
        MANUAL = "manual", "nothing: staff open, compute and publish each period"
        COMPUTE = "compute", "the list is computed; staff publish it"
        PUBLISH = "publish", "the list is computed, and published on its date"

    code = models.SlugField(primary_key=True, max_length=40)
    name = models.CharField(max_length=80, unique=True)
    rate = models.CharField(max_length=10, choices=choices(RATES), help_text=_("What kind of play it rates."))
    federation = models.ForeignKey(Federation, null=True, blank=True, on_delete=models.PROTECT)
    reference = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        help_text=_(
            "The system whose rating stands in for players unrated here, where the regulation says so."
        ),
    )
    birth_dates = models.BooleanField(
        "print full birth dates",
        default=False,
        help_text=_(
            "Where the regulation has its list print them (2004 9.12, 2022 6.12, FEDA 8.12). Off: the "
            "year only. A published list stays as it was printed."
        ),
    )
    schedule = models.CharField(
        max_length=7,
        choices=Schedule,
        default=Schedule.PUBLISH,
        help_text=_("What happens by itself when a period closes."),
    )
    time_zone = models.CharField(
        max_length=60,
        blank=True,
        validators=[known_time_zone],
        help_text=_("In which its days begin and end, such as America/Havana. Empty: that of the portal."),
    )
    complaint_days = models.PositiveSmallIntegerField(
        default=30,
        help_text=_(
            "How many days after a list its games can be complained about, unless the regulation says."
        ),
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(rate__in=RATES), name="system_rate"),
            models.CheckConstraint(
                condition=Q(schedule__in=["manual", "compute", "publish"]), name="system_schedule"
            ),
            models.CheckConstraint(
                condition=Q(reference__isnull=True) | ~Q(reference=F("code")), name="system_not_own_reference"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> tzinfo:
        """Its time zone, else that of the portal."""
        return ZoneInfo(self.time_zone) if self.time_zone else timezone.get_default_timezone()

    def day_of(self, instant: datetime) -> date:
        """The day of an instant where the federation is."""
        return instant.astimezone(self.zone).date()

    def today(self) -> date:
        """The day that it is now where the federation is."""
        return self.day_of(timezone.now())

    def regulation_on(self, day: date):
        """The regulation in effect on a day, or None before the first."""
        last = None
        for row in self.regulations.all():
            if row.effective_from <= day:
                last = row
        return last and registry.get(last.regulation)


def known_regulation(code: str) -> None:
    known = [regulation.code for regulation in registry.all_regulations()]
    if code not in known:
        raise ValidationError(f"Unknown regulation “{code}”. Known are: {', '.join(known)}.")


class SystemRegulation(models.Model):
    """From this day on the system follows this regulation; a tournament's start decides."""

    system = models.ForeignKey(RatingSystem, on_delete=models.CASCADE, related_name="regulations")
    regulation = models.CharField(max_length=60, validators=[known_regulation])
    effective_from = models.DateField()

    class Meta:
        ordering = ["system", "effective_from"]
        constraints = [
            models.UniqueConstraint(fields=["system", "effective_from"], name="system_one_regulation_a_day"),
        ]

    def __str__(self) -> str:
        return gettext("{regulation} from {day}").format(regulation=self.regulation, day=self.effective_from)


class Arbiter(models.Model):
    """An arbiter, with the account that submits his reports."""

    class ArbiterTitle(models.TextChoices):
        NONE = "", "none"
        PROVINCIAL = "PA", "Provincial Arbiter"
        REGIONAL = "RA", "Regional Arbiter"
        NATIONAL = "NA", "National Arbiter"
        FIDE = "FA", "FIDE Arbiter"
        INTERNATIONAL = "IA", "International Arbiter"

    name = models.CharField(max_length=120)
    federation = models.ForeignKey(Federation, null=True, blank=True, on_delete=models.PROTECT)
    title = models.CharField(max_length=2, choices=ArbiterTitle, blank=True, default=ArbiterTitle.NONE)
    licensed = models.BooleanField(default=True)
    licensed_from = models.DateField(
        _("licence from"), null=True, blank=True, help_text=_("Its first day; empty: ever since.")
    )
    licensed_until = models.DateField(
        _("licence until"),
        null=True,
        blank=True,
        help_text=_("Its last day; empty: no end. Afterwards he sees his tournaments and sends no reports."),
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="arbiter"
    )
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(title__in=["", "PA", "RA", "NA", "FA", "IA"]), name="arbiter_title"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="arbiter_has_name"),
            models.CheckConstraint(
                condition=Q(licensed_from__isnull=True)
                | Q(licensed_until__isnull=True)
                | Q(licensed_until__gte=F("licensed_from")),
                name="arbiter_licence_ends_after_start",
                violation_error_message="The licence ends before it begins.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.name}".strip()

    def licensed_on(self, day: date) -> bool:
        """Is his licence in force on a day?"""
        begun = self.licensed_from is None or self.licensed_from <= day
        return self.licensed and begun and (self.licensed_until is None or day <= self.licensed_until)
