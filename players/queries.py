"""Reads of the register. A record merged into another is none of its players: the other is.

``suggestions`` and ``suggestions_for`` tell who may be meant by a name and number that do not match.
"""

from __future__ import annotations

from collections.abc import Iterable

from players.models import Player
from players.names import name_key
from players.search import search
from players.suggestions import Reason, Suggestion, Wanted, suggestions, suggestions_for

__all__ = [
    "Reason",
    "Suggestion",
    "Wanted",
    "aliases",
    "by_identifier",
    "by_number",
    "candidates",
    "search",
    "standing",
    "suggestions",
    "suggestions_for",
]

BATCH = 2000


def standing(players=None):
    """Those records that were not merged into another."""
    return (Player.objects.all() if players is None else players).filter(merged_into=None)


def aliases(player_ids: Iterable[int] | None = None) -> dict[int, int]:
    """Merged record -> the record that stands for it: of these players, or of the whole register."""
    merged = Player.objects.exclude(merged_into=None).order_by()
    if player_ids is None:
        return dict(merged.values_list("pk", "merged_into_id"))
    wanted, found = sorted(set(player_ids)), {}
    for begin in range(0, len(wanted), BATCH):
        part = merged.filter(merged_into__in=wanted[begin : begin + BATCH])
        found.update(part.values_list("pk", "merged_into_id"))
    return found


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
    hits = list(standing().filter(name_key=key).prefetch_related("identifiers")[:50])
    hits.sort(key=lambda player: (birth_year is not None and player.birth_year != birth_year, player.pk))
    return hits[:limit]
