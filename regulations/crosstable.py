"""The games of an event seen from each player: what was played, what was not, and when it was decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from regulations.model import BYES, PLAYED, Event, EventPlayer, Game

HALF = Fraction(1, 2)
_POINTS = {
    "1-0": (1, 0),
    "0-1": (0, 1),
    "1/2-1/2": (HALF, HALF),
    "+/-": (1, 0),
    "-/+": (0, 1),
    "=/=": (HALF, HALF),
    "-/-": (0, 0),
    "bye-1": (1, 0),
    "bye-1/2": (HALF, 0),
    "bye-0": (0, 0),
}
_SYMBOLS = {
    "1": (Fraction(1), True),
    "½": (HALF, True),
    "0.5": (HALF, True),
    "1/2": (HALF, True),
    "0": (Fraction(0), True),
    "+": (Fraction(1), False),
    "=": (HALF, False),
    "-": (Fraction(0), False),
}


def symbol(text: str) -> tuple[Fraction, bool]:
    """Points and whether the game was played, for one cell of a crosstable (A 11.23); KeyError if unknown."""
    return _SYMBOLS[text]


@dataclass(frozen=True, slots=True)
class Line:
    """One game or bye as one player sees it. ``why_unplayed`` is empty for a game over the board;
    ``decided`` says that the match was over before this game."""

    round: int
    opponent: str | None
    white: bool
    score: Fraction
    why_unplayed: str = ""
    decided: bool = False


def _why_unplayed(game: Game) -> str:
    if game.result in PLAYED:
        return ""
    if game.result in BYES:
        return "bye"
    return game.why_unplayed or ("agreed without a move" if game.result == "=/=" else "forfeit")


def games_until_decided(scores: list[Fraction], scheduled: int) -> int:
    """How many games of a match there were when the player with these scores, game by game,
    had more than half of the points; all of them if that never happened."""
    total = Fraction(0)
    for number, score in enumerate(scores, start=1):
        total += score
        if 2 * total > scheduled:
            return number
    return len(scores)


class Crosstable:
    """The lines of every player in order of rounds, whatever order the games came in."""

    def __init__(self, event: Event, *, cut_decided: bool = True) -> None:
        self.event = event
        self.players: dict[str, EventPlayer] = {
            player.id: player for player in sorted(event.players, key=lambda player: player.id)
        }
        games = sorted(event.games, key=lambda game: (game.round, game.white, game.black or ""))
        paired = [game for game in games if game.black is not None]
        seen = {game.white for game in paired} | {game.black for game in paired}
        #: players who were paired at least once; one who never was is not part of the composition
        self.participants = [player for player in self.players.values() if player.id in seen]
        over = len(games)
        if cut_decided and event.system == "match" and len(seen) == 2 and event.scheduled_games:
            leaders = [
                [_POINTS[game.result][0 if game.white == player else 1] for game in paired] for player in seen
            ]
            over = min(games_until_decided(scores, event.scheduled_games) for scores in leaders)
        late = set(map(id, paired[over:]))
        self.lines: dict[str, list[Line]] = {player: [] for player in self.players}
        for game in games:
            why, decided = _why_unplayed(game), id(game) in late
            points = _POINTS[game.result]
            self.lines[game.white].append(
                Line(game.round, game.black, True, Fraction(points[0]), why, decided)
            )
            if game.black is not None:
                self.lines[game.black].append(
                    Line(game.round, game.white, False, Fraction(points[1]), why, decided)
                )

    def every_pair_played(self, meetings: int) -> bool:
        """Did each pair of participants play exactly so many games over the board, and nothing else?"""
        games = [game for game in self.event.games if game.black is not None]
        if any(game.result not in PLAYED for game in games):
            return False
        ids = [player.id for player in self.participants]
        if not ids or 2 * len(games) != meetings * len(ids) * (len(ids) - 1):
            return False
        met = Counter(frozenset((game.white, game.black)) for game in games)
        return all(met[frozenset(pair)] == meetings for pair in combinations(ids, 2))
