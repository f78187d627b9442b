"""Forms of the admin: a new period, and the list that a system starts from."""

from __future__ import annotations

from datetime import date

from django import forms
from django.contrib.admin.widgets import AdminDateWidget
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from ratinglists.models import Period
from ratinglists.queries import proposed_period
from tournaments.models import RatingSystem

MAX_BYTES = 32 << 20
FAR_AHEAD = 10


def sensible(day: date) -> None:
    """A slip of the year would give thousands of periods, or none ever after."""
    last = timezone.localdate().year + FAR_AHEAD
    if not 1900 <= day.year <= last:
        raise forms.ValidationError(f"The year {day.year} is not between 1900 and {last}.")


class PeriodForm(forms.ModelForm):
    """A period; dates left empty become the next ones that the system's regulation names."""

    class Meta:
        model = Period
        fields = ("system", "list_date", "closes_on")

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & {"list_date", "closes_on"}:
            self.fields[name].validators.append(sensible)
        if self.instance.pk is None:
            for name in ("list_date", "closes_on"):
                if name in self.fields:
                    self.fields[name].required = False
                    self.fields[name].help_text = format_lazy(
                        "{} {}", self.fields[name].help_text, _("Empty: the next one by the regulation.")
                    )

    def clean(self) -> dict:
        given = super().clean()
        system = given.get("system")
        if self.instance.pk is None and system is not None:
            if self.errors.keys() & {"list_date", "closes_on"}:
                return given
            list_date, closes_on = proposed_period(system, given.get("list_date"))
            if not ((given.get("list_date") or list_date) and (given.get("closes_on") or closes_on)):
                self.add_error(
                    "system", f"{system} follows no regulation then: add one to it, or give both dates."
                )
            given["list_date"] = given.get("list_date") or list_date
            given["closes_on"] = given.get("closes_on") or closes_on
        return given


class OpeningForm(forms.Form):
    """The list that a system starts from, as CSV."""

    system = forms.ModelChoiceField(
        RatingSystem.objects.none(),
        label=_("System"),
        help_text=_("Only systems without a list can be opened."),
    )
    list_date = forms.DateField(
        label=_("List date"),
        help_text=_("The day from which the list is in force."),
        validators=[sensible],
        widget=AdminDateWidget({"placeholder": "2022-01-01"}),
    )
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_("Columns and examples: docs/formats/csv.md. At most 32 MiB."),
        allow_empty_file=True,
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["system"].queryset = RatingSystem.objects.exclude(periods__lists__isnull=False)

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError("The file is larger than 32 MiB.")
        return file

    def clean(self) -> dict:
        given = super().clean()
        system, day = given.get("system"), given.get("list_date")
        if system and day:
            if system.regulation_on(day) is None:
                self.add_error(
                    "list_date", f"{system} follows no regulation on {day}: add one to the system."
                )
            elif system.periods.filter(list_date=day).exists():
                self.add_error("list_date", "There is a period of this date: delete it first.")
        return given
