"""The form in which staff invite somebody."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import invitations
from players.access import federations_of
from players.models import Federation, Player
from players.roles import Role
from tournaments.models import Arbiter

#: roles that go with a record: the record's page leads here
OF_RECORDS = {"arbiter": (Role.ARBITER, Arbiter), "player": (Role.PLAYER, Player)}


class InviteForm(forms.Form):
    """``record``: what the address of the page says, such as ``{"arbiter": "12"}``."""

    email = forms.EmailField(label=_("E-mail address"))
    role = forms.ChoiceField(label=_("Role"))
    federation = forms.ModelChoiceField(
        Federation.objects.none(),
        label=_("Federation"),
        required=False,
        help_text=_("Of a federation clerk."),
    )

    def __init__(self, *args, by, record, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        roles = invitations.may_invite(by)
        self.record, self.kind = None, next((name for name in OF_RECORDS if name in record), "")
        if self.kind:
            role, model = OF_RECORDS[self.kind]
            given = record[self.kind]
            self.record = model.objects.filter(pk=given).first() if given.isdecimal() else None
            self.fields["role"].choices = [(role.value, role.label)] if role in roles else []
            del self.fields["federation"]
            return
        own = [role for role in roles if role not in (Role.ARBITER, Role.PLAYER)]
        self.fields["role"].choices = [(role.value, role.label) for role in own]
        codes = federations_of(by)
        federations = Federation.objects.all()
        self.fields["federation"].queryset = (
            federations if codes is None else federations.filter(pk__in=codes)
        )

    def wanted(self) -> dict:
        """What ``invitations.invite`` takes."""
        found = {name: self.cleaned_data[name] for name in ("email", "role")}
        if self.kind:
            return found | {self.kind: self.record}
        return found | {"federation": self.cleaned_data["federation"]}
