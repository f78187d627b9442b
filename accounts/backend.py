"""Passwords checked: one hash for each attempt, whoever is named."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.people import named


class Backend(AuthenticationBackend):
    """allauth's own checks an account named by its address twice, and so tells by its time which exist."""

    def _authenticate(self, request: HttpRequest | None, **credentials) -> AbstractBaseUser | None:
        login = credentials.get("username") or credentials.get("email") or ""
        return self._check_password(named(login), credentials["password"])
