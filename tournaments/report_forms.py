"""Forms of the arbiters' pages: a file, or a crosstable typed by hand."""

from __future__ import annotations

from datetime import date, datetime, time

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Layout, Submit
from django import forms
from django.utils.translation import gettext_lazy as _

from regulations.characters import without_forbidden
from tournaments.models import Tournament
from tournaments.reports.text import MAX_BYTES

MAX_PLAYERS = 60


class ReceiptForm(forms.Form):
    """The day on which a report reached the federation, for staff who enter it later."""

    received_on = forms.DateField(
        label=_("Reached the federation on"),
        required=False,
        help_text=_(
            "Only if it was an earlier day than today. The day decides which list counts the report."
        ),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args, tournament: Tournament, staff: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.start, self.tournament = tournament.start, tournament
        if not staff:
            del self.fields["received_on"]

    def clean_received_on(self) -> date | None:
        day, today = self.cleaned_data["received_on"], self.tournament.rating_system.today()
        if day is None:
            return None
        if day > today:
            raise forms.ValidationError(f"{day} is in the future: choose today, {today}, or an earlier day.")
        if day < self.start:
            raise forms.ValidationError(
                f"{day} is before the start on {self.start}: choose that day or a later one."
            )
        return day

    @property
    def earlier_day(self) -> date | None:
        """The earlier day that staff entered; None: today."""
        day = self.cleaned_data.get("received_on")
        return None if day == self.tournament.rating_system.today() else day

    @property
    def received_at(self) -> datetime | None:
        """Noon of that day, as nobody knows the hour."""
        day = self.earlier_day
        return None if day is None else datetime.combine(day, time(12), self.tournament.rating_system.zone)


class UploadForm(ReceiptForm):
    """A report in any format that the portal reads."""

    field_order = ["file", "received_on"]
    file = forms.FileField(
        label=_("Report file"),
        help_text=_(
            "What the pairing program writes for FIDE (TRF), or a table in CSV or XLSX; at most 1 MiB."
        ),
        allow_empty_file=True,
        widget=forms.ClearableFileInput({"accept": ".trf,.trfx,.txt,.csv,.xlsx,text/plain,text/csv"}),
        max_length=150,
    )

    #: of the page that shows the form: 413 if the file is too large
    status = 200

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        regulation = self.tournament.regulation
        if regulation is not None and regulation.rates_totals:
            self.fields["file"].help_text = _(
                "What the pairing program writes for FIDE (TRF), FEDA's evaluation file (10.31), "
                "or a table in CSV or XLSX; at most 1 MiB."
            )
        self.helper = FormHelper()
        self.helper.add_input(Submit("check", _("Check the report")))

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            self.status = 413
            raise forms.ValidationError(
                "The file is larger than 1 MiB, so it was not read. Send one event per file."
            )
        return file


class SizeForm(forms.Form):
    """How many rows and columns the round-robin table has."""

    players = forms.IntegerField(min_value=2, max_value=MAX_PLAYERS)

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(Div(*self.fields, css_class="row"))

    @property
    def columns(self) -> int:
        return self.cleaned_data["players"]


class RowForm(forms.Form):
    """One player: his number, and a cell for each opponent."""

    number = forms.CharField(required=False, max_length=60)

    def __init__(self, *args, columns: int, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.columns = columns
        attributes = {"class": "number", "autocomplete": "off", "spellcheck": "false", "size": 10}
        self.fields["number"].widget.attrs.update(attributes)
        for column in range(1, columns + 1):
            widget = forms.TextInput(
                {"class": "cell", "autocomplete": "off", "spellcheck": "false", "size": 3}
            )
            self.fields[f"c{column}"] = forms.CharField(required=False, max_length=20, widget=widget)

    def cell_fields(self):
        return [self[f"c{column}"] for column in range(1, self.columns + 1)]

    def typed(self) -> tuple[str, tuple[str, ...]]:
        """Number and cells as typed, whether valid or not, without control characters."""
        names = ["number", *(f"c{column}" for column in range(1, self.columns + 1))]
        number, *cells = (without_forbidden(self[name].value() or "").strip() for name in names)
        return number, tuple(cells)


RowFormSet = forms.formset_factory(RowForm, extra=0, max_num=MAX_PLAYERS, absolute_max=MAX_PLAYERS)


def default_size(tournament: Tournament) -> dict[str, int]:
    """Rows by the registration."""
    return {"players": min(max(tournament.entries.count(), 2), MAX_PLAYERS)}
