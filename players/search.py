"""Players found by name or number. One ranking on both databases: the number, the very name, names of
which each word begins as it was typed, names like it.

Nothing is counted and nothing read through: whoever wants more than ``MOST`` players narrows the choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from players.models import FormerName, Identifier, Player
from players.names import loose_key, loose_parts, nearness, spellings
from players.search_index import alike, beginning

#: how far a search can be turned to; namesakes that stand before the others; former names looked at
MOST, NAMESAKES, FORMER = 1000, 200, 200
#: with fewer players than this, names that are only like the wanted one are looked for; how many are shown
FEW, ALIKE = 10, 20
#: how many such names the database hands over
_CANDIDATES = 60


@dataclass(slots=True)
class Hit:
    """A player found. ``formerly`` is the name that he no longer has, where that was found; ``alike``:
    his name is not the wanted one, but like it."""

    player: Player
    formerly: str = ""
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of what was found; ``further``: there is another."""

    hits: list[Hit]
    number: int
    further: bool


def search(players: QuerySet, text: str) -> QuerySet:
    """Those of ``players`` who have, or had, a name of which words begin with every word of ``text``, or
    whose number it is; all of them for an empty text. For the staff: hidden former names count."""
    if not text.strip():
        return players
    words, also = spellings(text), _owners(text)
    if not words:
        return players.filter(pk__in=also)
    formerly = beginning(FormerName.objects.order_by(), words).values_list("player", flat=True)
    return beginning(players, words, also.union(formerly))


def find(players: QuerySet, text: str, number: int = 1, size: int = 50) -> Hits:
    """A page of those of ``players`` whom ``text`` means, ranked; all by their names for an empty text.

    Names that staff have hidden lead to nobody.
    """
    number = min(max(number, 1), MOST // size)
    start, wanted = (number - 1) * size, size + 1
    if not text.strip():
        hits = [Hit(player) for player in players.order_by("name", "pk")[start : start + wanted]]
        return Hits(hits[:size], number, len(hits) > size)
    words, owners = spellings(text), _owners(text)
    key = loose_key(text)
    former = FormerName.objects.filter(public=True, player__merged_into=None)
    had = _names(beginning(former, words) if words else former.none())
    exactly = {pk for pk, name in had.items() if loose_key(name) == key}
    very = Q(pk__in=[*owners, *exactly]) | (Q(loose_key=key) if key else Q())
    first = sorted(
        players.filter(very).order_by("name", "pk")[:NAMESAKES],
        key=lambda player: (player.pk not in owners, player.loose_key != key, player.name, player.pk),
    )
    found = first[start : start + wanted]
    if words and len(found) < wanted:
        rest = beginning(players, words, had).exclude(pk__in=[player.pk for player in first])
        rest = rest.order_by("name", "pk")
        begin = max(0, start - len(first))
        found += rest[begin : begin + wanted - len(found)]
    hits = [Hit(player, had.get(player.pk, "")) for player in found]
    further = len(hits) > size and number < MOST // size
    if number == 1 and words and len(hits) < FEW and not owners:
        hits += _alike(players, former, words, {hit.player.pk for hit in hits})
    return Hits(hits[:size], number, further)


def _owners(text: str) -> set[int]:
    """Whose number the text, or a word of it, is."""
    found = {each for each in re.findall(r"[0-9A-Za-z-]+", text) if any(map(str.isdigit, each))}
    values = {form for each in found for form in (each, each.upper(), each.lower())}
    if not values:
        return set()
    return set(Identifier.objects.filter(value__in=values).order_by().values_list("player", flat=True))


def _names(former: QuerySet) -> dict[int, str]:
    rows = former.order_by("name", "pk").values_list("player", "name")[:FORMER]
    return dict(reversed(list(rows)))


def _alike(players: QuerySet, former: QuerySet, words: list[tuple[str, ...]], without: set[int]) -> list[Hit]:
    """Those whose names come nearest, the nearest first."""
    wanted = [each[-1] for each in words]
    near = {pk: (nearness(wanted, key.split()), "") for pk, key in alike(players, wanted, _CANDIDATES)}
    names = former.filter(pk__in=[pk for pk, _ in alike(former, wanted, _CANDIDATES)])
    for pk, name in names.order_by("pk").values_list("player", "name"):
        near[pk] = max(near.get(pk, (0, "")), (nearness(wanted, loose_parts(name)), name))
    near = {pk: found for pk, found in near.items() if found[0] and pk not in without}
    hits = [Hit(player, near[pk][1], alike=True) for pk, player in players.in_bulk(near).items()]
    hits.sort(key=lambda hit: (-near[hit.player.pk][0], hit.player.name, hit.player.pk))
    return hits[:ALIKE]
