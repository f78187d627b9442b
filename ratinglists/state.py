"""What the next list computes with, and whence each point came: a published file beside the canonical list.

Of players it has numbers and figures. Names, and the explanations of events, it covers by SHA-256.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import groupby

from ratinglists.files import FileSpec, stem_of
from ratinglists.models import EventResult, ListRow, PlayerResult, PooledSample, RatingList
from verifier.form import STATE

FORMAT = "rating-portal-state-1"
#: rows of players, and events with their results, held at once
PLAYERS, EVENTS = 5000, 100
#: what is written of each player
CARRIED = (
    "player_id", "status", "rating", "k_next", "career_games", "reached_k10", "highest_rating",
    "games_by_period", "inactive_lists", "totals",
)  # fmt: skip
EVENT = ("tournament_id", "part", "ratings_from", "regulation", "rated", "treated_as", "ra")


def _columns(model, *without: str) -> tuple[str, ...]:
    """Every column of a model but its key and these: a new one is covered by itself."""
    names = (field.attname for field in model._meta.concrete_fields)
    return tuple(name for name in names if name not in ("id", *without))


REST = _columns(ListRow, "rating_list_id", *CARRIED)
RESULT = _columns(PlayerResult, "event_id")
SAMPLE = _columns(PooledSample, "rating_list_id")
FINDINGS = _columns(EventResult, "rating_list_id", *EVENT)


def state_file(listed: RatingList) -> FileSpec:
    """The file of a list's state."""
    return FileSpec(f"{stem_of(listed)}{STATE}", "application/json", lambda: state_chunks(listed))


def state_chunks(listed: RatingList) -> Iterator[bytes]:
    """JSON in pieces, a line for each player and each event; the same bytes from either database."""
    rest = hashlib.sha256()
    head = {
        "format": FORMAT,
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
        "columns": CARRIED,
    }
    yield _text(head)[:-1] + b',"players":['
    yield from _joined(_players(listed, rest))
    yield b'],"events":['
    yield from _joined(_events(listed))
    yield b'],"samples_sha256":' + _text(_samples(listed)) + b',"rest_sha256":' + _text(rest.hexdigest())
    yield b"}\n"


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    between = b"\n"
    for line in lines:
        yield between + line
        between = b",\n"
    yield b"\n"


def _players(listed: RatingList, rest) -> Iterator[bytes]:
    rows, last = listed.rows.order_by("player_id").values_list(*CARRIED, *REST), 0
    while some := list(rows.filter(player_id__gt=last)[:PLAYERS]):
        for row in some:
            rest.update(_text((row[0], *row[len(CARRIED) :])) + b"\n")
            yield _text(row[: len(CARRIED)])
        last = some[-1][0]


def _events(listed: RatingList) -> Iterator[bytes]:
    """Each with the number of its results and one SHA-256 of them, and of its findings."""
    events = list(listed.events.order_by("tournament_id", "part").values_list("pk", *EVENT, *FINDINGS))
    for start in range(0, len(events), EVENTS):
        some = events[start : start + EVENTS]
        for (_, *shown, findings), results in zip(some, _results([row[0] for row in some]), strict=True):
            told = hashlib.sha256(_text(findings) + b"\n")
            for row in results:
                told.update(_text(row) + b"\n")
            yield _text((*shown, len(results), told.hexdigest()))


def _results(keys: Sequence[int]) -> Iterator[list[tuple]]:
    """The results of each of these events, in the order of the players."""
    rows = PlayerResult.objects.filter(event__in=keys).order_by("event_id", "player_id")
    found = {
        key: [row[1:] for row in own]
        for key, own in groupby(rows.values_list("event_id", *RESULT), key=lambda row: row[0])
    }
    return (found.get(key, []) for key in keys)


def _samples(listed: RatingList) -> str:
    """Of what is kept towards first ratings, all columns of it."""
    told = hashlib.sha256()
    order = ("player_id", "list_date", "event", "performance", "pk")
    for row in listed.samples.order_by(*order).values_list(*SAMPLE).iterator(PLAYERS):
        told.update(_text(row) + b"\n")
    return told.hexdigest()


def _text(value: object) -> bytes:
    return json.dumps(
        value, default=_plain, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    ).encode()


def _plain(value: object) -> str:
    """Decimals without the zeros that one database adds and another does not."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a list's state")
