"""Tournaments: the public ones, one with its registration, its crosstable, what was found against it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema

from ratinglists import crosstables, profiles
from ratinglists.api import cursors
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.players import System
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import (
    Cursor,
    Finding,
    Limit,
    Number,
    PlayerName,
    PlayerRef,
    Year,
    exact,
    finding_of,
    player_of,
    printed,
    ref_of,
    words,
)
from ratinglists.presentation import standing_of
from tournaments.models import Tournament
from tournaments.queries import clock_words, minutes

router = Router(tags=["Tournaments"])
State = Literal["", "registered", "reported", "returned", "accepted", "counted", "cancelled"]


class TournamentName(Schema):
    id: int
    name: str
    system: str = Field(description="Code of the rating system.")
    federation: str
    city: str
    start: date
    end: date
    state: str = Field(description="registered, reported, returned, accepted, counted or cancelled")
    standing: str = Field(description="The same in words, by today's date.")


class Tournaments(Schema):
    items: list[TournamentName]
    next: str | None


class Official(Schema):
    name: str
    role: str = Field(description="chief or deputy")


class Round(Schema):
    number: int
    date: date


class Waiver(Schema):
    authorization: str
    article: str
    reason: str


class Counted(Schema):
    """A list that dealt with the event, or with a part of it."""

    system: str
    list_date: date
    revision: int
    part: int
    rated: bool
    treated_as: str
    ratings_from: date | None = Field(description="Date of the list whose ratings were used.")
    regulation: str


class TournamentDetails(TournamentName):
    organiser: str
    type: str = Field(description="swiss, round-robin, double-round-robin, team, scheveningen or match")
    time_control: str = Field(description="In words; empty where there is none.")
    minutes_for_60_moves: str | None
    regulation: str | None = Field(description="Under which it falls.")
    arbiters: list[Official]
    rounds: list[Round]
    waivers: list[Waiver]
    lists: list[Counted]


class Cell(Schema):
    round: int
    text: str = Field(description="Opponent's number, w or b, and the result; empty: nothing.")
    meaning: str
    rated: bool


class CrosstableRow(Schema):
    number: int
    player: PlayerName
    rating: int | None
    printed: str
    points: str | None
    rank: int | None
    cells: list[Cell]
    change: str | None = Field(description="What the lists added for this event.")
    performance: str | None


class UnratedGame(Schema):
    round: int
    players: list[PlayerRef]
    article: str
    reason: str


class Crosstable(Schema):
    tournament: int
    state: str
    final: bool = Field(description="Is the report accepted? If not, what stands here can change.")
    rounds: list[int]
    by_totals: bool = Field(description="Reported by totals, without single games.")
    rows: list[CrosstableRow]
    unrated: list[UnratedGame]


class FoundOnList(Counted):
    findings: list[Finding]


class Findings(Schema):
    tournament: int
    items: list[FoundOnList]
    unrated: list[UnratedGame] = Field(description="Games that do not count, with the article of each.")


def tournament_or_fault(pk: int) -> Tournament:
    found = (
        Tournament.objects.exclude(state__in=profiles.HIDDEN)
        .select_related("rating_system", "federation")
        .prefetch_related(
            "rating_system__regulations", "stages", "rounds", "waivers", "appointments__arbiter"
        )
        .filter(pk=pk)
        .first()
    )
    if found is None:
        raise Fault(404, f"There is no public tournament {pk}.", "/api/v1/tournaments?q=… finds them.")
    return found


def _named(row: Tournament, today: date, *, rated: bool = True) -> dict:
    told = {name: getattr(row, name) for name in ("name", "city", "start", "end", "state")}
    return told | {
        "id": row.pk,
        "system": row.rating_system_id,
        "federation": row.federation_id,
        "standing": standing_of(row, today, rated=rated).label,
    }


@router.get("", response=answers(Tournaments), operation_id="tournaments", summary="Search for tournaments")
def tournaments(
    request: HttpRequest,
    q: str = words("Words of name, place or organiser."),
    system: System = "",
    year: Year = None,
    state: Annotated[State, Query(description="How far it has come.")] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
):
    """Registered tournaments, newest first."""
    rows = crosstables.public_tournaments(text=q, system=system, year=year, state=state)
    order, today = ("-start", "name", "id"), timezone.localdate()
    shown, following = cursors.page(request, rows, order, limit, cursors.read(request, cursor))
    return {"items": [_named(row, today) for row in shown], "next": following}


@router.get(
    "/{tournament}",
    response=answers(TournamentDetails, MISSING),
    operation_id="tournament",
    summary="One tournament",
)
def tournament(request: HttpRequest, tournament: Number):
    """The registration of a tournament, and the lists that dealt with it."""
    shown = tournament_or_fault(tournament)
    events = crosstables.events_of(shown)
    rated = not events or any(event.rated for event in events)
    return _named(shown, timezone.localdate(), rated=rated) | {
        "organiser": shown.organiser,
        "type": shown.system,
        "time_control": clock_words(shown),
        "minutes_for_60_moves": exact(minutes(shown)),
        "regulation": shown.regulation and shown.regulation.code,
        "arbiters": [{"name": str(row.arbiter), "role": row.role} for row in shown.appointments.all()],
        "rounds": [{"number": row.number, "date": row.date} for row in shown.rounds.all()],
        "waivers": [
            {name: getattr(row, name) for name in ("authorization", "article", "reason")}
            for row in shown.waivers.all()
        ],
        "lists": [_counted(event) for event in events],
    }


def _counted(event) -> dict:
    listed = event.rating_list
    told = ("part", "rated", "treated_as", "ratings_from", "regulation")
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
        **{name: getattr(event, name) for name in told},
    }


@router.get(
    "/{tournament}/crosstable",
    response=answers(Crosstable, MISSING),
    operation_id="crosstable",
    summary="A tournament's crosstable",
)
def crosstable(request: HttpRequest, tournament: Number):
    """Players by rank, round by round, with what the lists made of it."""
    shown = tournament_or_fault(tournament)
    table, rules = crosstables.crosstable(shown, crosstables.events_of(shown)), shown.regulation
    return {
        "tournament": shown.pk,
        "state": shown.state,
        "final": shown.state in (Tournament.State.ACCEPTED, Tournament.State.COUNTED),
        "rounds": table.rounds,
        "by_totals": table.by_totals,
        "rows": [_row(row, table.rounds, rules) for row in table.rows],
        "unrated": _unrated(table),
    }


def _row(row: crosstables.Row, rounds: list[int], rules) -> dict:
    entry = row.entry
    totals = entry.totals if hasattr(entry, "totals") else None
    return {
        "number": row.number,
        "player": player_of(entry.player),
        "rating": row.rating,
        "printed": printed(row.rating, rules),
        "points": exact(entry.points if totals is None else totals.points),
        "rank": entry.rank,
        "cells": [
            {"round": number, "text": cell.text, "meaning": cell.words, "rated": cell.rated}
            for number, cell in zip(rounds, row.cells, strict=True)
        ],
        "change": exact(row.change),
        "performance": exact(row.performance),
    }


def _unrated(table: crosstables.Crosstable) -> list[dict]:
    return [
        {
            "round": game.round,
            "players": [ref_of(entry.player) for entry in game.players],
            "article": game.article,
            "reason": game.reason,
        }
        for game in table.unrated
    ]


@router.get(
    "/{tournament}/findings",
    response=answers(Findings, MISSING),
    operation_id="findings",
    summary="What the regulation says against a tournament",
)
def findings(request: HttpRequest, tournament: Number):
    """Findings of the lists that dealt with the event, and the games that do not count."""
    shown = tournament_or_fault(tournament)
    events = crosstables.events_of(shown)
    return {
        "tournament": shown.pk,
        "items": [
            _counted(event) | {"findings": [finding_of(found) for found in event.findings]}
            for event in events
        ],
        "unrated": _unrated(crosstables.crosstable(shown, events)),
    }
