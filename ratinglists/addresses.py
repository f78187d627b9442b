"""Whole addresses of the portal's pages, for what is read elsewhere: feeds, calendars, link previews."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def origin(request: HttpRequest) -> str:
    """Scheme and host by which the public knows the portal: PORTAL_ORIGIN, else those of the request."""
    return settings.PORTAL_ORIGIN.rstrip("/") or f"{request.scheme}://{request.get_host()}"


def host(request: HttpRequest) -> str:
    return urlsplit(origin(request)).netloc


def whole(request: HttpRequest, path: str) -> str:
    """A path of the portal with its origin."""
    return origin(request) + path
