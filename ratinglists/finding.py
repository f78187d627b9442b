"""Players looked for: name or number, and what they are; with the ratings of each system's latest list.

With a text the players come as ``players.search`` ranks them; without one by rating where a system is
chosen, else by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.models import Player, Title
from players.privacy import policy
from players.queries import standing
from players.search import MOST, Hit, Hits, find
from players.search_index import searching
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
    if not wanted.text:
        return _by_rating(latest, wanted, number, size)
    rows = _rated(latest, wanted)
    moved = rows.filter(player__merged_into__isnull=False)
    moved = list(moved.values_list("player__merged_into", flat=True)[:_MOVED])
    rated = Q(Exists(rows.filter(player=OuterRef("pk"))))
    people = _people(wanted).filter(rated | Q(pk__in=moved) if moved else rated)
    return find(people, wanted.text, number, size)


def _people(wanted: Wanted) -> QuerySet:
    """The persons on the register with what is wanted of them."""
    people = standing().prefetch_related("titles")
    if wanted.federation:
        people = people.filter(federation=wanted.federation)
    if wanted.sex:
        people = people.filter(sex=wanted.sex)
    if wanted.born_from is not None:
        people = people.filter(birth_date__gte=date(wanted.born_from, 1, 1))
    if wanted.born_to is not None:
        people = people.filter(birth_date__lte=date(wanted.born_to, 12, 31))
    if wanted.born_from is not None or wanted.born_to is not None:
        people = people.exclude(policy().ageless())
    if wanted.title:
        titles = Title.objects.filter(player=OuterRef("pk"))
        people = people.filter(Exists(titles if wanted.title == "any" else titles.filter(code=wanted.title)))
    return people


def _rated(latest: RatingList, wanted: Wanted) -> QuerySet:
    """The rows of a list within the bounds of ratings."""
    rows = ListRow.objects.filter(listing.SHOWN, rating_list=latest, rating__isnull=False).order_by()
    bounds = {"rating__gte": wanted.rating_from, "rating__lte": wanted.rating_to}
    return rows.filter(**{name: value for name, value in bounds.items() if value is not None})


def _by_rating(latest: RatingList, wanted: Wanted, number: int, size: int) -> Hits:
    """The strongest first, by what the list itself says of them."""
    number = min(max(number, 1), MOST // size)
    start = (number - 1) * size
    rows = listing.of_persons(
        _rated(latest, wanted), wanted.federation, wanted.sex, wanted.title, wanted.born_from, wanted.born_to
    )
    rows = rows.order_by("-rating", "name", "pk").values_list("player", flat=True)
    with searching():
        records = list(rows[start : start + size + 1])
    people = Player.objects.select_related("merged_into").prefetch_related("titles").in_bulk(records[:size])
    persons = dict.fromkeys(people[pk].standing for pk in records[:size])
    return Hits(list(map(Hit, persons)), number, further=len(records) > size and number < MOST // size)
