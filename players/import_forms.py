"""The form with which staff bring in a list of players."""

from __future__ import annotations

import re

from django import forms
from django.contrib.admin.widgets import AdminDateWidget
from django.utils.translation import gettext_lazy as _

from players.listformats.model import RATES
from players.player_imports import MAX_FILE, waiting_files


class ImportForm(forms.Form):
    """A list, uploaded or lying on the server, and what of it is wanted."""

    file = forms.FileField(
        label=_("List"),
        required=False,
        allow_empty_file=True,
        help_text=_("FIDE's list in TXT or XML, zipped as FIDE hands it out or not, or CSV (docs/formats/)."),
    )
    waiting = forms.ChoiceField(
        label=_("Or a list on the server"),
        required=False,
        help_text=_("Lists that lie in the folder player-lists of the portal's files."),
    )
    list_date = forms.DateField(
        label=_("Date of the list"),
        required=False,
        widget=AdminDateWidget({"placeholder": "2026-10-01"}),
        help_text=_("The ratings are kept under it. A single list in TXT names its month itself."),
    )
    single = forms.ChoiceField(
        label=_("Kind of rating"),
        required=False,
        choices=[("", "as the name of the file says"), *((rate, rate) for rate in RATES)],
        help_text=_("Only for a list of one kind of rating."),
    )
    federations = forms.CharField(
        label=_("Federations"),
        required=False,
        help_text=_(
            "Codes such as ESP AND: new players of these only. Empty: of all. "
            "Players on the register are brought up to date in either case."
        ),
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if names := waiting_files():
            self.fields["waiting"].choices = [("", "none"), *((name, name) for name in names)]
        else:
            del self.fields["waiting"]

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file and file.size > MAX_FILE:
            raise forms.ValidationError("The file is larger than two gigabytes: send it zipped.")
        return file

    def clean_federations(self) -> list[str]:
        codes = self.cleaned_data["federations"].upper().replace(",", " ").split()
        if wrong := [code for code in codes if not re.fullmatch(r"[A-Z]{3}", code)]:
            raise forms.ValidationError(f"{', '.join(wrong)}: write three-letter codes, as ESP.")
        return codes

    def clean(self) -> dict:
        given = super().clean()
        if "file" in given and bool(given["file"]) == bool(given.get("waiting")):
            self.add_error("file", "Choose one list.")
        return given
