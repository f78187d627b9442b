"""What the lists of every system share: collecting a period's results, a year's games, the digest."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import islice
from typing import Any

from regulations.base import Regulation
from regulations.exact import show
from regulations.model import (
    PLAYED,
    Event,
    EventPlayer,
    ListInput,
    ListPlayer,
    ListResult,
    ListRow,
    PlayerResult,
    RatedEvent,
    Sample,
)

INACTIVE, NOT_SHOWN = "i", "not-shown"
ROUND_ROBINS = ("round-robin", "double-round-robin")


@dataclass(frozen=True, slots=True)
class Entry:
    """One player's part in one event of the period."""

    event: Event
    player: EventPlayer
    result: PlayerResult
    #: did he play somebody rated in it?
    met_rated: bool = False


#: a player, his parts in the period and his pooled results
Person = tuple[ListPlayer, list[Entry], list[Sample]]


def event_order(event: Event) -> tuple[date, date, str, str]:
    """Events in order of their end, whatever order they were handed in."""
    end = event.end or event.start or date.min
    return (end, event.start or end, event.id, event.name)


def entries_by_player(events: Iterable[RatedEvent]) -> dict[str, list[Entry]]:
    """What each player did in the rated events of the period, in order of the events' ends."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for rated in sorted(events, key=lambda each: event_order(each.event)):
        if not rated.result.rated:
            continue
        players = {player.id: player for player in rated.event.players}
        met = met_rated(rated.event)
        for result in rated.result.players:
            entry = Entry(rated.event, players[result.id], result, result.id in met)
            found[result.id].append(entry)
    return found


def samples_by_player(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """Pooled results of each unrated player, oldest first."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=sample_order):
        found[sample.player].append(sample)
    return found


def sample_order(sample: Sample) -> tuple[Any, ...]:
    """By player and list; within a list the best first, so that A 10.31 never drops what it once kept."""
    return (
        sample.player,
        sample.list_date,
        -sample.performance,
        sample.games,
        sample.score,
        sorted(sample.opponents),
        sample.event,
    )


def samples_of(entries: Iterable[Entry], list_date: date) -> list[Sample]:
    """The performances of a period, in order of the events' ends."""
    return [
        Sample(
            entry.result.id,
            list_date,
            entry.result.performance,
            entry.result.games,
            entry.result.score,
            tuple(game.opponent_rating for game in entry.result.counted),
            entry.event.id,
        )
        for entry in entries
        if entry.result.performance is not None and entry.result.games
    ]


def met_rated(event: Event) -> set[str]:
    """Those who played somebody rated, counted or not: their first event is over."""
    rated = {p.id for p in event.players if p.rating is not None or p.standard_rating is not None}
    pairs = [(game.white, game.black) for game in event.games if game.result in PLAYED]
    by_games = {one for pair in pairs for one, other in (pair, pair[::-1]) if other in rated}
    return by_games | {row.player for row in event.totals if row.games}


def cut_to(event: Event, player: str) -> Event:
    """As much of an event as one player's result depends on under a text that rates game by game: his
    games and opponents, and all of a round robin, whose average may count."""
    if event.system in ROUND_ROBINS:
        return event
    games = tuple(game for game in event.games if player in (game.white, game.black))
    needed = {player, *(game.white for game in games), *(game.black for game in games)}
    return replace(event, games=games, players=tuple(each for each in event.players if each.id in needed))


def newcomer(entries: list[Entry]) -> ListPlayer:
    """A player who is not on the previous list: with the rating that the first event gives, if any."""
    rated = [entry for entry in entries if entry.player.rating is not None]
    rating = rated[0].player.rating if rated else None
    return completed(ListPlayer(entries[0].player.id, rating), [*rated, *entries])


#: what a list and an event both know of a player
_RECORD = ("career_games", "reached_k10", "birth_year", "highest_rating")


