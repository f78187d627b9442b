"""Reads for the pages of tournaments: the public ones, and one with its crosstable."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models import Q, QuerySet

from players.models import IdentityChange
from players.queries import aliases
from ratinglists.explaining import explain_results
from ratinglists.listing import of_standing
from ratinglists.models import EventResult, PlayerResult
from ratinglists.presentation import seen
from ratinglists.profiles import HIDDEN
from regulations.base import Parameter
from tournaments.models import Entry, Game, Tournament
from tournaments.preview import start_rating


def public_tournaments(
    *, text: str = "", system: str = "", year: int | None = None, state: str = ""
) -> QuerySet:
    """Tournaments that are registered or further, newest first."""
    tournaments = Tournament.objects.exclude(state__in=HIDDEN)
    for word in text.split():
        tournaments = tournaments.filter(
            Q(name__icontains=word) | Q(city__icontains=word) | Q(organiser__icontains=word)
        )
    if system:
        tournaments = tournaments.filter(rating_system=system)
    if year:
        tournaments = tournaments.filter(start__range=(date(year, 1, 1), date(year, 12, 31)))
    if state:
        tournaments = tournaments.filter(state=state)
    return tournaments.select_related("rating_system", "federation").order_by("-start", "name", "id")


def recently_counted(limit: int) -> QuerySet:
    return public_tournaments(state=Tournament.State.COUNTED).order_by("-end", "name")[:limit]


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of one player: whom he met, with which colour, and how it went."""

    text: str = ""
    words: str = ""
    rated: bool = True


@dataclass(slots=True)
class Row:
    """A line of the crosstable. ``change`` is what the list added for this event."""

    number: int
    entry: Entry
    cells: list[Cell] = field(default_factory=list)
    rating: int | None = None
    #: of a newcomer to postal chess
    begins_with: int | None = None
    change: Decimal | None = None
    performance: Decimal | None = None
    results: list[PlayerResult] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Unrated:
    """A game that does not count for one of its players or both, and why."""

    round: int
    players: tuple[Entry, ...]
    article: str
    reason: str


@dataclass(frozen=True, slots=True)
class Crosstable:
    rounds: list[int]
    rows: list[Row]
    unrated: list[Unrated]
    #: is there a game to show?
    played: bool
    #: was the event reported by totals, without single games?
    by_totals: bool = False


def events_of(tournament: Tournament) -> list[EventResult]:
    """What the standing lists made of a tournament, a row for each part."""
    events = of_standing(EventResult.objects.filter(tournament=tournament), "rating_list")
    return list(
        events.select_related("rating_list__period__system", "tournament")
        .defer("rating_list__report")
        .order_by("rating_list__period__list_date", "part")
    )


@dataclass(frozen=True, slots=True)
class RatingsUsed:
    """The list whose ratings an event used (None: there was none), and the list that counted it, where
    a postal event is counted by several."""

    ratings_from: date | None
    counted_on: date | None


def ratings_used(tournament: Tournament, events: list[EventResult]) -> list[RatingsUsed]:
    """Which ratings the parts of an event took, each once."""
    goes_on = tournament.regulation is not None and tournament.regulation.counts_finished_games
    rated = [event for event in events if event.rated]
    used = [RatingsUsed(each.ratings_from, each.rating_list.list_date if goes_on else None) for each in rated]
    return list(dict.fromkeys(used))


def crosstable(tournament: Tournament, events: list[EventResult]) -> Crosstable:
    """The tournament by rank, in four queries."""
    entries = sorted(
        tournament.entries.select_related("player__federation", "totals").prefetch_related("player__titles"),
        key=lambda e: (
            e.rank is None,
            e.rank or 0,
            -(e.points or (e.totals.points if hasattr(e, "totals") else 0)),
            e.start_number is None,
            e.start_number or 0,
            e.player.name,
        ),
    )
    games = list(tournament.games.all())
    rows = {entry.pk: Row(number, entry) for number, entry in enumerate(entries, start=1)}
    by_player = {row.entry.player_id: row for row in rows.values()}
    records = {old: by_player[now] for old, now in aliases(by_player).items()} | by_player
    start = start_rating(tournament.regulation)
    results = PlayerResult.objects.filter(event__in=events)
    results = list(results.order_by("event__rating_list__period__list_date", "event__part"))
    parts = {event.pk: event for event in events}
    for result in results:  # joined, every row would bring what its list's computation reported, megabytes
        result.event = parts[result.event_id]
    explain_results(results)
    records = _split_off(tournament, {result.player_id for result in results}, records) | records
    for result in results:
        if row := records.get(result.player_id):
            _add(row, result, start)
    by_totals = any(hasattr(entry, "totals") for entry in entries)
    rounds = {game.round for game in games}
    if not by_totals:
        rounds |= {row.number for row in tournament.rounds.all()}
    _fill(rows, games, sorted(rounds))
    return Crosstable(
        sorted(rounds), list(rows.values()), _unrated(by_player, records), bool(games), by_totals
    )


