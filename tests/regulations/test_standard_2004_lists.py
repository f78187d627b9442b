"""fide-standard-2004, articles 9 and 10.3-10.56: lists."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations import lists
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import EventPlayer, ListInput, ListPlayer, ListRow, Sample
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event, value_of

RULES = FideStandard2004()
JULY = date(2004, 7, 1)


def list_after(rating, *changes, **player):
    """The row of player p, whose events changed him so."""
    given = ListInput(JULY, (ListPlayer("p", rating, **player),), events=given_changes(rating, *changes))
    return only_row(RULES, given)


def test_the_changes_of_all_events_are_summed_and_rounded_once():
    """10.55, 10.56: 2143 + 4.3 + 4.3 = 2151.6 → 2152; rounded apart it would be 2151."""
    row = list_after(2143, "4.3", "4.3")
    assert (row.rating, row.change, row.games, row.k, row.status) == (2152, Fraction("8.6"), 10, 15, "active")
    assert [(share.event, share.change, share.k) for share in row.events] == [
        ("E1", Fraction("4.3"), 15),
        ("E2", Fraction("4.3"), 15),
    ]
    assert sum(share.change for share in row.events) == row.change
    assert value_of(row.steps, "Rn") == "2152"


def test_a_loss_is_written_as_a_difference():
    """10.56: 2143 - 16.25 - 4.5 = 2122.25 → 2122, as an official would write the sums."""
    texts = {step.label: step.text for step in list_after(2143, "-16.25", "-4.5").steps}
    assert texts["change"] == "-16.25 - 4.5"
    assert texts["Rn"] == "2143 - 20.75, to the nearest whole number"


@pytest.mark.parametrize(
    ("change", "rating", "status"),
    [
        ("-4.5", 1801, "active"),  # 1800.5 → 1801
        ("-4.6", None, "delisted"),  # 1800.4 → 1800
        ("-60", None, "delisted"),
    ],
)
def test_below_1801_a_player_is_delisted(change, rating, status):
    """9.21 after 10.56"""
    row = list_after(1805, change)
    assert (row.rating, row.status, row.change) == (rating, status, Fraction(change))


def test_a_player_without_games_keeps_the_rating():
    row = list_after(2143)
    assert (row.rating, row.change, row.games, row.events) == (2143, 0, 0, ())


@pytest.mark.parametrize(
    ("career", "reached", "rating", "change", "reached_now", "k", "k_next"),
    [
        (28, False, 2100, "10", False, 25, 15),  # 28 + 5 games
        (100, False, 2395, "6", True, 15, 10),  # the new list shows 2401
        (100, True, 2399, "-20", True, 10, 10),  # for good
        (10, False, 2395, "10", True, 25, 25),  # 15 games only
    ],
)
def test_k_of_the_events_and_k_from_the_list_on(career, reached, rating, change, reached_now, k, k_next):
    """10.54"""
    events = given_changes(rating, change, k=k)
    player = ListPlayer("p", rating, career_games=career, reached_k10=reached)
    row = only_row(RULES, ListInput(JULY, (player,), events=events))
    assert (row.career_games, row.reached_k10, row.k, row.k_next) == (career + 5, reached_now, k, k_next)


@pytest.mark.parametrize(
    ("earlier", "inactive_lists", "status", "flags", "count"),
    [
        ((1, 1, 1, 9), 0, "inactive", ("i",), 1),  # 0 + 1 + 1 + 1 < 4
        ((2, 1, 1, 0), 0, "active", (), 0),  # exactly 4
        ((0, 0, 0, 0), 6, "inactive", ("i",), 7),  # seventh list
        ((0, 0, 0, 0), 7, "inactive", ("i", "not-shown"), 8),
        ((0, 4, 0, 0), 5, "active", (), 0),  # back
        ((), 0, "active", (), 0),  # a year is not known yet
        ((1,), 0, "active", (), 0),
        ((), 2, "inactive", ("i",), 3),  # known to be inactive
    ],
)
def test_fewer_than_four_games_in_a_year_make_inactive(earlier, inactive_lists, status, flags, count):
    """9.23: the quarter of this list (no game) and the three before it."""
    row = list_after(2143, games_by_period=earlier, inactive_lists=inactive_lists)
    assert (row.status, row.flags, row.inactive_lists, row.rating) == (status, flags, count, 2143)
    assert row.games_by_period == (0, *earlier)[:4]


def test_four_games_bring_a_player_back():
    row = list_after(2143, "3", games_by_period=(0, 0, 0, 0), inactive_lists=9)
    assert (row.status, row.inactive_lists, row.games_by_period) == ("active", 0, (5, 0, 0, 0))


def test_a_monthly_calendar_looks_at_twelve_lists():
    """9.4"""
    monthly = FideStandard2004(calendar="monthly")
    player = ListPlayer("p", 2143, games_by_period=(0,) * 10 + (4, 0))
    row = only_row(monthly, ListInput(JULY, (player,)))
    assert (row.status, len(row.games_by_period)) == ("active", 12)


def sample(when, performance, games, name="u"):
    return Sample(name, when, Fraction(performance), games, Fraction(games, 2))


def first(*samples, **player):
    given = ListInput(JULY, (ListPlayer("u", None, **player),), samples=samples)
    return RULES.next_list(given)


APRIL, JANUARY = date(2004, 4, 1), date(2004, 1, 1)


def test_the_texts_example_of_a_first_rating():
    """10.3: (2280 × 5 + 2400 × 10 + 2000 × 5)/20 = 2270."""
    result = first(sample(JANUARY, 2280, 5), sample(APRIL, 2400, 10), sample(JULY, 2000, 5))
    (row,) = result.players
    assert (row.rating, row.status, row.career_games, row.change, row.k_next) == (
        2270,
        "active",
        20,
        None,
        25,
    )
    assert result.samples == ()


@pytest.mark.parametrize(
    ("samples", "rating", "kept"),
    [
        ([(JULY, 2000, 9)], 2000, 0),  # 9.14: nine games
        ([(JULY, 2000, 8)], None, 8),
        ([(date(2002, 10, 1), 2000, 5), (JULY, 2100, 4)], 2044, 0),  # seven lists ago: 18400/9 = 2044.4
        ([(date(2002, 7, 1), 2000, 5), (JULY, 2100, 4)], None, 4),  # eight lists ago
        ([(APRIL, 1700, 5), (JULY, 2000, 9)], 2000, 0),  # 10.31: the first is ignored
        ([(APRIL, 1700, 5), (JULY, 2000, 5)], None, 5),
        ([(APRIL, 2000, 5), (JULY, 1700, 5)], 1850, 0),  # only the first
        ([(APRIL, 1900, 5), (JULY, 1677, 5)], None, 10),  # 10.32: 1788.5 → 1789
        ([(APRIL, "1800.5", 5), (JULY, "1800.5", 4)], 1801, 0),  # compared after rounding
        ([(APRIL, "1800.4", 5), (JULY, "1800.4", 4)], None, 0),
    ],
)
def test_when_a_first_rating_is_published(samples, rating, kept):
    """9.14, 10.3-10.32"""
    result = first(*(sample(*each) for each in samples))
    assert result.players[0].rating == rating
    assert sum(each.games for each in result.samples) == kept


def test_results_of_the_same_list_are_kept_together():
    """10.31 on what was once kept: the order within a list does not drop the weaker result."""
    pool = (sample(APRIL, 1700, 3), sample(APRIL, 2000, 3))
    assert first(*pool).samples == first(*reversed(pool)).samples
    assert sum(each.games for each in first(*pool).samples) == 6


@pytest.mark.parametrize(("title", "status"), [("", "unrated"), ("FM", "titled-unrated")])
def test_titled_players_without_a_rating_have_their_own_list(title, status):
    """9.22"""
    row = first(title=title).players[0]
    assert (row.status, row.rating) == (status, None)


def open_tournament(**more):
    """u, unrated, scores 2/3 against 2000, 2100, 2200: 2100 + 12.5."""
    ratings = {"u": EventPlayer("u", None), "a": 2000, "b": 2100, "c": 2200}
    return event("swiss", ratings, "u a 1, u b 1, u c 0", end=date(2004, 5, 9), id="open", **more)


def test_a_newcomer_who_is_not_on_the_previous_list():
    previous = tuple(ListPlayer(name, rating) for name, rating in (("a", 2000), ("b", 2100), ("c", 2200)))
    result = RULES.next_list(ListInput(JULY, previous, events=(rated_event(RULES, open_tournament()),)))
    row = by_id(result)["u"]
    assert (row.status, row.rating, row.games, row.games_by_period) == ("unrated", None, 3, (3,))
    (kept,) = result.samples
    assert (kept.player, kept.list_date, kept.performance, kept.games, kept.score, kept.opponents) == (
        "u",
        JULY,
        Fraction("2112.5"),
        3,
        2,
        (2000, 2100, 2200),
    )


def test_a_guest_with_a_rating_enters_with_it():
    """Not on the previous list, rated 2000 when the event began: u a guest's 2050 v 2000, D 50 → .57."""
    guest = event("swiss", {"g": EventPlayer("g", 2050, career_games=40), "a": 2000}, "g a 1", id="x")
    row = by_id(
        RULES.next_list(ListInput(JULY, (ListPlayer("a", 2000),), events=(rated_event(RULES, guest),)))
    )["g"]
    assert (row.rating, row.change, row.career_games) == (2056, Fraction("6.45"), 41)


