"""A tournament tried out before round 1, the entry list from a file, and the export of what is stored."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from tests.factories import (
    RAPID,
    STANDARD,
    make_arbiter,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tournaments import dryrun, exporting
from tournaments.models import Entry, Game
from tournaments.reports import formats
from tournaments.services import submit_report

pytestmark = pytest.mark.django_db
NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")


class World:
    def __init__(self, regulation: str = RAPID, minutes: int = 15) -> None:
        self.system = make_system(regulation=regulation)
        self.players = [make_player(name, fide_id=str(7000011 + at)) for at, name in enumerate(NAMES)]
        today = timezone.localdate()
        rows = {
            p: {"rating": r, "career_games": 100}
            for p, r in zip(self.players, (2000, 1900, 1800), strict=False)
        }
        make_list(self.system, today.replace(day=1), rows=rows)
        self.user = make_user("ana")
        self.tournament = make_tournament(
            self.system,
            start=today + timedelta(days=7),
            registered_on=today,
            minutes=minutes,
            arbiter=make_arbiter("Arbiter, Ana", user=self.user),
        )
        self.client = Client()
        self.client.force_login(self.user)

    def url(self, name: str, *args) -> str:
        return reverse(name, args=[self.tournament.pk, *args])

    def try_file(self, text: str):
        file = SimpleUploadedFile("players.csv", text.encode())
        return self.client.post(self.url("arbiter-dry-run"), {"file": file})


@pytest.fixture
def world() -> World:
    return World()


def test_round_one_by_the_order_of_ratings(world):
    """C 7.3: 2000 against 1800, D 200 gives 0.76: K 20 times 0.24, -0.26, -0.76."""
    run = dryrun.of_entries(world.tournament, world.players)
    (first, second) = run.boards
    assert [seat.player.name for seat in first] == ["Alder, Tom", "Cedar, Pat"]
    assert [seat.player.name for seat in second] == ["Birch, Lou", "Dogwood, Jo"]
    tom = first[0]
    assert (tom.counts, tom.k) == ("rated 2000", 20)
    assert [outcome.change for outcome in tom.outcomes] == ["+4.8", "−5.2", "−15.2"]
    assert [outcome.listed for outcome in tom.outcomes] == [2005, 1995, 1985]
    assert second[1].counts == "unrated"
    assert run.check.ratable
    assert not Game.objects.exists()


def test_the_page_from_the_entry_list(world):
    for player in world.players[:3]:
        Entry.objects.create(tournament=world.tournament, player=player)
    page = world.client.get(world.url("arbiter-dry-run")).content.decode()
    assert "rated 2000" in page
    assert "+12.8 (1913)" in page  # Birch wins against Alder: D 100, 20 times 0.64
    assert "Cedar, Pat" in page
    assert "would have the bye" in page


def test_a_draft_is_tried_before_anybody_registers_it(world):
    world.tournament.state = "draft"
    world.tournament.save()
    page = world.client.get(reverse("arbiter-tournament", args=[world.tournament.pk])).content.decode()
    assert f'href="{world.url("arbiter-dry-run")}"' in page
    assert world.url("arbiter-upload") not in page
    assert world.client.get(world.url("arbiter-dry-run")).status_code == 200


def test_players_of_a_file_are_tried_and_then_entered(world):
    page = world.try_file("name,fide_id\n" + "".join(f'"{n}",{7000011 + at}\n' for at, n in enumerate(NAMES)))
    assert page.context["errors"] == 0, page.context["issues"]
    assert [seat.player.name for _, seat in page.context["run"].seats][:2] == ["Alder, Tom", "Cedar, Pat"]
    assert not Entry.objects.exists()
    answer = world.client.post(world.url("arbiter-enter-list"), {"token": page.context["token"]})
    assert answer.status_code == 302
    assert Entry.objects.filter(tournament=world.tournament).count() == 4
    again = world.client.post(world.url("arbiter-enter-list"), {"token": page.context["token"]}, follow=True)
    assert "on the entry list already" in again.content.decode()


def test_faults_of_the_file_are_told_row_by_row_and_nothing_is_entered(world):
    text = (
        'name,fide_id\n"Alder, Tom",\'7000011\'\n"Nobody, Ann",Z56538\n"Nobody, Bea",\n"Alder, Tom",7000011\n'
    )
    page = world.try_file(text)
    assert [issue.line for issue in page.context["issues"] if issue.severity == "error"] == [3, 4, 5]
    world.client.post(world.url("arbiter-enter-list"), {"token": page.context["token"]})
    assert not Entry.objects.exists()


def test_an_entry_list_is_no_report(world):
    world.tournament.start = world.tournament.end = timezone.localdate()
    world.tournament.save()
    file = SimpleUploadedFile("players.csv", b'name,fide_id\n"Alder, Tom",7000011\n')
    page = world.client.post(world.url("arbiter-upload"), {"file": file})
    assert "it is an entry list" in page.content.decode()


def test_a_template_has_the_size_of_the_tournament(world):
    text = world.client.get(world.url("arbiter-template", "csv")).content.decode()
    assert "r3" in text
    assert "r4" not in text
    assert world.client.get(world.url("arbiter-template", "xlsx")).content[:2] == b"PK"
    assert world.client.get(world.url("arbiter-template", "trf16")).status_code == 404


GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "+/-"), (2, 1, 3, "1/2-1/2"), (2, 4, None, "bye-1"), (3, 2, 4, "0-1")]


@pytest.mark.parametrize("code", ["trf16", "trf26", "csv", "xlsx"])
def test_an_export_read_again_is_the_same_event(world, code):
    make_report(world.tournament, world.players, GAMES)
    content = world.client.get(world.url("arbiter-export", code)).content
    told = formats.parse(content, f"report{formats.by_code(code).suffix}", world.tournament.start)
    stored = exporting.report_of(world.tournament)
    assert told.ok, told.errors
    assert [(p.name, p.fide_id, p.rating, p.sex) for p in told.players] == [
        (p.name, p.fide_id, p.rating, p.sex) for p in stored.players
    ]
    assert sorted((g.round, g.white, g.black, g.result) for g in told.games if g.black) == sorted(
        (g.round, g.white, g.black, g.result) for g in stored.games if g.black
    )
    assert told.start == world.tournament.start


@pytest.mark.parametrize("code", ["trf16", "trf26", "csv", "xlsx"])
def test_an_arbiter_learns_nobodys_birthday_from_an_export(world, code):
    """He can enter anybody who is on the register; the year is public, the day is not."""
    Player.objects.filter(pk=world.players[0].pk).update(birth_date=date(1971, 3, 9), birth_precision="day")
    make_report(world.tournament, world.players, GAMES)

    def birth(client):
        content = client.get(world.url("arbiter-export", code)).content
        told = formats.parse(content, f"report{formats.by_code(code).suffix}", world.tournament.start)
        return told.players[0].birth

    assert birth(world.client) == (1971, None, None)
    staff = Client()
    staff.force_login(make_user("", "tournaments.accept_report", "players.view_player"))
    assert birth(staff) == (1971, 3, 9)


def test_an_exported_report_can_be_sent_again(world):
    """What the portal writes passes its own checks, as the report of the same tournament."""
    world.tournament.start = world.tournament.end = timezone.localdate()
    world.tournament.save()
    make_report(world.tournament, world.players, GAMES)
    content = world.client.get(world.url("arbiter-export", "trf16")).content
    Game.objects.all().delete()
    submit_report(world.tournament, world.user, "again.trf", content)
    assert Game.objects.filter(tournament=world.tournament).count() == len(GAMES)


def test_the_evaluation_file_of_games_is_offered_where_its_article_is_in_force():
    feda = World("feda-1996", minutes=120)
    assert "feda1031" in {each.code for each in exporting.offered(feda.tournament)}
    make_report(feda.tournament, feda.players, GAMES)
    content = feda.client.get(feda.url("arbiter-export", "feda1031")).content
    told = formats.parse(content, "a.txt", feda.tournament.start)
    rows = {told.players[at].name: row for at, row in enumerate(told.totals)}
    tom = next(row for name, row in rows.items() if name.startswith("Alder"))
    assert (tom.games, tom.points * 2, tom.rated) == (2, 3, True)
    rapid = make_tournament(make_system("other", regulation=STANDARD))
    assert "feda1031" not in {each.code for each in exporting.offered(rapid)}


def test_a_file_without_a_player_says_nothing_of_the_rating(world):
    page = world.try_file("start_no,name,fide_id\n1,,\n").content.decode()
    assert "no player that could be read" in page
    assert "Can it be rated?" not in page


def test_others_see_neither_dry_run_nor_export(world):
    stranger = Client()
    stranger.force_login(make_user("bob"))
    assert stranger.get(world.url("arbiter-dry-run")).status_code == 404
    assert stranger.get(world.url("arbiter-export", "trf16")).status_code == 404


def test_a_file_is_tried_together_with_those_entered_already(world):
    Entry.objects.create(tournament=world.tournament, player=world.players[0])
    page = world.try_file('name,fide_id\n"Birch, Lou",7000012\n')
    assert {seat.player.name for _, seat in page.context["run"].seats} == {"Alder, Tom", "Birch, Lou"}


def test_a_homonym_of_the_file_is_chosen_before_it_is_entered(world):
    twin = make_player("Elm, Kim", fide_id="7000021", born=1970)
    make_player("Elm, Kim", fide_id="7000022", born=1980)
    page = world.try_file('name,national_id\n"Elm, Kim",77\n"Birch, Lou",\n')
    form = {"token": page.context["token"], "person-1": str(twin.pk), "person-2": "new", "person-x": "1"}
    page = world.client.post(world.url("arbiter-choose-entries"), form)
    assert [issue.line for issue in page.context["issues"] if issue.severity == "error"] == [3]
    form = {"token": page.context["token"], "person-2": str(world.players[1].pk)}
    page = world.client.post(world.url("arbiter-choose-entries"), form)
    assert page.context["errors"] == 0
    world.client.post(world.url("arbiter-enter-list"), {"token": page.context["token"]})
    assert set(Entry.objects.values_list("player", flat=True)) == {twin.pk, world.players[1].pk}


def test_the_region_of_an_evaluation_file_is_exported_again():
    feda = World("feda-1996", minutes=120)
    make_report(feda.tournament, feda.players, GAMES)
    Entry.objects.update(reported_region="AND")
    content = feda.client.get(feda.url("arbiter-export", "feda1031")).content
    told = formats.parse(content, "a.txt", feda.tournament.start)
    assert {player.region for player in told.players} == {"AND"}
