"""FECAP postal: who begins, who is provisional, and thirty games."""

from datetime import date
from fractions import Fraction

import pytest

from regulations.model import EventPlayer, ListPlayer, Totals
from tests.regulations.build import value_of
from tests.regulations.fecap import lines, period, postal, provisional, totals

# --- who begins -------------------------------------------------------------------------------


def test_who_begins():
    """General 2 and 4: by entering an event; who only stands in the previous list has not begun."""
    previous = {name: ListPlayer(name, None) for name in ("new", "idle")}
    previous["idle"] = ListPlayer("idle", None, 3, True, otb_category="MI", games_by_period=(0, 1))
    event = postal({"new": None, "GM": EventPlayer("GM", None, otb_category="GM")}, "new GM +")
    rows = period(previous, event)
    assert [(rows[name].status, rows[name].rating) for name in ("new", "GM", "idle")] == [
        ("active", 1600),
        ("provisional", 1600),
        ("unrated", None),
    ]
    idle = rows["idle"]
    assert (idle.change, idle.games, idle.k, idle.k_next, idle.steps, idle.events) == (
        None,
        0,
        None,
        None,
        (),
        (),
    )
    assert (idle.career_games, idle.reached_k10, idle.games_by_period) == (3, True, (0, 0))
    assert (rows["new"].change, rows["new"].games) == (0, 0)
    assert rows["GM"].totals == Totals()
    assert value_of(rows["GM"].steps, "status") == "provisional"
    assert value_of(rows["new"].steps, "R0") == "1600"


def test_a_provisional_player_without_games_keeps_his_rating():
    row = period({"x": provisional("x", 1950, "6.5", 12, 8, 2000, kind=ListPlayer)})["x"]
    assert (row.status, row.rating, row.change, row.totals) == (
        "provisional", 1950, None, totals("6.5", 12, 8, 2000),
    )  # fmt: skip
    assert lines(row.steps) == [
        ("Fase 1", "RRP", "1950", "no games"),
        ("General 6", "status", "provisional", "12 games; 30 make it definitive"),
    ]


def test_a_provisional_player_without_a_rating_is_assigned_one():
    """1600 - 338.5 is below the floor."""
    row = period({"x": provisional("x", None, 0, 4, 4, 1600, kind=ListPlayer)})["x"]
    assert (row.rating, row.status) == (1500, "provisional")


def test_what_the_list_does_not_say_comes_from_the_events():
    """The first event that says it; a rating of the list stands."""
    told = EventPlayer("x", 1800, 14, provisional=True, totals=totals(8, 14, 10, 1900), otb_category="EP")
    event = postal(
        {"x": told, "r": EventPlayer("r", 1700, 60, provisional=True)}, "x r +", "E1", end=date(1999, 2, 1)
    )
    later = postal({"x": 1500, "r": 1500}, "x r +", "E2", end=date(1999, 3, 1))
    for order in ((event, later), (later, event)):
        rows = period({"r": ListPlayer("r", 1650)}, *order)
        x, r = rows["x"], rows["r"]
        assert (x.status, x.rating, x.totals, x.career_games) == ("provisional", 1800, told.totals, 14)
        assert (r.status, r.rating, r.career_games) == ("active", 1650, 60)
    known = provisional("x", 1900, 1, 2, 2, 1700, kind=ListPlayer, career_games=9)
    row = period({"x": known}, event)["x"]
    assert (row.rating, row.totals, row.career_games) == (1900, totals(1, 2, 2, 1700), 9)
    unknown = ListPlayer("x", 1900, provisional=True)
    assert period({"x": unknown}, event)["x"].totals == told.totals
    listed = {"x": ListPlayer("x", None, otb_category="no"), "r": 1700}
    master = postal({"x": EventPlayer("x", None, otb_category="GM"), "r": 1700}, "x r +")
    assert period(listed, master)["x"].status == "active"


# --- thirty games -----------------------------------------------------------------------------


