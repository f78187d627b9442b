"""The shape of the calculator's JSON for a list: the previous one, what is pooled, the period's events."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from regulations import fits, registry
from regulations.base import Regulation
from regulations.exact import half_up, show
from regulations.jsonio import (
    COUNT,
    EVENT_FIELDS,
    ID,
    NAMED_EVENT,
    NAMES,
    POSTAL,
    RATING,
    SHARED,
    TOTALS,
    YEAR,
    event_request,
    regulation_code,
    sets,
    totals,
)
from regulations.model import RATES, SYSTEMS, Event, ListInput, ListPlayer, RatedEvent, Sample
from regulations.reading import (
    BAD,
    BadInput,
    Problem,
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

_LIST_PLAYER = record(
    {"id": ID, "rating": optional(RATING)},
    {
        "career_games": optional(COUNT),
        "reached_k10": optional(boolean),
        "title": text(),
        "federation": text(),
        "birth_year": optional(YEAR),
        "sex": text(),
        "games_by_period": listed(COUNT, most=12),
        "inactive_lists": COUNT,
        "highest_rating": optional(RATING),
        **POSTAL,
    },
    lambda **values: ListPlayer(**totals(values)),
)


def _sample(*, performance: Fraction, games: int, **values: Any) -> Sample:
    """A pooled result. An answer shows a Ru that does not end with four places; the fraction of this
    many games behind it is taken up again, so that a chain of lists stays exact."""
    if 10**4 % performance.denominator:  # a fraction such as "12703/6": exact as it is
        return Sample(performance=performance, games=games, **values)
    parts = 2 * games * (games + 1)
    exactly = Fraction(half_up(performance * parts), parts)
    same = show(exactly) == show(performance)
    return Sample(performance=exactly if same else performance, games=games, **values)


_SAMPLE = record(
    {
        "player": ID,
        "list_date": day,
        "performance": number(-5000, 5000),
        "games": integer(1, 9999),
        "score": number(0, 9999),
    },
    {"opponents": listed(number(-5000, 5000)), "event": text()},
    _sample,
)
_LISTED_EVENT = record(
    {"event": NAMED_EVENT, **SHARED},
    {"regulation": regulation_code, "rate": optional(one_of(RATES)), "totals": TOTALS, **NAMES},
    event_request,
)
_FLAT_EVENT = record(
    {"system": one_of(SYSTEMS), **SHARED},
    {
        "regulation": regulation_code,
        "rate": optional(one_of(RATES)),
        "totals": TOTALS,
        **EVENT_FIELDS,
        **NAMES,
    },
    lambda **values: event_request(**sets(values)),
)


def any_event(value: Any, path: str, errors: list[Problem]) -> Any:
    """An ``EventRequest``: as ``rate`` takes it, or with the fields of its event beside the players."""
    flat = isinstance(value, dict) and "event" not in value and "system" in value
    twice = []
    if not flat and isinstance(value, dict) and isinstance(value.get("event"), dict):
        twice = [name for name in NAMES if name in value and name in value["event"]]
    for name in twice:
        refuse(f"{path}.event.{name}", f"is given beside the event as well: {path}.{name}", errors)
    read = (_FLAT_EVENT if flat else _LISTED_EVENT)(value, path, errors)
    return BAD if twice else read


_LIST = record(
    {"regulation": regulation_code, "list_date": day, "previous": listed(_LIST_PLAYER, most=10_000_000)},
    {
        "samples": listed(_SAMPLE),
        "events": listed(any_event),
        "reference_standard": mapping(RATING),
        "as_given": boolean,
    },
    lambda **values: values,
)


def read_list(value: Any, adjusted: Regulation | None = None) -> tuple[Regulation, ListInput]:
    """All that a list depends on, each event rated; ``adjusted`` is the list's regulation with other
    parameters. BadInput with every error."""
    errors: list[Problem] = []
    values = _LIST(value, "", errors)
    if isinstance(value, dict):
        _list_fits(value, errors)
    if errors:
        raise BadInput(errors)
    named = values.pop("regulation")
    regulation = adjusted or named
    requests = values.pop("events", ())
    standard = values.setdefault("reference_standard", {})
    as_given = values.pop("as_given", False)
    previous = {player.id: player for player in values["previous"]}
    events = []
    for request in requests:
        event = request.event
        if not as_given:
            event = _with_previous(_with_standard(event, standard), previous)
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
            fits.rate(each, code, path, errors)
            fits.not_after(each, value.get("list_date"), value.get("regulation"), path, errors)
    samples = value.get("samples")
    for place, each in enumerate(samples if isinstance(samples, list) else []):
        if isinstance(each, dict):
            fits.sample(each, value.get("list_date"), f"samples[{place}]", errors)
            if _averages_opponents(value.get("regulation")) and not each.get("opponents"):
                refuse(f"samples[{place}].opponents", "are needed: this text averages all opponents", errors)


def _averages_opponents(code: Any) -> bool:
    """Does this text pool the opponents of first results, rather than the performances?"""
    found = registry.find(code)
    return found is not None and found.pools_opponents


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
    """The previous list fills in what the event leaves out of its players: year of birth, games so far,
    the highest rating and whether they ever reached the bound of K 10, which hold for good (A 10.54)."""
    players = tuple(
        replace(
            player,
            career_games=known.career_games if player.career_games is None else player.career_games,
            reached_k10=known.reached_k10 if player.reached_k10 is None else player.reached_k10,
            birth_year=known.birth_year if player.birth_year is None else player.birth_year,
            highest_rating=known.highest_rating if player.highest_rating is None else player.highest_rating,
        )
        if (known := previous.get(player.id))
        else player
        for player in event.players
    )
    return replace(event, players=players)
