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


def test_an_event_that_is_not_rated_tells_nothing(system, people):
    one, other = people["ana"], people["bo"]
    results = {
        one: {"rating": 2000, "detail": {"counted": [counted(1, other, "1", "2000")]}},
        other: {"rating": 2000, "detail": {"counted": [counted(1, one, "0", "2000", white=False)]}},
    }
    events = {make.make_tournament(system): results}
    draft = make.make_list(system, DAYS[2], events=events, published=False)
    assert len(monitoring.games_of(draft).games) == 1
    draft.events.update(rated=False)
    assert monitoring.games_of(draft) == monitoring.Played([], 0, 0)


def test_equals_are_seen_from_the_lower_number_whatever_the_colour(system, people):
    """Two players of 2000: the loser has the lower number and had Black, then White."""
    one, other = people["ana"], people["bo"]
    results = {
        one: {"rating": 2000, "detail": {"counted": [counted(1, other, "0", "2000", white=False)]}},
        other: {"rating": 2000, "detail": {"counted": [counted(1, one, "1", "2000")]}},
    }
    turned = {
        one: {"rating": 2000, "detail": {"counted": [counted(1, other, "0", "2000")]}},
        other: {"rating": 2000, "detail": {"counted": [counted(1, one, "1", "2000", white=False)]}},
    }
    for day, found in ((DAYS[1], results), (DAYS[2], turned)):
        listed = make.make_list(system, day, events={make.make_tournament(system): found})
        assert monitoring.games_of(listed).games == [Game(2000, 2000, Fraction(1, 2), Fraction(0))]


def test_an_opponent_counts_with_the_rating_that_was_used(system, people):
    """2500 against 2000, counted as 2150 (350 away, .89) or as 2200½ (299.5, so 300: .85)."""
    one, other = people["ana"], people["bo"]
    for day, used, expected in ((DAYS[1], "2150", "0.89"), (DAYS[2], "4401/2", "0.85")):
        results = {
            one: {"rating": 2500, "detail": {"counted": [counted(1, other, "1", used)]}},
            other: {"rating": 2000, "detail": {"counted": [counted(1, one, "0", "2350", white=False)]}},
        }
        listed = make.make_list(system, day, events={make.make_tournament(system): results})
        assert monitoring.games_of(listed).games == [Game(2500, 2000, Fraction(expected), Fraction(1))]


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


def test_the_list_links_to_its_monitoring(client, lists):
    assert f'<a href="{URL}">Monitoring of the scale</a>' in fetch(client, "/lists/rapid/2022-03-01/")


def test_the_visitor_chooses_start_and_size(client, lists):
    page = read(client, f"{URL}?start=2021-09-01&players=10")
    assert "The leading players since 1 September 2021" in page
    assert "The first 10 active players" in page
    assert "2021-03-01 2" not in page
    html = fetch(client, f"{URL}?start=2021-09-01&players=10")
    assert f'href="{URL}figures.csv?start=2021-09-01&amp;players=10"' in html
    page = read(client, f"{URL}?start=1999-01-01&players=7")
    assert "1999-01-01 is not one of the available choices" in page
    assert "The first 50 active players" in page
    assert "since 1 March 2021" in page


def rows_of(client, url):
    response = client.get(url)
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(response).decode()
    return response, list(csv.reader(io.StringIO(text, newline="")))


def test_the_file_holds_the_same_figures(client, lists):
    response, rows = rows_of(client, f"{URL}figures.csv")
    assert response.headers["Content-Disposition"] == 'attachment; filename="rapid-2022-03-01-monitoring.csv"'
    assert rows == [
        ["figure", "of", "n", "reference", "observed", "difference", "low", "high", "sign"],
        ["group", "2021-03-01", "3", "2100.0000", "2100.0000", "0.0000", "0.0000", "0.0000", "no"],
        ["group", "2021-09-01", "2", "2150.0000", "2152.0000", "2.0000", "-1.9200", "5.9200", "no"],
        ["group", "2022-03-01", "2", "2150.0000", "2153.0000", "3.0000", "-10.7200", "16.7200", "no"],
        ["difference", "100 to 149", "1", "0.6400", "1.0000", "0.3600", "", "", "no"],
        ["difference", "300 to 399", "1", "0.8600", "0.5000", "-0.3600", "", "", "no"],
        ["rating", "1800 to 1999", "1", "0.1400", "0.5000", "0.3600", "", "", "no"],
        ["rating", "2000 to 2199", "1", "0.3600", "0.0000", "-0.3600", "", "", "no"],
        ["rating", "2200 to 2399", "2", "0.7500", "0.7500", "0.0000", "-0.7056", "0.7056", "no"],
        ["flow", "before", "2", "", "4304", "", "", "", ""],
        ["flow", "newcomers", "1", "", "1905", "", "", "", ""],
        ["flow", "departures", "0", "", "0", "", "", "", ""],
        ["flow", "computed", "2", "", "1.8", "", "", "", ""],
        ["flow", "rounding", "2", "", "0.2", "", "", "", ""],
        ["flow", "after", "3", "", "6211", "", "", "", ""],
    ]


