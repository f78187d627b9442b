"""The shapes of the calculator's JSON: from objects to the values of ``regulations.model`` and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from regulations import fits, registry
from regulations.base import Regulation
from regulations.exact import half_up, show
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
    Game,
    ListInput,
    ListPlayer,
    RatedEvent,
    Registration,
    Sample,
    ScheduledRound,
    Stage,
    Totals,
)
from regulations.reading import (
    BAD,
    BadInput,
    Problem,
    Reader,
    boolean,
    day,
    integer,
    listed,
    mapping,
    number,
    one_of,
    optional,
    record,
    refuse,
    text,
)

_RATING = integer(1, 4000)
_COUNT = integer(0, 100_000)
_ID = text(empty=False)
_YEAR = integer(1850, 2199)
_FIELD_CHOICES = {
    "flags": listed(one_of(FLAGS)),
    "authorizations": listed(one_of(AUTHORIZATIONS)),
}


def _regulation(value: Any, path: str, errors: list[Problem]) -> Any:
    try:
        return registry.get(value) if isinstance(value, str) else refuse(path, "must be a string", errors)
    except registry.UnknownRegulation as error:
        return refuse(path, str(error), errors)


def _sets(values: dict[str, Any]) -> dict[str, Any]:
    return {name: frozenset(each) if name in _FIELD_CHOICES else each for name, each in values.items()}


# --- check ------------------------------------------------------------------------------------

_STAGE = record(
    {"minutes": number(0, 10_000)},
    {"moves": optional(integer(1, 500)), "increment_seconds": integer(0, 3600)},
    lambda minutes, moves=None, increment_seconds=0: Stage(moves, minutes, increment_seconds),
)


def _stages(value: Any, path: str, errors: list[Problem]) -> Any:
    stages = listed(_STAGE, least=1, most=20)(value, path, errors)
    if stages is BAD:
        return BAD
    for place, stage in enumerate(stages[:-1]):
        if stage.moves is None:
            return refuse(f"{path}[{place}].moves", "only the last stage is for the rest of the game", errors)
    return stages


_CHECK = record(
    {"regulation": _regulation, "system": one_of(SYSTEMS), "start": day, "end": day, "time_control": _stages},
    {
        "rate": optional(one_of(RATES)),
        "registered_on": optional(day),
        "time_control_black": optional(_stages),
        "rounds": listed(record({"round": integer(1, 999), "date": day}, {}, ScheduledRound)),
        "players": listed(
            record(
                {"id": _ID, "rating": optional(_RATING)},
                {
                    "title": text(),
                    "fide_official": optional(boolean),
                    "sex": text(),
                    "fide_rating": optional(_RATING),
                    "other_rating": optional(_RATING),
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
    lambda **values: _sets(values),
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
    "total_games": _COUNT,
    "rated_games": _COUNT,
    "rated_average": number(0, 4000),
}
_POSTAL: dict[str, Reader] = {
    "provisional": boolean,
    "otb_category": text(),
    **{name: optional(reader) for name, reader in _TOTALS.items()},
}


def _totals(values: dict[str, Any]) -> dict[str, Any]:
    """The four totals of a provisional player as one value; None where none of them is given."""
    found = {name: values.pop(name, None) for name in _TOTALS}
    if any(each is not None for each in found.values()):
        names = ("points", "games", "rated_games", "rated_average")
        given = zip(names, found.values(), strict=True)
        values["totals"] = Totals(**{name: each for name, each in given if each is not None})
    return values


_PLAYER = record(
    {"id": _ID, "rating": optional(_RATING)},
    {
        "career_games": optional(_COUNT),
        "reached_k10": optional(boolean),
        "birth_year": optional(_YEAR),
        "games_in_period": optional(_COUNT),
        "standard_rating": optional(_RATING),
        "first_event": boolean,
        "fide_rating": optional(_RATING),
        "rated_since_event": boolean,
        "affiliated": optional(boolean),
        **_POSTAL,
    },
    lambda **values: EventPlayer(**_totals(values)),
)
_GAME = record(
    {
        "round": integer(1, 9999),
        "white": _ID,
        "black": optional(_ID),
        "result": one_of(RESULTS),
    },
    {"phase": integer(1, 99), "finished_on": optional(day)},
    Game,
)
_EVENT_FIELDS: dict[str, Reader] = {
    "start": optional(day),
    "end": optional(day),
    "scheduled_games": optional(integer(1, 999)),
    "games_in_event": optional(_COUNT),
    "finished_on": optional(day),
    **_FIELD_CHOICES,
}
_NAMES: dict[str, Reader] = {"id": _ID, "name": text()}
_EVENT = record({"system": one_of(SYSTEMS)}, _EVENT_FIELDS, lambda **values: _sets(values))
_NAMED_EVENT = record(
    {"system": one_of(SYSTEMS)}, {**_EVENT_FIELDS, **_NAMES}, lambda **values: _sets(values)
)
_SHARED = {"players": listed(_PLAYER, least=1), "games": listed(_GAME)}


@dataclass(frozen=True, slots=True)
class EventRequest:
    """An event as it was read, and the regulation named with it."""

    regulation: Regulation | None
    event: Event


def _event_request(regulation: Any = None, event: Any = None, **values: Any) -> EventRequest:
    values.update(event or {})
    finished = values.pop("finished_on", None)  # the day of every game that has none of its own
    if finished is not None:
        values["games"] = tuple(
            replace(game, finished_on=game.finished_on or finished) for game in values["games"]
        )
    return EventRequest(regulation, Event(**values))


_RATE = record(
    {"regulation": _regulation, "event": _EVENT, **_SHARED}, {"rate": optional(one_of(RATES))}, _event_request
)


def read_rate(value: Any) -> tuple[Regulation, Event]:
    """An event to rate; BadInput with every error."""
    errors: list[Problem] = []
    request = _RATE(value, "", errors)
    if isinstance(value, dict):
        fits.event(value, "", errors)
        regulation = value.get("regulation")
        fits.rate(value, regulation if isinstance(regulation, str) else "", "", errors)
    if errors:
        raise BadInput(errors)
    return request.regulation, request.event


# --- list -------------------------------------------------------------------------------------

_LIST_PLAYER = record(
    {"id": _ID, "rating": optional(_RATING)},
    {
        "career_games": optional(_COUNT),
        "reached_k10": optional(boolean),
        "title": text(),
        "federation": text(),
        "birth_year": optional(_YEAR),
        "sex": text(),
        "games_by_period": listed(_COUNT, most=12),
        "inactive_lists": _COUNT,
        **_POSTAL,
    },
    lambda **values: ListPlayer(**_totals(values)),
)


def _sample(*, performance: Fraction, games: int, **values: Any) -> Sample:
    """A pooled result. An answer shows a Ru that does not end with four places; the fraction of this
    many games behind it is taken up again, so that a chain of lists stays exact."""
    parts = 2 * games * (games + 1)
    exactly = Fraction(half_up(performance * parts), parts)
    same = show(exactly) == show(performance)
    return Sample(performance=exactly if same else performance, games=games, **values)


_SAMPLE = record(
    {
        "player": _ID,
        "list_date": day,
        "performance": number(-5000, 5000),
        "games": integer(1, 9999),
        "score": number(0, 9999),
    },
    {"opponents": listed(number(-5000, 5000)), "event": text()},
    _sample,
)
_LISTED_EVENT = record(
    {"event": _NAMED_EVENT, **_SHARED},
    {"regulation": _regulation, "rate": optional(one_of(RATES)), **_NAMES},
    _event_request,
)
_FLAT_EVENT = record(
    {"system": one_of(SYSTEMS), **_SHARED},
    {"regulation": _regulation, "rate": optional(one_of(RATES)), **_EVENT_FIELDS, **_NAMES},
    lambda **values: _event_request(**_sets(values)),
)


def _any_event(value: Any, path: str, errors: list[Problem]) -> Any:
    """An event as ``rate`` takes it, or with the fields of its event beside the players."""
    flat = isinstance(value, dict) and "event" not in value and "system" in value
    if not flat and isinstance(value, dict) and isinstance(value.get("event"), dict):
        for name in _NAMES.keys() & value.keys() & value["event"].keys():
            return refuse(f"{path}.event.{name}", f"is given beside the event as well: {path}.{name}", errors)
    return (_FLAT_EVENT if flat else _LISTED_EVENT)(value, path, errors)


_LIST = record(
    {"regulation": _regulation, "list_date": day, "previous": listed(_LIST_PLAYER, most=10_000_000)},
    {
        "samples": listed(_SAMPLE),
        "events": listed(_any_event),
        "reference_standard": mapping(_RATING),
    },
    lambda **values: values,
)


def read_list(
    value: Any, adjust: Callable[[Regulation], Regulation] = lambda regulation: regulation
) -> tuple[Regulation, ListInput]:
    """All that a list depends on, each event rated; ``adjust`` changes the parameters of the
    list's regulation. BadInput with every error."""
    errors: list[Problem] = []
    values = _LIST(value, "", errors)
    if isinstance(value, dict):
        _list_fits(value, errors)
    if errors:
        raise BadInput(errors)
    regulation = adjust(values.pop("regulation"))
    requests = values.pop("events", ())
    standard = values.setdefault("reference_standard", {})
    previous = {player.id: player for player in values["previous"]}
    events = []
    for request in requests:
        event = _with_previous(_with_standard(request.event, standard), previous)
        events.append(RatedEvent(event, (request.regulation or regulation).rate(event)))
    return regulation, ListInput(**values, events=tuple(events))


