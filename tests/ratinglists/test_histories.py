"""The history on a player's page: periods of it, systems, and the table."""

import re
from datetime import date

import pytest

from ratinglists import chart
from tests import factories as make
from tests.careers import make_career
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def eva(db):
    """Rated on rapid lists of 2012, 2020, 2021 and February 2022, and on a blitz list of 2022."""
    rapid, blitz = (
        make.make_system("rapid", name="Isles rapid"),
        make.make_system("blitz", name="Isles blitz"),
    )
    eva = make.make_player("Sample, Eva")
    for day, rating in (
        (date(2012, 1, 1), 1812),
        (date(2020, 1, 1), 1920),
        (date(2021, 3, 1), 1921),
        (date(2022, 2, 1), 2022),
    ):
        make.make_list(rapid, day, {eva: rating})
    make.make_list(blitz, date(2022, 1, 1), rows={eva: {"rating": 1755, "change": "-3.2", "games": 4}})
    return eva


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {1812, 1920, 1921, 2022, 1755}),
        ("?period=10", {1920, 1921, 2022, 1755}),
        ("?period=1", {1921, 2022, 1755}),
        ("?period=1&system=rapid", {1921, 2022}),
        ("?system=blitz", {1755}),
        ("?period=3&system=nothing", {1920, 1921, 2022, 1755}),
        ("?period=5", {1812, 1920, 1921, 2022, 1755}),
    ],
)
def test_the_chart_and_the_table_show_the_period_asked_for(client, eva, query, shown):
    page = fetch(client, f"/players/{eva.pk}/{query}")
    dots = re.findall(r'<circle class="chart-dot" [^>]*><title>([^<]*)</title>', page)
    assert {int(title.split(": ")[1][:4]) for title in dots} == shown
    table = page.partition("The history as a table")[2].partition("</details>")[0]
    assert set(map(int, re.findall(r'<td class="num">(\d{4})</td>', table))) == shown


def test_a_dot_names_list_rating_and_change(client, eva):
    assert "<title>Isles blitz, 2022-01-01: 1755 (−3.2 in 4 games)</title>" in fetch(
        client, f"/players/{eva.pk}/?system=blitz"
    )


def test_a_system_keeps_its_colour(client, eva):
    both, one = (fetch(client, f"/players/{eva.pk}/{query}") for query in ("", "?system=rapid"))
    for page in (both, one):
        assert re.search(r'<span class="series-2"><span class="swatch"></span>Isles rapid', page)
    assert '<a rel="nofollow" href="?system=rapid&amp;period=3#history"' in one
    assert '<a rel="nofollow" href="?system=rapid#history" aria-current="true">all</a>' in one


def test_dots_that_would_cover_each_other_are_left_out_and_come_back(client):
    days = [date(2000 + n // 12, n % 12 + 1, 1) for n in range(240)]
    readings = [chart.Reading(day, 2000 + (999 if n == 101 else n % 5)) for n, day in enumerate(days)]
    drawn = chart.draw({"rapid": readings})
    points = drawn.series[0].points
    assert drawn.thinned
    assert len(points) < 130
    assert len(drawn.series[0].lines[0].split()) == 240
    titles = [point.title for point in points]
    assert (titles[0], titles[-1]) == ("rapid, 2000-01-01: 2000", "rapid, 2019-12-01: 2004")
    assert "rapid, 2008-06-01: 2999" in titles
    assert not chart.draw({"rapid": readings[-60:]}).thinned


def test_a_long_table_is_cut_and_whole_on_its_own_page(client):
    player = make.make_player("Long, Lou")
    make_career(make.make_system("rapid", name="Isles rapid"), player, 70, rounds=2)
    page = read(client, f"/players/{player.pk}/")
    assert "Isles rapid: the newest 60 of 70 lists" in page
    assert "All lists as a table" in page
    assert "All lists as a table" not in read(client, f"/players/{player.pk}/?period=1")
    make_career(make.make_system("blitz", name="Isles blitz"), player, 31, rounds=2)
    page = read(client, f"/players/{player.pk}/")
    assert "Isles rapid: the newest 30 of 70 lists" in page
    assert "Isles blitz: the newest 30 of 31 lists" in page
    assert "Isles rapid: the newest 60 of 70 lists" in read(client, f"/players/{player.pk}/?system=rapid")
    whole = fetch(client, f"/players/{player.pk}/history/")
    assert whole.count('<th scope="row">') == 101
    assert "newest" not in whole


def test_the_day_before_a_leap_day_exists(client):
    """A list of 29 February, seen a year back."""
    system, player = make.make_system("rapid"), make.make_player()
    for day in (date(2023, 2, 28), date(2024, 2, 29)):
        make.make_list(system, day, {player: 1900 + day.day})
    page = fetch(client, f"/players/{player.pk}/?period=1")
    assert "1928" in page.partition("chart-dot")[2]


@pytest.mark.parametrize("query", ["", "?period=1", "?period=10", "?period=1&system=standard"])
def test_who_is_on_no_list_has_no_period_either(client, db, query):
    assert "History" not in fetch(client, f"/players/{make.make_player().pk}/{query}")
