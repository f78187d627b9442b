"""Answers that a reader asks for again and again, and gets only when they changed."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response


def answered(request: HttpRequest, content: bytes, media_type: str) -> HttpResponse:
    """The content under an ETag of its hash; 304 for whoever has it already."""
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    answer = HttpResponse(content, content_type=media_type)
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "public, no-cache"
    return get_conditional_response(request, etag=etag, response=answer)
