"""feda-1996, articles 8 and 9.3-9.55: lists."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.feda_1996 import formulas
from regulations.feda_1996 import lists as feda_lists
from regulations.model import Event, EventPlayer, EventResult, ListInput, ListPlayer, RatedEvent, Sample
from tests.regulations import recompute
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event, value_of
from tests.regulations.feda import RA, RESULTS, RULES, UNRATED, F, foreigner
from tests.regulations.strategies import events, round_robins

JULY = date(1996, 7, 1)
JANUARY, EARLIER = date(1996, 1, 1), date(1995, 7, 1)


def list_after(rating, *changes, rules=RULES, games_each=5, k=15, **player):
    """The row of player p, whose events changed him so."""
    happened = given_changes(rating, *changes, games_each=games_each, k=k)
    return only_row(rules, ListInput(JULY, (ListPlayer("p", rating, **player),), events=happened))


# --- 9.54, 9.55: the new rating ---------------------------------------------------------------


def test_the_changes_of_all_events_are_summed_and_rounded_once():
    """9.54, 9.55: 2000 + 1.3 + 1.3 = 2002.6 → 2005; rounded apart it would be 2000."""
    row = list_after(2000, "1.3", "1.3")
    assert (row.rating, row.change, row.games, row.k, row.k_next, row.status) == (
        2005,
        F("2.6"),
        10,
        15,
        15,
        "active",
    )
    assert [(share.event, share.change, share.k) for share in row.events] == [
        ("E1", F("1.3"), 15), ("E2", F("1.3"), 15),
    ]  # fmt: skip
    assert (row.flags, row.career_games, row.reached_k10, row.inactive_lists) == ((), 40, False, 0)
    assert [(step.article, step.label, step.value, step.text) for step in row.steps] == [
        ("9.54", "change", "2.6", "1.3 + 1.3"),
        ("9.55", "Rn", "2005", "2000 + 2.6, to the nearest multiple of 5"),
        ("9.53.a", "K from this list on", "15", "below 2200, 30 games or more"),
    ]


@pytest.mark.parametrize(
    ("old", "change", "rating"),
    [
        (2000, "7.4", 2005),
        (2000, "7.5", 2010),  # half up
        (2000, "-7.5", 1995),
        (2000, "-7.6", 1990),
        (1805, "-2.5", 1805),  # 1802.5 → 1805 stays
        (1805, "-2.6", None),  # 8.21
    ],
)
def test_to_the_nearest_multiple_of_five_then_1805(old, change, rating):
    """9.55, 8.21"""
    row = list_after(old, change)
    assert (row.rating, row.status) == (rating, "active" if rating else "delisted")
    assert row.k_next == (15 if rating else None)


def test_off_the_list():
    """8.21: from then on like any unrated player."""
    row = list_after(1805, "-4.2", career_games=50)
    assert (row.rating, row.status, row.change, row.k, row.k_next) == (None, "delisted", F("-4.2"), 15, None)
    assert (row.career_games, row.flags, row.inactive_lists) == (55, (), 0)
    last = row.steps[-1]
    assert (last.article, last.label, last.value, last.text) == (
        "8.21", "status", "delisted", "1800 is below 1805: FUERA DE LISTA (0)",
    )  # fmt: skip


def test_played_with_a_rating_and_off_the_list_since():
    """8.21: there is nothing to add the change to."""
    given_ = ListInput(JULY, (ListPlayer("p", None, career_games=40),), events=given_changes(1805, "3"))
    row = only_row(RULES, given_)
    assert (row.rating, row.status, row.games, row.career_games) == (None, "unrated", 0, 40)
    assert [(step.article, step.label, step.value, step.text) for step in row.steps] == [
        ("8.21", "change not applied", "3", "E1: played with a rating, no longer on the list")
    ]


def test_rated_without_games_and_off_the_list_since():
    """8.21: no change, nothing to tell."""
    forfeit = rated_event(RULES, event("swiss", {"p": 1850, "q": 1850}, "p q +"))
    assert only_row_of("p", forfeit).steps == ()


def only_row_of(player, *happened):
    return by_id(RULES.next_list(ListInput(JULY, (ListPlayer(player, None),), events=happened)))[player]


def test_a_player_without_games_keeps_the_rating():
    """9.55: an opening list with other ratings comes to multiples of 5 all the same."""
    row = list_after(2145)
    assert (row.rating, row.change, row.games, row.events, row.k) == (2145, 0, 0, (), 15)
    assert [step.text for step in row.steps[:2]] == ["no games", "2145 + 0, to the nearest multiple of 5"]
    assert list_after(2143).rating == 2145


def test_the_step_of_the_list_is_the_rounding():
    assert RULES.list_step == 5
    whole = replace(RULES, rounding_step=1)
    assert (whole.list_step, list_after(2000, "7.4", rules=whole).rating) == (1, 2007)


# --- 9.53.a: K event by event -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("career", "reached", "rating", "change", "reached_now", "k", "k_next"),
    [
        (24, False, 2100, "10", False, 25, 25),  # 24 + 5 games
        (25, False, 2100, "10", False, 25, 15),  # 30
        (100, False, 2195, "2.4", False, 15, 15),  # 2197.4 → 2195
        (100, False, 2195, "2.5", True, 15, 10),  # 2197.5 → 2200
        (100, True, 2190, "-20", True, 10, 10),  # for good
        (100, None, 2200, "-20", True, 10, 10),
        (10, False, 2195, "10", True, 25, 25),  # 15 games only
    ],
)
def test_k_of_the_events_and_k_from_the_list_on(career, reached, rating, change, reached_now, k, k_next):
    """9.53.a"""
    row = list_after(rating, change, k=k, career_games=career, reached_k10=reached)
    assert (row.career_games, row.reached_k10, row.k, row.k_next) == (career + 5, reached_now, k, k_next)
    assert value_of(row.steps, "K from this list on") == str(k_next)
    assert row.change == F(change)


def test_k_changes_within_a_period():
    """9.53.a: 28 games; 3 with K 25 (1.5 - .81), then 31 games: K 15 (.5 - .32) = 2.7."""
    player = EventPlayer("D", 1820, career_games=28)
    swiss = event("swiss", {"P": 2000, "B": 2195, "C": 1805, "D": player}, "B D 1, P D =, C D 0",
                  id="S", end=date(1996, 3, 1))  # fmt: skip
    match = event("match", {"D": player, "Q": 1950}, "D Q =", id="M", end=date(1996, 4, 1))
    happened = (rated_event(RULES, match), rated_event(RULES, swiss))
    previous = (ListPlayer("D", 1820, 28, games_by_period=(6,)),)
    row = by_id(RULES.next_list(ListInput(JULY, previous, events=happened)))["D"]
    assert [(share.event, share.change, share.k) for share in row.events] == [
        ("S", F("17.25"), 25), ("M", F("2.7"), 15),
    ]  # fmt: skip
    assert (row.rating, row.games, row.career_games, row.k, row.k_next) == (1840, 4, 32, 15, 15)
    assert (row.steps[0].article, row.steps[0].label, row.steps[0].value, row.steps[0].text) == (
        "9.53.a", "K of M", "15", "below 2200, 30 games or more",
    )  # fmt: skip


def test_the_record_of_the_list_where_the_event_does_not_say():
    """9.53.a: the list knows that the player has reached 2200, and how many games he has."""
    played = rated_event(RULES, event("match", {"p": 2150, "q": 2150}, "p q 1", id="E"))
    row = by_id(RULES.next_list(ListInput(JULY, (ListPlayer("p", 2150, 90, True),), events=(played,))))["p"]
    assert (row.k, row.change) == (10, 5)
    row = by_id(RULES.next_list(ListInput(JULY, (ListPlayer("p", 2150, 7),), events=(played,))))["p"]
    assert (row.k, row.change, row.career_games) == (25, F("12.5"), 8)
    told = event("match", {"p": EventPlayer("p", 2150, 12, False), "q": 2150}, "p q 1", id="E")
    happened = (rated_event(RULES, told),)
    row = by_id(RULES.next_list(ListInput(JULY, (ListPlayer("p", 2150, None, True),), events=happened)))["p"]
    assert (row.k, row.career_games) == (25, 13)  # only the event says how many
    row = by_id(RULES.next_list(ListInput(JULY, (), events=happened)))["p"]
    assert (row.rating, row.k, row.career_games) == (2165, 25, 13)  # on no list before


# --- 8.22: inactivity -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "earlier", "inactive_lists", "status", "flags", "count"),
    [
        (0, (3, 9), 0, "inactive", ("i",), 1),  # a year is two periods
        (0, (4, 0), 0, "active", (), 0),
        (1, (3,), 0, "active", (), 0),
        (1, (2,), 0, "inactive", ("i",), 1),
        (0, (0, 0), 2, "inactive", ("i",), 3),  # third list
        (0, (0, 0), 3, "inactive", ("i", "not-shown"), 4),
        (4, (0, 0), 7, "active", (), 0),  # back
        (3, (0, 0), 7, "inactive", ("i", "not-shown"), 8),
        (3, (), 0, "active", (), 0),  # a year is not known yet
        (0, (), 1, "inactive", ("i",), 2),  # known to be inactive
    ],
)
def test_fewer_than_four_games_in_a_year(played, earlier, inactive_lists, status, flags, count):
    """8.22"""
    changes = ("0",) if played else ()
    row = list_after(
        2000, *changes, games_each=played, games_by_period=earlier, inactive_lists=inactive_lists
    )
    assert (row.status, row.flags, row.inactive_lists, row.rating) == (status, flags, count, 2000)
    assert row.games_by_period == (played, *earlier)[:2]
    if status == "inactive":
        last = row.steps[-1]
        total = sum(row.games_by_period)
        assert (last.article, last.label, last.value, last.text) == (
            "8.22", "status", "inactive", f"{total} games in a year, fewer than 4; list {count} since then",
        )  # fmt: skip


def test_a_player_from_list_to_list():
    """8.22: sums of a year 5, 6, 3, 2, 0, 0, 4: three lists with a mark, then apart, then back."""
    player, told = ListPlayer("p", 2000), []
    for played in (5, 1, 2, 0, 0, 0, 4):
        happened = given_changes(2000, "0", games_each=played) if played else ()
        row = only_row(RULES, ListInput(JULY, (player,), events=happened))
        told.append((row.status, feda_lists.is_shown(RULES, row.inactive_lists)))
        player = replace(player, games_by_period=row.games_by_period, inactive_lists=row.inactive_lists)
    assert told == [
        ("active", True),
        ("active", True),
        *[("inactive", True)] * 3,
        ("inactive", False),
        ("active", True),
    ]


# --- 8.14, 9.3: first ratings -----------------------------------------------------------------


def sample(when, performance, games, name="u"):
    return Sample(name, when, F(performance), games, F(games, 2))


def first(*samples, **player):
    return RULES.next_list(ListInput(JULY, (ListPlayer("u", None, **player),), samples=samples))


def test_the_texts_example_of_a_first_rating():
    """9.3: (2280 × 5 + 2100 × 10 + 1920 × 5)/20 = 2100."""
    result = first(sample(EARLIER, 2280, 5), sample(JANUARY, 2100, 10), sample(JULY, 1920, 5), career_games=3)
    (row,) = result.players
    assert (row.rating, row.status, row.change, row.games, row.k, row.k_next) == (
        2100,
        "active",
        None,
        0,
        25,
        25,
    )
    assert (row.career_games, row.reached_k10, row.events, row.games_by_period) == (23, False, (), (0,))
    assert result.samples == ()
    assert [(step.article, step.label, step.value, step.text) for step in row.steps] == [
        ("9.3", "Rn", "2100", "(2280 × 5 + 2100 × 10 + 1920 × 5)/20 = 2100, to the nearest multiple of 5"),
        ("8.14", "published", "yes", "20 games"),
        ("9.53.a", "K from this list on", "25", "23 of 30 games"),
    ]


@pytest.mark.parametrize(
    ("samples", "rating", "kept"),
    [
        ([(JULY, 1900, 9)], 1900, 0),
        ([(JULY, 1900, 8)], None, 8),  # 8.14: nine games
        ([(JANUARY, 1900, 5), (JULY, 1700, 4)], 1810, 0),  # 16300/9 = 1811.1; a later low one counts
        ([(JANUARY, 1700, 5), (JULY, 1900, 9)], 1900, 0),  # 9.31: the first is ignored
        ([(JANUARY, 1700, 5), (JULY, 1900, 5)], None, 5),
        ([(EARLIER, 1700, 5), (JANUARY, 1750, 5), (JULY, 1900, 9)], 1900, 0),  # then the next is the first
        ([(JULY, 1805, 9)], 1805, 0),
        ([(JULY, "1804.99", 9)], None, 0),  # 9.31: not rounded
        ([(date(1995, 1, 1), 1900, 5), (JULY, 2000, 4)], 1945, 0),  # 17500/9 = 1944.4; third following period
        ([(date(1994, 7, 1), 1900, 5), (JULY, 2000, 4)], None, 4),  # 8.14.c: the fourth
        ([(JANUARY, 1905, 5), (JULY, "1674.375", 4)], 1805, 0),  # 1802.5: half up, then 1805
        ([(JANUARY, 1905, 5), (JULY, "1674.37", 4)], None, 9),
        ([(JULY, "2197.5", 9)], 2200, 0),
    ],
)
def test_when_a_first_rating_is_published(samples, rating, kept):
    """8.14, 9.3-9.32"""
    result = first(*(sample(*each) for each in samples))
    (row,) = result.players
    assert (row.rating, row.status) == (rating, "active" if rating else "unrated")
    assert sum(each.games for each in result.samples) == kept
    assert row.reached_k10 is (rating == 2200)
    assert (row.k, row.k_next) == ((25, 25) if rating else (None, None))


def test_why_a_first_rating_is_not_published():
    """8.14, 8.14.c, 9.31, 9.32"""

    def told(*samples):
        (row,) = first(*samples).players
        return [(step.article, step.label, step.value, step.text) for step in row.steps]

    assert told() == []
    assert told(sample(date(1994, 7, 1), 1900, 5), sample(JANUARY, 1700, 4), sample(JULY, 1900, 8)) == [
        ("8.14.c", "no longer pooled", "1900",
         "5 games of the list of 1994-07-01: before the last 4 periods"),
        ("9.31", "ignored", "1700", "4 games of the list of 1996-01-01: first performance under 1805"),
        ("9.3", "Rn", "1900", "(1900 × 8)/8 = 1900, to the nearest multiple of 5"),
        ("8.14", "published", "no", "8 of 9 games"),
    ]  # fmt: skip
    assert told(sample(JANUARY, 1900, 5), sample(JULY, 1600, 5))[1] == (
        "9.32",
        "published",
        "no",
        "1750 is below 1805",
    )


def test_the_results_of_the_period_are_pooled():
    """8.14.c, 9.3: (1950 × 5 + 1893.9583 × 5)/10 = 1921.98 → 1920; V's 1769.8 is ignored (9.31)."""
    played = rated_event(RULES, event("round-robin", UNRATED, RESULTS, id="R"))
    waiting = (sample(JANUARY, 1950, 5, "U"),)
    people = (ListPlayer("U", None), ListPlayer("V", None, career_games=2, games_by_period=(3, 1)))
    result = RULES.next_list(ListInput(JULY, people, waiting, (played,)))
    rows = by_id(result)
    assert (rows["U"].rating, rows["U"].games, rows["U"].career_games, rows["U"].games_by_period) == (
        1920,
        5,
        10,
        (5,),
    )
    v = rows["V"]
    assert (v.rating, v.status, v.games, v.career_games, v.games_by_period) == (None, "unrated", 5, 2, (5, 3))
    assert result.samples == ()
    alone = RULES.next_list(ListInput(JULY, people[:1], (), (played,)))
    (kept,) = alone.samples
    assert [step.label for step in by_id(alone)["U"].steps] == ["Rn", "published"]
    assert kept == Sample("U", JULY, RA, 5, F("2.5"), (2000, 1950, 1900, 1850, RA), "R")
    assert by_id(alone)["P1"].rating == 2010


