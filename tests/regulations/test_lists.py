"""What the lists of every system share."""

from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regulations import lists, registry
from regulations.model import (
    Event,
    EventPlayer,
    EventResult,
    Game,
    ListInput,
    ListPlayer,
    ListRow,
    PlayerResult,
    RatedEvent,
    Sample,
)
from tests.regulations.strategies import events, round_robins

MAY, JUNE = date(2004, 5, 1), date(2004, 6, 1)


def part(player, *, event=None, games=1, **result):
    """A player's part in an event."""
    event = event or Event("swiss", (player,), (), id="E")
    return lists.Entry(event, player, PlayerResult(player.id, "rated", games, Fraction(games), **result))


def test_events_count_in_the_order_of_their_ends():
    """Without an end by the start, without days first of all; then by start, identifier and name."""
    undated, started = Event("swiss", (), (), id="z"), Event("swiss", (), (), start=MAY, id="s")
    long = Event("swiss", (), (), start=MAY, end=JUNE, id="b")
    short = Event("swiss", (), (), start=JUNE, end=JUNE, id="a")
    ended = Event("swiss", (), (), end=JUNE, id="c")
    named = replace(ended, name="C")
    events = [undated, started, long, short, ended, named]
    assert sorted(events, key=lists.event_order) == events
    assert lists.event_order(started) == (MAY, MAY, "s", "")
    assert lists.event_order(ended) == (JUNE, JUNE, "c", "")
    assert lists.event_order(undated) == (date.min, date.min, "z", "")


def test_events_that_are_not_rated_do_not_end_the_period():
    player = EventPlayer("a", 2000)
    result = PlayerResult("a", "rated", 1, Fraction(1))

    def event(name, rated):
        return RatedEvent(
            Event("swiss", (player,), (), id=name, end=MAY), EventResult(rated, "swiss", (), (result,))
        )

    found = lists.entries_by_player([event("C", True), event("A", True), event("B", False)])
    assert {name: [each.event.id for each in parts] for name, parts in found.items()} == {"a": ["A", "C"]}
    assert found["a"][0].player is player


def test_samples_by_player_and_list_the_best_first():
    def sample(**changes):
        given = {"player": "a", "list_date": MAY, "performance": Fraction(2000), "games": 3}
        return Sample(**{**given, "score": Fraction(1), **changes})

    order = [
        sample(performance=Fraction(2100)),
        sample(),
        sample(games=4, score=Fraction(0)),
        sample(games=4),
        sample(games=4, opponents=(2, 1)),
        sample(games=4, opponents=(1, 3)),
        sample(games=4, opponents=(1, 3), event="E"),
        sample(list_date=JUNE, performance=Fraction(2200)),
        sample(player="b", performance=Fraction(2300)),
    ]
    assert sorted(order, key=lists.sample_order) == order
    found = lists.samples_by_player(reversed(order))
    assert found == {"a": order[:-1], "b": order[-1:]}


def test_only_performances_of_counted_games_are_pooled():
    u = EventPlayer("u", None)
    parts = [part(u, performance=Fraction(2000)), part(u), part(u, games=0, performance=Fraction(2000))]
    (kept,) = lists.samples_of(parts, JUNE)
    assert kept == Sample("u", JUNE, Fraction(2000), 1, Fraction(1), (), "E")


def test_a_newcomer_brings_what_his_first_event_knows():
    guest = EventPlayer("g", 2100, 40, True, 1990)
    unrated = EventPlayer("g", None, 3, False, 1991)
    assert lists.newcomer([part(unrated), part(guest)]) == ListPlayer("g", 2100, 40, True, birth_year=1990)
    again = part(replace(unrated, career_games=9, highest_rating=2310))
    assert lists.newcomer([part(unrated), again]) == ListPlayer(
        "g", None, 3, False, birth_year=1991, highest_rating=2310
    )


