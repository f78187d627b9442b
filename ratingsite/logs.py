"""The log: one line per event, as text or as JSON, that names no person.

A row stands as its key, an address as what the code calls it, an error as its kind and the places in the
code: what somebody typed, or what a database says of a row, can be in any of their texts. While a fault is
hunted, PORTAL_LOG_ERRORS=1 lets the texts of errors through.
"""

from __future__ import annotations

import copy
import json
import logging
import re
import time
import traceback
from collections.abc import Callable

from django.conf import settings
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseServerError

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "request", "data"}
log = logging.getLogger("portal.requests")


class _Discreet(logging.Formatter):
    """Formats a copy of the record that names no person."""

    converter = time.gmtime
    default_msec_format = "%s.%03dZ"
    default_time_format = "%Y-%m-%dT%H:%M:%S"

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        request = getattr(record, "request", None)
        if isinstance(record.args, tuple):
            record.args = tuple(_discreet(each, request) for each in record.args)
        elif isinstance(record.args, dict):  # Celery's, which holds a task's arguments and its error as text
            kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else "an error"
            hidden = {} if settings.PORTAL_LOG_ERRORS else {"exc": kind, "args": "…", "kwargs": "…"}
            record.args = {**record.args, **{key: hidden[key] for key in hidden if key in record.args}}
        record.exc_text = None  # another handler's, which may say more
        return super().format(record)

    def formatException(self, exc_info) -> str:
        if settings.PORTAL_LOG_ERRORS:
            return super().formatException(exc_info)
        lines, error = [], exc_info[1]
        while error is not None:
            lines.append(f"{type(error).__name__} at")
            lines += [
                f"  {at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(error.__traceback__)
            ]
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(lines)


def _discreet(value: object, request: HttpRequest | None) -> object:
    if isinstance(value, Model):
        return f"{value._meta.label_lower}:{value.pk}"
    if isinstance(value, BaseException) and not settings.PORTAL_LOG_ERRORS:
        reason = getattr(value, "strerror", None)
        return f"{type(value).__name__}: {reason}" if reason else type(value).__name__
    if isinstance(request, HttpRequest) and value in (request.path, request.get_full_path()):
        return view_of(request)
    return value


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {
        key: _discreet(value, getattr(record, "request", None))
        for key, value in vars(record).items()
        if key not in _STANDARD
    }


class LineFormatter(_Discreet):
    """Formats `log.info("list published", extra={"period": 3})` as `… list published period=3`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        extra = (f" {key}={value!r}" for key, value in _extra(record).items())
        # A line break in a message could forge a second event.
        return (super().formatMessage(record) + "".join(extra)).replace("\r", "\\r").replace("\n", "\\n")


class JsonFormatter(_Discreet):
    """One JSON object a line: ``at``, ``level``, ``logger``, ``message``, ``error``, and the extra fields."""

    def usesTime(self) -> bool:
        return True

    def formatMessage(self, record: logging.LogRecord) -> str:
        said = {
            "at": record.asctime,
            "level": record.levelname,
            "logger": record.name,
            "message": record.message,
            **_extra(record),
        }
        if record.exc_info:
            said["error"], record.exc_info = self.formatException(record.exc_info), None
        return json.dumps(said, ensure_ascii=False, default=str)


#: gunicorn's warning: the kind of the fault, then the piece of the request that it stumbled over
_UNREAD = re.compile(r"Invalid request from ip=.*?: (?P<kind>[^:'\"]*)")


class OfServer(logging.Filter):
    """gunicorn logs addresses and pieces of requests that ``Logged`` never sees: not through this."""

    def filter(self, record: logging.LogRecord) -> bool:
        if settings.PORTAL_LOG_ERRORS:
            return True
        if found := _UNREAD.match(str(record.msg)):
            record.msg = f"a request could not be read: {found['kind'].strip()}"
        elif str(record.msg).startswith("Error handling request"):
            record.msg, record.args = "a request was broken off by a fault", ()
        return True


def view_of(request: HttpRequest) -> str:
    """What the code calls the address of a request: never what somebody typed."""
    match = request.resolver_match
    return (match.view_name or match._func_path) if match else "none"


class Logged:
    """Middleware: a line for each request, without its address, its query and the client's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        try:
            response = self.get_response(request)
        except Exception:  # the page of the fault had one too; the server's own log would print its text
            log.exception("no page could be made of a fault")
            response = HttpResponseServerError("The portal made a mistake.", content_type="text/plain")
        took = round(1000 * (time.perf_counter() - begun))
        about = {
            "method": request.method,
            "view": view_of(request),
            "status": response.status_code,
            "ms": took,
        }
        log.info("answered", extra=about)
        return response
