"""FEDA 9.56: a foreigner of no club of the federation plays with his FIDE rating, as an opponent only."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import FideListing, Membership
from tests.factories import (
    make_federation,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
)
from tournaments.queries import registration_of, stored_event_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    system = make_system("feda", regulation="feda-1996", rate="standard", since=date(1996, 1, 1))
    tom = make_player("Alder, Tom")
    guest = make_player("Guest, Gus", federation="XBB")
    make_list(system, date(1997, 1, 1), rows={tom: {"rating": 2100, "career_games": 60}})
    tournament = make_tournament(system, start=date(1997, 3, 1), minutes=120)
    make_report(tournament, [tom, guest], [(1, 1, 2, "1-0")])
    for day, rating in ((date(1996, 12, 1), 2200), (date(1997, 2, 1), 2240), (date(1997, 4, 1), 2300)):
        FideListing.objects.create(player=guest, list_date=day, standard=rating)
    return tournament, tom, guest


def rated(tournament):
    (part,) = stored_event_parts(tournament)
    return {int(player.id): player for player in tournament.regulation.rate(part.event).players}, part


def test_the_list_in_force_at_the_start_gives_the_guests_rating(event):
    """2100 beats 2240: D -140, expected 0.31, K 15: 15 times 0.69 is 10.35."""
    tournament, tom, guest = event
    told, part = rated(tournament)
    assert {p.fide_rating for p in part.event.players} == {None, 2240}
    assert told[tom.pk].change * 100 == 1035
    assert told[guest.pk].games == 0
    ratings = {entrant.id: entrant.fide_rating for entrant in registration_of(tournament).players}
    assert ratings == {"Alder, Tom": None, "Guest, Gus": 2240}


def test_a_member_of_a_club_is_no_guest(event):
    tournament, tom, guest = event
    Membership.objects.create(player=guest, federation=make_federation(), since=date(1996, 9, 1))
    told, part = rated(tournament)
    assert {p.fide_rating for p in part.event.players} == {None}
    assert told[tom.pk].games == 0  # his opponent is unrated
    assert [game.article for game in told[guest.pk].uncounted] == ["7.1"]  # unrated, without a point
