"""What no single field of a JSON input shows: values that must fit each other.

These checks work on the raw objects and pass over whatever is of the wrong type, so that their
errors come together with those of the single fields.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from regulations import exact, registry
from regulations.model import BYES, RESULTS
from regulations.reading import Problem, refuse

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _objects(value: Any) -> list[tuple[int, dict[str, Any]]]:
    found = value if isinstance(value, list) else []
    return [(place, each) for place, each in enumerate(found) if isinstance(each, dict)]


def _days(*values: Any) -> bool:
    return all(isinstance(each, str) and _DAY.fullmatch(each) for each in values)


def different(value: Any, key: str, path: str, errors: list[Problem]) -> None:
    """No two objects of this list have the same identifier or number."""
    first: dict[Any, int] = {}
    for place, each in _objects(value):
        name = each.get(key)
        if not isinstance(name, str | int):
            continue
        if name in first:
            refuse(f"{path}[{place}].{key}", f"{name!r} is already in {path}[{first[name]}]", errors)
        first.setdefault(name, place)


def order_of_days(value: dict[str, Any], path: str, errors: list[Problem]) -> None:
    """The end is not before the start."""
    start, end = value.get("start"), value.get("end")
    if _days(start, end) and end < start:
        refuse(f"{path}end", "is before the start", errors)


def rate(value: dict[str, Any], code: Any, path: str, errors: list[Problem]) -> None:
    """The kind of chess is one that the regulation rates."""
    kind, regulation = value.get("rate"), registry.find(code)
    if regulation is not None and isinstance(kind, str) and kind not in regulation.rates:
        refuse(f"{path}rate", f"{code} rates {' and '.join(regulation.rates)}", errors)


def event_id(value: Any) -> Any:
    """The identifier of an event, which stands beside or within its fields."""
    if not isinstance(value, dict):
        return None
    inner = value.get("event")
    return value.get("id", inner.get("id") if isinstance(inner, dict) else None)


def event(value: dict[str, Any], path: str, errors: list[Problem]) -> None:
    """Dates, players and games of one event."""
    nested = isinstance(value.get("event"), dict)
    fields, name = (value["event"], f"{path}event.") if nested else (value, path)
    order_of_days(fields, name, errors)
    different(value.get("players"), "id", f"{path}players", errors)
    for place, player in _objects(value.get("players")):
        if player.get("rated_since_event") is True and player.get("rating", 0) is None:
            message = "must be the present rating of a player who was rated since the event"
            refuse(f"{path}players[{place}].rating", message, errors)
    paired = _games(value, path, errors)
    ids = [player.get("id") for _, player in _objects(value.get("players"))]
    different(value.get("totals"), "player", f"{path}totals", errors)
    for place, row in _objects(value.get("totals")):
        if isinstance(row.get("player"), str) and row["player"] not in ids:
            refuse(f"{path}totals[{place}].player", f"{row['player']!r} is not among the players", errors)
    if fields.get("system") == "match" and len(paired) > 2:
        refuse(f"{name}system", f"a match has two players, not {len(paired)}", errors)


def not_after(value: dict[str, Any], list_date: Any, code: Any, path: str, errors: list[Problem]) -> None:
    """An event of a list is over by then, unless its text counts the games that are finished."""
    regulation = registry.find(code)
    if regulation is not None and regulation.counts_finished_games:
        return
    nested = isinstance(value.get("event"), dict)
    fields, name = (value["event"], f"{path}event.") if nested else (value, path)
    for key in ("end", "start"):
        day = fields.get(key)
        if _days(day, list_date) and day > list_date:
            message = (
                f"is after the list of {list_date}: the event belongs to a later list "
                "(of an event that goes on, the last day played is the end)"
            )
            refuse(f"{name}{key}", message, errors)
            return


def _games(value: dict[str, Any], path: str, errors: list[Problem]) -> set[str]:
    """Each game has two players of the event, or one and a bye, once in a round; the paired players."""
    known = {
        player["id"] for _, player in _objects(value.get("players")) if isinstance(player.get("id"), str)
    }
    busy: dict[tuple[str, int], int] = {}
    paired: set[str] = set()
    for place, game in _objects(value.get("games")):
        here, result, number = f"{path}games[{place}]", game.get("result"), game.get("round")
        white, black = game.get("white"), game.get("black")
        bye = black is None
        if "black" in game and isinstance(result, str) and result in RESULTS and bye != (result in BYES):
            message = "without an opponent only a bye is possible" if bye else "a bye has no opponent"
            refuse(f"{here}.result", message, errors)
        if isinstance(white, str) and white == black:
            refuse(f"{here}.black", "nobody can play against himself", errors)
            continue
        for side, player in (("white", white), ("black", black)):
            if not isinstance(player, str):
                continue
            if player not in known:
                refuse(f"{here}.{side}", f"{player!r} is not among the players", errors)
                continue
            if not bye:
                paired.add(player)
            if type(number) is not int:
                continue
            if (player, number) in busy:
                other = f"{path}games[{busy[player, number]}]"
                refuse(f"{here}.{side}", f"{player!r} has round {number} already in {other}", errors)
            busy.setdefault((player, number), place)
    return paired


def _score(value: Any) -> Fraction | None:
    """The value of a score; None where a reader refuses it."""
    if type(value) is int:
        return Fraction(value)
    try:
        return exact.parse(value) if isinstance(value, str) else None
    except ValueError:
        return None


def sample(value: dict[str, Any], list_date: Any, path: str, errors: list[Problem]) -> None:
    """A pooled result is not later than the list, and its numbers agree."""
    if _days(value.get("list_date"), list_date) and value["list_date"] > list_date:
        refuse(f"{path}.list_date", "is after the list", errors)
    games, opponents = value.get("games"), value.get("opponents")
    score = _score(value.get("score"))
    if type(games) is int and score is not None and (2 * score % 1 or score > games):
        refuse(f"{path}.score", f"must be points of {games} games, in halves", errors)
    if isinstance(games, int) and isinstance(opponents, list) and opponents and len(opponents) != games:
        refuse(f"{path}.opponents", f"must have {games} ratings, one for each game", errors)
