"""An event of a list's request cut to some of its players, where each result hangs on its own games only."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from regulations import bulk, registry
from regulations.jsonlist import any_event
from regulations.reading import Problem


def goes_by_game(entry: dict[str, Any]) -> bool:
    """Does every player's result in this event depend on his own games alone, whatever the others did?

    Not under texts that do not rate game by game, nor in events with rules of their own, such as matches.
    """
    regulation = registry.find(entry["regulation"])
    if regulation is None or not bulk.applies([regulation]):
        return False
    problems: list[Problem] = []
    read = any_event({**entry, "players": entry["players"][:1], "games": []}, "", problems)
    if problems:
        return False
    ratings = (player.get(name) for player in entry["players"] for name in ("rating", "standard_rating"))
    return regulation.by_columns.is_ordinary(read.event, max(each or 0 for each in ratings))


def cut_to(entry: dict[str, Any], players: Collection[str]) -> dict[str, Any]:
    """The event with the games of these players, and whoever takes part in them."""
    games = [game for game in entry["games"] if game["white"] in players or game["black"] in players]
    needed = {*players, *(game["white"] for game in games), *(game["black"] for game in games)}
    return {**entry, "games": games, "players": [each for each in entry["players"] if each["id"] in needed]}