def test_what_the_previous_list_leaves_open_comes_from_the_events():
    told = EventPlayer("g", 2100, 40, True, 1990, highest_rating=2410)
    silent = ListPlayer("g", 2100)
    found = lists.completed(silent, [part(EventPlayer("g", 2100)), part(told)])
    assert found == ListPlayer("g", 2100, 40, True, birth_year=1990, highest_rating=2410)
    known = ListPlayer("g", 2100, 5, False, birth_year=1991, highest_rating=2200)
    assert lists.completed(known, [part(told)]) == known
    given = ListInput(date(2004, 7, 1), (silent,), events=(rated_part(told),))
    ((player, _, _),) = lists.everybody(given)
    assert (player.career_games, player.reached_k10) == (40, True)


def rated_part(player):
    played = Event("swiss", (player,), (), id="E")
    result = PlayerResult(player.id, "rated", 0, Fraction(0))
    return RatedEvent(played, EventResult(True, "swiss", (), (result,)))


@pytest.mark.parametrize(
    ("result", "opponent", "met"),
    [
        ("1-0", EventPlayer("o", 2000), True),
        ("1-0", EventPlayer("o", None, standard_rating=2000), True),
        ("1-0", EventPlayer("o", None), False),
        ("+/-", EventPlayer("o", 2000), False),
    ],
)
def test_who_met_somebody_rated(result, opponent, met):
    own = EventPlayer("u", None)
    for game in (Game(1, "u", "o", result), Game(1, "o", "u", result)):
        played = Event("swiss", (own, opponent), (game,), id="E")
        assert ("u" in lists.met_rated(played)) is met
    other = Event("swiss", (own, opponent, EventPlayer("x", 2000)), (Game(1, "o", "x", "1-0"),), id="E")
    assert "u" not in lists.met_rated(other)


@dataclass
class Recorder:
    """A regulation that keeps the events that it is asked to rate."""

    asked: list[Event] = field(default_factory=list)

    def rate(self, event):
        self.asked.append(event)
        return EventResult(
            True, "swiss", (), tuple(PlayerResult(each.id, "rated", 1, Fraction(1)) for each in event.players)
        )


def test_who_became_rated_is_rated_for_himself_only():
    """A 10.4, C 7.24: the event is asked for again with the ratings of now, marked as younger than the
    event; once for all, whoever has none keeps his part, and so does who was rated."""
    a, u, v, w = (
        EventPlayer("a", 2000),
        EventPlayer("u", None, 7),
        EventPlayer("v", None),
        EventPlayer("w", None),
    )
    played = Event("swiss", (a, u, v, w), (Game(1, "u", "a", "1-0"),), id="E")
    rules, ratings = Recorder(), {"a": 1999, "u": 2150, "v": 1700, "w": None}
    parts = {each.id: replace(part(each, event=played), result=UNRATED) for each in (u, v, w)}
    parts["a"] = part(a, event=played)
    people = [(ListPlayer(one, ratings[one]), [parts[one]], []) for one in ratings]
    found = {
        player.id: (player, entry, pool)
        for player, (entry,), pool in lists.became_rated(rules, iter(people), lambda player, _: player.rating)
    }
    now = EventPlayer("u", 2150, 7, rated_since_event=True)
    late = EventPlayer("v", 1700, rated_since_event=True)
    assert rules.asked == [Event("swiss", (a, now, late, w), played.games, id="E")]
    assert (found["a"][1], found["w"][1]) == (parts["a"], parts["w"])
    for player, met in ((now, True), (late, False)):
        entry = found[player.id][1]
        assert (entry.event, entry.player, entry.result.id, entry.met_rated) == (
            played,
            player,
            player.id,
            met,
        )
    assert found["u"][0] == ListPlayer("u", 2150)


UNRATED = PlayerResult("u", "unrated", 1, Fraction(1))


def test_the_rating_of_now_may_depend_on_the_parts():
    u = EventPlayer("u", None)
    entry = replace(part(u), result=UNRATED)
    asked = []

    def rating_of(player, entries):
        asked.append((player.id, list(entries)))

    people = [(ListPlayer("u", 2000), [entry], [])]
    assert list(lists.became_rated(Recorder(), people, rating_of)) == people
    assert asked == [("u", [entry])]


