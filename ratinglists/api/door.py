"""What holds for every request under ``/api/``: keys, limits, media types, tags, foreign pages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from ratinglists import api_keys
from ratinglists.api import limits, problems
from ratinglists.api.problems import Fault
from ratinglists.models import ApiKey
from ratinglists.software import software

BEGIN = "/api/"
CALCULATOR, PAGE = "/calculator", BEGIN
_SAID = {
    404: "There is nothing under this address.",
    405: "This address does not take the method.",
    500: "The portal made a mistake.",
}


@lru_cache(maxsize=1)
def code() -> str:
    """Changes with the code that makes answers, so that no tag outlives it."""
    digest = hashlib.sha256(software().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Unchanged(Exception):
    """The client has the answer already."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag

    def response(self) -> HttpResponse:
        return HttpResponse(status=304, headers={"ETag": self.tag})


def unless_known(request: HttpRequest, *parts: object) -> str:
    """The strong tag of an answer that these parts, the address and the code determine; raises Unchanged if
    the client has it, before anything is read."""
    text = "\n".join([code(), request.get_full_path(), *map(str, parts)])
    tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
    if _matches(request, tag):
        raise Unchanged(tag)
    return tag


def _matches(request: HttpRequest, tag: str) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or tag in [each.removeprefix("W/") for each in known]


class Door:
    """Middleware; it leaves all other addresses alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(BEGIN):
            return self.get_response(request)
        method = request.method
        try:
            response = self._answer(request)
        except Fault as fault:
            response = fault.response()
        request.method = method
        return _for_foreign_pages(request, _conditional(request, _as_problem(response)))

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if request.method == "OPTIONS":
            return self._options(request)
        computes = request.method == "POST" and request.path_info.endswith(CALCULATOR)
        _identify(request)
        limits.take(request, request.api_key, limits.COMPUTATION if computes else 1)
        page = request.path_info == PAGE
        if not page and request.headers.get("Accept", "").strip() and not request.accepts("application/json"):
            raise Fault(406, "Answers are JSON, which the request does not accept.")
        if request.method == "HEAD":
            request.method = "GET"
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view, args, given) -> HttpResponse | None:
        if request.path_info.startswith(BEGIN) and request.method != "OPTIONS":
            from ratinglists.api.api import refuse_unknown

            try:
                refuse_unknown(request)
            except Fault as fault:
                return fault.response()
        return None

    def _options(self, request: HttpRequest) -> HttpResponse:
        """The methods of an address, also for a browser that asks before a request of a foreign page."""
        response = self.get_response(request)
        if response.status_code != 405:
            return response
        return HttpResponse(status=204, headers={"Allow": _allowed(response)})


def _identify(request: HttpRequest) -> None:
    """Whose key it is; a key that does not hold is no way to read either, or its loss would go unnoticed."""
    given, request.api_key = request.headers.get("Authorization", ""), None
    if not given:
        return
    scheme, _, text = given.partition(" ")
    key: ApiKey | None = api_keys.find(text.strip()) if scheme.lower() == "bearer" else None
    if key is None:
        limits.take(request, None)
        raise Fault(401, "The key is unknown, revoked or expired, or its account is closed.")
    request.api_key = key
    api_keys.note_use(key)


def _allowed(response: HttpResponse) -> str:
    methods = {each.strip() for each in response.headers.get("Allow", "").split(",")} | {"OPTIONS"}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def _as_problem(response: HttpResponse) -> HttpResponse:
    """Whatever refused the request, it is said in one shape."""
    status = response.status_code
    if status < 400 or response.headers.get("Content-Type", "") == problems.MEDIA_TYPE:
        return response
    kept = {"Allow": _allowed(response)} if status == 405 else {}
    return problems.response(problems.body(status, _SAID.get(status, "The request cannot be read.")), kept)


def _conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    reads = request.method in ("GET", "HEAD")
    if reads and response.status_code == 200 and not response.streaming:
        tag = response.headers.get("ETag") or f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        response.headers["ETag"] = tag
        response.headers.setdefault("Cache-Control", "public, max-age=60")
        if _matches(request, tag):
            kept = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
            response = HttpResponse(status=304, headers=kept)
    if response.status_code == 304:
        response.headers.pop("Content-Type", None)
        response.headers.setdefault("Cache-Control", "public, max-age=60")
    if not reads:
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _for_foreign_pages(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Any page may read what is public and have something computed. Keys are for programs: no page may
    send one."""
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST"
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, If-None-Match"
        response.headers["Access-Control-Max-Age"] = "86400"
    return response
