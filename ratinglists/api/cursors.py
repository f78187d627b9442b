"""Pages of long answers. A cursor names the last row of a page by what the rows are ordered by, so that rows
that come or go in between shift nothing, and no row is read to be skipped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from ratinglists.api.problems import Fault


def _signer() -> Signer:
    return Signer(salt="ratinglists.api.cursor")


def _about(request: HttpRequest) -> str:
    """What a cursor belongs to: the address and everything that was asked for but the size of the page."""
    asked = sorted((name, value) for name, value in request.GET.items() if name not in ("cursor", "limit"))
    return hashlib.sha256(f"{request.path} {asked}".encode()).hexdigest()[:16]


def read(request: HttpRequest, cursor: str) -> list | None:
    """The values of a cursor, None without one; Fault 422 for one that is not of this address."""
    if not cursor:
        return None
    try:
        about, values = _signer().unsign_object(cursor)
    except (BadSignature, ValueError):
        about, values = "", []
    if about != _about(request):
        message = "This is no cursor of this address with these parameters."
        remedy = "Leave it out for the first page, or send it with the parameters of the page before."
        raise Fault(422, message, remedy, [("query.cursor", message)])
    return values


def write(request: HttpRequest, values: Sequence[Any]) -> str:
    plain = [value.isoformat() if isinstance(value, date) else value for value in values]
    return _signer().sign_object([_about(request), plain])


def page(
    request: HttpRequest,
    rows: QuerySet,
    order: Sequence[str],
    limit: int,
    values: Sequence[Any] | None,
    before: Sequence[Any] = (),
) -> tuple[list, str | None]:
    """Up to ``limit`` rows after those ``values``, and the cursor of the next page (None: there is none).

    ``order`` names fields as order_by does; none of them may be empty in a row, and together they tell
    every row from the others. ``before`` are values that the cursor carries beside them.
    """
    if values is not None:
        rows = rows.filter(_after(order, values))
    found = list(rows.order_by(*order)[: limit + 1])
    return _cut(
        request, found, limit, lambda row: [*before, *(_value(row, name.lstrip("-")) for name in order)]
    )


def page_of(
    request: HttpRequest, rows: Iterable, key: Callable[[Any], Sequence[Any]], limit: int, values: list | None
) -> tuple[list, str | None]:
    """The same of rows at hand that are in the order of ``key``, whose values are texts and numbers."""
    found = [row for row in rows if values is None or list(key(row)) > values]
    return _cut(request, found[: limit + 1], limit, key)


def _cut(
    request: HttpRequest, found: list, limit: int, key: Callable[[Any], Sequence[Any]]
) -> tuple[list, str | None]:
    shown = found[:limit]
    return shown, write(request, key(shown[-1])) if len(found) > limit else None


def _value(row: Model, name: str) -> Any:
    for part in name.split("__"):
        row = getattr(row, part)
    return row


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows that come after one with these values."""
    found = Q()
    for name, value in reversed(list(zip(order, values, strict=True))):
        field = name.lstrip("-")
        later = Q(**{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        found = later | (Q(**{field: value}) & found) if found else later
    # Said once more, so that an index on the first field begins at the right place.
    first, down = order[0].lstrip("-"), order[0].startswith("-")
    return Q(**{f"{first}__{'lte' if down else 'gte'}": values[0]}) & found