def _list_fits(value: dict[str, Any], errors: list[Problem]) -> None:
    """Identifiers, events and samples that must fit each other."""
    fits.different(value.get("previous"), "id", "previous", errors)
    events = value.get("events")
    names = [fits.event_id(each) for each in events] if isinstance(events, list) else []
    fits.different([{"id": name} for name in names], "id", "events", errors)
    for place, each in enumerate(events if isinstance(events, list) else []):
        if isinstance(each, dict):
            path = f"events[{place}]."
            fits.event(each, path, errors)
            code = each.get("regulation", value.get("regulation"))
            fits.rate(each, code if isinstance(code, str) else "", path, errors)
    samples = value.get("samples")
    for place, each in enumerate(samples if isinstance(samples, list) else []):
        if isinstance(each, dict):
            fits.sample(each, value.get("list_date"), f"samples[{place}]", errors)
            if _averages_opponents(value.get("regulation")) and not each.get("opponents"):
                refuse(f"samples[{place}].opponents", "are needed: this text averages all opponents", errors)


def _averages_opponents(code: Any) -> bool:
    """Does this text pool the opponents of first results, rather than the performances?"""
    try:
        return isinstance(code, str) and registry.get(code).pools_opponents
    except registry.UnknownRegulation:
        return False


def _with_standard(event: Event, standard: dict[str, int]) -> Event:
    """The reference list fills in the standard rating of the players who have no other (C 7.21)."""
    players = tuple(
        replace(player, standard_rating=standard[player.id])
        if player.rating is None and player.standard_rating is None and player.id in standard
        else player
        for player in event.players
    )
    return replace(event, players=players)


def _with_previous(event: Event, previous: dict[str, ListPlayer]) -> Event:
    """The previous list fills in what the event leaves out of its players' games so far and whether
    they ever reached the bound of K 10, which hold for good (A 10.54)."""
    players = tuple(
        replace(
            player,
            career_games=known.career_games if player.career_games is None else player.career_games,
            reached_k10=known.reached_k10 if player.reached_k10 is None else player.reached_k10,
        )
        if (known := previous.get(player.id))
        else player
        for player in event.players
    )
    return replace(event, players=players)
