"""How long a player has for 60 moves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations.model import Stage

MOVES = 60


def minutes_for_60_moves(stages: Sequence[Stage]) -> Fraction:
    """Minutes that one player has for 60 moves: every stage that the 60 moves reach, and the
    increment of each of the 60 moves at the rate of its stage."""
    minutes, made, increment = Fraction(0), 0, 0
    seconds = 0
    for stage in stages:
        if made >= MOVES:
            break
        minutes += stage.minutes
        increment = stage.increment_seconds
        moves = MOVES - made if stage.moves is None else min(stage.moves, MOVES - made)
        seconds += moves * increment
        made += moves
    seconds += (MOVES - made) * increment
    return minutes + Fraction(seconds, 60)
