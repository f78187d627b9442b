"""Forms of the register in the admin."""

from __future__ import annotations

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from players import merging
from players.accounts_forms import LinkedForm
from players.languages.texts import said
from players.models import Identifier, Player
from players.roles import Role

_RECORD = re.compile(r"(?:#|.*/players/(?:player/)?)(\d{1,18})(?:/.*)?")


class PlayerForm(LinkedForm):
    """A player; who changes the name says why, and the old one is kept beside it."""

    role = Role.PLAYER
    name_reason = forms.CharField(
        label=_("why the name changes"),
        max_length=120,
        required=False,
        help_text=_(
            "Correction of the spelling, marriage … The name that stands now is kept as a former one."
        ),
    )
    account = forms.CharField(
        label=_("Account"),
        max_length=150,
        required=False,
        help_text=_("User name of the player's own account: he is told when a report names him."),
    )

    class Meta:
        model = Player
        fields = ("name", "federation", "sex", "birth_date", "birth_precision", "otb_category")


class IntoForm(forms.Form):
    """Which record a merge is to keep."""

    into = forms.CharField(
        label=_("Merge into"),
        max_length=200,
        help_text=_("Player number, number of the record (#123), or address of the player's page."),
        widget=forms.TextInput({"size": 40, "autofocus": True, "autocomplete": "off"}),
    )

    def __init__(self, players, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.players = players

    def clean_into(self) -> str:
        text = self.cleaned_data["into"].strip()
        if record := _RECORD.fullmatch(text):
            found = list(self.players.filter(pk=int(record[1])))
        else:
            owners = Identifier.objects.filter(value=text).values("player")
            found = list(self.players.filter(pk__in=owners))
        if not found:
            raise forms.ValidationError(f"The register has no player “{text}”.")
        if len(found) > 1:
            who = ", ".join(f"{player} (#{player.pk})" for player in found)
            raise forms.ValidationError(f"Several bodies gave this number: {who}. Enter one with its #.")
        self.player = found[0]
        return text


class ReasonForm(forms.Form):
    """Why something is done, with the digest of the plan that was looked at."""

    reason = forms.CharField(
        label=_("Reason"), max_length=1000, widget=forms.Textarea({"rows": 2, "cols": 60})
    )
    digest = forms.CharField(required=False, widget=forms.HiddenInput)


class SplitForm(ReasonForm):
    """What belongs to the other person, and who that is."""

    name = forms.CharField(max_length=120, label=_("Name of the other person"))
    sex = forms.ChoiceField(label=_("Sex"), choices=Player.Sex.choices, required=False)
    birth_date = forms.DateField(
        label=_("Birth date"), required=False, help_text=_("As 1990-05-04; of a year or month its first day.")
    )
    birth_precision = forms.ChoiceField(
        label=_("Birth precision"), choices=Player.Precision.choices, required=False
    )

    def __init__(self, player: Player, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.groups = []
        for rows in merging.followed():
            if not rows.divisible or not (own := list(rows.of(player))):
                continue
            self.groups.append(rows.name)
            self.fields[rows.name] = forms.MultipleChoiceField(
                label=said(rows.label).capitalize(),
                choices=[(str(row.pk), said(rows.text(row))) for row in own],
                required=False,
                widget=forms.CheckboxSelectMultiple({"class": "portal-choices"}),
            )
        self.order_fields(["name", "sex", "birth_date", "birth_precision", *self.groups, "reason"])

    def chosen(self) -> dict[str, list[int]]:
        """Group -> primary keys; only of a valid form."""
        return {name: keys for name in self.groups if (keys := [int(pk) for pk in self.cleaned_data[name]])}

    def person(self) -> dict:
        return {name: self.cleaned_data[name] for name in ("name", "sex", "birth_date", "birth_precision")}

    def clean(self) -> dict:
        given = super().clean()
        if bool(given.get("birth_date")) != bool(given.get("birth_precision")):
            self.add_error("birth_precision", "Give the birth date together with its precision, or neither.")
        return given
