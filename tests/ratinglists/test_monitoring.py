"""The monitoring of a list: figures from stored lists and events, the page and the file."""

import csv
import io
import re
from datetime import date
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratinglists import monitoring
from regulations.monitoring import Game
from tests import factories as make
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db
DAYS = [date(2021, 3, 1), date(2021, 9, 1), date(2022, 3, 1)]
URL = "/lists/rapid/2022-03-01/monitoring/"


def counted(number, opponent, score, rating, *, white=True, expected=None):
    """A counted game as ``drafts.detail_json`` stores it."""
    return {
        "round": number,
        "opponent": str(opponent.pk),
        "white": white,
        "score": score,
        "opponent_rating": rating,
        "difference": None,
        "expected": expected,
        "article": "",
    }


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


@pytest.fixture
def people(system):
    return {key: make.make_player(f"{key.capitalize()}, Ann") for key in ("ana", "bo", "cy", "di", "ex")}


@pytest.fixture
def lists(system, people):
    """Three lists. Ana goes 2200, 2204, 2210; Bo 2100, 2100, 2096; Cy 2000, delisted, none; Di comes new.

    On the last list Ana beat Bo (expected .64) and drew with Di; Di's game with Bo counts for Bo only.
    """
    ana, bo, cy, di, ex = people.values()
    first = make.make_list(
        system,
        DAYS[0],
        rows={
            ana: {"rating": 2200},
            bo: {"rating": 2100},
            cy: {"rating": 2000},
            ex: {"rating": 2400, "status": "inactive"},
        },
    )
    second = make.make_list(
        system, DAYS[1], rows={ana: {"rating": 2204}, bo: {"rating": 2100}, cy: {"status": "delisted"}}
    )
    open_, cup = make.make_tournament(system, name="Open"), make.make_tournament(system, name="Cup")
    third = make.make_list(
        system,
        DAYS[2],
        rows={
            ana: {"rating": 2210, "change": "5.6000", "games": 2},
            bo: {"rating": 2096, "change": "-3.8000", "games": 2},
            di: {"rating": 1905},
        },
        events={
            open_: {
                ana: {
                    "rating": 2204,
                    "detail": {"counted": [counted(1, bo, "1", "2100", expected="16/25")]},
                },
                bo: {
                    "rating": 2100,
                    "detail": {
                        "counted": [
                            counted(1, ana, "0", "2204", white=False, expected="9/25"),
                            counted(2, di, "1", "1900"),
                        ]
                    },
                },
                di: {"rating": 1900, "detail": {"counted": []}},
                cy: {
                    "rating": None,
                    "status": "unrated",
                    "detail": {"counted": [counted(3, bo, "1", "2100")]},
                },
            },
            cup: {
                ana: {"rating": 2204, "detail": {"counted": [counted(1, di, "1/2", "1900", white=False)]}},
                di: {"rating": 1900, "detail": {"counted": [counted(1, ana, "1/2", "2204")]}},
            },
        },
    )
    return first, second, third


def test_games_count_once_and_only_where_both_sides_count(lists):
    """2204 against 1900 without a figure of its own: PD of 304 is .86 (303 to 315)."""
    played = monitoring.games_of(lists[2])
    assert sorted(played.games) == [
        Game(2204, 1900, Fraction(86, 100), Fraction(1, 2)),
        Game(2204, 2100, Fraction(16, 25), Fraction(1)),
    ]
    assert (played.events, played.of_events, played.partial) == (2, 2, False)


@pytest.mark.parametrize(("most", "events"), [(1, 1), (3, 1), (4, 2), (100, 2)])
def test_reading_stops_between_events_when_there_are_many(lists, most, events):
    """Three rated results in the open, two in the cup."""
    played = monitoring.games_of(lists[2], most=most)
    assert (len(played.games), played.events, played.of_events) == (events, events, 2)
    assert played.partial is (events == 1)


def test_the_group_is_followed_from_the_start(lists):
    """Ana and Bo lead. Then (+4 + 0)/2 = 2, at last (+10 - 4)/2 = 3."""
    first, second, third = lists
    readings = monitoring.group_readings(third, first, 2)
    assert [(r.label, r.still_rated, r.mean, r.start_mean) for r in readings] == [
        (DAYS[0], 2, 2150, 2150),
        (DAYS[1], 2, 2152, 2150),
        (DAYS[2], 2, 2153, 2150),
    ]
    assert [r.difference.mean for r in readings] == [0, 2, 3]
    assert [r.still_rated for r in monitoring.group_readings(third, first, 50)] == [3, 2, 2]
    assert [r.label for r in monitoring.group_readings(third, second, 50)] == DAYS[1:]
    assert [r.label for r in monitoring.group_readings(first, first, 50)] == DAYS[:1]