@pytest.mark.parametrize(
    "code", [each.code for each in registry.all_regulations() if each.code != "fecap-postal"]
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nobody_sees_the_new_rating_of_another(code, data):
    """Rated anew together, everybody has the result that he has when he alone is rated anew."""
    regulation = registry.get(code)
    event = data.draw(st.one_of(events(), round_robins()))
    late = {each.id: data.draw(st.integers(1000, 2800)) for each in event.players if each.rating is None}
    parts = lists.entries_by_player([RatedEvent(event, regulation.rate(event))])
    people = [(ListPlayer(one, late[one]), parts[one], []) for one in late if one in parts]

    def anew(some):
        return list(lists.became_rated(regulation, some, lambda player, _: player.rating))

    assert anew(people) == [person for one in people for person in anew([one])]


@pytest.mark.parametrize("code", ["fide-rapid-blitz-2018", "fide-rapid-blitz-2022", "fide-standard-2024"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_result_needs_no_more_than_the_event_cut_to_the_player(code, data):
    regulation = registry.get(code)
    event = data.draw(st.one_of(events(), round_robins()))
    whole = regulation.rate(event)
    for result in whole.players:
        cut = lists.cut_to(event, result.id)
        (own,) = (each for each in regulation.rate(cut).players if each.id == result.id)
        assert own == result


def test_an_event_is_cut_to_the_games_of_a_player():
    a, b, c, d = (EventPlayer(each, 2000) for each in "abcd")
    games = (
        Game(1, "a", "b", "1-0"),
        Game(1, "c", "d", "1-0"),
        Game(2, "c", "a", "1-0"),
        Game(3, "a", None, "bye-1"),
    )
    event = Event("swiss", (a, b, c, d), games, id="E")
    assert lists.cut_to(event, "a") == replace(event, players=(a, b, c), games=(games[0], *games[2:]))
    assert lists.cut_to(event, "d") == replace(event, players=(c, d), games=games[1:2])
    for system in ("round-robin", "double-round-robin"):
        whole = replace(event, system=system)
        assert lists.cut_to(whole, "d") is whole


def test_games_so_far():
    assert lists.career_games(ListPlayer("a", 2000)) == 30
    assert lists.career_games(ListPlayer("a", None)) == 0
    assert lists.career_games(ListPlayer("a", 2000, career_games=0)) == 0
    assert lists.year_of_games(5, (4, 3, 2, 1), 4) == (5, 4, 3, 2)


def test_inactivity():
    """A year that is not wholly known leaves a player as he was."""
    assert lists.is_inactive((1, 1, 1), 4, 4, True)
    assert not lists.is_inactive((1, 1, 1), 4, 4, False)
    assert lists.is_inactive((1, 1, 1, 0), 4, 4, False)
    assert not lists.is_inactive((1, 1, 1, 1), 4, 4, True)


def test_everybody_by_identifier():
    player = EventPlayer("c", 2000)
    result = EventResult(True, "swiss", (), (PlayerResult("c", "rated", 1, Fraction(1)),))
    sample = Sample("a", MAY, Fraction(2000), 3, Fraction(1))
    given = ListInput(
        JUNE,
        (ListPlayer("d", 2100), ListPlayer("b", None, title="FM")),
        (sample, replace(sample, player="b")),
        (RatedEvent(Event("swiss", (player,), ()), result),),
    )
    found = [(each, len(own), pool) for each, own, pool in lists.everybody(given)]
    assert found == [
        (ListPlayer("a", None), 0, [sample]),
        (ListPlayer("b", None, title="FM"), 0, [replace(sample, player="b")]),
        (ListPlayer("c", 2000), 1, []),
        (ListPlayer("d", 2100), 0, []),
    ]


def test_a_list_is_in_order_of_identifiers():
    rows = [ListRow(name, "active", 2000, None, 0, 15) for name in "ba"]
    samples = [Sample(name, MAY, Fraction(2000), 3, Fraction(1)) for name in "dc"]
    result = lists.in_list_order(rows, samples)
    assert [each.id for each in result.players] == ["a", "b"]
    assert [each.player for each in result.samples] == ["c", "d"]


def test_the_top_hundred():
    """A 9.23d"""
    rows = [ListRow(f"{number:03}", "active", 2000, None, 0, 15) for number in range(102)]
    top = lists.top_list(reversed(rows))
    assert [each.id for each in top] == [f"{number:03}" for number in range(100)]
    assert lists.top_list([ListRow("x", "active", None, None, 0, 15)]) == ()
