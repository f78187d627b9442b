"""Forms of accounts: allauth's, with attempts counted and reset mails written by a worker."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField, SetPasswordField
from allauth.account.forms import ChangePasswordForm as ChangePassword
from allauth.account.forms import LoginForm, PasswordVerificationMixin
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import mails, slowdown
from accounts.adapter import too_soon


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


class CredentialField(forms.JSONField):
    """What a browser says of a passkey; nested without end, it is none."""

    def to_python(self, value):
        try:
            return super().to_python(value)
        except RecursionError as error:
            raise get_mfa_adapter().validation_error("incorrect_code") from error

    def bound_data(self, data, initial):
        """Not given back by a page that shows what was wrong."""
        return initial


class _WithCredential(forms.Form):
    credential = CredentialField(widget=forms.HiddenInput)


class AddPasskeyForm(_WithCredential, passkeys.AddWebAuthnForm):
    def clean(self) -> dict:
        try:
            return super().clean()
        except ValueError as error:  # parts that are no base64
            raise get_mfa_adapter().validation_error("incorrect_code") from error


class PasskeyForm(_WithCredential, passkeys.AuthenticateWebAuthnForm):
    pass


class PasskeySignInForm(_WithCredential, passkeys.LoginWebAuthnForm):
    pass


class PasskeyAgainForm(_WithCredential, passkeys.ReauthenticateWebAuthnForm):
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
