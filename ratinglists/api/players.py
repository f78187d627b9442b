"""Players: search, one with his ratings in every system, his history, events and games."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Field, Query, Router, Schema

from players.models import Player
from players.privacy import public_birth_year
from players.queries import standing
from players.search import search
from ratinglists import profiles, revisions
from ratinglists.api import cursors
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import (
    Cursor,
    Limit,
    Number,
    PlayerName,
    PlayerRef,
    Rating,
    Year,
    exact,
    player_of,
    printed,
    rating_of,
    ref_of,
    words,
)
from ratinglists.listing import regulation_of
from ratinglists.presentation import rules_of

router = Router(tags=["Players"])
Federation = Annotated[str, Query(pattern=r"^([A-Z]{3})?$", description="Code of a federation, as in ESP.")]
System = Annotated[str, Query(pattern=r"^[-a-zA-Z0-9_]{0,50}$", description="Code of a rating system.")]


class FoundPlayer(PlayerName):
    ratings: list[Rating] = Field(description="On the newest list of each system.")


class FoundPlayers(Schema):
    items: list[FoundPlayer]
    next: str | None = Field(description="Cursor of the next page; null: this is the last.")


class Identifier(Schema):
    issuer: str = Field(description="FIDE, or a federation.")
    value: str


class FormerName(Schema):
    name: str
    until: int | None = Field(description="Year; null: lists print it of a record that was merged into his.")
    reason: str


class Title(Schema):
    code: str
    year: int | None = Field(description="In which it was awarded.")


class CurrentRating(Rating):
    corrected: bool = Field(description="Did a revision of the list change it?")
    was: int | None = Field(description="The rating that the earlier revision had.")


class PlayerDetails(PlayerName):
    birth_year: int | None
    titles: list[Title]
    identifiers: list[Identifier]
    former_names: list[FormerName]
    ratings: list[CurrentRating] = Field(description="The newest of each system on whose lists he stands.")


class HistoryRow(CurrentRating):
    name: str = Field(description="As it was printed.")


class History(Schema):
    items: list[HistoryRow]
    next: str | None


class PlayedEvent(Schema):
    """What one event meant for the player on one list."""

    tournament: int
    name: str
    part: int = Field(description="Above 1: of a long league that was cut by list.")
    start: date
    system: str
    list_date: date
    revision: int
    status: str = Field(description="rated or unrated")
    rating: int | None
    printed: str
    games: int = Field(description="That count.")
    score: str
    expected: str | None
    performance: str | None
    k: int | None
    change: str | None = Field(description="What the list added for this event.")


class PlayedEvents(Schema):
    items: list[PlayedEvent]
    next: str | None


class PlayedGame(Schema):
    tournament: int
    tournament_name: str
    round: int
    date: date
    colour: str | None = Field(description="white, black, or null for a bye")
    opponent: PlayerRef | None
    result: str = Field(description="From the player's side: 1, ½ or 0; + - = were not played.")
    meaning: str
    opponent_rating: str | None = Field(description="With which the opponent counted.")
    counted: bool | None = Field(
        description="null: no list has dealt with the event yet, or only the calculation tells (on_demand)"
    )
    on_demand: bool = Field(description="Is the calculation, which tells, made when asked for?")
    article: str = Field(description="Why it does not count.")
    reason: str


class PlayedGames(Schema):
    items: list[PlayedGame]
    next: str | None


class Moved(Exception):
    """The record was merged into another: who asks for it is sent to that one, for now, since a merge can be
    undone."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.player = player

    def response(self, request: HttpRequest) -> HttpResponse:
        match = request.resolver_match
        where = reverse(match.view_name, kwargs={**match.kwargs, "player": self.player})
        query = request.META.get("QUERY_STRING", "")
        headers = {"Location": f"{where}?{query}" if query else where, "Cache-Control": "no-cache"}
        return HttpResponse(status=307, headers=headers)


def player_or_fault(pk: int) -> Player:
    people = Player.objects.select_related("federation").prefetch_related("titles", "identifiers")
    person = people.filter(pk=pk).first()
    if person is None:
        raise Fault(404, f"There is no player {pk}.", "Search by name or number: /api/v1/players?q=…")
    if person.merged_into_id:
        raise Moved(person.merged_into_id)
    return person


def of_player(model) -> dict:
    return answers(model, MISSING) | {307: None}


@router.get("", response=answers(FoundPlayers), operation_id="players", summary="Search for players")
def players(
    request: HttpRequest,
    q: str = words("Words of the name in any order, without regard to accents; or a number of the player."),
    federation: Federation = "",
    limit: Limit = 50,
    cursor: Cursor = "",
):
    """Players by name, with their ratings on the newest list of each system; without parameters all."""
    rows = search(standing().select_related("federation").prefetch_related("titles"), q, public=True)
    rows = rows.filter(federation=federation) if federation else rows
    shown, following = cursors.page(request, rows, ("name", "id"), limit, cursors.read(request, cursor))
    items = [
        player_of(player) | {"ratings": [rating_of(row, regulation_of(row.rating_list)) for row in rows]}
        for player, rows in profiles.with_ratings(shown)
    ]
    return {"items": items, "next": following}


