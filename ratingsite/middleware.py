"""Security headers on every answer, private pages kept by nobody, exact hosts and methods, answers to NUL."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseNotAllowed
from django.http.request import split_domain_port
from django.utils.cache import patch_vary_headers

from ratinglists.api.door import BEGIN as API
from ratinglists.api.door import PAGE

#: no 'unsafe-inline', no other origin, and no script but by nonce: pages carry script and style in files.
#: data: is for the small pictures inside Bootstrap's style sheet.
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
)
#: of pages of ours, whose scripts name the one policy that they make; the administration's (jQuery) know none
_TRUSTED_TYPES = "; require-trusted-types-for 'script'; trusted-types portal"
#: of what is downloaded, should a browser show it all the same
_DOWNLOAD = "default-src 'none'; sandbox; frame-ancestors 'none'"
HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
}
PRIVATE = "private, no-store"
#: what a form that proves who sends it was made with
_FORM = "CSRF_COOKIE_NEEDS_UPDATE"


def policy_of(request: HttpRequest, response: HttpResponse) -> str:
    """The content security policy of an answer; its nonce only where the page has a script."""
    if response.headers.get("Content-Disposition", "").startswith("attachment"):
        return _DOWNLOAD
    nonce = getattr(request, "csp_nonce", "")
    policy = _POLICY.format(scripts=f"'nonce-{nonce}'" if nonce else "'none'")
    return policy if request.path_info.startswith("/admin/") else policy + _TRUSTED_TYPES


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """The outermost middleware: whatever answers, an error or a file, goes through it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        _keep_private(request, response)
        if request.method == "HEAD":
            _without_body(response)
        # Django's page for a programming error, shown in development only, is styled inline.
        if settings.DEBUG and response.status_code >= 400:
            return response
        response.headers.setdefault("Content-Security-Policy", policy_of(request, response))
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if settings.SECURE_HSTS_SECONDS and request.is_secure():
            value = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains"
            response.headers.setdefault("Strict-Transport-Security", value)
        return response

    return middleware


def _without_body(response: HttpResponse) -> None:
    """The answer to HEAD tells how long the page is; gunicorn warns of each body that comes with it."""
    if not response.streaming and response.content:
        length = str(len(response.content))
        response.content = b""
        response.headers["Content-Length"] = length


def _keep_private(request: HttpRequest, response: HttpResponse) -> None:
    """What is made for somebody, or holds a form that proves who sends it, is stored by no browser and no
    cache; what says itself that it is public is the same for everybody."""
    personal = (
        settings.SESSION_COOKIE_NAME in request.COOKIES
        or bool(response.cookies)
        or _FORM in request.META
        or hasattr(request, "csp_nonce")
    )
    page = request.path_info == PAGE  # a page for people, which the door calls public
    if not personal or (request.path_info.startswith(API) and not page):
        return
    if page or "public" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = PRIVATE
        response.headers.pop("ETag", None)
        patch_vary_headers(response, ("Cookie",))


class ExactHost:
    """A production answers at its names only, and at no other port than that of its address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.PORTAL_PRODUCTION and settings.PORTAL_ORIGIN:
            host, port = split_domain_port(request.get_host())  # raises DisallowedHost for other names
            allowed = {"", str(urlsplit(settings.PORTAL_ORIGIN).port or "")}
            if host and port not in {*allowed, "443" if request.is_secure() else "80"}:
                return HttpResponseBadRequest("There is no portal at this port.", content_type="text/plain")
        return self.get_response(request)


METHODS = ("GET", "HEAD", "POST", "OPTIONS")


def known_methods(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """No page takes anything but forms: PUT, DELETE and the like never get as far as a view. The programs'
    door says of each of its addresses what it takes."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS and not request.path_info.startswith(API):
            return HttpResponseNotAllowed(METHODS)
        return get_response(request)

    return middleware


class NulIsABadRequest:
    """PostgreSQL takes no NUL in text: only a forged request holds one, which is no fault of the portal."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, DataError) and "NUL" in str(error):
            return HttpResponseBadRequest("The request holds a NUL character.", content_type="text/plain")
        return None