def completed(player: ListPlayer, entries: list[Entry]) -> ListPlayer:
    """The player with what the first event that knows it says of his record, where the list does not."""
    missing = {}
    for name in _RECORD:
        if getattr(player, name) is None:
            told = (getattr(entry.player, name) for entry in entries)
            missing[name] = next((each for each in told if each is not None), None)
    return replace(player, **missing)


def became_rated(
    regulation: Any, people: Iterable[Person], rating_of: Callable[[ListPlayer, list[Entry]], int | None]
) -> Iterator[Person]:
    """The same people; parts that they played unrated and for which they have a rating by now are rated
    anew (A 10.4, C 7.24): as a rated player for himself, still unrated for the opponents.

    ``rating_of`` is the rating of now, None for whoever has none. Since nobody sees the new rating of
    another, each event is rated once more for all of its players together.
    """
    people = list(people)
    late: dict[int, tuple[Event, dict[str, EventPlayer]]] = {}
    for player, entries, _ in people:
        rating = rating_of(player, entries)
        for entry in entries if rating is not None else ():
            if entry.result.status == "unrated":
                changed = replace(entry.player, rating=rating, rated_since_event=True)
                late.setdefault(id(entry.event), (entry.event, {}))[1][player.id] = changed
    found = {key: _rated_anew(regulation, event, changed) for key, (event, changed) in late.items()}
    for player, entries, pool in people:
        own = [found.get(id(entry.event), {}).get(player.id, entry) for entry in entries]
        yield player, own, pool


def _rated_anew(regulation: Any, event: Event, changed: dict[str, EventPlayer]) -> dict[str, Entry]:
    players = tuple(changed.get(each.id, each) for each in event.players)
    results, met = regulation.rate(replace(event, players=players)).players, met_rated(event)
    return {
        each.id: Entry(event, changed[each.id], each, each.id in met)
        for each in results
        if each.id in changed
    }


def career_games(player: ListPlayer) -> int:
    """Games so far; unknown means 30 for a rated player, 0 for another (the calculator's contract)."""
    if player.career_games is not None:
        return player.career_games
    return 0 if player.rating is None else 30


def year_of_games(latest: int, earlier: tuple[int, ...], periods: int) -> tuple[int, ...]:
    """Counted games of the periods of the past year, newest first."""
    return (latest, *earlier)[:periods]


def is_inactive(games: tuple[int, ...], periods: int, least: int, was_inactive: bool) -> bool:
    """Fewer than ``least`` games in a year. A player whose whole year is not known stays as he was."""
    return few_games(sum(games), len(games), periods, least, was_inactive)


def few_games(games: Any, known: Any, periods: int, least: int, was_inactive: Any) -> Any:
    """``is_inactive`` of so many games in the ``known`` latest periods; single values or columns."""
    return (games < least) & (was_inactive | (known >= periods))


def everybody(given: ListInput) -> Iterator[Person]:
    """Each player of the previous list, the events or the pool, by id, with his entries and his pool."""
    previous = {player.id: player for player in given.previous}
    entries = entries_by_player(given.events)
    pools = samples_by_player(given.samples)
    for player_id in sorted({*previous, *entries, *pools}):
        own = entries.get(player_id, [])
        player = previous.get(player_id)
        if player is None:
            player = newcomer(own) if own else ListPlayer(player_id, None)
        elif own:
            player = completed(player, own)
        yield player, own, pools.get(player_id, [])


def in_list_order(rows: Iterable[ListRow], samples: Iterable[Sample]) -> ListResult:
    """Rows by identifier, samples by player and date."""
    return ListResult(tuple(sorted(rows, key=lambda row: row.id)), tuple(sorted(samples, key=sample_order)))


def top_list(rows: Iterable[ListRow], size: int = 100) -> tuple[ListRow, ...]:
    """The strongest active players; equal ratings by games, then identifier (A 9.23d: no inactive ones)."""
    active = [row for row in rows if row.status == "active" and row.rating is not None]
    return tuple(sorted(active, key=lambda row: (-(row.rating or 0), -row.games, row.id))[:size])


