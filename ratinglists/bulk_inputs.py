"""All that a whole period's list depends on, as columns of integers (``regulations.bulk``).

What ``computation.read_inputs`` reads tournament by tournament comes here in a few large reads. The facts
of players that columns do not hold (records merged into one person) come from the same lookups as there.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice

import numpy as np
from django.conf import settings
from django.db.models import Min

from players.models import Title
from players.queries import aliases
from ratinglists import rowio
from ratinglists.computation import (
    Candidate,
    Progress,
    candidates_of,
    canonical,
    players_of,
    previous_list,
    regulation_of,
    samples_of,
)
from ratinglists.models import Period, PlayerResult, RatingList
from ratinglists.persons import mark
from ratinglists.queries import facts_in_force, latest_list, list_in_force
from regulations import bulk
from regulations.bulk import Cells, Parts
from regulations.columns import Record
from regulations.model import RESULTS, Event, EventPlayer, ListPlayer
from tournaments.models import Game, Tournament
from tournaments.queries import EventPart, bare_event

BATCH = 2000


@dataclass(frozen=True, slots=True)
class Listed:
    """A list's rows in order of players: each field one column, 0 for no rating or year of birth."""

    player: np.ndarray
    rating: np.ndarray
    career: np.ndarray
    reached: np.ndarray
    highest: np.ndarray
    birth_year: np.ndarray
    inactive: np.ndarray
    unusual: np.ndarray

    def of(self, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where these stand on the list, and whether they do."""
        return bulk.places_of(self.player, players)


@dataclass(slots=True)
class BulkInputs:
    """As ``computation.Inputs``, by columns."""

    period: Period
    previous: RatingList | None
    candidates: list[Candidate]
    tournaments: list[Tournament]
    #: of each tournament, the date of the list in force at its start
    ratings_from: list[date | None]
    given: bulk.Period
    #: games of the past periods as the previous list keeps them: the texts, and which each player has
    years: list[str]
    year_of: np.ndarray
    #: SHA-256 of the columns
    columns: str
    persons: str
    #: of the request: known when the list is proven (``proving``)
    sha256: str = ""

    @property
    def regulation(self):
        """The text of the list."""
        return self.given.regulation


def goes_by_columns(period: Period) -> bool:
    """Are there more games than are explained at once, and do all texts in question go by columns?"""
    accepted = Tournament.objects.filter(
        rating_system=period.system, state=Tournament.State.ACCEPTED, start__lt=period.list_date
    )
    if Game.objects.filter(tournament__in=accepted).count() <= settings.PORTAL_EXPLAIN_AT_ONCE:
        return False
    starts = accepted.order_by().values_list("start", flat=True).distinct()
    texts = [period.system.regulation_on(start) for start in starts]
    return None not in texts and bulk.applies([regulation_of(period), *texts])


def read(period: Period, progress: Progress) -> BulkInputs:
    """Everything that the list depends on."""
    persons = mark()  # before all reads: what changes meanwhile makes the draft stale
    regulation, previous = regulation_of(period), previous_list(period)
    candidates = candidates_of(period)
    tournaments = [c.tournament for c in candidates if c.outcome == "counted"]
    progress("reading the list before", 0, len(tournaments))
    one_person = aliases()
    listed = read_list(previous, one_person)
    years, year_of = _years(previous, one_person)
    progress("reading the games", 0, len(tournaments))
    parts, cells, ratings_from = read_events(period, tournaments, previous, listed, one_person)
    odd = np.concatenate(
        [
            listed.player[listed.unusual],
            np.array(sorted(set(one_person.values())), np.int64),
            _titled(previous),
        ]
    )
    year_games, year_known = _sums_of(years)
    samples = samples_of(previous)
    unrated = (parts.rating == 0) & (parts.standard > 0)
    given = bulk.Period(
        list_date=period.list_date,
        regulation=regulation,
        events=[bare_event(tournament) for tournament in tournaments],
        regulations=[tournament.regulation for tournament in tournaments],
        parts=parts,
        cells=cells,
        players=listed.player,
        record=Record(
            listed.rating,
            listed.career,
            listed.reached,
            listed.birth_year,
            listed.highest,
            listed.inactive,
            year_games[year_of],
            year_known[year_of],
        ),
        odd=odd,
        listed=partial(list_players, previous, np.unique(parts.player)),
        samples=samples,
        reference_standard=dict(
            zip(map(str, parts.player[unrated].tolist()), parts.standard[unrated].tolist(), strict=True)
        )
        if period.system.reference_id is not None
        else {},
    )
    return BulkInputs(
        period,
        previous,
        candidates,
        tournaments,
        ratings_from,
        given,
        years,
        year_of,
        _sha256(given, years, year_of),
        persons,
    )


def read_events(
    period: Period,
    tournaments: list[Tournament],
    previous: RatingList | None,
    listed: Listed,
    one_person: dict[int, int],
) -> tuple[Parts, Cells, list[date | None]]:
    """The parts of players in these events, the games, and of each event the date of its ratings.
    ``listed`` are the rows of the ``previous`` list."""
    entries = rowio.columns(
        ["e.id", "e.tournament_id", "e.player_id", rowio.year_of("p.birth_date")],
        "FROM tournaments_entry e JOIN players_player p ON p.id = e.player_id "
        f"WHERE e.tournament_id IN {rowio.numbers(t.pk for t in tournaments)}",
    )
    numbers = {tournament.pk: number for number, tournament in enumerate(tournaments)}
    event = np.array([numbers[pk] for pk in entries[1].tolist()], np.int32)
    order = np.lexsort((entries[2], event))
    entries, event = [column[order] for column in entries], event[order]
    parts, ratings_from = _parts(
        period, tournaments, event, entries[2], entries[3], previous, listed, one_person
    )
    return parts, _cells(tournaments, entries[0]), ratings_from


def read_list(rating_list: RatingList | None, one_person: dict[int, int]) -> Listed:
    """The rows of a list; those of records merged into another are left out (their persons are odd)."""
    names = [
        "r.player_id",
        "COALESCE(r.rating, 0)",
        "r.career_games",
        "CAST(r.reached_k10 AS integer)",
        "COALESCE(r.highest_rating, 0)",
        rowio.year_of("p.birth_date"),
        "r.inactive_lists",
        (
            "CASE WHEN r.totals IS NOT NULL OR r.status = 'provisional' "
            "OR (r.rating IS NOT NULL AND r.highest_rating IS NULL) THEN 1 ELSE 0 END"
        ),
    ]
    pk = 0 if rating_list is None else rating_list.pk
    found = rowio.columns(
        names,
        "FROM ratinglists_listrow r JOIN players_player p ON p.id = r.player_id "
        f"WHERE r.rating_list_id = {pk} ORDER BY r.player_id",
    )
    if one_person:
        own = ~np.isin(found[0], np.array(list(one_person), np.int64))
        found = [column[own] for column in found]
    player, rating, career, reached, highest, born, inactive, unusual = found
    small = [column.astype(np.int32) for column in (rating, career, highest, born, inactive)]
    return Listed(player, small[0], small[1], reached > 0, small[2], small[3], small[4], unusual > 0)


def _years(rating_list: RatingList | None, one_person: dict[int, int]) -> tuple[list[str], np.ndarray]:
    """The games of the past periods: each text once, and which of them each player of the list has."""
    if rating_list is None:
        return [], np.zeros(0, np.int32)
    known: dict[str, int] = {}
    rows = rowio.texts(
        "SELECT player_id, CAST(games_by_period AS text) FROM ratinglists_listrow "
        f"WHERE rating_list_id = {rating_list.pk} ORDER BY player_id"
    )
    if one_person:
        rows = (row for row in rows if int(row[0]) not in one_person)
    found = np.fromiter((known.setdefault(text, len(known)) for _, text in rows), np.int32)
    return list(known), found


def _sums_of(years: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Of each year's text: the games that still count beside a new period, and how many periods it has."""
    told = [json.loads(text) for text in years]
    return (
        np.array([sum(games[: bulk.PERIODS - 1]) for games in told], np.int32),
        np.array([len(games) for games in told], np.int32),
    )


def _titled(previous: RatingList | None) -> np.ndarray:
    """Players without a rating who hold a title: some texts list them apart."""
    pk = 0 if previous is None else previous.pk
    rest = (
        f"FROM ratinglists_listrow r WHERE r.rating_list_id = {pk} AND r.rating IS NULL "
        f"AND r.player_id IN (SELECT player_id FROM {Title._meta.db_table})"
    )
    return rowio.columns(["r.player_id"], rest)[0]


def _cells(tournaments: list[Tournament], entry: np.ndarray) -> Cells:
    where = f"FROM tournaments_game WHERE tournament_id IN {rowio.numbers(t.pk for t in tournaments)}"
    place = " ".join(f"WHEN '{result}' THEN {number}" for number, result in enumerate(RESULTS))
    white, black, turn, result = rowio.columns(
        ["white_id", "COALESCE(black_id, -1)", "round", f"CASE result {place} END"], where
    )
    by_entry = np.argsort(entry)
    ordered = entry[by_entry]
    white = by_entry[np.searchsorted(ordered, white)].astype(np.int32)
    bye = black < 0
    black[bye] = ordered[0] if len(ordered) else 0
    black = by_entry[np.searchsorted(ordered, black)].astype(np.int32)
    black[bye] = -1
    order = np.lexsort((white, turn))
    white, black, turn, result = white[order], black[order], turn[order], result[order]
    told = {}
    reasons = rowio.texts(f"SELECT white_id, round, why_unplayed {where} AND why_unplayed <> ''")
    for pk, number, why in reasons:
        told[(int(by_entry[np.searchsorted(ordered, int(pk))]), int(number))] = why
    where_told = {}
    if told:
        unplayed = np.flatnonzero(np.isin(white, np.array([pk for pk, _ in told], np.int32)))
        for at in unplayed.tolist():
            if why := told.get((int(white[at]), int(turn[at]))):
                where_told[at] = why
    return Cells(white, black, turn.astype(np.int16), result.astype(np.int8), where_told)


def _parts(
    period: Period,
    tournaments: list[Tournament],
    event: np.ndarray,
    player: np.ndarray,
    born: np.ndarray,
    previous: RatingList | None,
    listed: Listed,
    one_person: dict[int, int],
) -> tuple[Parts, list[date | None]]:
    """What the lists in force at the start of each event say of its players (``queries.facts_in_force``)."""
    system, size = period.system, len(event)
    known = {None: read_list(None, {})} | ({previous.pk: listed} if previous else {})

    def rows_of(rating_list: RatingList | None) -> Listed:
        pk = rating_list and rating_list.pk
        if pk not in known:
            known[pk] = read_list(rating_list, one_person)
        return known[pk]

    rating, standard, highest = (np.zeros(size, np.int32) for _ in range(3))
    career, reached = np.full(size, -1, np.int32), np.full(size, -1, np.int8)
    since = np.zeros(size, bool)
    latest, ratings_from = latest_list(system), []
    by_start: dict[date, list[int]] = defaultdict(list)
    for number, tournament in enumerate(tournaments):
        by_start[tournament.start].append(number)
    dates: dict[int, date | None] = {}
    for start, numbers in by_start.items():
        in_force = list_in_force(system, start)
        mine = np.flatnonzero(np.isin(event, np.array(numbers, np.int32)))
        rows = rows_of(in_force)
        places, found = rows.of(player[mine])
        _take(rows, places, found, mine, rating, career, highest, reached)
        newer = latest is not None and (in_force is None or latest.list_date > in_force.list_date)
        if newer:
            rows = rows_of(latest)
            places, found = rows.of(player[mine])
            found &= rating[mine] == 0
            if len(rows.player):
                found &= rows.rating[places] > 0
            _take(rows, places, found, mine, rating, career, highest, reached)
            since[mine[found]] = True
        if system.reference_id:
            rows = rows_of(list_in_force(system.reference, start))
            places, found = rows.of(player[mine])
            standard[mine[found]] = rows.rating[places[found]]
        dates.update(dict.fromkeys(numbers, in_force and in_force.list_date))
    ratings_from = [dates[number] for number in range(len(tournaments))]
    first = np.ones(size, bool)
    parts = Parts(
        event, player, rating, since, standard, career, reached, born.astype(np.int32), highest, first
    )
    _merged_persons(system, tournaments, parts, one_person)
    _not_first(system, tournaments, parts)
    return parts, ratings_from


def _take(rows: Listed, places, found, mine, rating, career, highest, reached) -> None:
    to, at = mine[found], places[found]
    rating[to], career[to], highest[to] = rows.rating[at], rows.career[at], rows.highest[at]
    reached[to] = np.where(rows.rating[at] > 0, rows.reached[at], -1)


def _merged_persons(system, tournaments, parts: Parts, one_person: dict[int, int]) -> None:
    """Persons of several records: their facts by the lookup that puts the records together."""
    several = np.array(sorted(set(one_person.values())), np.int64)
    for at in np.flatnonzero(np.isin(parts.player, several)).tolist():
        pk = int(parts.player[at])
        facts = facts_in_force(system, [pk], tournaments[parts.event[at]].start)[pk]
        parts.rating[at], parts.standard[at] = facts.rating or 0, facts.standard_rating or 0
        parts.highest[at], parts.since[at] = facts.highest_rating or 0, facts.rated_since_event
        parts.career[at] = -1 if facts.career_games is None else facts.career_games
        parts.reached[at] = -1 if facts.reached_k10 is None else facts.reached_k10
        parts.first[at] = facts.first_event


def _not_first(system, tournaments: list[Tournament], parts: Parts) -> None:
    """Those without a rating for whom an earlier list counted an event in which they met somebody rated."""
    unrated = np.flatnonzero((parts.rating == 0) | parts.since)
    earlier = PlayerResult.objects.filter(
        event__rating_list__period__system=system,
        event__rating_list__state=RatingList.State.PUBLISHED,
        met_rated=True,
    )
    since: dict[int, date] = {}
    players = iter(np.unique(parts.player[unrated]).tolist())
    while some := list(islice(players, BATCH)):
        rows = earlier.filter(player_id__in=some).order_by().values_list("player_id")
        since.update(rows.annotate(Min("event__tournament__start")))
    for at in unrated.tolist():
        begun = since.get(int(parts.player[at]))
        if begun is not None and begun < tournaments[parts.event[at]].start:
            parts.first[at] = False


def list_players(
    previous: RatingList | None, entered: np.ndarray, wanted: np.ndarray
) -> tuple[ListPlayer, ...]:
    """Those of the previous list and of the events among these, as the event by event way has them."""
    found: list[ListPlayer] = []
    for begin in range(0, len(wanted), BATCH):
        some = wanted[begin : begin + BATCH]
        new = tuple(EventPlayer(str(pk), None) for pk in some[np.isin(some, entered)].tolist())
        part = EventPart(1, None, Event("swiss", new, ()), {})
        found += players_of(previous, [(None, "", part, None)], only=set(some.tolist()))
    return tuple(found)


def _sha256(given: bulk.Period, years: list[str], year_of: np.ndarray) -> str:
    """Of everything read, in an order that is not that of arrival: parts by event and player, games by
    round and white player, the list by player."""
    codes = sorted({regulation.code for regulation in given.regulations} | {given.regulation.code})
    told = [codes, [[given.regulation.code, given.regulation.parameters]], given.list_date, given.events]
    found = hashlib.sha256(canonical(told).encode())
    found.update(canonical([given.samples, sorted(given.cells.why.items()), years]).encode())
    parts, cells, record = given.parts, given.cells, given.record
    for holder in (parts, record):
        for name in holder.__slots__:
            found.update(np.ascontiguousarray(getattr(holder, name)).astype("<i8").tobytes())
    odd = np.unique(given.odd)
    for column in (cells.white, cells.black, cells.round, cells.result, given.players, year_of, odd):
        found.update(column.astype("<i8").tobytes())
    return found.hexdigest()
