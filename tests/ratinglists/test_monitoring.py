"""The monitoring of a list: what it reads from stored lists and events."""

from datetime import date
from fractions import Fraction

import pytest

from ratinglists import monitoring
from regulations.monitoring import Game
from tests import factories as make
from tests.ratinglists.monitored import DAYS, counted, five_players, three_lists

pytestmark = pytest.mark.django_db


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


@pytest.fixture
def people(system):
    return five_players()


@pytest.fixture
def lists(system, people):
    return three_lists(system, people)


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
    readings = monitoring.group_readings(third, first, monitoring.lists_before(third), 2)
    assert [(r.label, r.still_rated, r.mean, r.start_mean) for r in readings] == [
        (DAYS[0], 2, 2150, 2150),
        (DAYS[1], 2, 2152, 2150),
        (DAYS[2], 2, 2153, 2150),
    ]
    assert [r.difference.mean for r in readings] == [0, 2, 3]
    assert [
        r.still_rated for r in monitoring.group_readings(third, first, monitoring.lists_before(third), 50)
    ] == [3, 2, 2]
    assert [
        r.label for r in monitoring.group_readings(third, second, monitoring.lists_before(third), 50)
    ] == DAYS[1:]
    assert [
        r.label for r in monitoring.group_readings(first, first, monitoring.lists_before(first), 50)
    ] == DAYS[:1]


def test_who_stays_rated_while_inactive_stays_in_the_group(system, people):
    ana = people["ana"]
    first = make.make_list(system, DAYS[0], {ana: 2000})
    last = make.make_list(system, DAYS[2], rows={ana: {"rating": 2007, "status": "inactive"}})
    assert monitoring.group_readings(last, first, monitoring.lists_before(last), 1)[-1].difference.mean == 7


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


def test_who_was_rated_before_comes_back(lists, system, people):
    """Cy (2000, delisted, none) is back at 1950. The others: in another system, on a draft."""
    other, fay = make.make_player(), make.make_player()
    make.make_list(make.make_system("other"), DAYS[0], {other: 1500})
    make.make_list(system, date(2021, 10, 1), {fay: 1700}, published=False)
    back = {people["cy"]: 1950, other: 1600, fay: 1710}
    listed = make.make_list(system, date(2022, 6, 1), {people["ana"]: 2210, **back})
    flow = monitoring.flow_of(listed)
    assert (flow.returned.players, flow.returned.points) == (1, 1950)
    assert (flow.newcomers.players, flow.newcomers.points) == (2, 3310)
    assert flow.balance == 0


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
