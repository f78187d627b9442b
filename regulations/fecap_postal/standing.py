"""What a step of the computation starts from and ends with, for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from regulations import lists
from regulations.exact import half_up, show
from regulations.fecap_postal.formulas import ZERO, gets_provisional
from regulations.fecap_postal.parameters import Parameters
from regulations.model import CountedGame, EventPlayer, ListPlayer, Step, Totals


@dataclass(frozen=True, slots=True)
class Standing:
    """A player before or after a step; ``rating`` of a provisional one is his latest RRP (None: none
    yet), ``games`` are all of his finished games."""

    rating: int | None
    games: int = 0
    provisional: bool = False
    totals: Totals = field(default_factory=Totals)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game as one player sees it."""

    event: str
    round: int
    opponent: str
    white: bool
    score: Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one step means for one player. The figures of phase 2 are None for a provisional player;
    ``change`` is before rounding."""

    before: Standing
    after: Standing
    counted: tuple[CountedGame, ...] = ()
    #: identifier of the event of each counted game
    events: tuple[str, ...] = ()
    average: Fraction | None = None
    factor: Fraction | None = None
    change: Fraction | None = None
    steps: tuple[Step, ...] = ()

    @property
    def score(self) -> Fraction:
        return sum((game.score for game in self.counted), ZERO)

    @property
    def expected(self) -> Fraction:
        return sum((game.expected or ZERO for game in self.counted), ZERO)


def is_provisional(p: Parameters, player: EventPlayer | ListPlayer) -> bool:
    """General 4 and 5: who has a provisional rating, or gets one as he begins."""
    return player.provisional or gets_provisional(p, player.otb_category, player.rating is not None)


def standing_of(p: Parameters, player: EventPlayer | ListPlayer) -> Standing:
    """General 2 and 4: where a player stands before the period; a new one starts with 1600."""
    if is_provisional(p, player):
        totals = player.totals or Totals()
        games = totals.games if player.career_games is None else player.career_games
        return Standing(player.rating, games, True, totals)
    known = ListPlayer(player.id, player.rating, player.career_games)
    rating = p.start if player.rating is None else player.rating
    return Standing(rating, lists.career_games(known))


def rated_sum(totals: Totals) -> Fraction:
    """The ratings of all rated opponents so far. They are whole, so that an average that was shown with
    four decimals leads back to their exact sum."""
    if not totals.rated_games:
        return ZERO
    exact = totals.rated_average * totals.rated_games
    whole = Fraction(half_up(exact))
    return whole if show(whole / totals.rated_games) == show(totals.rated_average) else exact


def added(totals: Totals, played: Sequence[Played], rated: Sequence[int]) -> Totals:
    """Phase 1: the totals with the games of this step, of which ``rated`` are the rated opponents."""
    games = totals.rated_games + len(rated)
    average = (rated_sum(totals) + sum(rated)) / games if games else ZERO
    points = totals.points + sum((game.score for game in played), ZERO)
    return Totals(points, totals.games + len(played), games, average)
