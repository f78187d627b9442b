"""A tournament tried out from its entry list, before a game is played.

Whom the regulation counts as what, and what round 1 would bring: the players are laid in the order
of their ratings, the upper half against the lower, and each board is rated as a win for White, a draw
and a win for Black.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from players.models import Player
from regulations.model import CheckResult, Game, PlayerResult
from tournaments.exact import exact, signed
from tournaments.models import Tournament
from tournaments.outlook import first_list
from tournaments.queries import check_registration, event_parts
from tournaments.ratings import Effect, RatingFacts, effect_on_list

RESULTS = ("1-0", "1/2-1/2", "0-1")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a result brings to one player; ``listed`` is his rating on the next list, nothing else
    counted."""

    result: str
    change: str
    performance: str
    listed: int | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a board of round 1; ``outcomes`` by result, ``reasons`` with their articles."""

    player: Player
    rating: int | None
    counts: str
    k: int | None
    outcomes: tuple[Outcome, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class DryRun:
    """Findings on the registration with these players, and the boards of round 1."""

    check: CheckResult
    list_date: date | None = None
    boards: list[tuple[Seat, Seat]] = field(default_factory=list)
    bye: Seat | None = None

    @property
    def seats(self) -> list[tuple[int, Seat]]:
        """Every seat with the number of its board, White first."""
        return [(number, seat) for number, board in enumerate(self.boards, start=1) for seat in board]


def of_entries(tournament: Tournament, players: Sequence[Player]) -> DryRun:
    """The dry run with these players, who need not be entered yet."""
    run = DryRun(check_registration(tournament, players=players))
    if tournament.regulation is None or not players:
        return run
    (part, *_) = event_parts(tournament, players, [], {})
    order = sorted(players, key=lambda p: (-(_strength(part.facts[p.pk])), p.name, p.pk))
    half = len(order) // 2
    pairs = list(zip(order[:half], order[half : 2 * half], strict=True))
    run.list_date = first_list(tournament, tournament.end)
    found: dict[int, list[tuple[PlayerResult, Effect | None]]] = {player.pk: [] for player in players}
    for result in RESULTS:
        games = [Game(1, str(white.pk), str(black.pk), result) for white, black in pairs]
        event = replace(part.event, games=tuple(games), system="swiss")
        rated = tournament.regulation.rate(event)
        effects = {}
        if run.list_date is not None:
            effects = effect_on_list(tournament, run.list_date, [(replace(part, event=event), rated)])
        for each in rated.players:
            found[int(each.id)].append((each, effects.get(int(each.id))))
    run.boards = [
        (
            _seat(white, part.facts[white.pk], found[white.pk]),
            _seat(black, part.facts[black.pk], found[black.pk]),
        )
        for white, black in pairs
    ]
    if len(order) % 2:
        last = order[-1]
        run.bye = _seat(last, part.facts[last.pk], [])
    return run


def _strength(facts: RatingFacts) -> int:
    rating = facts.rating if facts.rating is not None else facts.standard_rating
    return rating or 0


def _seat(player: Player, facts: RatingFacts, results: list[tuple[PlayerResult, Effect | None]]) -> Seat:
    counts = results[0][0].status if results else "rated" if facts.rating is not None else "unrated"
    if counts == "rated":  # in postal chess newcomers are, too
        counts = f"rated {_strength(facts)}" if _strength(facts) else "no rating yet"
    outcomes = tuple(
        Outcome(
            result,
            signed(each.change),
            exact(each.performance),
            effect.after if effect is not None else None,
        )
        for result, (each, effect) in zip(RESULTS, results, strict=False)
    )
    reasons = tuple(
        dict.fromkeys((game.article, game.reason) for each, _ in results for game in each.uncounted)
    )
    k = results[0][0].k if results else None
    return Seat(player, facts.rating, counts, k, outcomes, reasons)
