"""The shapes of the calculator's JSON: from objects to the values of ``regulations.model`` and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from regulations import fits, registry
from regulations.base import Regulation
from regulations.model import (
    AUTHORIZATIONS,
    FLAGS,
    RATES,
    RESULTS,
    SCOPES,
    SYSTEMS,
    ArbiterFacts,
    Entrant,
    Event,
    EventPlayer,
    EventTotals,
    Game,
    Registration,
    ScheduledRound,
    Stage,
    Totals,
)
from regulations.reading import (
    BadInput,
    Problem,
    Reader,
    boolean,
    day,
    integer,
    listed,
    number,
    one_of,
    optional,
    record,
    refuse,
    text,
)

RATING = integer(1, 4000)
COUNT = integer(0, 100_000)
ID = text(empty=False)
YEAR = integer(1850, 2199)
_FIELD_CHOICES = {
    "flags": listed(one_of(FLAGS)),
    "authorizations": listed(one_of(AUTHORIZATIONS)),
}


def regulation_code(value: Any, path: str, errors: list[Problem]) -> Any:
    try:
        return registry.get(value) if isinstance(value, str) else refuse(path, "must be a string", errors)
    except registry.UnknownRegulation as error:
        return refuse(path, str(error), errors)


def sets(values: dict[str, Any]) -> dict[str, Any]:
    return {name: frozenset(each) if name in _FIELD_CHOICES else each for name, each in values.items()}


# --- check ------------------------------------------------------------------------------------

_STAGE = record(
    {"minutes": number(0, 10_000)},
    {"moves": optional(integer(1, 500)), "increment_seconds": integer(0, 3600)},
    lambda minutes, moves=None, increment_seconds=0: Stage(moves, minutes, increment_seconds),
)


def _stages(value: Any, path: str, errors: list[Problem]) -> Any:
    stages = listed(_STAGE, least=1, most=20)(value, path, errors)
    given = value[:-1] if isinstance(value, list) else []
    for place, stage in enumerate(given):
        if isinstance(stage, dict) and stage.get("moves") is None:
            message = "only the last stage is for the rest of the game"
            stages = refuse(f"{path}[{place}].moves", message, errors)
    return stages


_CHECK = record(
    {
        "regulation": regulation_code,
        "system": one_of(SYSTEMS),
        "start": day,
        "end": day,
        "time_control": _stages,
    },
    {
        "rate": optional(one_of(RATES)),
        "registered_on": optional(day),
        "time_control_black": optional(_stages),
        "rounds": listed(record({"round": integer(1, 999), "date": day}, {}, ScheduledRound)),
        "players": listed(
            record(
                {"id": ID, "rating": optional(RATING)},
                {
                    "title": text(),
                    "fide_official": optional(boolean),
                    "sex": text(),
                    "fide_rating": optional(RATING),
                    "other_rating": optional(RATING),
                    "standard_rating": optional(RATING),
                },
                lambda fide_official=False, **values: Entrant(**values, fide_official=bool(fide_official)),
            )
        ),
        "arbiters": listed(
            record({"name": text()}, {"licensed": optional(boolean), "title": text()}, ArbiterFacts)
        ),
        "scope": optional(one_of(SCOPES)),
        **_FIELD_CHOICES,
    },
    lambda **values: sets(values),
)


def read_check(value: Any) -> tuple[Regulation, Registration]:
    """A registration to check; BadInput with every error."""
    errors: list[Problem] = []
    values = _CHECK(value, "", errors)
    if isinstance(value, dict):
        fits.order_of_days(value, "", errors)
        fits.different(value.get("players"), "id", "players", errors)
        fits.different(value.get("rounds"), "round", "rounds", errors)
    if errors:
        raise BadInput(errors)
    regulation = values.pop("regulation")
    return regulation, Registration(**values)


# --- rate -------------------------------------------------------------------------------------

_TOTALS: dict[str, Reader] = {
    "total_points": number(0, 100_000),
    "total_games": COUNT,
    "rated_games": COUNT,
    "rated_average": number(0, 4000),
}
POSTAL: dict[str, Reader] = {
    "provisional": boolean,
    "otb_category": text(),
    **{name: optional(reader) for name, reader in _TOTALS.items()},
}


def totals(values: dict[str, Any]) -> dict[str, Any]:
    """The four totals of a provisional player as one value; None where none of them is given."""
    found = {name: values.pop(name, None) for name in _TOTALS}
    if any(each is not None for each in found.values()):
        names = ("points", "games", "rated_games", "rated_average")
        given = zip(names, found.values(), strict=True)
        values["totals"] = Totals(**{name: each for name, each in given if each is not None})
    return values


_PLAYER = record(
    {"id": ID, "rating": optional(RATING)},
    {
        "career_games": optional(COUNT),
        "reached_k10": optional(boolean),
        "birth_year": optional(YEAR),
        "games_in_period": optional(COUNT),
        "standard_rating": optional(RATING),
        "first_event": boolean,
        "fide_rating": optional(RATING),
        "rated_since_event": boolean,
        "affiliated": optional(boolean),
        "highest_rating": optional(RATING),
        **POSTAL,
    },
    lambda **values: EventPlayer(**totals(values)),
)
_GAME = record(
    {
        "round": integer(1, 9999),
        "white": ID,
        "black": optional(ID),
        "result": one_of(RESULTS),
    },
    {"phase": integer(1, 99), "finished_on": optional(day)},
    Game,
)
EVENT_FIELDS: dict[str, Reader] = {
    "start": optional(day),
    "end": optional(day),
    "scheduled_games": optional(integer(1, 999)),
    "minutes_for_60_moves": optional(number(0, 10_000)),
    "scope": optional(one_of(SCOPES)),
    "games_in_event": optional(COUNT),
    "finished_on": optional(day),
    **_FIELD_CHOICES,
}
NAMES: dict[str, Reader] = {"id": ID, "name": text()}
_EVENT = record({"system": one_of(SYSTEMS)}, EVENT_FIELDS, lambda **values: sets(values))
NAMED_EVENT = record({"system": one_of(SYSTEMS)}, {**EVENT_FIELDS, **NAMES}, lambda **values: sets(values))
SHARED = {"players": listed(_PLAYER, least=1), "games": listed(_GAME)}
#: in place of games, where the text can rate totals (FEDA 10.31); games are [] then
TOTALS = listed(
    record(
        {
            "player": ID,
            "points": number(0, 9999),
            "games": integer(1, 9999),
            "average": integer(1, 4000),
        },
        {},
        EventTotals,
    )
)


@dataclass(frozen=True, slots=True)
class EventRequest:
    """An event as it was read, and the regulation named with it."""

    regulation: Regulation | None
    event: Event


def event_request(regulation: Any = None, event: Any = None, **values: Any) -> EventRequest:
    values.update(event or {})
    finished = values.pop("finished_on", None)  # the day of every game that has none of its own
    if finished is not None:
        values["games"] = tuple(
            replace(game, finished_on=game.finished_on or finished) for game in values["games"]
        )
    return EventRequest(regulation, Event(**values))


_RATE = record(
    {"regulation": regulation_code, "event": _EVENT, **SHARED},
    {"rate": optional(one_of(RATES))},
    event_request,
)


def read_rate(value: Any) -> tuple[Regulation, Event]:
    """An event to rate; BadInput with every error."""
    errors: list[Problem] = []
    request = _RATE(value, "", errors)
    if isinstance(value, dict):
        fits.event(value, "", errors)
        fits.rate(value, value.get("regulation"), "", errors)
    if errors:
        raise BadInput(errors)
    return request.regulation, request.event


_COMPARE = record(
    {"event": _EVENT, **SHARED},
    {
        "regulation": regulation_code,
        "regulations": listed(regulation_code, most=10),
        "rate": optional(one_of(RATES)),
    },
    lambda regulations=(), **values: (regulations, event_request(**values)),
)


def read_compare(value: Any, codes: Sequence[str]) -> tuple[list[Regulation], Event]:
    """An event as ``rate`` takes it, and the regulations of the command line or, without them, of the
    keys ``regulations`` or ``regulation``; BadInput with every error."""
    errors: list[Problem] = []
    read = _COMPARE(value, "", errors)
    if isinstance(value, dict):
        fits.event(value, "", errors)
    named = [regulation_code(code, "command line", errors) for code in codes]
    asked = list(codes) or _asked(value)
    if all(isinstance(each, str) for each in asked) and len(set(asked)) < max(2, len(asked)):
        refuse("regulations", "two or more different ones are needed, here or after the file", errors)
    if errors:
        raise BadInput(errors)
    regulations, request = read
    return named or list(regulations) or [request.regulation], request.event


def _asked(value: Any) -> list[Any]:
    """The codes in the keys of the input, of whatever type they are."""
    if not isinstance(value, dict):
        return [None]
    several = value.get("regulations")
    if several:
        return several if isinstance(several, list) else [None]
    return [value["regulation"]] if "regulation" in value else []