def test_an_opening_list_alone(client, lists):
    page = read(client, "/lists/rapid/2021-03-01/monitoring/")
    assert page.count("This list counted no game of two rated players.") == 2
    assert "There is no list before this one." in page
    assert "The leading players since 1 March 2021" in page
    rows = rows_of(client, "/lists/rapid/2021-03-01/monitoring/figures.csv")[1]
    assert [row[0] for row in rows] == ["figure", "group"]


def test_a_list_without_anybody(client, system):
    make.make_list(system, DAYS[2])
    page = read(client, URL)
    assert "2022-03-01 0 – – – – too few to tell" in page
    assert "<svg" not in fetch(client, URL)


def steady_rise(system, number=30, rise=10):
    """Players of whom each won by a little, half of them a point more than the other half."""
    people = [make.make_player() for _ in range(number)]
    make.make_list(system, DAYS[0], dict.fromkeys(people, 2000))
    rows = {player: 2000 + rise + place % 2 for place, player in enumerate(people)}
    return make.make_list(system, DAYS[2], rows)


def test_a_drift_is_named(client, system):
    """10.5 with an interval of 1.96 × √(0.25 × 30 / 29 / 30) = 0.182."""
    steady_rise(system)
    page = read(client, URL)
    assert "The leading players on the list of 2022-03-01: +10.5 points on average." in page
    assert "2022-03-01 30 2000.0 2010.5 +10.5 +10.3 to +10.7 higher" in page
    assert "2021-03-01 30 2000.0 2000.0 0.0 0.0 to 0.0 within chance" in page
    assert "<strong>higher</strong>" in fetch(client, URL)
    assert rows_of(client, f"{URL}figures.csv")[1][2][-1] == "yes"


def test_too_few_show_no_drift(client, system):
    steady_rise(system, number=29)
    page = read(client, URL)
    assert "Signs of drift None." in page
    assert "+10.7 too few to tell" in page


def test_bands_that_drift_are_named(client, system):
    """Thirty wins of 2100 against 2000 (expected .64), each in an event of two."""
    strong, weak = make.make_player(), make.make_player()
    events = {}
    for number in range(30):
        tournament = make.make_tournament(system, name=f"Match {number}")
        events[tournament] = {
            strong: {"rating": 2100, "detail": {"counted": [counted(1, weak, "1", "2000")]}},
            weak: {"rating": 2000, "detail": {"counted": [counted(1, strong, "0", "2100", white=False)]}},
        }
    make.make_list(system, DAYS[2], {strong: 2110, weak: 1990}, events=events)
    page = read(client, URL)
    assert (
        "Rating differences, 100 to 149: the higher rated score higher than expected, +0.360 a game." in page
    )
    assert "Players rated 2000 to 2199 score" not in page, "what one gains there the other loses"
    rows = {tuple(row[:2]): row for row in rows_of(client, f"{URL}figures.csv")[1]}
    assert rows["difference", "100 to 149"][-1] == "yes"
    assert rows["rating", "2000 to 2199"][2:] == [
        "60", "0.5000", "0.5000", "0.0000", "0.0000", "0.0000", "no"
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", ["", "figures.csv"])
def test_drafts_are_for_those_who_may_publish(client, system, suffix):
    make.make_list(system, DAYS[2], {make.make_player(): 2000}, published=False)
    assert client.get(URL + suffix).status_code == 404
    assert client.get(f"{URL}{suffix}?draft=1").status_code == 404
    client.force_login(make.make_user("boss", "ratinglists.publish_list", is_staff=True))
    response = client.get(f"{URL}{suffix}?draft=1")
    assert response.status_code == 200
    if suffix:
        assert "rapid-2022-03-01-monitoring-draft.csv" in response.headers["Content-Disposition"]
        assert list(response)
    else:
        html = response.content.decode()
        assert "<strong>Draft.</strong>" in html
        assert "noindex" in html
        assert f'href="{URL}figures.csv?draft=1"' in html
        assert 'name="draft" value="1"' in html


def test_only_reading_is_allowed(client, lists):
    assert client.post(URL).status_code == 405
    assert client.post(f"{URL}figures.csv").status_code == 405
    assert client.get("/lists/rapid/2022-04-01/monitoring/").status_code == 404


def queries(client):
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert client.get(URL).status_code == 200
    return len(found)


def test_the_number_of_queries_does_not_grow(client, lists, system):
    before = queries(client)
    people = [make.make_player() for _ in range(12)]
    for month in range(4, 10):
        make.make_list(system, date(2021, month, 15), dict.fromkeys(people, 2300))
    for number in range(5):
        tournament = make.make_tournament(system, name=f"Late {number}")
        make.make_list(
            system,
            DAYS[2],
            dict.fromkeys(people, 2310),
            events={
                tournament: {
                    people[0]: {"rating": 2300, "detail": {"counted": [counted(1, people[1], "1", "2300")]}},
                    people[1]: {
                        "rating": 2300,
                        "detail": {"counted": [counted(1, people[0], "0", "2300", white=False)]},
                    },
                }
            },
            revision=number + 2,
        )
    assert queries(client) <= before


def test_the_page_needs_no_script_and_no_inline_style(client, lists):
    html = fetch(client, URL)
    assert html.count("<svg") == 3
    assert html.count('role="img"') == 3
    assert " style=" not in html
    assert "<script" not in re.sub(r'<script src="[^"]*"[^>]*></script>', "", html)
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    for name in re.findall(r'aria-labelledby="([^"]*)"', html):
        assert name in ids
