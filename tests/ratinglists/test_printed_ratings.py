"""A rapid list of 2004 prints three digits (A 15c), wherever a rating of it is printed."""

from datetime import date

import pytest

from ratinglists.formats.fide_txt import fide_lines
from ratinglists.formats.line import ListLine
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    rate_and_list,
)
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db
APRIL, JULY = date(2004, 4, 1), date(2004, 7, 1)


class World:
    """Tom 2143 beat Lou 2010: D 133, .68, K 15: + 4.8 = 2148 on the list of July."""

    def __init__(self, regulation="fide-rapid-2004") -> None:
        self.system = make_system("rapid", regulation=regulation, rate="rapid")
        self.tom, self.lou, self.new = (
            make_player("Alder, Tom"),
            make_player("Birch, Lou"),
            make_player("Elm, Jo"),
        )
        rows = {p: {"rating": r, "career_games": 50} for p, r in ((self.tom, 2143), (self.lou, 2010))}
        make_list(self.system, APRIL, rows=rows)
        self.event = make_tournament(self.system, name="Rapid Day", start=date(2004, 5, 1), minutes=25)
        make_report(self.event, [self.tom, self.lou, self.new], [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")])
        rate_and_list(make_period(self.system, JULY, date(2004, 6, 1)))


@pytest.fixture
def world():
    return World()


def test_the_player_s_page(client, world):
    html = fetch(client, f"/players/{world.tom.pk}/")
    assert '<p class="figure">214</p>' in html
    assert "2148" not in html
    assert "2143" not in html
    assert "Rapid, 2004-07-01: 214 (+4.8 in 1 game)" in html


def test_the_search_and_the_tournament(client, world):
    assert "Rapid 214" in read(client, "/players/?q=alder")
    page = read(client, f"/tournaments/{world.event.pk}/")
    assert "Alder, Tom XAA 214 " in page
    assert "2143" not in page


def test_the_calculation_prints_short_and_computes_in_full(client, world):
    page = read(client, f"/players/{world.tom.pk}/events/{world.event.pk}/")
    assert "Own rating 214 on the list of 1 April 2004" in page
    assert "printed so, computed with 2143" in page
    assert "214 on the list before, 214 on this one" in page
    assert "The sums take the ratings in full, which the list prints shortened." in page
    unrated = read(client, f"/players/{world.new.pk}/events/{world.event.pk}/")
    assert "Own rating unrated" in unrated
    assert "printed so" not in unrated


def test_the_text_file(client, world):
    response = client.get("/lists/rapid/2004-07-01/list.txt")
    lines = b"".join(response.streaming_content).decode().split("\r\n")
    month = lines[0].index("JUL04")
    assert [line[month : month + 6].strip() for line in lines[1:3]] == ["214", "200"]
    assert {len(line) for line in lines[:-1]} == {len(lines[0])}


def test_a_text_that_prints_in_full(client):
    world = World("fide-standard-2004")
    assert '<p class="figure">2148</p>' in fetch(client, f"/players/{world.tom.pk}/")
    page = read(client, f"/players/{world.tom.pk}/events/{world.event.pk}/")
    assert "Own rating 2143" in page
    assert "printed so" not in page


def test_a_line_without_a_printed_rating_shows_the_rating():
    given = {"fide_id": "1", "name": "A", "sex": "", "federation": "XAA", "title": "", "games": 0, "k": 10}
    lines = [
        ListLine(rating=2143, birth_year=None, **given),
        ListLine(rating=None, birth_year=None, **given),
        ListLine(rating=2143, birth_year=None, printed="214", **given),
    ]
    header, *rows = fide_lines(lines, list_date=JULY)
    month = header.index(b"JUL04")
    assert [row[month : month + 6].strip() for row in rows] == [b"2143", b"0", b"214"]
