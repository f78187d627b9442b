"""Reads of the register."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from players.models import Player
from players.names import name_key


def by_identifier(issuer: str, values: Iterable[str]) -> dict[str, Player]:
    """Players by the number that ``issuer`` gave them; unknown numbers are left out."""
    wanted = {value for value in values if value}
    players = Player.objects.filter(identifiers__issuer=issuer, identifiers__value__in=wanted)
    found = {}
    for player in players.prefetch_related("identifiers", "titles").distinct():
        for identifier in player.identifiers.all():
            if identifier.issuer_id == issuer and identifier.value in wanted:
                found[identifier.value] = player
    return found


def by_number(federation: str, numbers: Iterable[str]) -> dict[str, Player]:
    """Players by FIDE number, or else by the number of a federation; unknown numbers are left out."""
    wanted = list(numbers)
    return by_identifier(federation, wanted) | by_identifier("FIDE", wanted)


def candidates(name: str, birth_year: int | None = None, limit: int = 3) -> list[Player]:
    """Players of this name (accents, case and order apart): suggestions, never a match."""
    key = name_key(name)
    if not key:
        return []
    hits = list(Player.objects.filter(name_key=key).prefetch_related("identifiers")[:50])
    hits.sort(key=lambda player: (birth_year is not None and player.birth_year != birth_year, player.pk))
    return hits[:limit]


def search(players, text: str):
    """Those of ``players`` whose name holds every word of ``text``, or whose number it is."""
    text = text.strip()
    if not text:
        return players
    by_name = Q()
    for word in name_key(text).split():
        by_name &= Q(name_key__contains=word)
    by_number = Q(identifiers__value=text)
    return players.filter((by_name | by_number) if by_name else by_number).distinct()
