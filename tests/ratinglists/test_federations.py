"""Federations on the latest lists, and a player's place among the active."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratinglists import figures
from tests import factories as make
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db
DAY = date(2022, 4, 1)


@pytest.fixture
def listed(db):
    """Twelve active of the Isles from 2110 down, two of them equal; one inactive; one of the Banks."""
    make.make_federation("XBB", "Banks")
    system = make.make_system("rapid", name="Isles rapid")
    isles = [
        make.make_player(f"Isle, {chr(65 + n)}", sex="f" if n % 4 == 0 else "m", born=2002 if n < 2 else 1980)
        for n in range(12)
    ]
    ratings = {player: 2110 - 10 * max(n, 1) for n, player in enumerate(isles)}
    old, bank = make.make_player("Isle, Old"), make.make_player("Bank, Bo", federation="XBB", titles=("FM",))
    make.make_list(system, date(2022, 3, 1), {isles[0]: 2800})
    listed = make.make_list(
        system, DAY, ratings | {bank: 2050}, rows={old: {"rating": 2300, "status": "inactive"}}
    )
    return listed, isles, bank, old


def test_the_index_tells_each_federation_by_its_ten_strongest(client, listed):
    page = read(client, "/federations/?system=rapid")
    # 2100 twice, then 2090 … 2020: 20,640 in all
    assert "Aaland Isles XAA 2064 12 13 0 3 2 Banks XBB – 1 1 1 0 0" in page


def test_the_index_begins_with_the_newest_list(client, listed):
    make.make_list(make.make_system("blitz", name="A rest"), date(2004, 4, 1), {listed[2]: 2000})
    assert "Isles rapid, list of 1 April 2022" in read(client, "/federations/")
    assert "A rest, list of 1 April 2004" in read(client, "/federations/?system=blitz")


def test_the_average_of_ten_is_rounded_halves_up():
    assert figures.Figures(ratings=[2001, 2000], counts=[5, 90]).average == 2001
    assert figures.Figures(ratings=[2001, 2000], counts=[4, 90]).average == 2000
    assert figures.Figures(ratings=[2001], counts=[9]).average is None


def test_a_federation_shows_its_leaders_on_the_latest_list_only(client, listed):
    make.make_tournament(listed[0].system, name="Harbour Open")
    page = read(client, "/federations/XAA/")
    assert "Average of the top ten 2064 Rated 13, of them 12 active" in page
    assert "0 with a title, 3 women, 2 juniors" in page
    assert "1 Isle, A 2100 1 Isle, B 2100 3 Isle, C 2090" in page
    assert "Top women Place Name Rating 1 Isle, A 2100 2 Isle, E 2070 3 Isle, I 2030" in page
    assert "Isle, K" not in page.partition("Top women")[0].partition("Top players")[2]
    assert "Harbour Open" in page
    assert "2800" not in page
    assert "Isle, Old" not in page
    assert "Harbour Open" not in read(client, "/federations/XBB/")
    assert client.get("/federations/XZZ/").status_code == 404


def test_a_player_sees_his_place_which_equals_share(client, listed):
    _, isles, bank, old = listed
    assert "Place 1 of 12 active in XAA, 1 of 13 in the list" in read(client, f"/players/{isles[1].pk}/")
    assert "Place 3 of 12 active in XAA, 3 of 13 in the list" in read(client, f"/players/{isles[2].pk}/")
    assert "Place 1 of 1 active in XBB, 7 of 13 in the list" in read(client, f"/players/{bank.pk}/")
    assert "Place" not in read(client, f"/players/{old.pk}/")


def test_a_list_is_read_once_and_a_revision_anew(client, listed, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    first = listed[0]
    made = figures.of_list(first)
    figures._kept.clear()
    with CaptureQueriesContext(connection) as captured:
        assert figures.of_list(first) == made
    assert not captured.captured_queries
    (file,) = (tmp_path / "figures").iterdir()
    file.write_text("{")  # cut off: made again
    figures._kept.clear()
    assert figures.of_list(first) == made
    make.make_list(first.system, DAY, {listed[2]: 2222}, revision=2)
    assert "Banks XBB – 1 1 1 0 0" in (page := read(client, "/federations/?system=rapid"))
    assert "Aaland" not in page
    draft = make.make_list(first.system, date(2022, 5, 1), {listed[2]: 2333}, published=False)
    with pytest.raises(ValueError, match="draft"):
        figures.of_list(draft)
    assert "2333" not in fetch(client, "/federations/XBB/")


def test_without_a_list_there_are_only_names(client):
    make.make_federation("XBB", "Banks")
    assert "No list is published yet. XBB Banks" in read(client, "/federations/")
    assert "on a published list yet" in read(client, "/federations/XBB/")
