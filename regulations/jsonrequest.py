"""Writing what a list depends on as the calculator's own request, so that anybody can compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from regulations.lists import event_order, joined, joined_texts, sample_order, shown_bytes
from regulations.model import Event, EventPlayer, Game, ListInput, ListPlayer, Sample, Totals

#: of a player of the list and of an event, left out where they say nothing
_LIST_PLAYER = (
    "career_games", "reached_k10", "title", "federation", "birth_year", "sex", "inactive_lists",
    "highest_rating", "provisional", "otb_category",
)  # fmt: skip
_EVENT_PLAYER = (
    "career_games", "reached_k10", "birth_year", "games_in_period", "standard_rating", "fide_rating",
    "rated_since_event", "affiliated", "highest_rating", "provisional", "otb_category",
)  # fmt: skip
_EVENT = ("scheduled_games", "scope", "games_in_event")
_UNSAID = {
    "title": "", "federation": "", "sex": "", "inactive_lists": 0, "provisional": False,
    "otb_category": "", "rated_since_event": False,
}  # fmt: skip


def list_request(code: str, given: ListInput, regulations: Mapping[str, str]) -> Iterator[bytes]:
    """The request of ``given`` to the regulation ``code`` in pieces: compact JSON in UTF-8 with sorted keys,
    players by the text of their identifiers, events in the order of ``event_order``; exact, since
    fractions stand as such. ``regulations`` names the text that rates each event, by its identifier.

    It says ``as_given``: what an event leaves out of its players is not known.
    """
    events = sorted((rated.event for rated in given.events), key=event_order)
    return request_of_texts(
        code,
        given.list_date,
        (event_text(event, regulations[event.id]) for event in events),
        sorted(given.previous, key=lambda player: player.id),
        given.reference_standard,
        given.samples,
    )


def request_of_texts(
    code: str,
    list_date: date,
    events: Iterable[str],
    previous: Iterable[ListPlayer],
    reference: Mapping[str, int],
    samples: Iterable[Sample],
) -> Iterator[bytes]:
    """The same of the texts of events (``event_text``) and of players, both in order."""
    yield b'{"as_given":true,"events":['
    yield from joined_texts(events)
    yield b'],"list_date":' + shown_bytes(list_date.isoformat()) + b',"previous":['
    yield from joined(map(list_player, previous))
    yield b'],"reference_standard":' + shown_bytes(reference)
    yield b',"regulation":' + shown_bytes(code) + b',"samples":['
    yield from joined(map(sample, sorted(samples, key=sample_order)))
    yield b"]}"


def event_text(event: Event, regulation: str) -> str:
    """An event of a list as its request has it."""
    return shown_bytes(event_request(event, regulation)).decode()


def _number(value: int | Fraction) -> int | str:
    """Without loss: an integer, or a fraction such as "12703/6"."""
    return int(value) if value == int(value) else str(Fraction(value))


def _said(value: Any, names: Iterable[str]) -> dict[str, Any]:
    said = ((name, getattr(value, name)) for name in names)
    return {name: each for name, each in said if each is not None and each != _UNSAID.get(name)}


def _totals(totals: Totals | None) -> dict[str, Any]:
    if totals is None:
        return {}
    return {
        "total_points": _number(totals.points),
        "total_games": totals.games,
        "rated_games": totals.rated_games,
        "rated_average": _number(totals.rated_average),
    }


def list_player(player: ListPlayer) -> dict[str, Any]:
    """A player of the previous list."""
    found = {"id": player.id, "rating": player.rating, **_said(player, _LIST_PLAYER)}
    if player.games_by_period:
        found["games_by_period"] = list(player.games_by_period)
    return found | _totals(player.totals)


def sample(each: Sample) -> dict[str, Any]:
    """A pooled result."""
    return {
        "player": each.player,
        "list_date": each.list_date.isoformat(),
        "performance": _number(each.performance),
        "games": each.games,
        "score": _number(each.score),
        "opponents": [_number(rating) for rating in each.opponents],
        "event": each.event,
    }


def event_request(event: Event, regulation: str) -> dict[str, Any]:
    """An event of a list: players by identifier, games by round."""
    fields: dict[str, Any] = {"id": event.id, "system": event.system, **_said(event, _EVENT)}
    for name in ("start", "end"):
        if (day := getattr(event, name)) is not None:
            fields[name] = day.isoformat()
    for name in ("flags", "authorizations"):
        if values := getattr(event, name):
            fields[name] = sorted(values)
    if event.minutes_for_60_moves is not None:
        fields["minutes_for_60_moves"] = _number(event.minutes_for_60_moves)
    found = {
        "regulation": regulation,
        "rate": event.rate,
        "event": fields,
        "players": [_event_player(player) for player in sorted(event.players, key=lambda each: each.id)],
        "games": [game(each) for each in sorted(event.games, key=lambda each: (each.round, each.white))],
    }
    if event.totals:
        found["totals"] = [
            {
                "player": row.player,
                "points": _number(row.points),
                "games": row.games,
                "average": row.average,
            }
            for row in sorted(event.totals, key=lambda row: row.player)
        ]
    return found


def _event_player(player: EventPlayer) -> dict[str, Any]:
    found = {"id": player.id, "rating": player.rating, **_said(player, _EVENT_PLAYER)}
    if not player.first_event:
        found["first_event"] = False
    return found | _totals(player.totals)


def game(each: Game) -> dict[str, Any]:
    """A game or bye."""
    found: dict[str, Any] = {
        "round": each.round,
        "white": each.white,
        "black": each.black,
        "result": each.result,
    }
    if each.phase != 1:
        found["phase"] = each.phase
    if each.finished_on is not None:
        found["finished_on"] = each.finished_on.isoformat()
    return found
