"""Forms of the arbiters' pages: a file, or a crosstable typed by hand."""

from __future__ import annotations

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Layout, Submit
from django import forms

from tournaments.models import Tournament

MAX_PLAYERS = 60


class UploadForm(forms.Form):
    """A TRF16 file."""

    file = forms.FileField(
        label="Report file (TRF16)",
        help_text="The file that the pairing program writes for FIDE; at most 1 MiB.",
        allow_empty_file=True,
        widget=forms.ClearableFileInput({"accept": ".trf,.trfx,.txt,text/plain"}),
        max_length=150,
    )

    def __init__(self, *args, too_large: bool = False, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if too_large:
            text = "The file is larger than 1 MiB, so it was not read. Send one event per file."
            self.fields["file"].error_messages["required"] = text
        self.helper = FormHelper()
        self.helper.add_input(Submit("check", "Check the report"))


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
        """Number and cells as typed, whether valid or not; without NUL, which no database column takes."""
        names = ["number", *(f"c{column}" for column in range(1, self.columns + 1))]
        number, *cells = ((self[name].value() or "").replace("\0", "").strip() for name in names)
        return number, tuple(cells)


RowFormSet = forms.formset_factory(RowForm, extra=0, max_num=MAX_PLAYERS, absolute_max=MAX_PLAYERS)


def default_size(tournament: Tournament) -> dict[str, int]:
    """Rows by the registration."""
    return {"players": min(max(tournament.entries.count(), 2), MAX_PLAYERS)}
