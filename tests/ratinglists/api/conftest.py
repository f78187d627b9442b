"""A small portal with everything that an answer can speak of, and something that none may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from django.utils import timezone

from players.models import Player
from ratinglists import api_keys
from ratinglists.models import RatingList
from tests.factories import (
    STANDARD,
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
    rate_and_list,
)
from tournaments.models import RatingSystem, Tournament

V1 = "/api/v1"
OPENED, NEXT, LATER = date(2022, 3, 1), date(2022, 4, 1), date(2022, 5, 1)
BORN = date(1987, 6, 5)
MAIL = "canary@mail.invalid"
HIDDEN = "Hidden Draft Open"


@dataclass
class World:
    system: RatingSystem
    players: list[Player]
    event: Tournament
    draft_event: Tournament
    listed: RatingList
    corrected: RatingList

    @property
    def addresses(self) -> list[str]:
        """An address of every read that answers 200."""
        one, event = self.players[0].pk, self.event.pk
        plain = f"{V1}/lists/rapid/{NEXT}"
        return [
            f"{V1}/players?q=alder",
            *(f"{V1}/players/{one}{rest}" for rest in ("", "/history", "/events", "/games")),
            f"{V1}/players/{one}/calculations/{event}",
            f"{V1}/systems",
            f"{V1}/lists",
            plain,
            f"{plain}/rows?status=rated",
            f"{V1}/lists/blitz/{NEXT}/revisions",
            f"{V1}/lists/blitz/{NEXT}/changes",
            f"{V1}/tournaments",
            *(f"{V1}/tournaments/{event}{rest}" for rest in ("", "/crosstable", "/findings")),
            f"{V1}/federations",
            f"{V1}/federations/XAA",
            f"{V1}/calculator",
            f"{V1}/openapi.json",
        ]


@pytest.fixture(scope="module")
def made_world(module_db) -> World:
    return module_db(make_world)


def make_world() -> World:
    system, blitz = make_system("rapid", birth_dates=True), make_system("blitz", rate="blitz")
    names = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
    players = [make_player(name, born=BORN, titles=("FM",) if name == names[0] else ()) for name in names]
    known = {player: {"rating": 1900 + 50 * at, "career_games": 60} for at, player in enumerate(players[:3])}
    make_list(system, OPENED, rows=known)
    arbiter = make_arbiter(user=make_user("arbiter", email=MAIL))
    event = make_tournament(system, name="Open of the Isles", arbiter=arbiter)
    games = [
        (1, 1, 2, "1-0"),
        (1, 3, 4, "1/2-1/2"),
        (2, 1, 3, "0-1"),
        (2, 2, 4, "+/-"),
        (3, 2, None, "bye-1"),
    ]
    make_report(event, players, games)
    listed = rate_and_list(make_period(system, NEXT))
    make_list(system, LATER, rows={players[0]: {"rating": 2999}}, published=False)
    make_list(blitz, NEXT, {players[0]: 1800, players[1]: 1700})
    corrected = make_list(blitz, NEXT, {players[0]: 1811, players[1]: 1700}, revision=2)
    hidden = make_tournament(system, name=HIDDEN, state="draft", organiser=MAIL)
    return World(system, players, event, hidden, listed, corrected)


@pytest.fixture
def officer(db):
    rights = ("tournaments.accept_report", "ratinglists.add_apikey", "ratinglists.revoke_apikey")
    return make_user("officer", *rights, email=MAIL)


@pytest.fixture
def key(officer, world) -> str:
    """The text of a key that may send reports."""
    federation = world.system.federation
    ends = timezone.now() + timedelta(days=30)
    given = {"name": "Club program", "federation": federation, "user": officer, "scopes": ["reports"]}
    return api_keys.make(officer, **given, expires_at=ends)[1]


@pytest.fixture
def pairs(world) -> Tournament:
    """A tournament without a report, whose report is ``tests.tournaments.report_files.NOMINAL``."""
    system = make_system("standard", regulation=STANDARD)
    numbers = ("7000011", "7000012", "7000013", "7000014")
    names = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
    own = [make_player(name, fide_id=number, born=1980) for name, number in zip(names, numbers, strict=True)]
    make_list(system, date(2004, 4, 1), rows={player: {"rating": 1900} for player in own})
    dates = {"start": date(2004, 5, 1), "end": date(2004, 5, 2)}
    return make_tournament(system, name="Nominal", rounds=0, minutes=120, **dates)