def test_unrated_in_the_event_and_rated_by_now():
    """The text is silent: the event is rated anew, for himself; or, by the parameter, not at all."""
    played = rated_event(RULES, event("swiss", {"u": None, **dict.fromkeys("abcd", 2000)},
                                      "u a 1, u b 1, u c =, u d =", id="E"))  # fmt: skip
    given_ = ListInput(JULY, (ListPlayer("u", 2000, 9),), events=(played,))
    row = by_id(RULES.next_list(given_))["u"]
    assert (row.rating, row.change, row.games, row.k) == (2025, 25, 4, 25)
    other = replace(RULES, rated_since_event=False)
    row = by_id(other.next_list(given_))["u"]
    assert (row.rating, row.change, row.games, row.events) == (2000, 0, 0, ())
    assert (row.steps[0].article, row.steps[0].label, row.steps[0].value, row.steps[0].text) == (
        "9.5", "not counted", "4", "E: played without a rating",
    )  # fmt: skip


def test_foreigners_have_a_row_without_a_rating():
    """9.56"""
    played = rated_event(RULES, event("swiss", {"f": foreigner("f", 2200), **dict.fromkeys("abcd", 2000)},
                                      "f a 1, f b 1, f c 1, f d 1", id="E"))  # fmt: skip
    row = by_id(RULES.next_list(ListInput(JULY, (), events=(played,))))["f"]
    assert (row.rating, row.status, row.games, row.steps, row.career_games) == (None, "unrated", 0, (), 0)
    row = by_id(RULES.next_list(ListInput(JULY, (ListPlayer("f", 2100),), events=(played,))))["f"]
    assert (row.rating, row.status, row.games, row.change) == (2100, "active", 0, 0)


