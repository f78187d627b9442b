"""The public page of what a revision of a list changed, and the same as CSV."""

from __future__ import annotations

from datetime import date

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratinglists import listing, revisions
from ratinglists.cascade import revised
from ratinglists.models import RatingList
from ratinglists.no_list import NoSuchList
from ratinglists.permissions import wants_draft

PAGE = 100


def _pair(request: HttpRequest, system: str, day: date) -> tuple[RatingList, RatingList]:
    """The two revisions that an address names: ``to`` (the standing one) and ``from`` (the one before it)."""
    if wants_draft(request):
        draft = listing.find_list(system, day, draft=True)
        if draft is None or draft.correction_id is None:
            raise Http404("No such draft.")
        return revised(draft), draft
    wanted = {name: _number(request.GET.get(name, "")) for name in ("from", "to")}
    new = listing.find_list(system, day, revision=wanted["to"])
    if new is None:
        raise NoSuchList(system, day, wanted["to"])
    if wanted["from"] is None:
        old = revisions.before(new)
    else:
        old = listing.find_list(system, day, revision=wanted["from"])
        if old is None:
            raise NoSuchList(system, day, wanted["from"])
    if old is None or old.revision >= new.revision:
        raise Http404("There is no earlier revision of this list.")
    return old, new


def _number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise Http404("No such revision.")
    return int(text)


@require_safe
def changes_page(request: HttpRequest, system: str, day: date) -> HttpResponse:
    old, new = _pair(request, system, day)
    found = revisions.changed(old, new)
    context = {
        "list": new,
        "old": old,
        "draft": new.state == RatingList.State.DRAFT,
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "largest": max((each.points or 0 for each in found), key=abs, default=0),
        "steps": revisions.steps(old, new),
        "rules": listing.regulation_of(new),
        "query": _query(old, new),
    }
    return render(request, "ratinglists/changes.html", context)


def _query(old: RatingList, new: RatingList) -> str:
    if new.state == RatingList.State.DRAFT:
        return "?draft=1"
    return f"?from={old.revision}&to={new.revision}"


@require_safe
def changes_csv(request: HttpRequest, system: str, day: date) -> StreamingHttpResponse:
    old, new = _pair(request, system, day)
    name = f"{system}-{day}-revision-{old.revision}-to-{new.revision}.csv"
    return StreamingHttpResponse(
        revisions.csv_of(old, new),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
