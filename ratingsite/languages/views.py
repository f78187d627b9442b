"""The choice of a language, and pages that say no in it."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_supported_language_variant
from django.views import defaults
from django.views.decorators.http import require_safe

from ratinglists import no_list
from ratingsite.languages.middleware import speak_to_the_reader


@require_safe
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Remember the language in a cookie and go back to ``next``; it changes nothing of the portal's."""
    try:
        language = get_supported_language_variant(code, strict=True)
    except LookupError:
        raise Http404(f"The portal does not speak {code}.") from None
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = "/"
    response = HttpResponseRedirect(target)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    speak_to_the_reader(request)
    told = no_list.page(request, exception) if isinstance(exception, no_list.NoSuchList) else None
    return told or defaults.page_not_found(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    speak_to_the_reader(request)
    return defaults.permission_denied(request, exception)
