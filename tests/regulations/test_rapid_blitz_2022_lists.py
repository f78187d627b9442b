"""fide-rapid-blitz-2022, articles 6 and 7.33: lists."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.model import EventPlayer, ListInput, ListPlayer, RatedEvent, Sample
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event, value_of

RULES = FideRapidBlitz2022()
MAY = date(2022, 5, 1)


def period(player, *sums, games=5, rules=RULES):
    """The row of ``player`` after events with these sums of score - PD, ``games`` games each."""
    events = given_changes(player.rating, *(Fraction(each) * 20 for each in sums), k=20, games_each=games)
    return only_row(rules, ListInput(MAY, (player,), events=events))


def test_k_belongs_to_the_whole_period():
    """7.32: 36 games, K 19: 19 × (2 - .5) = 28.5, 0.5 → 0: 28; each event has its share at K 19."""
    row = period(ListPlayer("p", 1500), "2", "-0.5", games=18)
    assert (row.k, row.change, row.rating, row.games, row.k_next) == (19, Fraction("28.5"), 1528, 36, 20)
    assert [(each.event, each.change, each.k) for each in row.events] == [
        ("E1", 38, 19),
        ("E2", Fraction("-9.5"), 19),
    ]
    assert sum(each.change for each in row.events) == row.change
    assert value_of(row.steps, "rounded") == "28"


@pytest.mark.parametrize(
    ("total", "literal", "away"),
    [("0.025", 1500, 1501), ("-0.025", 1500, 1499), ("0.075", 1501, 1502), ("-0.03", 1499, 1499)],
)
def test_half_a_point_is_rounded_to_nought_or_away_as_the_parameter_says(total, literal, away):
    """7.33, decision 35: 20 × 0.025 = 0.5."""
    assert period(ListPlayer("p", 1500), total).rating == literal
    fide = replace(RULES, change_rounding="half-away")
    assert period(ListPlayer("p", 1500), total, rules=fide).rating == away


@pytest.mark.parametrize(
    ("total", "rating", "status"), [("-0.5", 1000, "active"), ("-0.55", None, "unrated")]
)
def test_below_1000_a_player_is_unrated(total, rating, status):
    """6.21: 1010 - 10, 1010 - 11."""
    row = period(ListPlayer("p", 1010), total)
    assert (row.rating, row.status) == (rating, status)


@pytest.mark.parametrize(
    ("earlier", "inactive", "status"),
    [((0,) * 12, 0, "inactive"), ((0,) * 10 + (1, 0), 0, "active"), ((), 0, "active"), ((), 4, "inactive")],
)
def test_no_game_in_a_year_makes_inactive(earlier, inactive, status):
    """6.22a: this month without a game and the eleven before."""
    player = ListPlayer("p", 1500, games_by_period=earlier, inactive_lists=inactive)
    row = only_row(RULES, ListInput(MAY, (player,)))
    assert (row.status, row.rating) == (status, 1500)
    assert row.flags == (("i",) if status == "inactive" else ())
    assert row.inactive_lists == (inactive + 1 if status == "inactive" else 0)


def test_one_game_brings_a_player_back():
    """6.22b"""
    player = ListPlayer("p", 1500, games_by_period=(0,) * 12, inactive_lists=30)
    assert period(player, "0", games=1).status == "active"


def unrated(opponents, marks, number=1, **more):
    """An event of u against these opponents."""
    ratings = {"u": EventPlayer("u", None), **{f"o{n}": each for n, each in enumerate(opponents)}}
    text = ", ".join(f"u o{n} {mark}" for n, mark in enumerate(marks))
    return rated_event(
        RULES, event("swiss", ratings, text, end=date(2022, 4, number), id=f"E{number}", **more)
    )


def first(*events, samples=(), rating_list=MAY):
    result = RULES.next_list(ListInput(rating_list, (ListPlayer("u", None),), samples, events))
    return by_id(result)["u"], result.samples


def test_five_games_make_a_rating_from_all_opponents_together():
    """6.14, 7.22: (1500 + 1600 + 1700 + 1700 + 1800)/5 = 1660 at 2.5/5."""
    row, samples = first(unrated((1500, 1600, 1700), "==="), unrated((1700, 1800), "10", 2))
    assert (row.rating, row.status, row.career_games, row.games, samples) == (1660, "active", 5, 5, ())


def test_four_games_stay_pooled():
    """Within a list the best performance (1700 + 20) stands first."""
    row, samples = first(unrated((1500, 1600, 1700), "==="), unrated((1700,), "1", 2))
    assert (row.rating, row.status, row.games) == (None, "unrated", 4)
    assert [(each.event, each.games, each.opponents) for each in samples] == [
        ("E2", 1, (1700,)),
        ("E1", 3, (1500, 1600, 1700)),
    ]


def pooled(when, opponents, score):
    return Sample("u", when, Fraction(1600), len(opponents), Fraction(score), opponents)


@pytest.mark.parametrize(("when", "rating"), [(date(2020, 4, 1), 1660), (date(2020, 3, 1), None)])
def test_the_window_is_twenty_six_months(when, rating):
    """6.14, decision 47: April 2020 is 25 lists before May 2022."""
    row, samples = first(unrated((1700, 1800), "=="), samples=(pooled(when, (1500, 1600, 1700), "1.5"),))
    assert (row.rating, sum(each.games for each in samples)) == (rating, 0 if rating else 2)


@pytest.mark.parametrize(("last", "rating"), [(1000, 1000), (998, 1000), (997, None)])
def test_a_first_rating_must_reach_1000(last, rating):
    """6.14 after rounding (7.23): 4998/5 = 999.6 → 1000; 4997/5 = 999.4 → 999."""
    row, samples = first(unrated((1000, 1000, 1000, 1000, last), "====="))
    assert row.rating == rating
    assert sum(each.games for each in samples) == (0 if rating else 5)


def test_only_the_very_first_event_can_be_disregarded_for_a_zero():
    """7.22: zero first, then 2.5/5 at 1900; a zero in the second event counts, 3 of 5: p .20, dp -240."""
    row, _ = first(unrated((1500, 1600), "00"), unrated((1700, 1800, 1900, 2000, 2100), "=====", 2))
    assert (row.rating, row.career_games) == (1900, 5)
    row, _ = first(unrated((1500, 1600, 1700), "=00"), unrated((1700, 1800), "0=", 2))
    assert row.rating == 1420  # 8300/5 - 240
    row, samples = first(unrated((1500, 1600, 1700), "=00"), unrated((1700, 1800), "00", 2))
    assert (row.rating, row.games, samples) == (1660 - 366, 5, ())  # 0.5/5: p .10
    row, _ = first(
        unrated((1700, 1800), "00", 2), samples=(pooled(date(2022, 4, 1), (1500, 1600, 1700), "0.5"),)
    )
    assert row.rating == 1294


def test_the_standard_rating_is_the_base_of_the_first_list():
    """7.21: 2105 by the standard list: D 5 → .51, 20 × .49 = 9.8 → 2115."""
    player = EventPlayer("s", None, standard_rating=2105)
    played = rated_event(RULES, event("swiss", {"s": player, "b": 2100}, "s b 1", id="E1"))
    given = ListInput(MAY, (ListPlayer("b", 2100), ListPlayer("s", None)), (), (played,), {"s": 2105})
    row = by_id(RULES.next_list(given))["s"]
    assert (row.rating, row.change, row.status, row.career_games) == (2115, Fraction("9.8"), "active", 1)
    assert row.steps[-1].article == "7.21"


def test_without_a_counted_game_the_standard_rating_publishes_nothing():
    player = EventPlayer("s", None, standard_rating=2105)
    played = rated_event(RULES, event("swiss", {"s": player, "b": 2100}, "s b +", id="E1"))
    row = by_id(RULES.next_list(ListInput(MAY, (ListPlayer("s", None),), (), (played,), {"s": 2105})))["s"]
    assert (row.rating, row.status) == (None, "unrated")


def test_rated_between_the_event_and_its_computation():
    """7.24: 2050 by now, v 2100 won, v 2000 drawn: 20 × .50 = 10."""
    played = rated_event(RULES, event("swiss", {"l": None, "a": 2100, "b": 2000}, "l a 1, l b =", id="E1"))
    previous = (ListPlayer("a", 2100), ListPlayer("b", 2000), ListPlayer("l", 2050))
    rows = by_id(RULES.next_list(ListInput(MAY, previous, (), (played,))))
    assert (rows["l"].rating, rows["l"].games, rows["a"].games) == (2060, 2, 0)


def test_no_longer_rated_the_change_has_nothing_to_be_added_to():
    row = only_row(RULES, ListInput(MAY, (ListPlayer("p", None),), events=given_changes(1005, "4", k=20)))
    assert (row.rating, row.status) == (None, "unrated")
    assert row.steps[0].article == "6.21"


def test_pooled_results_without_opponents_are_refused():
    broken = replace(pooled(date(2022, 4, 1), (1500, 1600), "1"), opponents=())
    with pytest.raises(ValueError, match="Pooled results of player u"):
        first(samples=(broken,))


def test_events_of_another_list_order_make_the_same_list():
    events = (unrated((1500, 1600, 1700), "=00"), unrated((1700, 1800), "00", 2))
    assert first(*events) == first(*reversed(events))
    assert all(isinstance(each, RatedEvent) for each in events)


@pytest.mark.parametrize("nothing", ["u a +", "u a -", "u v 1"])
def test_an_event_without_a_game_against_a_rated_player_is_not_the_first(nothing):
    """4.1: what was not played is no result, so the zero of the next event is still disregarded (7.22)."""
    empty = rated_event(RULES, event("swiss", {"u": None, "v": None, "a": 1800}, nothing, id="E0"))
    zero = event("swiss", {"u": None, "a": 1800}, "u a 0", id="E1", end=date(2022, 3, 20))
    given = ListInput(date(2022, 4, 1), (ListPlayer("u", None),), events=(empty, rated_event(RULES, zero)))
    assert [each for each in RULES.next_list(given).samples if each.player == "u"] == []
