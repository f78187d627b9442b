"""One event under several regulations side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from regulations.base import Regulation
from regulations.model import Event, EventResult, PlayerResult


@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """One player under each regulation, in their order."""

    id: str
    results: tuple[PlayerResult, ...]

    @property
    def figures(self) -> tuple[Fraction | None, ...]:
        """What each regulation gives: the change of a rated player, else the performance that it keeps."""
        return tuple(
            each.change if each.status == "rated" else (each.performance if each.pooled else None)
            for each in self.results
        )

    @property
    def differences(self) -> tuple[Fraction | None, ...]:
        """How far each later regulation is from the first; None where the two cannot be compared."""
        first, *others = zip(self.results, self.figures, strict=True)
        return tuple(
            figure - first[1]
            if figure is not None and first[1] is not None and result.status == first[0].status
            else None
            for result, figure in others
        )

    @property
    def same(self) -> bool:
        """Does every regulation count the same games and give the same figure?"""
        told = {
            (each.status, each.games, each.score, figure)
            for each, figure in zip(self.results, self.figures, strict=True)
        }
        return len(told) == 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """An event's results under several regulations; players by identifier."""

    regulations: tuple[Regulation, ...]
    results: tuple[EventResult, ...]
    players: tuple[PlayerComparison, ...]


def compare(regulations: Sequence[Regulation], event: Event) -> Comparison:
    """Rate the event by each regulation, as it stands: ratings, K records and dates are the event's.

    ValueError for fewer than two regulations.
    """
    if len(regulations) < 2:
        raise ValueError("at least two regulations are needed")
    results = tuple(regulation.rate(event) for regulation in regulations)
    by_id = [{player.id: player for player in result.players} for result in results]
    players = tuple(
        PlayerComparison(player, tuple(found[player] for found in by_id)) for player in sorted(by_id[0])
    )
    return Comparison(tuple(regulations), results, players)
