"""FECAP postal: the list that follows another, in two batches, and what explains it."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.model import EventShare, Game, ListInput, ListPlayer, RatedEvent, Sample, Totals
from tests.regulations.build import rated_event
from tests.regulations.fecap import JULY, P, adds_up, lines, period, postal, provisional, totals
from tests.regulations.strategies import events as random_events

PREVIOUS = {
    "A": ListPlayer("A", 2000, 50),
    "B": ListPlayer("B", 1800, 40),
    "X": provisional("X", 1950, "6.5", 12, 8, 2000, kind=ListPlayer),
    "Y": provisional("Y", 1890, 14, 28, 20, 1900, kind=ListPlayer),
}
NONE = {"A": None, "B": None, "C": None, "X": None, "Y": None}
GAMES = "A B 1, A X =, B X 0, C Y 0"


def test_a_period_of_everybody():
    """General 9: half of eight is not more than half. X: (16000 + 2000 + 1800)/10 = 1980, 8/14 = 0.57,
    + 50 × 0.9902 × 0.56 = 2007.7. Y: 39600/21, 15/29 = 0.52: 1895.3. A: 0.24 + 0.01, a 12: 2003.
    B: -0.24 - 0.23, a 16: 1792.48. C: 1600 against 1895, We 0.15: 1597."""
    rows = period(PREVIOUS, postal(NONE, GAMES, games_in_event=8))
    found = [(each.id, each.rating, each.status, each.games, each.change, each.k) for each in rows.values()]
    assert found == [
        ("A", 2003, "active", 2, 3, 12),
        ("B", 1792, "active", 2, Fraction("-7.52"), 16),
        ("C", 1597, "active", 1, -3, 20),
        ("X", 2008, "provisional", 2, None, None),
        ("Y", 1895, "provisional", 1, None, None),
    ]  # fmt: skip
    assert [each.career_games for each in rows.values()] == [52, 42, 1, 14, 29]
    assert rows["X"].totals == totals(8, 14, 10, 1980)
    assert rows["Y"].totals == Totals(Fraction(15), 29, 21, Fraction(39600, 21))
    assert [rows[name].totals for name in "ABC"] == [None] * 3
    assert rows["A"].events == (EventShare("E", Fraction(3), 12),)
    assert (rows["X"].events, rows["X"].flags, rows["X"].inactive_lists) == ((), (), 0)
    assert [each.k_next for each in rows.values()] == [12, 16, 20, 12, 14]
    assert [each.games_by_period for each in rows.values()] == [(2,), (2,), (1,), (2,), (1,)]


def test_the_steps_of_a_row():
    rows = period(PREVIOUS, postal(NONE, GAMES, games_in_event=8))
    assert lines(rows["C"].steps) == [
        ("General 2", "R0", "1600", "begins with postal chess"),
        ("Tabla 2", "W - We E round 4", "-0.15",
         "Y: D 295, 1600 against 1895, column B; We 0.15; 0 - 0.15"),
        ("Fase 2", "Σ(W - We)", "-0.15", "-0.15"),
        ("Fase 2", "a", "20", "52 - 1600/50"),
        ("Fase 2", "b", "1", "not in use"),
        ("Fase 2", "average opponent", "1895", "1895"),
        ("Tabla 2", "We of the average", "0.15", "D 295, 1600 against 1895"),
        ("Fase 2", "s²", "0.1275", "1 × 0.15 × (1 - 0.15)"),
        ("Fase 2", "s", "0.357071", "the square root of 0.1275"),
        ("Fase 2", "q", "0.420084", "0.15/0.357071"),
        ("Fase 2", "c", "1", "q is below 1"),
        ("Fase 2", "f", "20", "20 × 1 × 1"),
        ("Fase 2", "change", "-3", "20 × -0.15"),
        ("Fase 2", "RN", "1597", "1600 - 3, rounded half up"),
        ("Fase 2", "share of E", "-3", "20 × -0.15"),
        ("Fase 2", "change", "-3", "-3"),
    ]  # fmt: skip
    assert lines(rows["X"].steps)[0] == ("Fase 1", "Rc", "1980", "(8 × 2000 + 2000 + 1800)/10")


@pytest.mark.parametrize(("games_in_event", "first"), [(7, True), (8, False), (4, True), (None, True)])
def test_more_than_half_is_finished(games_in_event, first):
    """General 9: 4 of 7 come first, 4 of 8 do not. A then meets the other event with 2003 or 2000."""
    other = postal({"A": None, "D": None}, "A D =", "F", games_in_event=2)
    rows = period({**PREVIOUS, "D": 2003}, postal(NONE, GAMES, games_in_event=games_in_event), other)
    text = next(step.text for step in rows["A"].steps if step.label == "W - We F round 1")
    assert text.startswith("D: D 0, 2003" if first else "D: D 3, 2000")
    batches = [step for step in rows["A"].steps if step.label == "batch"]
    assert [(step.article, step.value, step.text) for step in batches] == (
        [("General 9", "first", "E"), ("General 9", "second", "F")] if first else []
    )


def test_the_share_of_the_first_batch_is_a_parameter():
    other = replace(P, batch_share=Fraction(2, 5))
    more = postal({"A": None, "D": None}, "A D =", "F", games_in_event=20)
    rows = period({**PREVIOUS, "D": 2003}, postal(NONE, GAMES, games_in_event=8), more, regulation=other)
    assert "first" in {step.value for step in rows["A"].steps if step.label == "batch"}


FIRST = postal({"a": None, "b": None}, "a b 1", "E1", games_in_event=1)
THEN = postal({"a": None, "b": None}, "a b 1", "E2", games_in_event=3)


def test_the_rounding_between_the_batches_is_explained():
    """2050 twice: 11 × 0.5 = 5.5, so 2056 (+0.5) and 2045 (b: 2044.5, +0.5). Then D 11: We 0.52 and 0.48;
    a of 2056 is 10.88, of 2045 11.1: 10.88 × 0.48 = 5.2224, 11.1 × -0.48 = -5.328."""
    rows = period({"a": 2050, "b": 2050}, FIRST, THEN)
    a, b = rows["a"], rows["b"]
    assert (a.rating, a.change, a.k) == (2061, Fraction("11.2224"), None)
    assert (b.rating, b.change) == (2040, Fraction("-10.328"))
    assert a.events == (EventShare("E1", Fraction(6), 11), EventShare("E2", Fraction("5.2224"), None))
    assert b.events == (EventShare("E1", Fraction(-5), 11), EventShare("E2", Fraction("-5.328"), None))
    found = [
        line for line in lines(a.steps) if line[1] in ("correction", "share of E1", "share of E2", "batch")
    ]
    assert found == [
        ("General 9", "batch", "first", "E1"),
        ("General 9", "correction", "0.5", "2056 - 2050 - (5.5): rounded between batches"),
        ("Fase 2", "share of E1", "6", "11 × 0.5 + 0.5 × 1/1"),
        ("General 9", "batch", "second", "E2"),
        ("Fase 2", "share of E2", "5.2224", "10.88 × 0.48"),
    ]
    assert lines(a.steps)[-1] == ("Fase 2", "change", "11.2224", "6 + 5.2224")
    assert (a.games, a.career_games) == (2, 52)


def test_a_single_batch_leaves_the_change_unrounded():
    for event in (FIRST, THEN):
        row = period({"a": 2050, "b": 2050}, event)["a"]
        assert (row.rating, row.change, row.k) == (2056, Fraction("5.5"), 11)
        assert "correction" not in {step.label for step in row.steps}


def test_one_factor_for_both_batches():
    """a is 20 up to 1600: 1550 + 10 = 1560, then 20 × (1 - 0.53)."""
    row = period({"a": 1550, "b": 1550}, FIRST, THEN)["a"]
    assert (row.k, row.change, row.rating) == (20, Fraction("19.4"), 1569)
    assert "correction" not in {step.label for step in row.steps}


def test_the_floor_is_a_part_of_the_change():
    """General 3: 1505 - 20 × (0.5 + 0.51 + 0.51): 1474.6, so 1500. The 25.4 are spread by games."""
    one = postal({"a": None, "b": None, "c": None}, "a b 0, a c 0", "E1")
    two = postal({"a": None, "c": None}, "a c 0", "E2")
    row = period({"a": 1505, "b": 1503, "c": 1500}, one, two)["a"]
    assert (row.rating, row.change) == (1500, -5)
    third = Fraction(254, 30)
    assert row.events == (
        EventShare("E1", Fraction("-20.2") + 2 * third, 20),
        EventShare("E2", Fraction("-10.2") + third, 20),
    )
    found = [line for line in lines(row.steps) if line[0] == "General 3"]
    assert found == [
        ("General 3", "RN", "1500", "1475 is below 1500"),
        ("General 3", "correction", "25.4", "1500 - 1505 - (-30.4): the floor"),
    ]
    assert [line[3] for line in lines(row.steps) if line[1] == "share of E1"] == ["20 × -1.01 + 25.4 × 2/3"]


@pytest.mark.parametrize(
    ("rating", "change", "new"), [(1510, -10, 1500), (1509, -9, 1500), (1511, -10, 1501)]
)
def test_exactly_at_the_floor(rating, change, new):
    row = period({"a": rating, "b": rating}, postal({"a": None, "b": None}, "a b 0"))["a"]
    assert (row.rating, row.change) == (new, change)
    assert ("correction" in {step.label for step in row.steps}) is (rating == 1509)


def test_rounding_up_to_the_floor_is_no_correction():
    """1510 against 1500, We 0.51: 1499.8 is 1500 without the floor."""
    row = period({"a": 1510, "b": 1500}, postal({"a": None, "b": None}, "a b 0"))["a"]
    assert (row.rating, row.change) == (1500, Fraction("-10.2"))


def test_a_batch_names_its_events():
    again = postal({"a": None, "b": None}, "a b =", "E3")
    row = period({"a": 1600, "b": 1600}, FIRST, again, THEN)["a"]
    assert [step.text for step in row.steps if step.label == "batch"] == ["E1, E3", "E2"]


def test_the_floor_in_the_first_batch():
    row = period({"a": 1505, "b": 1505}, replace(FIRST, games=(Game(1, "a", "b", "0-1"),)), THEN)["a"]
    assert [share.change for share in row.events] == [-5, Fraction("10.4")]
    assert ("General 3", "correction", "5", "1500 - 1505 - (-10): the floor") in lines(row.steps)
    assert row.rating == 1510


def test_who_played_nothing_stays_as_he_was():
    """No article makes anybody inactive."""
    player = ListPlayer("a", 1987, 12, True, games_by_period=(0, 0, 3), inactive_lists=4)
    row = period({"a": player})["a"]
    assert (row.rating, row.change, row.games, row.status, row.k) == (1987, 0, 0, "active", None)
    assert (row.career_games, row.reached_k10, row.inactive_lists, row.flags) == (12, True, 0, ())
    assert (row.games_by_period, row.k_next, row.events) == ((0, 0), 12, ())
    assert lines(row.steps) == [("Fase 2", "change", "0", "no games")]
    assert period({"a": 2000})["a"].k == 12


def test_unknown_games_before():
    rows = period({"a": ListPlayer("a", 1600), "x": ListPlayer("x", 1700, provisional=True)})
    assert (rows["a"].career_games, rows["x"].career_games) == (30, 0)
    assert rows["x"].totals == Totals()


# --- which games count ------------------------------------------------------------------------


def finished(event, *days):
    return replace(
        event,
        games=tuple(replace(game, finished_on=day) for game, day in zip(event.games, days, strict=True)),
    )


def test_games_finished_from_the_list_date_on_do_not_count_yet():
    """General 8: 30 June counts, 1 July does not."""
    event = postal({"a": None, "b": None}, "a b 1, b a 0, a b 1, a b 1")
    event = finished(event, date(1999, 6, 30), None, JULY, date(1999, 7, 2))
    row = period({"a": 1600, "b": 1600}, event)["a"]
    assert (row.games, row.change) == (2, 20)
    assert lines(row.steps)[-2:] == [
        ("General 8", "not counted yet", "later list", "E round 3, b: finished on 1999-07-01"),
        ("General 8", "not counted yet", "later list", "E round 4, b: finished on 1999-07-02"),
    ]
    assert (
        lines(period({"a": 1600, "b": 1600}, event)["b"].steps)[-1][3]
        == "E round 4, a: finished on 1999-07-02"
    )


def test_unfinished_games_are_no_part_of_the_finished_half():
    """Two of four games given are not more than half; a third makes it so."""
    event = postal({"a": None, "b": None}, "a b 1, b a 0, a b 1, a b 1")
    other = postal({"a": None, "c": None}, "a c =", "F", games_in_event=2)
    day, late = date(1999, 3, 1), JULY
    for days, expected in (((day, day, late, late), []), ((day, day, day, late), ["first", "second"])):
        row = period({"a": 1600, "b": 1600, "c": 1600}, finished(event, *days), other)["a"]
        assert [step.value for step in row.steps if step.label == "batch"] == expected


def test_byes_are_no_games_of_the_event():
    event = postal({"a": None, "b": None}, "a b 1")
    event = replace(
        event, games=(*event.games, Game(2, "a", None, "bye-1", finished_on=JULY)), games_in_event=None
    )
    other = postal({"a": None, "c": None}, "a c =", "F", games_in_event=2)
    row = period({"a": 1600, "b": 1600, "c": 1600}, event, other)["a"]
    assert [step.value for step in row.steps if step.label == "batch"] == ["first", "second"]
    assert row.games == 2
    assert lines(row.steps)[-1][3] == "E round 2, bye: finished on 1999-07-01"
    counted = replace(event, games=(*event.games[:1], Game(2, "a", None, "bye-1")), games_in_event=2)
    row = period({"a": 1600, "b": 1600, "c": 1600}, counted, other)["a"]
    assert [step.value for step in row.steps if step.label == "batch"] == []


def test_forfeits_are_finished_but_do_not_count():
    event = postal({"a": None, "b": None}, "a b +, a b 1", games_in_event=3)
    other = postal({"a": None, "c": None}, "a c =", "F", games_in_event=2)
    row = period({"a": 1600, "b": 1600, "c": 1600}, event, other)["a"]
    assert [step.value for step in row.steps if step.label == "batch"] == ["first", "second"]
    assert row.games == 2


def test_events_that_are_not_rated_are_left_out():
    event = postal({"a": None, "b": None, "new": None}, "a b 1", rate="blitz")
    rows = period({"a": 1600, "b": 1600}, event)
    assert (rows["a"].games, list(rows)) == (0, ["a", "b"])


def test_the_results_of_single_events_are_not_used():
    """Two events of one batch: D and a by the ratings before both, whatever the event's own ratings."""
    played = postal({"a": 2400, "b": 2400}, "a b 1")
    given = ListInput(
        JULY, (ListPlayer("a", 1600), ListPlayer("b", 1600)), events=(rated_event(P, played),),
        samples=(Sample("a", date(1999, 1, 1), Fraction(1900), 2, Fraction(1)),),
    )  # fmt: skip
    result = P.next_list(given)
    assert (result.players[0].rating, result.samples) == (1610, ())


