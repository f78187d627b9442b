"""What the pages say of a postal event that several lists have counted."""

import hashlib
from datetime import UTC, date, datetime, timedelta

import pytest

from players.models import Player
from ratinglists import services
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
    rate_and_list,
    report_bytes,
)
from tests.pages import read
from tournaments.models import Report

pytestmark = pytest.mark.django_db
JANUARY, JULY, NEXT = date(1999, 1, 1), date(1999, 7, 1), date(2000, 1, 1)
END = date(2001, 12, 31)
TOM, LOU, PAT, JO, PIA = "Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo", "Elm, Pia"


def at_noon(day):
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def publish(system, day):
    period = make_period(system, day, day - timedelta(days=1))
    for request in (services.request_compute, services.request_publish):
        job = request(period)
        services.run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.message


class World:
    """Tom and Lou, Pat and Jo (a newcomer), Pia (provisional) in a cup; a match of Tom and Pat is over."""

    def __init__(self) -> None:
        self.system = make_system(
            "postal", regulation="fecap-postal", rate="postal", schedule="manual", since=date(1998, 1, 1)
        )
        self.players = {name: make_player(name) for name in (TOM, LOU, PAT, JO, PIA)}
        Player.objects.filter(name=PIA).update(otb_category="Experto Provincial")
        ratings = zip((TOM, LOU, PAT), (2000, 1800, 1650), strict=True)
        rows = {self.players[name]: {"rating": rating, "career_games": 50} for name, rating in ratings}
        make_list(self.system, JANUARY, rows=rows)
        self.cup = self.event("Postal Cup", games_in_event=10)
        everybody = list(self.players.values())
        games = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 1, 5, "0-1")]
        make_report(self.cup, everybody, games, submitted_at=at_noon(date(1999, 3, 1)))

    def event(self, name, **fields):
        given = {"start": date(1998, 3, 1), "end": END, "rounds": 0, **fields}
        return make_tournament(self.system, name=name, **given)

    def match(self):
        """All games of the match are finished: General 9 rates it before the cup."""
        match = self.event("Postal Match", games_in_event=1)
        pair = [self.players[TOM], self.players[PAT]]
        make_report(match, pair, [(1, 1, 2, "1-0")], submitted_at=at_noon(date(1999, 3, 1)))

    def calculation(self, client, name):
        return read(client, f"/players/{self.players[name].pk}/events/{self.cup.pk}/")


