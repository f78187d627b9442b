"""An event reported by the evaluation file alone (FEDA 10.31), from the upload to the list and its pages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from html import unescape

import pytest
from django.urls import reverse

from players.models import Identifier, IssuingBody
from ratinglists import services as lists
from tests.factories import (
    STANDARD,
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of
from tournaments.intake import read
from tournaments.models import Totals
from tournaments.services import ReportRefused, accept_report, submit_report

pytestmark = pytest.mark.django_db
FILE = (
    b"PARA JUGADORES CLASIFICADOS\r\n"
    b" Codigo   Apellidos y Nombre   Sx Fed FechaNac Pto Jg Rival\r\n"
    b"-------- -------------------- -- --- -------- --- -- -----\r\n"
    b"512     ,ALDER MONTE Tom     ,m,AND,05-01-60,4.5, 7,2000\r\n"
    b"PARA BLOQUES DE ELO FEDA\r\n"
    b" Codigo   Apellidos y Nombre   Sx Fed FechaNac Pto Jg Rival\r\n"
    b"-------- -------------------- -- --- -------- --- -- -----\r\n"
    b"00000777,BIRCH VALLE Lou     ,f,AND,02-02-75,3.0, 6,1985\r\n"
)
JANUARY, JULY = date(1997, 1, 1), date(1997, 7, 1)


@pytest.fixture
def officer():
    return make_user("officer", "tournaments.accept_report", "ratinglists.compute_period")


@pytest.fixture
def event():
    system = make_system("feda", regulation="feda-1996", rate="standard", since=date(1996, 1, 1))
    tom = make_player("Alder Monte, Tomas", born=date(1960, 1, 5), sex="m")
    lou = make_player("Birch Valle, Lourdes", born=date(1975, 2, 2), sex="f")
    body = IssuingBody.objects.create(code="XAA", name="The Isles")
    for player, number in ((tom, "512"), (lou, "777")):
        Identifier.objects.create(player=player, issuer=body, value=number)
    make_list(system, JANUARY, rows={tom: {"rating": 2100, "career_games": 60}})
    arbiter = make_arbiter(title="NA")
    tournament = make_tournament(
        system, start=date(1997, 3, 1), end=date(1997, 3, 9), rounds=9, minutes=120, arbiter=arbiter
    )
    return tournament, tom, lou


def send(tournament, officer):
    received = datetime(1997, 3, 15, 12, tzinfo=UTC)
    return submit_report(tournament, officer, "isles.txt", FILE, received_at=received)


def test_the_preview_rates_the_rows(event, officer):
    """2100 against 2000 on average: D 100 gives 0.64, We 4.48 of 7, K 15: 0.3. Ru 1985 of 3 from 6."""
    tournament, tom, lou = event
    reading = read(tournament, "isles.txt", FILE, received=date(1997, 3, 15))
    assert reading.ok, reading.errors
    assert set(reading.players.values()) == {tom, lou}
    ((_, result),) = reading.parts
    told = {int(player.id): player for player in result.players}
    assert (told[tom.pk].change * 10, told[tom.pk].games) == (3, 7)
    assert told[lou.pk].performance == 1985


def test_from_the_file_to_the_list_and_its_pages(event, officer, client):
    tournament, tom, lou = event
    accept_report(send(tournament, officer), officer)
    assert Totals.objects.count() == 2
    period = make_period(tournament.rating_system, JULY, date(1997, 5, 31))
    for request in (lists.request_compute, lists.request_publish):
        job = request(period)
        lists.run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.message
    rows = {row.player_id: row for row in period.lists.get(state="published").rows.all()}
    assert (rows[tom.pk].rating, rows[tom.pk].games) == (2100, 7)
    for name, arguments in (
        ("calculation", [tom.pk, tournament.pk]),
        ("calculation", [lou.pk, tournament.pk]),
        ("player", [tom.pk]),
        ("tournament", [tournament.pk]),
        ("list", ["feda", JULY]),
    ):
        page = client.get(reverse(name, args=arguments))
        assert page.status_code == 200, name
    shown = unescape(client.get(reverse("tournament", args=[tournament.pk])).content.decode())
    assert tom.name in shown
    assert lou.name in shown
    assert "Reported by totals" in shown
    words = text_of(shown)
    assert "4.5 7 2000" in words
    assert "3 6 1985" in words
    assert "1985" in unescape(
        client.get(reverse("calculation", args=[lou.pk, tournament.pk])).content.decode()
    )


def test_nobody_has_more_games_than_there_were_rounds(event):
    tournament, *_ = event
    tournament.rounds.filter(number__gt=6).delete()
    reading = read(tournament, "isles.txt", FILE, received=date(1997, 3, 15))
    assert [(e.code, e.line) for e in reading.errors] == [("rounds-extra", 4)]


@pytest.mark.usefixtures("event")
def test_a_text_that_rates_games_refuses_totals(officer):
    other = make_tournament(
        make_system("standard", regulation=STANDARD, rate="standard"), start=date(2005, 3, 1), minutes=120
    )
    reading = read(other, "isles.txt", FILE)
    assert "totals" in {issue.code for issue in reading.errors}
    with pytest.raises(ReportRefused):
        submit_report(other, officer, "isles.txt", FILE)


def test_the_same_totals_in_another_event_are_found(event, officer):
    tournament, _, _ = event
    send(tournament, officer)
    twin = make_tournament(
        tournament.rating_system, start=date(1997, 3, 2), end=date(1997, 3, 9), rounds=9, minutes=120
    )
    reading = read(twin, "again.txt", FILE, received=date(1997, 3, 20))
    assert any(error.message.startswith("All 2 rows") for error in reading.errors)
