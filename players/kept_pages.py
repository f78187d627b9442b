"""Public pages kept ready between two acts: made once, then answered from memory, packed.

A page is kept for whoever brings no cookie but those that change nothing of it: the language's (by which
pages are told apart), the device's, and the one against forged forms, as no page with such a form is kept.
It is made anew after every act in the audit log (a publication, an answer to a complaint, a name put right;
not who signed in), on a new day, and after a minute in any case: live ratings and a running import are no
acts. Each process has its own. Kept or not, all that a page reads is of one moment.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.cache import caches
from django.db.models import QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_header_parameters
from django.utils.translation import get_language

from players.audit_model import SHOWN
from players.models import AuditEntry
from players.one_moment import one_moment
from players.prepared import prepared

View = Callable[..., HttpResponse]
#: headers of a page that are kept with it
KEPT = ("Content-Type", "Cache-Control", "Content-Language", "Link")
LEVEL = 5


def kept(view: View) -> View:
    """Keep the view's pages; for views that show everybody without cookies the same."""

    @wraps(view)
    def answered(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        if set(request.COOKIES) - _indifferent():
            with one_moment():
                return view(request, *args, **kwargs)
        pages, key = caches["pages"], _key(request)
        if (page := pages.get(key)) is None:
            with one_moment():
                response = view(request, *args, **kwargs)
            if hasattr(request, "csp_nonce") or not _may_be_kept(response):
                return response
            headers = {name: response.headers[name] for name in KEPT if name in response.headers}
            etag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            page = headers | {"ETag": etag}, gzip.compress(response.content, LEVEL, mtime=0)
            pages.set(key, page)
        return _response(request, *page)

    return answered


def stamp() -> tuple[int | None, int | None]:
    """Changes with every act that pages may show: the newest one, and the last one sealed (entries may be
    committed in another order than they were numbered in). Who signs in, and how, no public page shows."""
    return next(iter(_newest()), (None, None))


@prepared
def _newest() -> QuerySet:
    shown = AuditEntry.objects.filter(SHOWN)
    sealed = shown.filter(number__isnull=False).order_by("-number").values("number")[:1]
    newest = shown.order_by("-pk").annotate(sealed=Subquery(sealed))
    return newest.values_list("pk", "sealed")[:1]


def _indifferent() -> set[str]:
    """The cookies that change nothing of a page that may be kept."""
    return {settings.LANGUAGE_COOKIE_NAME, settings.PORTAL_DEVICE_COOKIE, settings.CSRF_COOKIE_NAME}


def _key(request: HttpRequest) -> str:
    what = (*stamp(), timezone.localdate(), get_language(), request.build_absolute_uri())
    return hashlib.sha256(repr(what).encode()).hexdigest()


def _may_be_kept(response: HttpResponse) -> bool:
    """Whole, for everybody, and without a form that proves who sends it."""
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and not any(word in response.get("Cache-Control", "") for word in ("no-store", "private"))
        and b"csrfmiddlewaretoken" not in response.content
    )


def _response(request: HttpRequest, headers: dict[str, str], packed: bytes) -> HttpResponse:
    response = HttpResponse(headers=headers)
    if _takes_gzip(request):
        response.content = packed
        response["Content-Encoding"] = "gzip"
    else:
        response.content = gzip.decompress(packed)
    patch_vary_headers(response, ("Accept-Encoding", "Cookie"))
    response.headers.setdefault("Cache-Control", "no-cache")
    return get_conditional_response(request, etag=headers["ETag"], response=response)


def _takes_gzip(request: HttpRequest) -> bool:
    for each in request.headers.get("Accept-Encoding", "").split(","):
        name, options = parse_header_parameters(each)
        if name == "gzip":
            return options.get("q", "1").strip("0.") != ""
    return False
