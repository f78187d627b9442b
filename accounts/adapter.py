"""What the portal does otherwise than allauth does by itself."""

from __future__ import annotations

import base64
import secrets
import time

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts import mails, slowdown
from accounts.people import named
from players import audit
from players.clients import network_of
from ratinglists import addresses

#: mail to the owner of an account after a change; mails are in English
TOLD = {
    "account/email/password_changed": "The password was changed.",
    "account/email/password_set": "A password was set.",
    "account/email/password_reset": "The password was changed by a link sent to you.",
    "account/email/email_changed": "The e-mail address was changed.",
    "account/email/email_deleted": "An e-mail address was removed.",
    "account/email/email_confirm": "An e-mail address was confirmed.",
    "mfa/email/totp_activated": "An authenticator app was set up.",
    "mfa/email/totp_deactivated": "The authenticator app was taken away.",
    "mfa/email/webauthn_added": "A passkey or security key was added.",
    "mfa/email/webauthn_removed": "A passkey or security key was removed.",
    "mfa/email/recovery_codes_generated": "New recovery codes were made; the old ones are void.",
}


def too_soon(request: HttpRequest, seconds: int) -> HttpResponse:
    """The answer to an attempt that comes too soon after others that failed."""
    response = render(request, "429.html", {"seconds": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    return response


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("The name or the password is wrong."),
        "email_password_mismatch": _("The name or the password is wrong."),
        "incorrect_password": _("The password is wrong."),
        "enter_current_password": _("This is not your password of now."),
        "incorrect_code": _("The code is wrong, or was used before."),
        "duplicate_email": _("This is your address already."),
        "invalid_or_expired_key": _("The link is wrong or too old."),
        "invalid_password_reset": _("The link is wrong or too old."),
        "rate_limited": _("Too many requests: wait a minute."),
        "too_many_login_attempts": _("Too many attempts failed: wait a minute."),
        "username_taken": _("This user name is taken."),
    }

    # --- passwords ------------------------------------------------------------------------------------

    def authenticate(self, request: HttpRequest, **credentials):
        """Counts the attempt before the password is looked at (``accounts.slowdown``)."""
        login = credentials.get("username") or credentials.get("email") or ""
        user = named(login)
        try:
            attempt = slowdown.begin_password(request, user, login)
        except slowdown.TooSoon as error:
            raise ImmediateHttpResponse(too_soon(request, error.seconds)) from error
        found = super().authenticate(request, **credentials)
        if found:
            attempt.forgive()
        else:
            with transaction.atomic():
                audit.record("account.sign-in-failed", None, user)
        return found

    def clean_username(self, username: str, shallow: bool = False) -> str:
        # As it is stored: else “ｓｔａｆｆ” would be looked up as nobody's and stored as “staff”.
        username = get_user_model().normalize_username(username)
        if "@" in username:
            raise ValidationError(_("A user name has no “@”: with it, it might be somebody's address."))
        return super().clean_username(username, shallow)

    def is_reauthentication_required(self, *, app: str, **kwargs) -> bool:
        """Who has just signed in does not have to do so once more."""
        if not super().is_reauthentication_required(app=app, **kwargs):
            return False
        records = get_authentication_records(context.request, context.request.user)
        fresh = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
        return not records or records[-1]["at"] < fresh

    # --- where things go ------------------------------------------------------------------------------

    def get_client_ip(self, request: HttpRequest) -> str:
        return network_of(request) or "0.0.0.0"  # noqa: S104 - no address to listen on

    def is_safe_url(self, url: str) -> bool:
        request = context.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

    # --- mail -----------------------------------------------------------------------------------------

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation) -> str:
        """At the portal's own address, by whichever of its names it was asked for."""
        return addresses.whole(request, reverse("account_confirm_email", args=[emailconfirmation.key]))

    def send_mail(self, template_prefix: str, email: str, context: dict) -> None:
        if template_prefix != "account/email/email_confirmation":
            raise LookupError(f"No mail is written for {template_prefix}.")
        text = (
            f"The account {context['user'].get_username()} of the rating portal gives this address "
            "as its own. "
            f"Confirm it here:\n\n{context['activate_url']}\n\n"
            "If it is not your account, there is nothing to do: without you the address is not taken.\n"
        )
        mails.write(email, "Confirm your e-mail address", text)

    def send_notification_mail(self, template_prefix: str, user, context=None, email=None) -> None:
        to = email or user.email
        if not to:
            return
        when = timezone.localtime().strftime("%Y-%m-%d %H:%M")
        text = (
            f"{TOLD[template_prefix]}\n\nAccount: {user.get_username()}\nWhen: {when}\n"
            f"From: {self.get_client_ip(self.request)}\n\n"
            "If it was not you, set a new password at once and tell the federation.\n"
        )
        mails.write(to, "Your account on the rating portal was changed", text)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets are stored encrypted with keys derived from PORTAL_SECRET_KEY."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("The code is wrong, or was used before."),
    }

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:  # another PORTAL_SECRET_KEY: no code fits, and an operator resets the factor
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def _get_user_identifier(self, user) -> str:
        return user.get_username()


def _cipher() -> MultiFernet:
    def key(secret: str) -> Fernet:
        digest = salted_hmac("accounts.second-factor", "key", secret=secret, algorithm="sha256").digest()
        return Fernet(base64.urlsafe_b64encode(digest))

    return MultiFernet([key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])