@router.get("/{player}", response=of_player(PlayerDetails), operation_id="player", summary="One player")
def player(request: HttpRequest, player: Number):
    """A player with his present rating in every system. A merged record leads to the one that stands."""
    person = player_or_fault(player)
    rows = profiles.history(person)
    revisions.mark(rows)
    systems = profiles.by_system(rows)
    return player_of(person) | {
        "birth_year": public_birth_year(person),
        "titles": [
            {"code": each.code, "year": each.awarded_on and each.awarded_on.year}
            for each in person.titles.all()
        ],
        "identifiers": [{"issuer": each.issuer_id, "value": each.value} for each in profiles.numbers(person)],
        "former_names": [asdict(each) for each in profiles.former_names(person, systems)],
        "ratings": [_marked(rows[-1]) for rows in systems.values()],
    }


def _marked(row) -> dict:
    told = {"corrected": getattr(row, "corrected", False), "was": getattr(row, "was", None)}
    return rating_of(row, regulation_of(row.rating_list)) | told


@router.get(
    "/{player}/history",
    response=of_player(History),
    operation_id="history",
    summary="A player's ratings over time",
)
def history(
    request: HttpRequest, player: Number, system: System = "", limit: Limit = 100, cursor: Cursor = ""
):
    """The player on every list that holds, by system and date."""
    person, after = player_or_fault(player), cursors.read(request, cursor)
    rows = [row for row in profiles.history(person) if system in ("", row.rating_list.period.system_id)]
    rows.sort(key=lambda row: (row.rating_list.period.system_id, row.rating_list.list_date, row.pk))
    shown, following = cursors.page_of(
        request,
        rows,
        lambda row: [row.rating_list.period.system_id, row.rating_list.list_date.isoformat(), row.pk],
        limit,
        after,
    )
    revisions.mark(shown)
    return {"items": [_marked(row) | {"name": row.name} for row in shown], "next": following}


@router.get(
    "/{player}/events",
    response=of_player(PlayedEvents),
    operation_id="player_events",
    summary="A player's events",
)
def events(request: HttpRequest, player: Number, limit: Limit = 50, cursor: Cursor = ""):
    """What each event meant for the player, newest list first. How it was computed: /calculations/."""
    order = (
        "-event__rating_list__period__list_date",
        "-event__tournament__start",
        "-event__tournament_id",
        "event__part",
        "id",
    )
    rows = profiles.events_of(player_or_fault(player))
    shown, following = cursors.page(request, rows, order, limit, cursors.read(request, cursor))
    return {"items": [_event(result) for result in shown], "next": following}


def _event(result) -> dict:
    event, listed = result.event, result.event.rating_list
    change = result.change if result.list_change is None else result.list_change
    return {
        "tournament": event.tournament_id,
        "name": event.tournament.name,
        "part": event.part,
        "start": event.tournament.start,
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
        "status": result.status,
        "rating": result.rating,
        "printed": printed(result.rating, rules_of(event.regulation)),
        "games": result.games,
        "score": exact(result.score),
        "expected": exact(result.expected),
        "performance": exact(result.performance),
        "k": result.k,
        "change": exact(change),
    }


@router.get(
    "/{player}/games",
    response=of_player(PlayedGames),
    operation_id="player_games",
    summary="A player's games",
)
def games(
    request: HttpRequest,
    player: Number,
    system: System = "",
    opponent: str = words("Words of the opponent's name."),
    colour: Annotated[str, Query(pattern="^(w|b)?$", description="w White, b Black")] = "",
    year: Year = None,
    limit: Limit = 50,
    cursor: Cursor = "",
):
    """Games and byes in public tournaments, newest first, each with what the lists made of it."""
    person = player_or_fault(player)
    rows = profiles.games_of(person, system=system, opponent=opponent, colour=colour, year=year)
    order = ("-tournament__start", "-tournament_id", "-round", "id")
    shown, following = cursors.page(request, rows, order, limit, cursors.read(request, cursor))
    return {"items": [_game(line) for line in profiles.game_lines(person, shown)], "next": following}


def _game(line: profiles.GameLine) -> dict:
    other = line.opponent
    return {
        "tournament": line.tournament.pk,
        "tournament_name": line.tournament.name,
        "round": line.round,
        "date": line.day,
        "colour": None if other is None else "white" if line.white else "black",
        "opponent": other and ref_of(other),
        "result": line.symbol,
        "meaning": line.words,
        "opponent_rating": line.opponent_rating or None,
        "counted": line.counted,
        "on_demand": line.on_demand,
        "article": line.article,
        "reason": line.reason,
    }