def test_rows_and_shares_are_in_order():
    one = postal({"b": None, "a": None}, "a b 1", "E1", end=date(1999, 5, 1))
    two = postal({"a": None, "b": None}, "a b 1", "E2", end=date(1999, 4, 1))
    rows = period({"b": 1600, "a": 1600}, one, two)
    assert list(rows) == ["a", "b"]
    assert [share.event for share in rows["a"].events] == ["E2", "E1"]
    assert [share.change for share in rows["a"].events] == [10, 10]
    assert lines(rows["a"].steps)[-1] == ("Fase 2", "change", "20", "10 + 10")


# --- properties -------------------------------------------------------------------------------


@st.composite
def periods(draw):
    previous = tuple(
        ListPlayer(
            name,
            rating,
            draw(st.integers(0, 60)),
            provisional=draw(st.booleans()) if rating else False,
            otb_category=draw(st.sampled_from(["", "MI"])),
            totals=Totals(Fraction(5), draw(st.integers(10, 30)), 4, Fraction(1701)),
        )
        for name in "abcdef"
        for rating in [draw(st.one_of(st.none(), st.integers(1500, 2400)))]
    )
    events = tuple(
        replace(draw(random_events(name=name)), games_in_event=draw(st.one_of(st.none(), st.integers(1, 40))))
        for name in ("E1", "E2", "E3")
    )
    return previous, tuple(RatedEvent(each, P.rate(each)) for each in events)


@settings(max_examples=40)
@given(periods(), st.randoms(use_true_random=False))
def test_order_never_matters_and_every_row_adds_up(drawn, shuffle):
    previous, events = drawn
    expected = P.next_list(ListInput(JULY, previous, events=events))
    known = {player.id: player for player in previous}
    for row in expected.players:
        told = known.get(row.id)
        if told is not None and told.rating is not None:
            adds_up(row, told)
    players, mixed = list(previous), []
    shuffle.shuffle(players)
    for each in events:
        games = list(each.event.games)
        shuffle.shuffle(games)
        mixed.append(RatedEvent(replace(each.event, games=tuple(games)), each.result))
    shuffle.shuffle(mixed)
    assert P.next_list(ListInput(JULY, tuple(players), events=tuple(mixed))) == expected
