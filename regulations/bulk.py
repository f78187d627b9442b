"""The list of a whole period by columns: what is ordinary at once, the rest event by event.

Same result as rating each event (``Regulation.rate``) and then ``Regulation.next_list``, for every
player. Ordinary is a player with a rating on the list in force at the start of all his events and on
the previous list, in events without special rules. All others, the *special* players, go through
``rate`` and ``next_list`` with as much of each event as their results depend on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from regulations import calendar, columns
from regulations.columns import Games, Record, Rows, Sums
from regulations.model import (
    PLAYED,
    RESULTS,
    Event,
    EventPlayer,
    EventResult,
    Game,
    ListInput,
    ListPlayer,
    ListResult,
    PlayerResult,
    RatedEvent,
    Sample,
)

#: how many periods a list keeps the games of
PERIODS = calendar.YEAR


@dataclass(frozen=True, slots=True)
class Parts:
    """Each player's part in each event, one place each; 0 for a rating that there is not, -1 for a
    record that is not known."""

    event: np.ndarray
    player: np.ndarray
    rating: np.ndarray
    since: np.ndarray
    standard: np.ndarray
    career: np.ndarray
    reached: np.ndarray
    birth_year: np.ndarray
    highest: np.ndarray
    #: no earlier list counted an event in which he met somebody rated
    first: np.ndarray


@dataclass(frozen=True, slots=True)
class Cells:
    """Games and byes: the places of the players' parts (black -1: a bye), the result by its place in
    ``RESULTS``, and the few reasons for unplayed games that a report gives."""

    white: np.ndarray
    black: np.ndarray
    round: np.ndarray
    result: np.ndarray
    why: dict[int, str]


@dataclass(frozen=True, slots=True)
class Period:
    """All that a list depends on. ``events`` come without players and games, in the order in which they
    are rated; ``players`` are those of the previous list in order of their numbers."""

    list_date: date
    regulation: Any
    events: Sequence[Event]
    regulations: Sequence[Any]
    parts: Parts
    cells: Cells
    players: np.ndarray
    record: Record
    #: players of the previous list who are special for what it says of them
    odd: np.ndarray
    #: the special players as the list knows them, and what it keeps of their results
    listed: Callable[[np.ndarray], tuple[ListPlayer, ...]]
    samples: Sequence[Sample]
    reference_standard: dict[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The list. A part has its figures either in ``sums``, ``k`` or in ``special``."""

    sums: Sums
    k: np.ndarray
    met: np.ndarray
    #: results of parts that went event by event
    special: dict[int, PlayerResult]
    #: without players
    events: list[EventResult]
    #: figures of the players of the previous list; those of special players mean nothing
    rows: Rows
    games: np.ndarray
    #: who of the previous list is ordinary, and rated on it
    ordinary: np.ndarray
    #: rows and samples of the special players, and these as the previous list has them
    result: ListResult
    before: tuple[ListPlayer, ...]


def applies(regulations: Iterable[Any]) -> bool:
    """Do all of these texts rate game by game, so that columns can do it?"""
    return all(_has_own_columns(regulation) for regulation in regulations)


def _has_own_columns(regulation: Any) -> bool:
    """A text that changes how another one rates does not go by that one's columns."""
    for each in type(regulation).__mro__:
        if "by_columns" in vars(each):
            return True
        if {"rate", "next_list"} & vars(each).keys():
            return False
    return False


def played(cells: Cells) -> Games:
    """The games over the board."""
    over = (cells.result < len(PLAYED)) & (cells.black >= 0)
    return Games(cells.white[over], cells.black[over], cells.result[over])


def met_rated(parts: Parts, games: Games) -> np.ndarray:
    """Who played somebody rated in each part, counted or not (``lists.met_rated``)."""
    met = np.zeros(len(parts.event), bool)
    rated = (parts.rating > 0) | (parts.standard > 0)
    met[games.white[rated[games.black]]] = True
    met[games.black[rated[games.white]]] = True
    return met


def seen(text: Any, parts: Parts) -> np.ndarray:
    """The rating that opponents count, 0 for none."""
    unrated = (parts.rating == 0) | parts.since
    return np.where(unrated, parts.standard * text.standard_stands_in, parts.rating)


