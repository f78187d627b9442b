"""Whose tournaments, arbiters and reports are whose (``players.access``)."""

from __future__ import annotations

from players import roles
from tournaments.models import Arbiter


def register() -> None:
    """Declare the role of arbiters: a record's link to its account."""
    roles.link(roles.Role.ARBITER, Arbiter, "tournaments.change_arbiter", roles.ARBITERS)
