"""Security headers that Django does not send by itself, methods that nobody takes, and NUL characters."""

from collections.abc import Callable

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseNotAllowed

# No 'unsafe-inline' and no other origin: pages carry their script and style in files.
# data: is for the small pictures inside Bootstrap's style sheet.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Django's page for a programming error, shown in development only, is styled inline.
        if not (settings.DEBUG and response.status_code >= 400):
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
        return response

    return middleware


API, METHODS = "/api/", ("GET", "HEAD", "POST", "OPTIONS")


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
