"""The calculator (docs/developers/regulations/calculator.md): the same JSON in and out, the same errors."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema

from ratinglists.api import bodies, computing
from ratinglists.api.answers import answers
from ratinglists.api.shapes import PLAIN, CatalogEntry

router = Router(tags=["Calculator"])
_BODY = {
    "requestBody": {
        "required": True,
        "description": (
            "One JSON object, as docs/developers/regulations/calculator.md describes it; at most 1 MiB."
        ),
        "content": {
            "application/json": {
                "schema": {"type": "object", "properties": {"regulation": {"type": "string"}}},
                "example": {
                    "regulation": "fide-standard-2004",
                    "event": {"system": "swiss", "start": "2004-05-01", "end": "2004-05-02"},
                    "players": [{"id": "alba", "rating": 2143}, {"id": "bruno", "rating": 2010}],
                    "games": [{"round": 1, "white": "alba", "black": "bruno", "result": "1-0"}],
                },
            }
        },
    }
}


class Answer(Schema, extra="allow"):
    """What the calculator says to check, rate, list or compare."""


class Catalog(Schema):
    items: list[CatalogEntry]


@router.get(
    "", response=answers(Catalog), operation_id="catalog", summary="The regulations and their parameters"
)
def catalog(request: HttpRequest):
    """What the calculator can compute by, as ``python -m regulations catalog`` tells it."""
    return {"items": computing.catalog()}


@router.post(
    "",
    response=answers(Answer, 413, 415, 503),
    operation_id="calculate",
    summary="Compute by a regulation",
    openapi_extra=_BODY,
)
def calculate(
    request: HttpRequest,
    command: Annotated[
        Literal["", *computing.COMMANDS],
        Query(description="check, rate, list or compare; empty: the keys of the body tell it."),
    ] = "",
    parameter: Annotated[
        list[Annotated[str, Query(max_length=200, pattern=PLAIN)]],
        Query(
            max_length=20, description="NAME=VALUE, another reading of the text; several times for several."
        ),
    ] = [],  # noqa: B006
):
    """Nothing is stored. What a larger input asks for is ended after five seconds."""
    remedy = "Send one event, or take the calculator itself."
    bodies.check(request, "application/json", computing.MOST_BYTES, remedy)
    said: Any = computing.run(command, request.body, parameter)
    text = json.dumps(said, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return HttpResponse(text, content_type="application/json")
