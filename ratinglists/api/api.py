"""The interface as a whole: its addresses, its refusals, its description."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache, wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from players.one_moment import of_one_moment
from ratinglists.api import (
    calculations,
    calculator,
    changes,
    federations,
    lists,
    players,
    problems,
    reports,
    tournaments,
)
from ratinglists.api.door import Unchanged
from ratinglists.api.problems import REMEDIES_OF, Fault
from ratinglists.software import VERSION
from regulations.characters import forbidden

_ABOUT = """Ratings, lists and how every point came about, for programs. Reading needs no key; what is not
published is not here. Figures that may have a fraction are exact decimals as text, dates are ISO 8601.

Every good answer to GET has a strong ETag: send it as If-None-Match and get 304 while nothing changed. Long
answers come in pages: give the “next” of one page as “cursor” of the next. A refusal is always a problem
(application/problem+json) with the field and the remedy. Unknown parameters are refused."""


class Api(NinjaAPI):
    """Refusals are described with their own media type, and answers with their headers."""

    def get_openapi_schema(self, **given):
        schema = super().get_openapi_schema(**given)
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                for status, answer in operation["responses"].items():
                    _describe(method, int(status), answer)
        return schema


def _describe(method: str, status: int, answer: dict) -> None:
    text = {"type": "string"}
    if status >= 400 and "content" in answer:
        answer["content"] = {problems.MEDIA_TYPE: answer["content"]["application/json"]}
        answer["description"] = problems.REMEDIES.get(status, answer["description"])
    if status in (200, 304) and method == "get":
        answer["headers"] = {"ETag": {"description": "Of exactly this answer.", "schema": text}}
    if status in (429, 503):
        answer["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    if status == 307:
        answer["description"] = "The record was merged into another one."
        answer["headers"] = {"Location": {"description": "The same of that record.", "schema": text}}
    if status == 304:
        answer["description"] = "Nothing changed since the answer with the ETag that was sent."


api = Api(
    title="Rating portal",
    version=VERSION,
    description=_ABOUT,
    openapi_url=None,
    docs_url=None,
    urls_namespace="api-v1",
)
api.add_router("/players", players.router)
api.add_router("/players", calculations.router)
api.add_router("/systems", lists.systems_router)
api.add_router("/lists", lists.router)
api.add_router("/lists", changes.router)
api.add_router("/tournaments", tournaments.router)
api.add_router("/tournaments", reports.router)
api.add_router("/federations", federations.router)
api.add_router("/calculator", calculator.router)


def _reads_of_one_moment(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """No answer tells of two lists, be one published while it is made."""
    read = of_one_moment(run)

    @wraps(run)
    def answered(request: HttpRequest, *args, **given) -> HttpResponse:
        return (read if request.method == "GET" else run)(request, *args, **given)

    return answered


api.add_decorator(_reads_of_one_moment, mode="view")


@api.exception_handler(Fault)
def _fault(request: HttpRequest, fault: Fault) -> HttpResponse:
    return fault.response()


@api.exception_handler(players.Moved)
def _moved(request: HttpRequest, moved: players.Moved) -> HttpResponse:
    return moved.response(request)


@api.exception_handler(Unchanged)
def _unchanged(request: HttpRequest, unchanged: Unchanged) -> HttpResponse:
    return unchanged.response()


@api.exception_handler(AuthenticationError)
def _no_key(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return Fault(401, "This needs a key.", "Send it as “Authorization: Bearer rp_…”.").response()


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return Fault(error.status_code, error.message).response()


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return Fault(404, str(error)).response()


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors]
    remedies = [REMEDIES_OF[path] for path, _ in errors if path in REMEDIES_OF]
    return Fault(422, "A parameter cannot be used.", " ".join(remedies), errors).response()


@api.exception_handler(Exception)
def _mistake(request: HttpRequest, error: Exception) -> HttpResponse:
    raise error


@lru_cache(maxsize=1)
def description() -> dict:
    """The OpenAPI document; it is the same as long as the process runs."""
    return json.loads(json.dumps(api.get_openapi_schema(), default=str))


@lru_cache(maxsize=1)
def parameters() -> dict[str, frozenset[str]]:
    """The query parameters that each address knows, by its route as Django writes it."""
    found: dict[str, set[str]] = {}
    for path, operations in description()["paths"].items():
        known = found.setdefault(path.lstrip("/"), set())
        for operation in operations.values():
            known |= {each["name"] for each in operation["parameters"] if each["in"] == "query"}
    return {path: frozenset(names) for path, names in found.items()}


def refuse_unknown(request: HttpRequest) -> None:
    """Fault 422 for query parameters that the address does not know: a mistyped filter filters nothing."""
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", request.resolver_match.route)
    known = parameters().get(route)
    if known is None:
        return
    held = {
        f"query.{name}": which
        for name in request.GET
        for text in request.GET.getlist(name)
        if (which := forbidden(text))
    }
    if held:
        errors = [(path, f"the control character {which} stands in it") for path, which in held.items()]
        raise Fault(422, "There are control characters in the parameters.", errors=errors)
    if unknown := sorted(set(request.GET) - known):
        remedy = f"Known here: {', '.join(sorted(known))}." if known else "There is none here."
        errors = [(f"query.{name}", "is not known") for name in unknown]
        raise Fault(422, "There are parameters that this address does not know.", remedy, errors)


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    return HttpResponse(json.dumps(description(), ensure_ascii=False), content_type="application/json")
