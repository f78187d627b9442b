"""Devices on which somebody has signed in before, by a signed cookie: they have counters of their own, so
that nobody elsewhere can keep an owner out (``accounts.slowdown``)."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

#: seconds
REMEMBERED = 180 * 86_400
MOST_ACCOUNTS = 8
_SALT = "accounts.device"


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    value = request.get_signed_cookie(
        settings.PORTAL_DEVICE_COOKIE, default="", salt=_SALT, max_age=REMEMBERED
    )
    device, *accounts = value.split(".")
    return device, accounts


def known(request: HttpRequest, user: AbstractBaseUser | None) -> str:
    """The device's own number if this account has signed in on it before, else empty."""
    device, accounts = _read(request)
    return device if user is not None and str(user.pk) in accounts else ""


def remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """Note that the account has signed in here, all factors passed."""
    device, accounts = _read(request)
    own = str(user.pk)
    accounts = [own, *(each for each in accounts if each != own)][:MOST_ACCOUNTS]
    response.set_signed_cookie(
        settings.PORTAL_DEVICE_COOKIE,
        ".".join([device or get_random_string(22), *accounts]),
        salt=_SALT,
        max_age=REMEMBERED,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