@pytest.fixture
def world(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    return World()


@pytest.fixture
def counted(world):
    """The cup on two lists: in the second half-year Jo beat Lou."""
    publish(world.system, JULY)
    world.cup.refresh_from_db()
    old = {entry.player_id: entry for entry in world.cup.entries.all()}
    Report.objects.filter(tournament=world.cup).update(state="replaced")
    seats = [entry.player for entry in world.cup.entries.order_by("start_number")]
    place = {entry.pk: seats.index(entry.player) + 1 for entry in old.values()}
    games = [
        (game.round, place[game.white_id], game.black_id and place[game.black_id], game.result)
        for game in world.cup.games.all()
    ]
    games.append((3, place[old[world.players[JO].pk].pk], place[old[world.players[LOU].pk].pk], "1-0"))
    content = report_bytes(world.cup, seats, games, dict.fromkeys(range(1, len(seats) + 1), 0), 2)
    report = Report.objects.create(
        tournament=world.cup,
        format="trf16",
        filename="second.trf",
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        state="accepted",
        submitted_by=make_user(),
        submitted_at=at_noon(date(1999, 10, 1)),
        received_on=date(1999, 10, 1),
    )
    world.cup.games.create(
        report=report,
        round=3,
        white=old[world.players[JO].pk],
        black=old[world.players[LOU].pk],
        result="1-0",
        finished_on=date(1999, 10, 1),
    )
    world.cup.state = "accepted"
    world.cup.save()
    publish(world.system, NEXT)
    return world


def test_each_list_has_its_part_with_its_own_ratings(client, counted):
    page = counted.calculation(client, LOU)
    assert "Part 1" not in page
    assert "Games counted in the list of 1 July 1999" in page
    assert "Games counted in the list of 1 January 2000" in page
    assert "1800 on the list of 1 January 1999, in force when the games were reported" in page
    assert "1796 on the list of 1 July 1999, in force when the games were reported" in page
    assert "when the event started" not in page


def test_a_newcomer_begins_with_the_text_s_rating(client, counted):
    page = counted.calculation(client, JO)
    assert "Own rating 1600 General 2 everybody who is on no list begins with it" in page
    assert "Own rating 1601 on the list of 1 July 1999" in page
    tournament = read(client, f"/tournaments/{counted.cup.pk}/")
    assert "1600 (new)" in tournament
    assert "list of 1 January 1999, for the games counted on 1 July 1999" in tournament
    assert "list of 1 July 1999, for the games counted on 1 January 2000" in tournament
    assert "Who is on no list begins with 1600 General 2" in tournament


def test_a_cup_that_goes_on_has_its_crosstable(client, counted):
    page = read(client, f"/tournaments/{counted.cup.pk}/")
    assert counted.cup.games.filter(counted_on__isnull=False).count() == 4
    assert "Crosstable" in page
    assert "Each cell: the opponent's number" in page


def test_steps_name_the_event_the_opponent_and_the_share(client, world):
    world.match()
    publish(world.system, JULY)
    page = world.calculation(client, TOM)
    # The match is rated first: 2000 + 12 × .11 = 2001; the cup starts from there
    assert "Events rated together (General 9) first Postal Match" in page
    assert "Events rated together (General 9) second Postal Cup" in page
    assert "Score minus expected score, Postal Cup, round 1" in page
    assert "Birch, Lou: D 201, 2001 against 1800" in page
    assert "Share of Postal Match" in page
    assert "The list rated the events of the period one group after the other" in page


def test_the_steps_stand_once(client, counted):
    page = counted.calculation(client, JO)
    assert "Step by step" not in page
    assert page.count("Score minus expected score, Postal Cup, round 3") == 1
    assert page.count("New rating (RN)") == 2  # one for each list


def test_there_is_f_and_no_k(client, counted):
    page = counted.calculation(client, LOU)
    # a(1796) = 52 - 1796/50
    assert "f 16.08 Fase 2 points for each point above the expected score: 16.08 × 1 × 1" in page
    assert "nothing is multiplied by it" not in page
    profile = read(client, f"/players/{counted.players[LOU].pk}/")
    assert " K " not in profile


def test_a_provisional_rating_is_no_performance(client, world):
    """General 4, Fase 1: one win against 2000, P 1: 2000 + 677 × .5 × .5333… = 2181."""
    publish(world.system, JULY)
    page = world.calculation(client, PIA)
    assert "Provisional rating 2181 assigned anew by each list, with all games so far" in page
    assert "towards a first rating" not in page
    assert "Alder, Tom" in page


def test_provisional_opponents_and_later_games_have_names(client, world):
    """Two provisional players: neither is a rated opponent for the other."""
    Player.objects.filter(name=JO).update(otb_category="Experto Provincial")
    duel = world.event("Duel", games_in_event=4)
    pair, games = [world.players[PIA], world.players[JO]], [(1, 1, 2, "1-0"), (2, 2, 1, "1-0")]
    make_report(duel, pair, games, submitted_at=at_noon(date(1999, 4, 1)))
    duel.games.filter(round=2).update(finished_on=date(1999, 8, 1))
    # As only a correction can have it: the recomputation from the report would not know the later day.
    rate_and_list(make_period(world.system, JULY, JULY - timedelta(days=1)))
    page = read(client, f"/players/{world.players[PIA].pk}/events/{duel.pk}/")
    assert "Dogwood, Jo: for P, not for Rc" in page
    assert "Duel, round 2, Dogwood, Jo: finished on 1999-08-01" in page


def test_the_games_have_the_day_they_were_reported(client, counted):
    page = read(client, f"/players/{counted.players[JO].pk}/")
    assert "1999-10-01 Postal Cup, round 3" in page
