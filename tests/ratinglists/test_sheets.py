"""The printable sheet of a player on one revision of a list, at an address that stays."""

import re
from datetime import date

import pytest

from players.services import merge
from ratinglists import corrections
from tests import factories as make
from tests.pages import fetch, read
from tests.ratinglists.corrected import JULY, World, computed, published

pytestmark = pytest.mark.django_db
MAY = date(2004, 5, 1)
WRONG = [(1, 1, 2, "1"), (1, 3, 4, "="), (2, 4, 1, "0"), (2, 2, 3, "1")]
OTHER = [(1, 1, 4, "1"), (1, 3, 2, "0")]


@pytest.fixture
def world(settings, tmp_path, monkeypatch):
    """Two events on the list of July 2004."""
    settings.PORTAL_ARCHIVE = str(tmp_path / "archive")
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    world = World()
    world.event = world.play(MAY, WRONG, "May Open")
    world.play(date(2004, 5, 15), OTHER, "Whitsun Open")
    world.publish(JULY)
    return world


def address(world, player, revision: int = 1) -> str:
    return f"/lists/standard/2004-07-01/{revision}/players/{player.pk}/"


def test_it_has_every_event_and_how_the_list_summed_and_rounded(client, world):
    """Tom, 2143: 2 of 2 with 2010 and 1905, Rc 1957.5, D 186 (185.5), PD .74: 15 × .52 = 7.8; a win with
    1905, D 238, PD .80: 3."""
    tom = world.players[0]
    page = read(client, address(world, tom))
    for event in ("May Open 2004-05-01", "Whitsun Open 2004-05-15"):
        assert page.count(event) == 1
    assert "10.51 Average rating of the opponents (Rc) 1957.5 (2010 + 1905)/2" in page
    assert page.count("K 15 Article 10.54 below 2400") == 2
    assert "May Open 2 of 2 +7.8 Whitsun Open 1 of 1 +3" in page
    assert "2143 on the list before, 2154 on this one; the sum of the changes is +10.8 in 3 games" in page
    assert "10.56 New rating (Rn) 2154 2143 + 10.8, to the nearest whole number" in page
    assert f"http://testserver{address(world, tom)}" in page
    assert world.listed(JULY).sha256 in page
    assert "Something wrong?" not in page


def test_games_that_do_not_count_stand_on_it_with_their_reason(client, world):
    assert "2 Cedar, Pat unrated opponent 6.4" in read(client, address(world, world.players[1]))


def test_a_later_revision_does_not_change_it_but_is_named(client, world):
    tom = world.players[0]
    before = read(client, address(world, tom))
    assert client.get(address(world, tom, 2)).status_code == 404
    correction = world.correction()
    corrections.exclude(correction, world.event, world.staff)
    assert computed(correction).state == "done"
    assert client.get(address(world, tom, 2)).status_code == 404
    assert published(correction).state == "done"
    after = read(client, address(world, tom))
    notice = after[after.index("Replaced.") : after.index("stands now.") + len("stands now. ")]
    assert "This is the calculation of revision 1 and stays as it was. Revision 2, published" in notice
    assert after.replace(notice, "") == before
    assert f'href="{address(world, tom, 2)}"' in fetch(client, address(world, tom))
    newer = read(client, address(world, tom, 2))
    assert "Replaced" not in newer
    assert "2146 on this one; the sum of the changes is +3 in 1 game" in newer
    assert "Standard 2004-07-01 (revision 2) · Rating portal" in newer
    spanish = fetch(client, address(world, tom, 2), "es")
    assert spanish.count("01/07/2004 (revisión 2)") == 4, "title, description, and both for link previews"


def test_it_belongs_to_the_players_and_not_to_the_lists(client, world):
    page = client.get(address(world, world.players[0])).content.decode()
    assert re.findall(r'<a href="/(\w+)/" aria-current="true">', page) == ["players"]


def test_calculation_and_history_lead_to_it(client, world):
    tom = world.players[0]
    for url in (f"/players/{tom.pk}/events/{world.event.pk}/", f"/players/{tom.pk}/"):
        assert f'href="{address(world, tom)}"' in fetch(client, url)


def test_who_did_not_play_has_a_sheet_without_events(client, world):
    idle = make.make_player("Idle, Ida")
    make.make_list(world.system, date(2004, 10, 1), {idle: 1999})
    page = read(client, f"/lists/standard/2004-10-01/1/players/{idle.pk}/")
    assert "This list counted no game of Idle, Ida." in page
    assert "1999 on this one" in page


def test_a_merged_record_leads_to_the_one_that_stands(client, world):
    tom, other = world.players[0], make.make_player("Alder, Thomas", born=1980)
    other.identifiers.all().delete()
    merge(tom, other, make.make_user("boss", "players.merge_player"), "The same person")
    response = client.get(address(world, tom))
    assert response.status_code == 301
    assert response["Location"] == address(world, other)
    assert "2154 on this one" in read(client, address(world, other))


@pytest.mark.parametrize(
    "url",
    [
        "/lists/standard/2004-07-01/1/players/987654/",
        "/lists/standard/2004-07-02/1/players/{}/",
        "/lists/standard/2004-07-01/0/players/{}/",
        "/lists/standard/2004-07-01/99999999999999999999/players/{}/",
        "/lists/other/2004-07-01/1/players/{}/",
    ],
)
def test_what_is_on_no_list_is_not_found(client, world, url):
    assert client.get(url.format(world.players[0].pk)).status_code == 404