def compute(given: Period, sums: Sums | None = None) -> Outcome:
    """The list that follows the previous one when the period's events are counted; ``sums`` those of
    ``ordinary_sums``, where they are known already."""
    parts, games = given.parts, played(given.cells)
    texts = [regulation.by_columns for regulation in given.regulations]
    met = met_rated(parts, games)
    ordinary_event = _ordinary(parts, given.events, texts)
    places, known = places_of(given.players, parts.player)
    special_players = _special_players(given, places, known)
    special_part = np.isin(parts.player, special_players)
    if sums is None:
        sums = ordinary_sums(parts, given.events, given.regulations, games)
    rated = _rate_special(given, met, ordinary_event, special_part)
    results = _take_in(rated, given, sums, special_part, places, known)
    total = np.zeros(len(given.players), np.int32)
    gain = np.zeros(len(given.players), np.int64)
    plain = known & ~special_part
    np.add.at(total, places[plain], sums.games[plain])
    np.add.at(gain, places[plain], sums.gain[plain])
    k = _k_of_parts(given, texts, np.where(plain, total[places], 0)) if len(total) else sums.games * 0
    rows = columns.next_rows(
        given.regulation,
        given.regulation.by_columns,
        given.list_date,
        given.record,
        total,
        gain,
        PERIODS,
    )
    special = {place: player for _, result, own in results for place, player in own}
    ordinary = ~np.isin(given.players, special_players)
    before = given.listed(special_players)
    made = _special_list(given, results, before, special_part)
    events = [replace(result, players=()) for _, result, _ in results]
    return Outcome(sums, k, met, special, events, rows, total, ordinary, made, before)


def _ordinary(parts: Parts, events: Sequence[Event], texts: Sequence[Any]) -> np.ndarray:
    highest = np.zeros(len(events), np.int32)
    np.maximum.at(highest, parts.event, np.maximum(parts.rating, parts.standard))
    found = (
        text.is_ordinary(event, int(top)) for text, event, top in zip(texts, events, highest, strict=True)
    )
    return np.fromiter(found, bool, len(events))


