"""A federation to which the invented reports and lists of ``samples`` can be sent, and its doors."""

from __future__ import annotations

from datetime import date, timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Identifier, IssuingBody
from players.roles import RATING_OFFICERS, ensure_roles
from ratinglists import api_keys
from tests.factories import (
    STANDARD,
    make_arbiter,
    make_federation,
    make_list,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.trust import samples

PLAYERS = 60


class World:
    """Two systems (games; FEDA's totals) with an event each, its arbiter, an officer and a program's key."""

    def __init__(self) -> None:
        self.federation = make_federation("ESP", "Invented Spain")
        body = IssuingBody.objects.create(code="ESP", name="Invented Spain")
        self.players = []
        for n in range(1, PLAYERS + 1):
            player = make_player(
                samples.name_of(n),
                federation="ESP",
                born=date(1990, 5, 17),
                sex=samples.sex_of(n),
                fide_id=str(samples.NUMBERS_FROM + n),
            )
            Identifier.objects.create(player=player, issuer=body, value=str(10_000 + n))
            self.players.append(player)
        self.officer = make_user("officer", is_staff=True, is_superuser=True)
        self.officer.groups.add(ensure_roles()[RATING_OFFICERS])
        self.arbiter = make_user("ana")
        named = make_arbiter("Arbitro, Inventado", user=self.arbiter, title="NA")
        self.event = self._event("standard", STANDARD, date(2004, 1, 1), named)
        self.totals = self._event("feda", "feda-1996", date(1996, 1, 1), named)
        self.key = api_keys.make(
            self.officer,
            name="Trust",
            federation=self.federation,
            user=self.officer,
            scopes=["reports"],
            expires_at=timezone.now() + timedelta(days=9),
        )[1]
        self.at_desk = signed_in(self.officer)
        self.at_board = signed_in(self.arbiter)
        self.program = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {self.key}"})

    def _event(self, code: str, regulation: str, since: date, arbiter):
        system = make_system(
            code, regulation=regulation, since=since, rate="standard", federation=self.federation
        )
        rows = {
            player: {"rating": 1800 + n, "career_games": 60} for n, player in enumerate(self.players, start=1)
        }
        make_list(system, samples.START - timedelta(days=40), rows=rows)
        return self.tournament(system, arbiter)

    def tournament(self, system, arbiter=None, name: str = "Open de Valdeprueba"):
        """An event that awaits a report of the samples."""
        return make_tournament(
            system,
            name=name,
            start=samples.START,
            end=samples.START + timedelta(days=samples.DAYS - 1),
            rounds=0,
            minutes=120,
            increment=30,
            arbiter=arbiter,
        )

    def event_for(self, kind: str):
        return self.totals if kind == "feda1031" else self.event


def signed_in(user) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def place(name: str, event) -> str:
    return reverse(name, args=[event.pk])