def _add(row: Row, result: PlayerResult, start: Parameter | None) -> None:
    if not row.results:  # later parts and lists have later ratings
        row.rating = result.rating
        if start is not None and result.status == "rated" and result.rating is None:
            row.begins_with = start.value
    row.results.append(result)
    change = result.change if result.list_change is None else result.list_change
    if change is not None:
        row.change = (row.change or Decimal(0)) + change
    if result.performance is not None:
        row.performance = result.performance


def _fill(rows: dict[int, Row], games: list[Game], rounds: list[int]) -> None:
    cells: dict[tuple[int, int], Cell] = {}
    uncounted = {
        (row.entry.pk, game["round"])
        for row in rows.values()
        for result in row.results
        for game in result.detail.get("uncounted", [])
    }
    for game in games:
        for own, other, white in (
            (game.white_id, game.black_id, True),
            (game.black_id, game.white_id, False),
        ):
            if own is not None:
                rated = (own, game.round) not in uncounted
                cells[own, game.round] = _cell(
                    game.result, rows[other].number if other else None, white, rated
                )
    for pk, row in rows.items():
        row.cells = [cells.get((pk, number), Cell()) for number in rounds]


def _cell(result: str, opponent: int | None, white: bool, rated: bool) -> Cell:
    symbol, words = seen(result, white)
    if opponent is None:
        return Cell(f"bye {symbol}", words, rated)
    colour = "White" if white else "Black"
    note = "" if rated else ", not rated"
    return Cell(
        f"{opponent}{colour[0].lower()}{symbol}",
        f"{words} against number {opponent} with {colour}{note}",
        rated,
    )


def _split_off(tournament: Tournament, named: set[int], records: dict[int, Row]) -> dict[int, Row]:
    """The rows of entries that were counted under a record from which a split has taken them since."""
    if not (missing := named - records.keys()):
        return {}
    own = {row.entry.pk: row for row in records.values()}
    splits = IdentityChange.objects.filter(kind=IdentityChange.Kind.SPLIT, undone_at=None)
    return {
        old: own[entry]
        for change in splits.filter(source__in=missing | set(aliases(missing).values()))
        for old in (change.source_id, *aliases([change.source_id]))
        for entry in change.moved["rows"].get("entries", ())
        if entry in own and old in missing
    }


def _unrated(by_player: dict[int, Row], records: dict[int, Row]) -> list[Unrated]:
    """Games that do not count, one line where the same reason holds for both players. Byes are left out."""
    found: dict[tuple, list[Entry]] = {}
    for player, row in by_player.items():
        for result in row.results:
            for game in result.detail.get("uncounted", []):
                if game["opponent"]:
                    other = records.get(int(game["opponent"]))
                    pair = frozenset((player, other.entry.player_id if other else int(game["opponent"])))
                    key = (game["round"], pair, game["article"], game["reason"])
                    found.setdefault(key, []).append(row.entry)
    made = []
    for (number, pair, article, reason), entries in found.items():
        others = [by_player[pk].entry for pk in pair if pk in by_player]
        first = entries[0]
        second = next((entry for entry in others if entry.pk != first.pk), None)
        made.append((number, first, second, len(entries) > 1, article, reason))
    made.sort(key=lambda item: (item[0], by_player[item[1].player_id].number))
    return [
        Unrated(number, (first, second) if second else (first,), article, _for(reason, first, both))
        for number, first, second, both, article, reason in made
    ]


def _for(reason: str, entry: Entry, both: bool) -> str:
    return reason if both else f"{reason} (does not count for {entry.player.name})"