def places_of(players: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where on the list each of those wanted stands, and whether he does."""
    places = np.searchsorted(players, wanted)
    places[places == len(players)] = 0
    found = players[places] == wanted if len(players) else np.zeros(len(wanted), bool)
    return places, found


def _special_players(given: Period, places: np.ndarray, known: np.ndarray) -> np.ndarray:
    parts, rating = given.parts, given.record.rating
    unrated_now = ~known
    if len(rating):
        unrated_now |= rating[places] == 0
    odd = (parts.rating == 0) | parts.since | unrated_now
    sampled = np.array([int(sample.player) for sample in given.samples], np.int64)
    return np.unique(np.concatenate([parts.player[odd], given.odd, sampled]))


def ordinary_sums(parts: Parts, events: Sequence[Event], regulations: Sequence[Any], games: Games) -> Sums:
    """What the games of the ordinary events add up to, each event by itself: they can be shared out."""
    texts = [regulation.by_columns for regulation in regulations]
    ordinary = _ordinary(parts, events, texts)
    sums = Sums.of(len(parts.event))
    kinds: dict[Any, list[int]] = {}
    for number, text in enumerate(texts):
        if ordinary[number]:
            kinds.setdefault((regulations[number].code, text.era(events[number])), []).append(number)
    of_game = parts.event[games.white]
    for (_, era), numbers in kinds.items():
        text = texts[numbers[0]]
        chosen = np.zeros(len(events), bool)
        chosen[numbers] = True
        mine = chosen[of_game]
        some = Games(games.white[mine], games.black[mine], games.result[mine])
        own = np.where(parts.since, 0, parts.rating)
        columns.add_games(text, era, some, own, seen(text, parts), sums)
    return sums


def _rate_special(
    given: Period, met: np.ndarray, ordinary: np.ndarray, special_part: np.ndarray
) -> list[tuple[Event, EventResult, list[tuple[int, PlayerResult]]]]:
    """Each event with as much in it as the special players depend on, all of it if it has special rules;
    with the results of those who go by it."""
    parts, cells = given.parts, given.cells
    wanted = special_part | ~ordinary[parts.event]
    not_bye = np.where(cells.black >= 0, cells.black, cells.white)
    needed = np.flatnonzero(wanted[cells.white] | wanted[not_bye])
    of_cell = parts.event[cells.white[needed]]
    needed = needed[np.argsort(of_cell, kind="stable")]
    limits = np.searchsorted(np.sort(of_cell), np.arange(len(given.events) + 1))
    own = np.flatnonzero(wanted)
    own = own[np.argsort(parts.event[own], kind="stable")]
    own_limits = np.searchsorted(parts.event[own], np.arange(len(given.events) + 1))
    already: set[int] = set()
    found = []
    for number, bare in enumerate(given.events):
        here = needed[limits[number] : limits[number + 1]]
        mine = own[own_limits[number] : own_limits[number + 1]]
        event = _event(given, bare, here, mine, already)
        already.update(parts.player[mine[met[mine]]].tolist())
        result = given.regulations[number].rate(event, _names(parts, mine))
        found.append((event, result, _own(result, parts, mine)))
    return found


def _names(parts: Parts, places: np.ndarray) -> set[str]:
    return set(map(str, parts.player[places].tolist()))


def _own(result: EventResult, parts: Parts, mine: np.ndarray) -> list[tuple[int, PlayerResult]]:
    by_player = {player.id: player for player in result.players}
    return [(place, by_player[str(parts.player[place])]) for place in mine.tolist()]


def _event(given: Period, bare: Event, cells_here: np.ndarray, mine: np.ndarray, already: set[int]) -> Event:
    """An event cut to some games and the players in them and ``mine``."""
    parts, cells = given.parts, given.cells
    names: dict[int, str] = {}

    def name(place: int) -> str:
        if place not in names:
            names[place] = str(parts.player[place])
        return names[place]

    games = []
    for at in cells_here.tolist():
        white, black = int(cells.white[at]), int(cells.black[at])
        games.append(
            Game(
                int(cells.round[at]),
                name(white),
                name(black) if black >= 0 else None,
                RESULTS[cells.result[at]],
                cells.why.get(at, ""),
            )
        )
    for place in mine.tolist():
        name(place)
    players = tuple(_player(parts, place, text, already) for place, text in names.items())
    return replace(bare, players=players, games=tuple(games))


def _player(parts: Parts, place: int, text: str, already: set[int]) -> EventPlayer:
    def known(value: Any, least: int) -> int | None:
        return int(value) if value >= least else None

    reached = parts.reached[place]
    return EventPlayer(
        id=text,
        rating=known(parts.rating[place], 1),
        career_games=known(parts.career[place], 0),
        reached_k10=bool(reached) if reached >= 0 else None,
        birth_year=known(parts.birth_year[place], 1),
        standard_rating=known(parts.standard[place], 1),
        first_event=bool(parts.first[place]) and int(parts.player[place]) not in already,
        rated_since_event=bool(parts.since[place]),
        highest_rating=known(parts.highest[place], 1),
    )


def _take_in(rated, given: Period, sums: Sums, special_part, places, known) -> list:
    """The results again with the games of the whole period, by which K goes; the sums of ordinary players
    in events with special rules join the columns."""
    for _, _, own in rated:
        for place, player in own:
            counted = player.games if player.status == "rated" else 0
            sums.games[place] = counted
            sums.halves[place] = 2 * player.score if counted else 0
            sums.ratings[place] = player.rc * counted if counted else 0
            sums.gain[place] = 100 * (player.score - player.expected) if counted else 0
    games: Counter[str] = Counter()
    everywhere = {player.id for _, _, own in rated for _, player in own}
    wanted = np.array(sorted(map(int, everywhere)), np.int64)
    at = np.flatnonzero(np.isin(given.parts.player, wanted))
    for place, count in zip(at.tolist(), sums.games[at].tolist(), strict=True):
        games[str(given.parts.player[place])] += count
    for _, _, own in rated:
        for _, player in own:
            if player.status != "rated":
                games[player.id] += player.games
    return [
        _with_games_in_period(given.regulations[number], entry, games, given.parts)
        for number, entry in enumerate(rated)
    ]


def _with_games_in_period(regulation: Any, entry, games: Counter[str], parts: Parts):
    event, result, own = entry
    if all(player.games == games[player.id] for _, player in own):
        return entry
    players = tuple(replace(player, games_in_period=games[player.id]) for player in event.players)
    event = replace(event, players=players)
    mine = np.array([place for place, _ in own], np.int64)
    result = regulation.rate(event, _names(parts, mine))
    return event, result, _own(result, parts, mine)


def _k_of_parts(given: Period, texts: Sequence[Any], total: np.ndarray) -> np.ndarray:
    """K of each ordinary part: by the list in force at the start, the year of the event, and all games of
    the period."""
    parts = given.parts
    k = np.zeros(len(parts.event), np.int32)
    kinds: dict[Any, list[int]] = {}
    for number, event in enumerate(given.events):
        day = event.start or event.end
        kinds.setdefault((given.regulations[number].code, day and day.year), []).append(number)
    for (_, year), numbers in kinds.items():
        text = texts[numbers[0]]
        chosen = np.zeros(len(given.events), bool)
        chosen[numbers] = True
        mine = chosen[parts.event]
        age = columns.ages(parts.birth_year[mine], year or 0)
        own = text.k(
            parts.rating[mine], parts.career[mine], parts.reached[mine] > 0, age, parts.highest[mine]
        )
        k[mine] = text.period_k(own, total[mine])
    return k


def _special_list(
    given: Period, results, before: tuple[ListPlayer, ...], special_part: np.ndarray
) -> ListResult:
    """The list of the special players alone: nobody's row depends on another's."""
    events = [
        RatedEvent(event, replace(result, players=tuple(player for place, player in own)))
        for event, result, pairs in results
        if (own := [(place, player) for place, player in pairs if special_part[place]])
    ]
    return given.regulation.next_list(
        ListInput(
            list_date=given.list_date,
            previous=before,
            samples=tuple(given.samples),
            events=tuple(events),
            reference_standard=given.reference_standard,
        )
    )
