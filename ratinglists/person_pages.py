"""Pages of one player: who is meant by an address, and where it leads if his record was merged."""

from __future__ import annotations

from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from players.models import Player


class Moved(Exception):
    """The record was merged: ``pk`` is the one that stands."""

    def __init__(self, pk: int) -> None:
        self.pk = pk


def player_or_404(pk: int) -> Player:
    """The player of a page; ``Moved`` where his record was merged into another."""
    people = Player.objects.select_related("federation").prefetch_related("titles", "identifiers")
    person = get_object_or_404(people, pk=pk)
    if person.merged_into_id:
        raise Moved(person.merged_into_id)
    return person


def follows_merges(view):
    """Send who asks for a merged record to the same page of the record that stands, for good.

    A merge can be undone, and browsers keep a permanent redirect: so they are to ask again each time.
    """

    @wraps(view)
    def answer(request: HttpRequest, pk: int, **rest) -> HttpResponse:
        try:
            return view(request, pk, **rest)
        except Moved as moved:
            where = reverse(request.resolver_match.url_name, kwargs={"pk": moved.pk, **rest})
            query = request.META.get("QUERY_STRING", "")
            response = redirect(f"{where}?{query}" if query else where, permanent=True)
            response.headers["Cache-Control"] = "no-cache"
            return response

    return answer
