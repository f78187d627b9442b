"""One place where sessions without their second factor are held back."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import Resolver404, resolve

from accounts import second_factor

START = "mfa_index"
#: what an account reaches that has to set up its second factor; besides, what everybody sees
SET_UP = {
    START,
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_view_recovery_codes",
    "account_reauthenticate",
    "account_logout",
    "language",
}


class SecondFactor:
    """A session that has not passed the second factor does not count as signed in.

    Who has one signs in anew. Who needs one and has none (a new account, one from before the portal asked for
    it) is led to the pages where it is set up, and sees of all others what anybody sees.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
            return self.get_response(request)
        if not second_factor.was_passed(request):
            if second_factor.is_set_up(request.user):
                logout(request)
            elif second_factor.is_needed(request.user):
                return self._held_back(request)
        return self.get_response(request)

    def _held_back(self, request: HttpRequest) -> HttpResponse:
        if _name_of(request) in SET_UP:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD") or request.path == resolve_url(settings.LOGIN_URL):
            return redirect(START)
        request.user, request.must_set_up = AnonymousUser(), request.user
        response = self.get_response(request)
        closed = response.status_code in (301, 302) and response["Location"].split("?")[0] in _doors()
        return redirect(START) if closed or response.status_code == 403 else response


def _doors() -> set[str]:
    return {resolve_url(settings.LOGIN_URL), resolve_url("admin:login")}


def _name_of(request: HttpRequest) -> str | None:
    try:
        return resolve(request.path_info).url_name
    except Resolver404:
        return None
