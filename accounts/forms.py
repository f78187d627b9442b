"""Forms of accounts: allauth's, with attempts counted and reset mails written by a worker."""

from __future__ import annotations

from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField, SetPasswordField
from allauth.account.forms import ChangePasswordForm as ChangePassword
from allauth.account.forms import LoginForm, PasswordVerificationMixin
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from accounts import mails, second_factor, slowdown
from accounts.adapter import too_soon
from ratinglists import addresses

#: of what a browser says of a passkey, and of the name that its owner gives it
LONGEST_CREDENTIAL, LONGEST_NAME = 65_536, 100


class SignInForm(LoginForm):
    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = forms.CharField(
            label=_("User name or e-mail address"),
            max_length=254,
            widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
        )
        self.order_fields(["login", "password"])


class ResetPasswordForm(forms.Form):
    """Says the same, in the same time, whether there is such an account or not: a worker looks."""

    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def save(self, request: HttpRequest, **kwargs) -> str:
        mails.ask_reset(self.cleaned_data["email"].lower(), request.build_absolute_uri("/")[:-1])
        return self.cleaned_data["email"]


class ChangePasswordForm(ChangePassword):
    """Whoever finds a session open guesses its password no faster than at the door."""

    def clean_oldpassword(self) -> str:
        given = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given


class _Counted:
    """Codes of the second factor are tried one after the other, with growing waits after failures."""

    def clean_code(self) -> str:
        request = context.request
        try:
            attempt = slowdown.begin_code(request, self.user)
        except slowdown.TooSoon as error:
            raise ImmediateHttpResponse(too_soon(request, error.seconds)) from error
        code = super().clean_code()
        attempt.forgive()
        return code


class CodeForm(_Counted, AuthenticateForm):
    pass


class CodeAgainForm(_Counted, ReauthenticateForm):
    pass


def _place(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


class CredentialField(forms.JSONField):
    """What a browser says of a passkey. Whatever cannot be read is none, and so is what a page of another
    origin was told: the library takes those of every name below the portal's and of every port."""

    def __init__(self, kind: type) -> None:
        super().__init__(widget=forms.HiddenInput)
        self.kind = kind

    def to_python(self, value):
        wrong = get_mfa_adapter().validation_error("incorrect_code")
        if len(value or "") > LONGEST_CREDENTIAL:
            raise wrong
        try:
            found = super().to_python(value)
            client = self.kind.from_dict(found).response.client_data
            ours = {addresses.origin(context.request), context.request.build_absolute_uri("/")}
            here = _place(client.origin) in map(_place, ours) and not client.cross_origin
        except Exception as error:  # what the library meets in a forged one: of index, of key, of recursion …
            raise wrong from error
        if not here:
            raise wrong
        return found

    def bound_data(self, data, initial):
        """Not given back by a page that shows what was wrong."""
        return initial


class AddPasskeyForm(passkeys.AddWebAuthnForm):
    name = forms.CharField(required=False, max_length=LONGEST_NAME)
    credential = CredentialField(RegistrationResponse)

    def clean(self) -> dict:
        try:
            found = super().clean()
        except (ValueError, AssertionError) as error:  # a challenge or a key that is none
            raise get_mfa_adapter().validation_error("incorrect_code") from error
        if "credential" in found and second_factor.has_key(self.user, found["credential"]):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return found


class RenamePasskeyForm(passkeys.EditWebAuthnForm):
    name = forms.CharField(max_length=LONGEST_NAME)


class _Assertion(forms.Form):
    credential = CredentialField(AuthenticationResponse)

    def clean_credential(self) -> Authenticator:
        said = AuthenticationResponse.from_dict(self.cleaned_data["credential"]).response
        key = super().clean_credential()
        if not second_factor.counts_on(key, said.authenticator_data.counter):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return key


class PasskeyForm(_Assertion, passkeys.AuthenticateWebAuthnForm):
    pass


class PasskeySignInForm(_Assertion, passkeys.LoginWebAuthnForm):
    pass


class PasskeyAgainForm(_Assertion, passkeys.ReauthenticateWebAuthnForm):
    pass


class AcceptForm(PasswordVerificationMixin, forms.Form):
    """A new account for who was invited."""

    username = forms.CharField(
        label=_("User name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password1 = SetPasswordField(label=_("Password"))
    password2 = PasswordField(label=_("Password (again)"), autocomplete="new-password")

    def __init__(self, *args, email: str = "", **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].user = get_user_model()(email=email)

    def clean_username(self) -> str:
        return get_adapter().clean_username(self.cleaned_data["username"])

    def chosen(self) -> dict[str, str]:
        """What ``invitations.accept`` takes."""
        return {"username": self.cleaned_data["username"], "password": self.cleaned_data["password1"]}
