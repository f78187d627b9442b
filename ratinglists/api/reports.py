"""Reports that a federation's own program sends with a key."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from ninja import Field, Header, Router, Schema, Status

from players import crashpoints
from ratinglists import api_reports
from ratinglists.api import bodies
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.problems import Fault, ReportFinding
from ratinglists.api.shapes import Number
from ratinglists.models import ApiKey
from tournaments.issues import NEW
from tournaments.reports.text import MAX_BYTES

router = Router(tags=["Reports"])
#: the file, and what surrounds it in the body
_MOST = MAX_BYTES + (1 << 16)
_REMEDY = "Send one event per file, of 1 MiB at most."
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "string",
                            "format": "binary",
                            "description": "The report, in any format of the arbiters' form; at most 1 MiB.",
                        },
                        "people": {
                            "type": "string",
                            "description": "JSON: players for start numbers that name nobody certain, as"
                            ' {"7": 123}; "new" puts the reported player on the register.',
                        },
                        "correcting": {
                            "type": "string",
                            "enum": ["true", "false"],
                            "description": "Corrects what lists have counted of a postal event that goes on.",
                        },
                    },
                }
            }
        },
    }
}


class KeyAuth:
    """The key that the door has found: nobody else gets in."""

    openapi_security_schema = {
        "type": "http",
        "scheme": "bearer",
        "description": "A key that the federation's staff made for a program: Authorization: Bearer rp_…",
    }

    def __call__(self, request: HttpRequest) -> ApiKey | None:
        return request.api_key


class StoredReport(Schema):
    id: int
    tournament: int
    state: str = Field(description="submitted, or correction: of an event that a list has counted")
    format: str
    filename: str
    sha256: str = Field(description="Of the file.")
    received_on: date = Field(description="The day that decides which list counts it.")
    findings: list[ReportFinding]


@router.post(
    "/{tournament}/reports",
    response=answers(StoredReport, 403, MISSING, 409, 413, 415, status=201),
    auth=KeyAuth(),
    operation_id="send_report",
    summary="Send a report",
    openapi_extra=_BODY,
)
def send_report(
    request: HttpRequest,
    response: HttpResponse,
    tournament: Number,
    idempotency_key: Annotated[
        str,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=200,
            pattern=r"^[!-~]+$",
            description="Your own name for this attempt. Sent again with the same body it gives the same"
            " answer and stores nothing; with another body it is refused. A refusal is kept like a success: "
            "correct the file, and send it under a new name.",
        ),
    ],
):
    """What an arbiter sends by the form, sent by a program: checked whole, stored whole or not at all. The
    key's federation has to be the tournament's, and the key's account must be allowed to report it."""
    bodies.check(request, "multipart/form-data", _MOST, _REMEDY)
    sent = _sent(request)
    try:
        row, again = api_reports.submit(request.auth, tournament, idempotency_key, sent)
    except api_reports.NoTournament:
        raise Fault(
            404, f"There is no tournament {tournament}.", "/api/v1/tournaments?q=… finds them."
        ) from None
    except PermissionDenied as refusal:
        raise Fault(403, str(refusal)) from None
    except api_reports.OtherBody:
        detail = "This Idempotency-Key stands for another request."
        remedy = "Use a new one for every report that you send."
        raise Fault(409, detail, remedy, [("header.Idempotency-Key", detail)]) from None
    crashpoints.here("upload: sent by a program, not answered")
    told = json.loads(row.answer)
    repeated = {"Idempotency-Replayed": "true"} if again else {}
    if row.status == api_reports.STORED:
        for name, value in repeated.items():
            response.headers[name] = value
        return Status(201, told)
    if row.status == api_reports.NOT_NOW:
        raise Fault(409, told["detail"], "Ask the federation.", headers=repeated)
    findings = told["findings"]
    faults = [each for each in findings if each["severity"] == "error"]
    raise Fault(
        422,
        f"The report has {len(faults)} error{'' if len(faults) == 1 else 's'}; nothing was stored.",
        "Correct what the findings name and send it with a new Idempotency-Key.",
        [(_place(each), f"{each['message']} {each['remedy']}") for each in faults],
        headers=repeated,
        findings=findings,
    )


def _place(found: dict) -> str:
    line = f" line {found['line']}" if found["line"] is not None else ""
    column = f" column {found['column']}" if line and found["column"] is not None else ""
    return f"file{line}{column}" if line else f"file {found['field']}".strip()


def _sent(request: HttpRequest) -> api_reports.Sent:
    """The parts of the body; Fault 422 naming each that cannot be used."""
    try:
        files, fields = request.FILES, request.POST
    except MultiPartParserError as error:
        raise Fault(400, f"The body is no multipart form: {error}") from None
    errors: list[tuple[str, str]] = []
    file = files.get("file")
    if file is None:
        errors.append(("body.file", "is missing: send the report as a part of this name, with a file name"))
    elif file.size > MAX_BYTES:
        raise Fault(413, f"The file has {file.size} bytes; {MAX_BYTES} are the most.", _REMEDY)
    known = {"file", "people", "correcting"}
    errors += [(f"body.{name}", "is not known") for name in sorted({*fields, *files} - known)]
    correcting = fields.get("correcting", "false")
    if correcting not in ("true", "false"):
        errors.append(("body.correcting", "must be true or false"))
    people = _people(fields.get("people", ""), errors)
    if errors:
        raise Fault(422, "The form cannot be used.", errors=errors)
    return api_reports.Sent(file.name[:150], file.read(), people, correcting == "true")


def _people(text: str, errors: list[tuple[str, str]]) -> dict[int, int | str]:
    try:
        given = json.loads(text) if text else {}
        return {
            _number(start): player if player == NEW else _number(player) for start, player in given.items()
        }
    except (ValueError, AttributeError, TypeError, RecursionError):
        errors.append(
            ("body.people", f'must be JSON of start numbers with players or "{NEW}", as {{"7": 123}}')
        )
        return {}


def _number(value: object) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**63:
        raise ValueError(f"{value!r} is no number")
    return number
