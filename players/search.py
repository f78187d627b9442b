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
from players.search_index import alike, beginning, of_family, ordered, rare, searching

#: more words than these of a text are left out
WORDS = 8
#: how far a search can be turned to; namesakes that stand before the others; former names looked at
MOST, NAMESAKES, FORMER = 1000, 200, 200
#: where nobody has the very name and fewer begin with it, names like it are looked for; how many are shown
FEW, ALIKE = 10, 20
#: how many such names the database hands over
_CANDIDATES = 60
#: each word of a text in its spellings
Words = list[tuple[str, ...]]


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


def search(players: QuerySet, text: str, *, public: bool = False) -> QuerySet:
    """Those of ``players`` who have, or had, a name of which words begin with every word of ``text``, or
    whose number it is; all of them for an empty text. ``public``: former names that are hidden do not
    count, nor numbers of players who are, as they do for the staff."""
    if not text.strip():
        return players
    words, also = spellings(text)[:WORDS], _owners(text, public)
    if not words:
        return players.filter(pk__in=also)
    former = _public_names() if public else FormerName.objects.all()
    formerly = beginning(former.order_by(), words).values_list("player", flat=True)
    return beginning(players, words, also.union(formerly))


def _public_names() -> QuerySet:
    return FormerName.objects.filter(public=True, player__privacy="")


def find(players: QuerySet, text: str, number: int = 1, size: int = 50) -> Hits:
    """A page of those of ``players`` whom ``text`` means, ranked; all by their names for an empty text.

    Names that staff have hidden lead to nobody.
    """
    number = min(max(number, 1), MOST // size)
    with searching():
        return _found(players, text.strip(), number, size)


def _found(players: QuerySet, text: str, number: int, size: int) -> Hits:
    start = (number - 1) * size
    enough = start + size + 1
    if not text:
        keys = list(ordered(players).values_list("pk", flat=True)[start:enough])
        return Hits(_hits(players, keys[:size], {}), number, len(keys) > size and number < MOST // size)
    words, owners, key = spellings(text)[:WORDS], _owners(text), loose_key(text)
    former = _public_names().filter(player__merged_into=None)
    had = _names(beginning(former, words) if words else former.none())
    exactly = [pk for pk, name in had.items() if loose_key(name) == key]
    very = Q(pk__in=[*owners, *exactly]) | (Q(loose_key=key) if key else Q())
    first = _first(players.filter(very), owners, key)
    keys = [pk for pk, _ in first]
    if words:
        keys += _begun(players, words, had, set(keys), enough - len(keys))
    hits = _hits(players, keys[start : start + size], had)
    named = any(very_name for _, very_name in first)
    if number == 1 and words and len(hits) < FEW and not owners and not named:
        hits += _alike(players, former, words, set(keys))
    return Hits(hits, number, len(keys) >= enough and number < MOST // size)


def _begun(players: QuerySet, words: Words, had: dict[int, str], without: set[int], limit: int) -> list[int]:
    """The keys of those in whose names words begin as wanted: the family name with one of the words, each
    in turn, then any other."""
    found: list[int] = []
    rows, families = ordered(players), Q()
    for word in (*(each[-1] for each in words), ""):
        if len(found) >= limit:
            break
        if word:
            part = rows.filter(of_family(word)).exclude(families)
            part = beginning(part, words if len(words) > 1 else ())
            families |= of_family(word)
        else:
            part = beginning(rows.filter(rare(players.model, words, had)).exclude(families), words, had)
        seen = without.union(found)
        keys = part.values_list("pk", flat=True)[: limit - len(found) + len(without)]
        found += [pk for pk in keys if pk not in seen]
    return found[:limit]


def _hits(players: QuerySet, keys: list[int], had: dict[int, str]) -> list[Hit]:
    people = players.in_bulk(keys)
    return [Hit(people[pk], had.get(pk, "")) for pk in keys if pk in people]


def _first(players: QuerySet, owners: set[int], key: str) -> list[tuple[int, bool]]:
    """Whose number or very name it is, the owners of the number first, then who has the name now; each
    with whether he has it."""
    rows = players.order_by("name", "pk").values_list("pk", "name", "loose_key")[:NAMESAKES]
    rows = sorted(rows, key=lambda row: (row[0] not in owners, row[2] != key, row[1], row[0]))
    return [(pk, own == key) for pk, _, own in rows]


def _owners(text: str, public: bool = True) -> set[int]:
    """Whose number the text, or a word of it, is; for the public nobody's who is hidden."""
    found = {each for each in re.findall(r"[0-9A-Za-z-]+", text) if any(map(str.isdigit, each))}
    values = {form for each in found for form in (each, each.upper(), each.lower())}
    if not values:
        return set()
    found = Identifier.objects.filter(value__in=values).order_by()
    return set((found.filter(player__privacy="") if public else found).values_list("player", flat=True))


def _names(former: QuerySet) -> dict[int, str]:
    rows = former.order_by("name", "pk").values_list("player", "name")[:FORMER]
    return dict(reversed(list(rows)))


def _alike(players: QuerySet, former: QuerySet, words: Words, without: set[int]) -> list[Hit]:
    """Those whose names come nearest, the nearest first."""
    wanted = [each[-1] for each in words]
    found = alike(players, wanted, _CANDIDATES)
    near = {pk: (nearness(wanted, key.split()), "") for pk, key in found}
    names = former.filter(pk__in=[pk for pk, _ in alike(former, wanted, _CANDIDATES)])
    for pk, name in names.order_by("pk").values_list("player", "name"):
        near[pk] = max(near.get(pk, (0, "")), (nearness(wanted, loose_parts(name)), name))
    near = {pk: found for pk, found in near.items() if found[0] and pk not in without}
    hits = [Hit(player, near[pk][1], alike=True) for pk, player in players.in_bulk(near).items()]
    hits.sort(key=lambda hit: (-near[hit.player.pk][0], hit.player.name, hit.player.pk))
    return hits[:ALIKE]