def test_who_stays_rated_while_inactive_stays_in_the_group(system, people):
    ana = people["ana"]
    first = make.make_list(system, DAYS[0], {ana: 2000})
    last = make.make_list(system, DAYS[2], rows={ana: {"rating": 2007, "status": "inactive"}})
    assert monitoring.group_readings(last, first, 1)[-1].difference.mean == 7


def test_the_points_between_two_lists(lists):
    """4304 + 1905 - 0 + (10 - 4 - 4 + …) = 6211: Ana +6, Bo -4; 5.6 - 3.8 = 1.8 computed, 0.2 rounding."""
    flow = monitoring.flow_of(lists[2])
    assert (flow.before.players, flow.before.points) == (2, 4304)
    assert (flow.newcomers.players, flow.newcomers.points) == (1, 1905)
    assert (flow.departures.players, flow.departures.points) == (0, 0)
    assert (flow.computed, flow.rounding) == (Fraction(9, 5), Fraction(1, 5))
    assert (flow.after.players, flow.after.points) == (3, 6211)
    assert flow.balance == 0
    gone = monitoring.flow_of(lists[1]).departures
    assert (gone.players, gone.points) == (2, 4400)
    assert monitoring.flow_of(lists[0]) is None


def start(listed, wanted=None):
    return monitoring.start_of(listed, monitoring.lists_before(listed), wanted).list_date


def test_the_starting_list(lists, system):
    assert start(lists[2]) == DAYS[0]
    assert start(lists[2], DAYS[1]) == DAYS[1]
    assert start(lists[2], date(2020, 1, 1)) == DAYS[0]
    assert start(lists[1]) == DAYS[0]
    assert start(lists[0]) == DAYS[0]
    assert start(make.make_list(system, date(2022, 9, 1))) == DAYS[1]
    assert start(make.make_list(system, date(2024, 2, 29))) == date(2022, 9, 1)


def test_drafts_and_replaced_lists_are_no_start(system, people):
    make.make_list(system, DAYS[0], {people["ana"]: 2000})
    make.make_list(system, DAYS[0], {people["ana"]: 2010}, revision=2)
    make.make_list(system, DAYS[1], {people["ana"]: 2020}, published=False)
    make.make_list(make.make_system("other"), DAYS[0], {people["ana"]: 1500})
    last = make.make_list(system, DAYS[2], {people["ana"]: 2030})
    assert [(item.list_date, item.revision) for item in monitoring.lists_before(last)] == [(DAYS[0], 2)]


def test_many_lists_are_thinned_evenly():
    assert monitoring.thinned(list(range(41)), 5) == [0, 10, 20, 30, 40]
    assert monitoring.thinned(list(range(7)), 3) == [0, 3, 6]
    assert monitoring.thinned([1, 2, 3], 3) == [1, 2, 3]


# --- page and file --------------------------------------------------------------------------------


def test_the_page_says_all_in_tables(client, lists):
    page = read(client, URL)
    assert "Monitoring of the scale: Isles rapid, 1 March 2022" in page
    assert "The leading players since 1 March 2021" in page
    assert re.search(r"2022-03-01 2 2150\.0 2153\.0 \+3\.0 -10\.7 to \+16\.7 too few to tell", page)
    assert "2 games of two rated players in 2 tournaments that this list counted, each once" in page
    assert "100 to 149 1 0.640 1.000 +0.360 – too few to tell" in page
    assert "300 to 399 1 0.860 0.500 -0.360 – too few to tell" in page
    assert "2200 to 2399 2 0.750 0.750 0.000 -0.706 to +0.706" in page
    assert "1800 to 1999 1 0.140 0.500 +0.360" in page
    assert "From the list of 1 September 2021 to this one" in page
    assert "List before 2 4304 2152.0" in page
    assert "Newcomers 1 +1905 1905.0" in page
    assert "No longer rated 0 0 –" in page
    assert "Changes of those who stayed, as computed 2 +1.8 +0.90" in page
    assert "Rounding of these 2 +0.2 +0.10" in page
    assert "This list 3 6211 2070.3" in page
    assert "Signs of drift None." in page
