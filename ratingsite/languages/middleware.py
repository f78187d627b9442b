"""The language of a request: the reader's on pages, English in whatever programs read."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

#: the interface for programs, files and checks: the same bytes for everybody
_NO_PAGE = re.compile(
    r"/(api/v1|healthz|static|lists/[^/]+/[^/]+/files)(/|$)|/arbiter/\d+/(export|template)/"
    r"|.*(/file/|\.(csv|txt|xml|xlsx|pdf|json|tar|pem|sig|zip))$"
)


#: of these, what answers with a page only to say no: somebody followed a wrong link
_NEVER_A_PAGE = re.compile(r"/(api/v1|healthz)(/|$)")


def speak_to_the_reader(request: HttpRequest) -> None:
    """Where a file was asked for and a page is the answer: that page is for a person."""
    if getattr(request, "has_language", True) or _NEVER_A_PAGE.match(request.path_info):
        return
    translation.activate(translation.get_language_from_request(request))
    request.LANGUAGE_CODE = translation.get_language()
    request.has_language = True


class ReadersLanguage(LocaleMiddleware):
    """By the cookie of ``choose``, else by what the browser asks for."""

    def process_request(self, request: HttpRequest) -> None:
        exported = request.path_info == "/players/export/" and "format" in request.GET
        if exported or _NO_PAGE.match(request.path_info):
            translation.activate(settings.LANGUAGE_CODE)
            request.LANGUAGE_CODE = settings.LANGUAGE_CODE
            request.has_language = False
        else:
            super().process_request(request)
            request.has_language = True

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not getattr(request, "has_language", True):
            return response
        patch_vary_headers(response, ("Cookie",))
        return super().process_response(request, response)
