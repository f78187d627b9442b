"""A whole period as columns of integers: many games at once, by the same formulas as one game.

For the texts that rate game by game. What is ordinary goes by columns: the games of rated players in
events without special rules. The rest (results of unrated players, matches, the round robins of 2018)
is rated event by event, and its sums join the columns. Ratings are whole points, 0 for none; scores
are in half points, sums of score - PD in hundredths.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

import numpy as np

from regulations import lists, tables
from regulations.exact import ROUNDINGS_OF
from regulations.model import PLAYED, Event
from regulations.per_game import gain

#: white's half points of each result over the board, by its place in ``PLAYED``
WHITE_HALVES = np.array([2, 0, 1], np.int8)
assert PLAYED == ("1-0", "0-1", "1/2-1/2")


class Text(Protocol):
    """What a text offers for columns, beside the formulas for one value that it shares with them."""

    #: what a player is who falls below the floor
    below_floor: str
    #: does a standard rating stand in for a missing one?
    standard_stands_in: bool

    def is_ordinary(self, event: Event, highest: int) -> bool:
        """Is the event rated, and does each game over the board count for whoever plays a rated opponent,
        except those that ``counted`` leaves out? ``highest`` is the highest rating in it; of the event's
        players and games nothing is read."""

    def era(self, event: Event) -> Any:
        """Which of the text's changing rules hold for the event, for ``counted`` and ``differences``."""

    def counted(self, era: Any, own: Any, opponent: Any) -> Any:
        """Which games between rated players count."""

    def differences(self, era: Any, own: Any, opponent: Any) -> Any:
        """D of each game."""

    def k(self, rating: Any, games: Any, reached: Any, age: Any, highest: Any) -> Any:
        """K by a player's record."""

    def period_k(self, k: Any, games: Any) -> Any:
        """K in a period of so many games."""

    def reached(self, reached: Any, *ratings: Any) -> Any:
        """Has a published rating ever lowered K for good?"""

    def year_of_k(self, list_date: date) -> int:
        """The year by which the changes of a list take a player's age."""


@dataclass(frozen=True, slots=True)
class Games:
    """Games over the board: the places of both players among the parts of the period (``Sums``), and
    the result by its place in ``PLAYED``."""

    white: np.ndarray
    black: np.ndarray
    result: np.ndarray


@dataclass(frozen=True, slots=True)
class Sums:
    """What each part of a player in an event adds up to: one place each."""

    games: np.ndarray
    halves: np.ndarray
    #: of the opponents
    ratings: np.ndarray
    #: score - PD, hundredths
    gain: np.ndarray

    @classmethod
    def of(cls, size: int) -> Sums:
        """Nothing played yet."""
        return cls(*(np.zeros(size, np.int32) for _ in range(4)))


def add_games(text: Any, era: Any, games: Games, own: np.ndarray, seen: np.ndarray, sums: Sums) -> None:
    """Add the games of events of one era to the sums of their rated players.

    ``own`` is each part's own rating, 0 for a player who has none; ``seen`` the one that he counts with
    for opponents.
    """
    halves = WHITE_HALVES[games.result]
    for player, opponent, score in (
        (games.white, games.black, halves),
        (games.black, games.white, 2 - halves),
    ):
        rating, other = own[player], seen[opponent]
        counts = (rating > 0) & (other > 0)
        counts &= text.counted(era, rating, other)
        player, rating, other, score = player[counts], rating[counts], other[counts], score[counts]
        player, score = player.astype(np.intp), score.astype(np.int32)  # of the kinds that numpy adds fast
        d = text.differences(era, rating, other)
        _, delta = gain(d, score, looked_up)
        np.add.at(sums.games, player, np.ones(len(player), np.int32))
        np.add.at(sums.halves, player, score)
        np.add.at(sums.ratings, player, other)
        np.add.at(sums.gain, player, delta)


#: no two ratings are further apart
_WIDEST = 4000
_PD = tables.pd(np.arange(-_WIDEST, _WIDEST + 1, dtype=np.int32)).astype(np.int32)


def looked_up(d: np.ndarray) -> np.ndarray:
    """``tables.pd`` of a column: each difference has gone through it once."""
    return _PD[d + _WIDEST]


@dataclass(frozen=True, slots=True)
class Record:
    """What the previous list says of players, one place each; 0 for what is not known."""

    rating: np.ndarray
    career: np.ndarray
    reached: np.ndarray
    birth_year: np.ndarray
    highest: np.ndarray
    #: how many lists in a row have shown him inactive
    inactive: np.ndarray
    #: games of the latest periods that a year still holds with the new one, and how many periods are known
    year_games: np.ndarray
    year_known: np.ndarray


@dataclass(frozen=True, slots=True)
class Rows:
    """The new list's figures of the players of a ``Record``."""

    k: np.ndarray
    #: before rounding, hundredths
    change: np.ndarray
    #: 0 where the player fell below the floor
    rating: np.ndarray
    inactive: np.ndarray
    career: np.ndarray
    reached: np.ndarray
    #: 0 where there is no rating
    k_next: np.ndarray


def ages(birth_year: Any, year: int) -> Any:
    """The age that each reaches in a year; far over any bound where the year of birth is not known."""
    return (year - birth_year) * 1


def next_rows(
    p: Any, text: Any, list_date: date, record: Record, games: np.ndarray, gain: np.ndarray, periods: int
) -> Rows:
    """The list's figures of players rated on the previous list: K by the record and by all games of the
    period, one rounding, the floor, and who is inactive (``per_game.rated_row``)."""
    born, before = record.birth_year, record.rating
    listed = text.k(
        before, record.career, record.reached, ages(born, text.year_of_k(list_date)), record.highest
    )
    k = text.period_k(listed, games)
    change = k * gain
    new = before + ROUNDINGS_OF[p.change_rounding](change, 100)
    few = lists.few_games(
        games + record.year_games, record.year_known + 1, periods, p.active_games, record.inactive > 0
    )
    stays = new >= p.floor
    rating = new * stays
    career = record.career + games
    reached = text.reached(record.reached, before, record.highest, rating)
    # The highest so far does not hold the new rating yet: that is on the list from now on.
    highest = np.maximum(record.highest, before)
    k_next = text.k(rating, career, reached, ages(born, list_date.year), highest) * stays
    inactive = (record.inactive + 1) * (few & stays)
    return Rows(k, change, rating, inactive, career, reached, k_next)