def test_an_event_that_is_not_rated_changes_nobody():
    result = EventResult(
        False, "swiss", (), RULES.rate(event("swiss", {"p": 2000, "q": 2000}, "p q 1")).players
    )
    happened = RatedEvent(Event("swiss", (EventPlayer("p", 2000),), ()), result)
    assert only_row(RULES, ListInput(JULY, (ListPlayer("p", 2000),), events=(happened,))).games == 0


@pytest.mark.parametrize(
    ("value", "rounded"), [("2002.4", 2000), ("2002.5", 2005), ("-2.5", 0), ("-2.6", -5)]
)
def test_rounding_to_five(value, rounded):
    """9.32, 9.55"""
    assert formulas.to_step(RULES, F(value)) == rounded


@settings(max_examples=25)
@given(st.lists(st.one_of(events(), round_robins()), max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_events_and_players_never_matters(played, shuffle):
    happened = [rated_event(RULES, replace(each, id=f"E{number}")) for number, each in enumerate(played)]
    people = [
        ListPlayer(each, rating, career_games=28)
        for each, rating in zip("abcdefgh", range(1800, 2600, 100), strict=True)
    ]
    result = RULES.next_list(ListInput(JULY, tuple(people), events=tuple(happened)))
    shuffle.shuffle(happened)
    shuffle.shuffle(people)
    assert RULES.next_list(ListInput(JULY, tuple(people), events=tuple(happened))) == result
    for row in result.players:
        assert row.rating is None or row.rating >= 1805
        assert [fault for step in row.steps if (fault := recompute.fault(step))] == []
        if row.change is not None:
            assert sum((share.change for share in row.events), F(0)) == row.change
