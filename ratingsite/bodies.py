"""What a request brings with it, held to the limit of its page while it streams in (``players.doors``).

A body that says its length is refused before a byte of it is read. One that does not (chunked) goes to the
disk no further than the limit. Whoever lacks the right to a page for large files gets the limit of a form.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.handlers.wsgi import LimitedStream
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views import defaults

from players.doors import FORM, Door, size_of
from ratinglists.api.door import BEGIN as API
from ratinglists.api.problems import Fault
from tournaments.reports.text import MAX_BYTES

TOO_MUCH = 413
PROGRAMS = Door(MAX_BYTES, "Send one event per file, of 1 MiB at most, or less at once.")
#: so much of a refused body is taken in, so that a client that sends first and reads then has its answer
_READ_ON = 2 << 20
_CHUNK = 1 << 16


class Limited:
    """Middleware; the limits are those of the view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable, args, given) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or ""
        chunked = "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
        if not chunked and (not length or length == "0"):
            return None
        door = _door(request, view)
        if not chunked:
            if length.isascii() and length.isdecimal() and int(length) <= door.body:
                return None
            _take_in(request.META["wsgi.input"], min(_READ_ON, int(length) if length.isdecimal() else 0))
            return too_much(request, door)
        if not request.META.get("wsgi.input_terminated"):
            return refused(request, 411, "The request does not say how long it is.", "Send Content-Length.")
        try:
            whole = _spooled(request, door.body)
        except Exception:  # the server's own, for chunks that are none
            return HttpResponseBadRequest("The request cannot be read.", content_type="text/plain")
        return None if whole else too_much(request, door)


def _door(request: HttpRequest, view: Callable) -> Door:
    if request.path_info.startswith(API):
        return PROGRAMS
    door = getattr(view, "door", FORM)
    return door if not door.permission or request.user.has_perm(door.permission) else FORM


def _spooled(request: HttpRequest, most: int) -> bool:
    """Takes a body of unknown length to the disk and gives the request that; False if it is too long."""
    source = request.META["wsgi.input"]
    spool = tempfile.SpooledTemporaryFile(max_size=1 << 20, dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115
    size = 0
    while data := source.read(_CHUNK):
        size += len(data)
        if size > most:
            spool.close()
            _take_in(source, _READ_ON)
            return False
        spool.write(data)
    spool.seek(0)
    request.META["CONTENT_LENGTH"] = str(size)
    request._stream, request._read_started = LimitedStream(spool, size), False
    return True


def _take_in(source, most: int) -> None:
    while most > 0 and (data := source.read(min(_CHUNK, most))):
        most -= len(data)


def too_much(request: HttpRequest, door: Door) -> HttpResponse:
    """413, in the look of the pages or as a program reads it."""
    return refused(
        request,
        TOO_MUCH,
        f"What was sent is larger than {size_of(door.file)}.",
        door.remedy,
        most=size_of(door.file),
    )


def refused(request: HttpRequest, status: int, text: str, remedy, **more: str) -> HttpResponse:
    if request.path_info.startswith(API):
        return Fault(status, text, str(remedy)).response()
    if status != TOO_MUCH:
        return HttpResponse(f"{text} {remedy}", status=status, content_type="text/plain; charset=utf-8")
    return render(request, "413.html", {"remedy": remedy, **more}, status=TOO_MUCH)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's 400, but 413 for what is too much of something."""
    if isinstance(exception, RequestDataTooBig):
        return too_much(request, FORM)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        text, remedy = "The form has too many fields or files.", _("Send less at once.")
        return refused(request, TOO_MUCH, text, remedy)
    return defaults.bad_request(request, exception)
