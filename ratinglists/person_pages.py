"""Pages of one player: who is meant by an address, and where it leads if his record was merged."""

from __future__ import annotations

from functools import wraps

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from players.models import FormerName, Identifier, IdentityChange, Player, Title
from players.prepared import attach, prepared
from ratinglists import live


class Moved(Exception):
    """The record was merged: ``pk`` is the one that stands."""

    def __init__(self, pk: int) -> None:
        self.pk = pk


def player_or_404(pk: int) -> Player:
    """The player of a page; ``Moved`` where his record was merged into another. What few have (merged
    records, former names, splits, live ratings) is asked for at once: a page reads it of those only."""
    found = _person(pk)
    if not found:
        raise Http404("No such player.")
    person = found[0]
    if person.merged_into_id:
        raise Moved(person.merged_into_id)
    if not person.has_merged:
        person.records = [person.pk]
    attach(person, "titles", _titles(pk))
    attach(person, "identifiers", _identifiers(pk))
    return person


@prepared
def _person(pk: int) -> QuerySet:
    splits = IdentityChange.objects.filter(
        Q(source=OuterRef("pk")) | Q(target=OuterRef("pk")), kind=IdentityChange.Kind.SPLIT, undone_at=None
    )
    people = Player.objects.filter(pk=pk).select_related("federation").order_by()
    return people.annotate(
        has_merged=Exists(Player.objects.filter(merged_into=OuterRef("pk"))),
        has_names=Exists(FormerName.objects.filter(player=OuterRef("pk"))),
        has_splits=Exists(splits),
        has_live=live.some("pk"),
    )


@prepared
def _titles(pk: int) -> QuerySet:
    return Title.objects.filter(player=pk)


@prepared
def _identifiers(pk: int) -> QuerySet:
    return Identifier.objects.filter(player=pk)


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
