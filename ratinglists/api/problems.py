"""Refusals in one shape (RFC 9457): what is wrong, with which field, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from ninja import Field, Schema

MEDIA_TYPE = "application/problem+json"


class FieldError(Schema):
    """A value that cannot be used, and where it stands."""

    path: str = Field(description="Parameter or place in the body, such as query.limit or games[3].result.")
    message: str = Field(description="What is wrong with it.")


class ReportFinding(Schema):
    """What was found in a report: a fault (error) or a doubt (warning), and what to do about it."""

    severity: str = Field(description="error or warning")
    code: str
    field: str = Field(description="Field of the report or of the registration.")
    message: str
    remedy: str
    article: str = Field(description="Of the regulation; empty where it is no matter of the regulation.")
    line: int | None = Field(None, description="Line of the file.")
    column: int | None = Field(None, description="Column of the file.")


class Problem(Schema):
    """Why there is no answer."""

    type: str = Field(description="Always about:blank: the status tells the kind.")
    title: str
    status: int
    detail: str = Field(description="What is wrong.")
    remedy: str = Field(description="What to do about it.")
    errors: list[FieldError] = Field(description="Each value that cannot be used.")
    findings: list[ReportFinding] | None = Field(None, description="Of a refused report only.")


REMEDIES = {
    400: "Send a request as HTTP describes it.",
    401: "Send the key as “Authorization: Bearer rp_…”, or no such header for what is public.",
    403: "Ask the federation: the key or the account behind it may not do this.",
    404: "Check the address: /api/v1/openapi.json lists all of them, and none ends with a slash.",
    405: "Use a method that the header Allow names.",
    406: "Accept application/json.",
    413: "Send less at once.",
    415: "Send the media type that the description names.",
    422: "Correct what is named and send it again.",
    429: "Wait as long as Retry-After says. A key has a limit of its own.",
    500: "Try again; if it stays so, tell the federation when it happened.",
    503: "Try again after a while.",
}
#: of values that a request lacks or has wrong, where the general remedy does not tell what to send
REMEDIES_OF = {
    "header.Idempotency-Key": "Send a header Idempotency-Key: a name of your own for this attempt, of up to "
    "200 printable ASCII characters without blanks. Send the same again if the network fails.",
}


class Fault(Exception):
    """Ends a request with a problem."""

    def __init__(
        self,
        status: int,
        detail: str,
        remedy: str = "",
        errors: Iterable[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status, self.headers = status, dict(headers or {})
        self.body = body(status, detail, remedy, errors) | more

    def response(self) -> HttpResponse:
        return response(self.body, self.headers)


def body(status: int, detail: str, remedy: str = "", errors: Iterable[tuple[str, str]] = ()) -> dict:
    """A problem as JSON values."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "remedy": remedy or REMEDIES.get(status, ""),
        "errors": [{"path": path, "message": message} for path, message in errors],
    }


def response(problem: dict, headers: Mapping[str, str] | None = None) -> HttpResponse:
    text = json.dumps(problem, ensure_ascii=False)
    headers = {"Cache-Control": "no-store", **(headers or {})}
    if problem["status"] == 401:
        headers.setdefault("WWW-Authenticate", 'Bearer realm="rating portal"')
    return HttpResponse(
        text.encode("utf-8", "backslashreplace"),
        status=problem["status"],
        content_type=MEDIA_TYPE,
        headers=headers,
    )