def test_rated_between_the_event_and_its_computation():
    """10.4: u has 2100 by now: Rc 2100, We 1.5, 25 × (2 - 1.5) = 12.5 → 2112.5 → 2113."""
    player = ListPlayer("u", 2100, career_games=12)
    played = open_tournament()
    known = replace(
        played,
        players=tuple(replace(each, career_games=12) if each.id == "u" else each for each in played.players),
    )
    row = by_id(RULES.next_list(ListInput(JULY, (player,), events=(rated_event(RULES, known),))))["u"]
    assert (row.rating, row.change, row.games, row.k) == (2113, Fraction("12.5"), 3, 25)


def test_delisted_since_the_event_the_change_has_nothing_to_be_added_to():
    """9.21: treated as any other unrated player."""
    given = ListInput(JULY, (ListPlayer("p", None, career_games=50),), events=given_changes(1805, "7"))
    row = only_row(RULES, given)
    assert (row.status, row.rating, row.events) == ("unrated", None, ())
    assert "no longer on the list" in row.steps[0].text


def test_events_that_are_not_rated_are_passed_over():
    refused = rated_event(RULES, event("match", {"a": None, "b": None}, "a b 1", scheduled_games=1))
    rows = RULES.next_list(ListInput(JULY, (ListPlayer("a", None),), events=(refused,))).players
    assert [(row.id, row.games) for row in rows] == [("a", 0)]


def test_the_top_list_is_without_the_inactive():
    """9.23d"""
    rows = [
        ListRow("a", "active", 2500, None, 3, 15),
        ListRow("b", "inactive", 2700, None, 0, 10),
        ListRow("c", "active", 2500, None, 9, 15),
        ListRow("d", "unrated", None, None, 0, None),
        ListRow("e", "active", 2600, None, 0, 15),
    ]
    assert [row.id for row in lists.top_list(rows)] == ["e", "c", "a"]
    assert [row.id for row in lists.top_list(rows, 1)] == ["e"]