def canonical(regulation: Regulation, given: ListInput, result: ListResult) -> bytes:
    """The bytes whose SHA-256 identifies a list: compact JSON with sorted keys, UTF-8, of the
    regulation, the date, what each player's row says (without explanations) and what stays pooled."""
    return b"".join(canonical_pieces(regulation, given, result))


def canonical_pieces(regulation: Regulation, given: ListInput, result: ListResult) -> Iterator[bytes]:
    """The same, some hundred rows at a time."""
    rows, samples = map(row_shown, result.players), map(sample_shown, result.samples)
    return canonical_text(regulation.code, given.list_date.isoformat(), rows, samples)


def canonical_text(
    code: str, list_date: str, rows: Iterable[dict[str, Any]], samples: Iterable[dict[str, Any]]
) -> Iterator[bytes]:
    """The same of rows and samples as they are shown, which must come in order."""
    return canonical_of_texts(code, list_date, map(_encode, rows), map(_encode, samples))


def canonical_of_texts(
    code: str, list_date: str, rows: Iterable[str], samples: Iterable[str]
) -> Iterator[bytes]:
    """The same of their texts (``row_text``, ``sample_text``)."""
    yield b'{"list_date":' + shown_bytes(list_date) + b',"players":['
    yield from joined_texts(rows)
    yield b'],"regulation":' + shown_bytes(code) + b',"samples":['
    yield from joined_texts(samples)
    yield b"]}"


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def shown_bytes(value: Any) -> bytes:
    """A JSON value with sorted keys, compact, UTF-8."""
    return _encode(value).encode()


def joined(values: Iterable[Any]) -> Iterator[bytes]:
    """The entries of a JSON list with commas between them, in pieces."""
    return joined_texts(map(_encode, values))


def joined_texts(texts: Iterable[str], size: int = 500) -> Iterator[bytes]:
    """Texts with commas between them, so many at a time."""
    texts = iter(texts)
    comma = ""
    while piece := ",".join(islice(texts, size)):
        yield (comma + piece).encode()
        comma = ","


def row_text(row: ListRow) -> str:
    """What a row says, as the canonical bytes have it."""
    return _encode(row_shown(row))


def sample_text(kept: Sample) -> str:
    """What stays pooled, as the canonical bytes have it."""
    return _encode(sample_shown(kept))


def plain_row_text(
    player: int, status: str, rating: int | None, change: str | None, games: int, k: int | None, flags: str
) -> str:
    """The same of plain figures; ``change`` is written exactly (``show``), ``flags`` are JSON."""
    told = "null" if change is None else f'"{change}"'
    return (
        f'{{"change":{told},"flags":{flags},"games":{games},"id":"{player}",'
        f'"k":{"null" if k is None else k},"rating":{rating or "null"},"status":"{status}"}}'
    )


def row_shown(row: ListRow) -> dict[str, Any]:
    """What a row says, as the calculator writes it, without explanations."""
    return {
        "id": row.id,
        "status": row.status,
        "rating": row.rating,
        "change": _shown(row.change),
        "games": row.games,
        "k": row.k,
        "flags": list(row.flags),
    }


def sample_shown(sample: Sample) -> dict[str, Any]:
    """What stays pooled, as the calculator writes it."""
    return {
        "player": sample.player,
        "list_date": sample.list_date.isoformat(),
        "performance": show(sample.performance),
        "games": sample.games,
        "score": show(sample.score),
        "opponents": ratings_shown(sample.opponents),
    }


def digest(regulation: Regulation, given: ListInput, result: ListResult) -> str:
    """SHA-256 of the canonical list, in hexadecimal."""
    return sha256_of(canonical_pieces(regulation, given, result))


def sha256_of(pieces: Iterable[bytes]) -> str:
    """SHA-256 of bytes in pieces, in hexadecimal."""
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()


def ratings_shown(ratings: Iterable[int | Fraction]) -> list[int | str]:
    """Ratings as the calculator writes them: an integer, or an exact decimal string (a Ru)."""
    return [int(rating) if rating == int(rating) else show(rating) for rating in ratings]


def _shown(value: Fraction | None) -> str | None:
    return None if value is None else show(value)
