"""Players looked for: name or number, and what they are; with the ratings of each system's latest list.

With a text the players come as ``players.search`` ranks them; without one by rating where a system is
chosen, else by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.models import Player, Title
from players.queries import standing
from players.search import MOST, Hit, Hits, find
from ratinglists import listing
from ratinglists.models import ListRow, RatingList

#: merged records of which the latest list still has its own row, looked at
_MOVED = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whom a visitor looks for; empty fields ask for nothing. ``system`` without bounds: rated in it."""

    text: str = ""
    federation: str = ""
    sex: str = ""
    title: str = ""
    system: str = ""
    rating_from: int | None = None
    rating_to: int | None = None
    born_from: int | None = None
    born_to: int | None = None

    @property
    def nothing(self) -> bool:
        return self == Wanted()


def found(wanted: Wanted, number: int, size: int) -> Hits:
    """A page of the players wanted."""
    if not wanted.system:
        return find(_people(wanted), wanted.text, number, size)
    latest = listing.standing().filter(period__system=wanted.system).first()
    if latest is None:
        return Hits([], 1, further=False)
    rows = _rows(latest, wanted)
    if not wanted.text:
        return _by_rating(rows, wanted, number, size)
    moved = rows.filter(player__merged_into__isnull=False).order_by()
    moved = list(moved.values_list("player__merged_into", flat=True)[:_MOVED])
    rated = Q(Exists(rows.order_by().filter(player=OuterRef("pk"))))
    people = _people(wanted).filter(rated | Q(pk__in=moved) if moved else rated)
    return find(people, wanted.text, number, size)


def _people(wanted: Wanted) -> QuerySet:
    people = standing().select_related("federation").prefetch_related("titles")
    return people.filter(_of_person(wanted))


def _of_person(wanted: Wanted, path: str = "") -> Q:
    """What is wanted of a person's record, which is reached by ``path``."""
    exact = {"federation": wanted.federation, "sex": wanted.sex}
    condition = Q(**{f"{path}{name}": value for name, value in exact.items() if value})
    condition &= _born(wanted.born_from, wanted.born_to, path)
    if wanted.title:
        titles = Title.objects.filter(player=OuterRef(f"{path}pk"))
        condition &= Q(Exists(titles if wanted.title == "any" else titles.filter(code=wanted.title)))
    return condition


def _born(year: int | None, to: int | None, path: str) -> Q:
    """Born in these years: the only thing that a search tells of an age."""
    condition = Q()
    if year is not None:
        condition &= Q(**{f"{path}birth_date__gte": date(year, 1, 1)})
    if to is not None:
        condition &= Q(**{f"{path}birth_date__lte": date(to, 12, 31)})
    return condition


def _rows(latest: RatingList, wanted: Wanted) -> QuerySet:
    bounds = {"rating__gte": wanted.rating_from, "rating__lte": wanted.rating_to}
    bounds = {name: value for name, value in bounds.items() if value is not None}
    rows = ListRow.objects.filter(listing.SHOWN, rating_list=latest, rating__isnull=False, **bounds)
    return rows.order_by("-rating", "name", "pk")


def _by_rating(rows: QuerySet, wanted: Wanted, number: int, size: int) -> Hits:
    # A record merged since the list was published is looked at as it was.
    rows = rows.filter(_of_person(wanted, "player__"))
    number = min(max(number, 1), MOST // size)
    start = (number - 1) * size
    rows = rows.values_list("player", "player__merged_into")[start : start + size + 1]
    records = list(dict.fromkeys(merged or pk for pk, merged in rows))
    people = Player.objects.select_related("federation").prefetch_related("titles").in_bulk(records[:size])
    hits = [Hit(people[pk]) for pk in records[:size]]
    return Hits(hits, number, further=len(rows) > size and number < MOST // size)
