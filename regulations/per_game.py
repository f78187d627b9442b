"""What the texts that rate game by game share (rapid and blitz 2018, 2022, today's two)."""

from __future__ import annotations

from regulations.model import Entrant, EventPlayer


def effective_rating(player: Entrant | EventPlayer) -> int | None:
    """Without a rating of this kind the standard rating at the start of the event serves (B 8.22, C 7.21)."""
    return player.rating if player.rating is not None else player.standard_rating
