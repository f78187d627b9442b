"""fide-standard-2004: whole lists with every text, each figure derived by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_standard_2004 import FideStandard2004, lists
from regulations.model import EventPlayer, ListInput, ListPlayer, Sample
from tests.regulations import written
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event

RULES = FideStandard2004()
JULY = date(2004, 7, 1)

SPRING = event(
    "swiss",
    {"a": EventPlayer("a", 2500, career_games=12), "b": EventPlayer("b", 2395, career_games=80),
     "c": EventPlayer("c", 1804, career_games=45), "f": None, "n": None, "e": 1850},
    "a b =, a c =, b a 1, f a 0, f b =, f c 1, n a 1, n b 0, n c =, c b 0, e c 1",
    id="E1", start=date(2004, 4, 3), end=date(2004, 4, 9),
)  # fmt: skip
LATER = event(
    "swiss",
    {"a": EventPlayer("a", 2500, career_games=12), "b": EventPlayer("b", 2395, career_games=80), "f": None},
    "b a 1, b f +, a b =", id="E2", start=date(2004, 5, 3), end=date(2004, 5, 9),
)  # fmt: skip


def pooled(player, when, performance, games):
    return Sample(player, when, Fraction(performance), games, Fraction(games, 2))


def july():
    previous = (
        ListPlayer("a", 2500, career_games=12, games_by_period=(1, 2, 3, 4)),
        ListPlayer("b", 2395, career_games=80, birth_year=1970),
        ListPlayer("d", 2143, games_by_period=(1, 1, 0, 0), inactive_lists=7),
        ListPlayer("e", None, title="FM", career_games=33),
        ListPlayer("f", None),
    )
    pool = (
        pooled("f", date(2002, 7, 1), 2000, 5),
        pooled("f", date(2004, 1, 1), 1700, 5),
        pooled("f", date(2004, 4, 1), 2051, 4),
        pooled("h", date(2004, 4, 1), 1850, 4),
        pooled("h", date(2004, 7, 1), 1700, 5),
        pooled("i", date(2004, 4, 1), 2050, 9),
    )
    events = (rated_event(RULES, LATER), rated_event(RULES, SPRING))
    return RULES.next_list(ListInput(JULY, previous, samples=pool, events=events))


def test_rated_players_on_the_list():
    """a: E1 Rc (2395 + 2150 + 2395)/3, D 187 → .74 × 3 = 2.22, 25 × -1.22 = -30.5; E2 D 105 → .64 × 2 =
    1.28, 25 × -.78 = -19.5. b: Rc 2348.33, D 47 → .57 × 3 = 1.71, 15 × .79 = 11.85; E2 D -105 → .72,
    15 × .78 = 11.7."""
    rows = by_id(july())
    assert list(rows) == ["a", "b", "c", "d", "e", "f", "h", "i", "n"]
    assert written.row(rows["a"]) == (
        "active", 2450, -50, 5, 25, (), 17, True, (5, 1, 2, 3), 0, 25, None,
    )  # fmt: skip
    assert written.steps(rows["a"]) == [
        "10.55 | change | -50 | -30.5 - 19.5",
        "10.56 | Rn | 2450 | 2500 - 50, to the nearest whole number",
        "10.54 | K from this list on | 25 | 17 of 30 games",
    ]
    assert [(each.event, each.change, each.k) for each in rows["a"].events] == [
        ("E1", Fraction("-30.5"), 25),
        ("E2", Fraction("-19.5"), 25),
    ]
    assert written.row(rows["b"]) == (
        "active", 2419, Fraction("23.55"), 5, 15, (), 85, True, (5,), 0, 10, None,
    )  # fmt: skip
    assert written.steps(rows["b"])[2] == (
        "10.54 | K from this list on | 10 | published rating has reached 2400"
    )


def test_an_inactive_player_on_the_list():
    """9.23: 0 + 1 + 1 + 0 games; the eighth list does not show him any more."""
    row = by_id(july())["d"]
    assert written.row(row) == (
        "inactive", 2143, 0, 0, 15, ("i", "not-shown"), 30, False, (0, 1, 1, 0), 8, 15, None,
    )  # fmt: skip
    assert written.steps(row) == [
        "10.55 | change | 0 | no games",
        "10.56 | Rn | 2143 | 2143 + 0, to the nearest whole number",
        "10.54 | K from this list on | 15 | below 2400, 30 games or more",
        "9.23 | status | inactive | 2 games in a year, fewer than 4; list 8 since then",
    ]


def test_a_delisted_player():
    """9.21: c 1804, three games, D -249 → .19 × 3 = .57, 15 × -.07 = -1.05; at 1805.95 the floor of 1806
    puts him off the list."""
    player = (ListPlayer("c", 1806, career_games=45),)
    events = (rated_event(RULES, SPRING),)
    row = by_id(replace(RULES, floor=1806).next_list(ListInput(JULY, player, events=events)))["c"]
    assert written.row(row) == (
        "delisted", None, Fraction("-1.05"), 3, 15, (), 48, False, (3,), 0, 15, None,
    )  # fmt: skip
    assert written.steps(row)[-1] == "9.21 | status | delisted | 1805 is below 1806"


def test_unrated_players_on_the_list():
    """f: 2233 in E1 at 50 %; (2051 × 4 + 2233 × 3)/7 = 2129; eight lists ago is too long, 1700 was below
    the floor. h: (1850 × 4 + 1700 × 5)/9 = 1766.67. e won 15 × (1 - .56) = 6.6 and is off the list."""
    result = july()
    rows = by_id(result)
    assert written.row(rows["f"]) == ("unrated", None, None, 3, None, (), 0, False, (3,), 0, None, None)
    assert written.steps(rows["f"]) == [
        "9.14c | no longer pooled | 2000 | 5 games of the list of 2002-07-01: before the last 8 lists",
        "10.31 | ignored | 1700 | 5 games of the list of 2004-01-01: first performance under 1801",
        "10.3 | Rn | 2129 | (2051 × 4 + 2233 × 3)/7",
        "9.14 | published | no | 7 of 9 games",
    ]
    assert written.steps(rows["h"]) == [
        "10.3 | Rn | 1767 | (1850 × 4 + 1700 × 5)/9",
        "10.32 | published | no | 1767 is below 1801",
    ]
    assert written.row(rows["e"]) == (
        "titled-unrated", None, None, 0, None, (), 33, False, (0,), 0, None, None,
    )  # fmt: skip
    assert written.steps(rows["e"]) == [
        "9.21 | change not applied | 6.6 | E1: played with a rating, no longer on the list",
        "9.22 | status | titled-unrated | FM without a rating: the separate list",
    ]
    assert [(each.player, each.list_date, each.performance, each.event) for each in result.samples] == [
        ("f", date(2004, 4, 1), 2051, ""),
        ("f", JULY, 2233, "E1"),
        ("h", date(2004, 4, 1), 1850, ""),
        ("h", JULY, 1700, ""),
        ("n", JULY, 2233, "E1"),
    ]


def test_a_first_rating_on_the_list():
    """9.14: nine games; 10.54: K 25 as 9 of 30."""
    row = by_id(july())["i"]
    assert written.row(row) == ("active", 2050, None, 0, 25, (), 9, False, (0,), 0, 25, None)
    assert written.steps(row) == [
        "10.3 | Rn | 2050 | (2050 × 9)/9",
        "9.14 | published | yes | 9 games",
        "10.54 | K from this list on | 25 | 9 of 30 games",
    ]


def test_a_first_rating_of_2400_counts_for_good():
    """10.54: published once at 2400; earlier games count on."""

    def first(performance, **known):
        pool = (pooled("s", JULY, performance, 9),)
        return RULES.next_list(ListInput(JULY, (ListPlayer("s", None, **known),), samples=pool)).players[0]

    assert (first(2400).reached_k10, first(2399).reached_k10) == (True, False)
    assert first(2300, reached_k10=True).reached_k10 is True
    strong = first(2400, career_games=21, games_by_period=(1, 2, 3, 4, 5))
    assert (strong.career_games, strong.k, strong.k_next, strong.games_by_period) == (
        30,
        10,
        10,
        (0, 1, 2, 3),
    )


def test_exactly_1801_is_published():
    """10.32"""
    (row,) = RULES.next_list(ListInput(JULY, (), samples=(pooled("s", JULY, 1801, 9),))).players
    assert (row.rating, row.events) == (1801, ())
    assert written.steps(row)[1] == "9.14 | published | yes | 9 games"


def test_2400_on_the_list_before_counts_for_good():
    """10.54: 2405 - 60 = 2345, and K stays 10."""
    given = ListInput(JULY, (ListPlayer("p", 2405),), events=given_changes(2405, "-60", k=10))
    row = only_row(RULES, given)
    assert (row.rating, row.reached_k10, row.k_next) == (2345, True, 10)


@pytest.mark.parametrize(
    ("known", "k"),
    [({}, 15), ({"career_games": 10}, 25), ({"reached_k10": True}, 10)],
)
def test_k_of_a_player_without_games(known, k):
    """10.54: what the events would have counted with."""
    assert only_row(RULES, ListInput(JULY, (ListPlayer("p", 2300, **known),))).k == k


def test_k_is_that_of_the_events():
    """10.54: at their start the player was new; 25 by then."""
    given = ListInput(JULY, (ListPlayer("p", 2300),), events=given_changes(2300, "5", k=25))
    assert only_row(RULES, given).k == 25


def test_one_inactive_list_is_enough_to_stay_inactive():
    """9.23: the year is not known, the player was inactive on the last list."""
    row = only_row(RULES, ListInput(JULY, (ListPlayer("p", 2300, inactive_lists=1),)))
    assert (row.status, row.inactive_lists) == ("inactive", 2)


def test_a_change_of_nothing_is_not_applied_either():
    """9.21"""
    given = ListInput(JULY, (ListPlayer("p", None),), events=given_changes(1805, "0"))
    assert written.steps(only_row(RULES, given))[0] == (
        "9.21 | change not applied | 0 | E1: played with a rating, no longer on the list"
    )


def test_what_a_late_report_is_told():
    """9.13"""
    late = RULES.report_findings(end=date(2004, 6, 2), received=date(2004, 6, 3), list_date=JULY)
    assert written.findings(late) == [
        (
            "error 9.13 completed-after-closing (end): Completed on 2004-06-02, after the closing date "
            "2004-06-01 of the list of 2004-07-01: for the list of 2004-10-01."
        ),
        (
            "error 9.13 received-after-closing (received): Received on 2004-06-03, after the closing date "
            "2004-06-01 of the list of 2004-07-01: for the list of 2004-10-01."
        ),
    ]
    next_closing = RULES.report_findings(end=date(2004, 5, 2), received=date(2004, 9, 1), list_date=JULY)
    assert [each.message.endswith(": for the list of 2004-10-01.") for each in next_closing] == [True]


def test_lists_that_still_show_an_inactive_player():
    """9.23b"""
    assert [lists.is_shown(RULES, number) for number in (1, 7, 8)] == [True, True, False]
