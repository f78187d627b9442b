"""Reports of events that go on while lists count what is finished (postal chess)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regulations.model import Game
from tournaments.models import Tournament
from tournaments.queries import counted_games


@dataclass(frozen=True, slots=True)
class Fault:
    """What a further report does to games that count already."""

    code: str
    message: str
    remedy: str


def faults(tournament: Tournament, games: Sequence[Game]) -> list[Fault]:
    """A further report repeats the games that a list has counted, unchanged, and brings new ones."""
    counted = list(counted_games(tournament))
    told = {(game.round, game.white): game for game in games}
    found, repeated = [], 0
    for game in counted:
        black = str(game.black.player_id) if game.black else None
        again = told.get((game.round, str(game.white.player_id)))
        repeated += again is not None
        if again is not None and (again.black, again.result) == (black, game.result):
            continue
        said = "does not have it" if again is None else "has it otherwise"
        text = (
            f"Round {game.round}, {game.white} {game.result} {game.black or ''}: the list of "
            f"{game.counted_on} has counted this game, the report {said}."
        )
        remedy = "Report the game as before; a correction of a published list is the federation's matter."
        found.append(Fault("counted-game-changed", text, remedy))
    if counted and not found and repeated == len(told):
        text = "The report has no game that a list has not counted already."
        found.append(Fault("nothing-new", text, "Report again when more games are finished."))
    return found


def repeated(tournament: Tournament, games: Sequence[Game]) -> list[Fault]:
    """New games that a list seems to have counted under another round: the same players, colours and
    result. A second game of two may end like the first, so they are doubts."""
    seen = {
        (str(game.white.player_id), str(game.black.player_id), game.result): game
        for game in counted_games(tournament)
        if game.black
    }
    found = []
    for game in new_games(tournament, games):
        if (old := seen.get((game.white, game.black, game.result))) is not None:
            text = (
                f"Round {game.round}, {old.white} {old.result} {old.black}: the list of {old.counted_on} has "
                f"counted the same as round {old.round}."
            )
            found.append(Fault("counted-game-repeated", text, "Check that these are two games."))
    return found


def new_games(tournament: Tournament, games: Sequence[Game]) -> list[Game]:
    """The report's games that no list has counted."""
    counted = {(game.round, str(game.white.player_id)) for game in counted_games(tournament)}
    return [game for game in games if (game.round, game.white) not in counted]
