"""How long a player has for 60 moves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations.model import Stage

MOVES = 60


def minutes_for_60_moves(stages: Sequence[Stage]) -> Fraction:
    """Minutes that one player has for 60 moves: every stage that the 60 moves reach, and the
    increment of each of the 60 moves at the rate of its stage."""
    minutes, seconds, increment = Fraction(0), 0, 0
    left = MOVES
    for stage in stages:
        if not left:
            break
        minutes += stage.minutes
        increment = stage.increment_seconds
        moves = left if stage.moves is None else min(stage.moves, left)
        seconds += moves * increment
        left -= moves
    return minutes + Fraction(seconds + left * increment, 60)