def test_thirty_games_make_the_rating_definitive():
    """General 6: 29 + 1 games: (20 × 1900 + 1900)/21 = 1900, P 15/30: RRP 1900 without phase 2 in this
    batch; in the second he is rated: D 0, a 14: 1907."""
    x = provisional("x", 1880, 14, 29, 20, 1900, kind=ListPlayer)
    one = postal({"x": None, "b": None}, "x b 1", "E1")
    row = period({"x": x, "b": 1900}, one)["x"]
    assert (row.status, row.rating, row.change, row.totals, row.career_games) == (
        "active",
        1900,
        None,
        None,
        30,
    )
    assert (row.k, row.events, row.games, row.k_next) == (None, (), 1, 14)
    assert value_of(row.steps, "status") == "definitive"
    two = postal({"x": None, "c": None}, "x c 1", "E2", games_in_event=9)
    row = period({"x": x, "b": 1900, "c": 1900}, one, two)["x"]
    assert (row.status, row.rating, row.change, row.totals, row.games) == ("active", 1907, None, None, 2)
    assert [step.value for step in row.steps if step.label == "batch"] == ["first", "second"]
    assert value_of(row.steps, "RN") == "1907"


def test_a_rated_opponent_meets_the_definitive_rating_in_the_second_batch():
    """In the first batch b meets x at RRP 1900; in the second, two rated players meet."""
    x = provisional("x", 1880, 14, 29, 20, 1900, kind=ListPlayer)
    y = provisional("y", 1700, 0, 0, kind=ListPlayer)
    one = postal({"x": None, "b": None}, "x b 1", "E1")
    two = postal({"x": None, "y": None}, "x y =", "E2", games_in_event=9)
    rows = period({"x": x, "y": y, "b": 1900}, one, two)
    assert rows["y"].totals == totals("0.5", 1, 1, 1900)
    assert (rows["y"].rating, rows["y"].status) == (1900, "provisional")


def test_a_provisional_player_in_both_batches():
    """First: (1700)/1, P 1: 1700 + 677 × 0.5 × (3.2 - 1700/750) = 2016. Then b with 1691 instead of 1700."""
    x = provisional("x", None, kind=ListPlayer)
    one = postal({"x": None, "b": None}, "x b 1", "E1")
    two = postal({"x": None, "b": None}, "x b 0", "E2", games_in_event=9)
    rows = period({"x": x, "b": 1700}, one, two)
    # b: D 316, We 0.13: 18 × -0.13 = -2.34: 1698
    assert rows["x"].totals == totals(1, 2, 2, 1699)
    assert rows["x"].rating == 1699
    assert [step.value for step in rows["x"].steps if step.label == "RRP"] == ["2016", "1699"]
    first = next(step.text for step in rows["b"].steps if step.label == "W - We E1 round 1")
    then = next(step.text for step in rows["b"].steps if step.label == "W - We E2 round 1")
    assert first == "x: D 316, 1700 against 2016, column B; We 0.13; 0 - 0.13"
    assert then == "x: D 1, 1698 against 1699, column B; We 0.5; 1 - 0.5"


@pytest.mark.parametrize("shown", ["1885.7143", Fraction(39600, 21)])
def test_an_average_that_was_shown_is_made_exact(shown):
    """39600/21 = 1885.7143: the sum of whole ratings is 39600 again."""
    x = provisional("x", 1895, 15, 28, 21, shown, kind=ListPlayer)
    row = period({"x": x, "b": 1800}, postal({"x": None, "b": None}, "x b ="))["x"]
    assert row.totals.rated_average == Fraction(41400, 22)


def test_an_average_that_no_whole_ratings_have_is_taken_as_it_is():
    x = provisional("x", 1895, 15, 20, 3, "2000.5", kind=ListPlayer)
    row = period({"x": x, "b": 1800}, postal({"x": None, "b": None}, "x b ="))["x"]
    assert row.totals.rated_average == Fraction("7801.5") / 4
