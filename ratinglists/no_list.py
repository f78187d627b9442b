"""A list or a revision that an address names and that is not published: which ones are, near by."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ratinglists import listing, revisions
from tournaments.models import RatingSystem

#: dates shown on either side
NEAR = 3


class NoSuchList(Http404):
    def __init__(self, system: str, day: date, revision: int | None = None) -> None:
        super().__init__("No such list.")
        self.system, self.day, self.revision = system, day, revision


def page(request: HttpRequest, missing: NoSuchList) -> HttpResponse | None:
    """The page that says what there is instead; None of a system without lists."""
    system = RatingSystem.objects.filter(code=missing.system).first()
    dates = listing.dates_of(system) if system else []
    if not dates:
        return None
    day = missing.day
    before, after = ([each for each in dates if each < day], [each for each in dates if each > day])
    standing = listing.find_list(missing.system, day)
    context = {
        "system": system,
        "day": day,
        "revision": missing.revision,
        "revisions": revisions.of(standing) if standing else [],
        "near": [*reversed(before[:NEAR]), *after[-NEAR:][::-1]],
        "newest": dates[0],
    }
    return render(request, "ratinglists/no_list.html", context, status=404)
