"""Forms of accounts and of records with an account: what they offer, they also check."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players import access, roles
from players.models import Clerkship, Federation
from players.roles import Role

STAFF = (Role.ADMINISTRATOR, Role.OFFICER, Role.APPROVER)


class AccountForm(UserChangeForm):
    """An account as somebody (``by``, whom the admin names) may change it: nobody gives what he lacks, and
    nobody changes his own roles."""

    by = None
    roles = forms.MultipleChoiceField(
        label=_("roles"), required=False, widget=forms.CheckboxSelectMultiple, choices=()
    )
    clerk_of = forms.ModelMultipleChoiceField(
        Federation.objects.none(),
        label=_("clerk of"),
        required=False,
        help_text=_("The federations whose players, tournaments and arbiters the account works on."),
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        own = not self.by.is_superuser and self.by.pk == self.instance.pk
        if own or not (self.by.is_superuser or self.by.has_perm(roles.GRANT)):
            for name in ("roles", "clerk_of", "groups", "is_active"):
                self.fields.pop(name, None)
            return
        held = set(self.instance.groups.values_list("name", flat=True))
        self.held = {role for role in STAFF if roles.GROUPS[role] in held}
        self.federations = set(
            Clerkship.objects.filter(user=self.instance).values_list("federation", flat=True)
        )
        self.fields["roles"].choices = [(role.value, role.label) for role in STAFF]
        self.fields["clerk_of"].queryset = access.for_user(Federation.objects.all(), self.by)
        self.initial |= {"roles": [role.value for role in self.held], "clerk_of": list(self.federations)}
        if "groups" in self.fields:
            self.fields["groups"].queryset = _other_groups(self.by)
            self.initial["groups"] = list(self.instance.groups.exclude(name__in=roles.ROLES))

    def clean(self) -> dict:
        given = super().clean()
        if self.by.pk == self.instance.pk:  # a superuser: others are not offered these of their own
            for name in {"is_active", "is_staff", "is_superuser"} & given.keys():
                if self.initial.get(name) and not given[name]:
                    self.add_error(name, _("Nobody takes this from himself: another superuser can."))
        return given

    def clean_roles(self) -> set[Role]:
        wanted = {Role(code) for code in self.cleaned_data["roles"]}
        self._check(
            [roles.why_not(self.instance, role, by=self.by) for role in sorted(wanted - self.held)]
            + [roles.why_not_take(self.instance, role, by=self.by) for role in sorted(self.held - wanted)]
        )
        return wanted

    def clean_clerk_of(self):
        wanted = {federation.pk for federation in self.cleaned_data["clerk_of"]}
        give = sorted(wanted - self.federations)
        reasons = [roles.why_not(self.instance, Role.CLERK, by=self.by, federation=code) for code in give]
        if self.federations - wanted:
            reasons.append(roles.why_not_take(self.instance, Role.CLERK, by=self.by))
        self._check(reasons)
        return self.cleaned_data["clerk_of"]

    def clean_groups(self):
        """The groups of roles stay: ``roles`` and ``clerk_of`` change them."""
        portal = Q(name__in=roles.ROLES, user=self.instance.pk)
        return Group.objects.filter(Q(pk__in=[group.pk for group in self.cleaned_data["groups"]]) | portal)

    def give_roles(self) -> None:
        """What was chosen, by the service. Call it in the transaction of the save."""
        if "roles" not in self.fields:
            return
        wanted = self.cleaned_data["roles"]
        federations = {federation.pk for federation in self.cleaned_data["clerk_of"]}
        for role in wanted - self.held:
            roles.grant(self.instance, role, by=self.by)
        for role in self.held - wanted:
            roles.revoke(self.instance, role, by=self.by)
        for code in federations - self.federations:
            roles.grant(self.instance, Role.CLERK, by=self.by, federation=code)
        for code in self.federations - federations:
            roles.revoke(self.instance, Role.CLERK, by=self.by, federation=code)

    @staticmethod
    def _check(reasons: list[str]) -> None:
        if found := [reason for reason in dict.fromkeys(reasons) if reason]:
            raise forms.ValidationError(found)


def _other_groups(by):
    """The groups beside the portal's own that hold nothing that ``by`` lacks."""
    groups = Group.objects.exclude(name__in=roles.ROLES)
    if by.is_superuser:
        return groups
    return groups.exclude(permissions__in=roles.beyond(by))


class LinkedForm(forms.ModelForm):
    """A record with the account of its person: the link is a role, given and taken by ``players.roles``."""

    role: Role
    by = None
    account = forms.CharField(max_length=150, required=False, label=_("account"))

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.held = self.instance.user
        self.initial.setdefault("account", self.held.get_username() if self.held else "")

    def clean_account(self) -> str:
        name = self.cleaned_data["account"].strip()
        users = get_user_model().objects
        self.account_user = users.filter(**{get_user_model().USERNAME_FIELD: name}).first() if name else None
        if name and self.account_user is None:
            raise forms.ValidationError(f"There is no account “{name}”.")
        return name

    def clean(self) -> dict:
        given = super().clean()
        if "account" not in given or self.account_user == self.held:
            return given
        reasons = []
        if self.held is not None:
            reasons.append(roles.why_not_take(self.held, self.role, by=self.by, record=self.instance))
        if self.account_user is not None:
            federation = given.get("federation")
            reasons.append(
                roles.why_not(
                    self.account_user, self.role, by=self.by, federation=federation and federation.pk
                )
            )
        for reason in dict.fromkeys(filter(None, reasons)):
            self.add_error("account", reason)
        return given

    def link(self) -> None:
        """Give and take the role, once the record is stored. Call it in the transaction of the save."""
        if not hasattr(self, "account_user") or self.account_user == self.held:
            return
        if self.held is not None:
            roles.revoke(self.held, self.role, by=self.by)
            self.instance.user = None
        if self.account_user is not None:
            roles.grant(self.account_user, self.role, by=self.by, **{self.role.value: self.instance})
            self.instance.user = self.account_user
