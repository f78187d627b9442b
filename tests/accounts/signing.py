"""Signing in as people do."""

from __future__ import annotations

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client

LOGIN = "/accounts/login/"
CODE = "/accounts/second-factor/authenticate/"
SET_UP = "/accounts/second-factor/"


def code_of(secret: str, ahead: int = 0) -> str:
    """The code that an app shows now, or ``ahead`` half minutes later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead))


def with_app(user) -> str:
    """Give an account an authenticator app and recovery codes; returns the app's secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def recovery_codes(user) -> list[str]:
    return Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()


def password(client: Client, name: str, word: str = "secret", *, next: str = "", **more):
    where = f"{LOGIN}?next={next}" if next else LOGIN
    return client.post(where, {"login": name, "password": word}, **more)


def enter(client: Client, user, secret: str, ahead: int = 0):
    """Password and code."""
    assert password(client, user.get_username()).headers["Location"] == CODE
    return client.post(CODE, {"code": code_of(secret, ahead)})


def is_in(client: Client) -> bool:
    """Does the portal take whoever it is for signed in?"""
    return client.get("/me/").status_code == 200
