"""fide-rapid-blitz-2022: whole lists with every text, each figure derived by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022, lists
from regulations.model import EventPlayer, ListInput, ListPlayer, Sample
from tests.regulations import written
from tests.regulations.build import by_id, event, rated_event

RULES = FideRapidBlitz2022()
JULY = date(2022, 7, 1)


def pooled(player, when, opponents, score):
    return Sample(player, when, Fraction(2000), len(opponents), Fraction(score), tuple(opponents))


FIRST = event(
    "swiss",
    {"a": 2500, "b": 1005, "e": 1850, "f": None, "n": None, "x": 1700, "y": 1701, "r": None},
    "a x 1, a y =, b x 0, e x 1, f x 0, f y 0, n x 1, n y =, r x 1",
    id="E1", end=date(2022, 6, 9),
)  # fmt: skip
SECOND = event("swiss", {"a": 2500, "x": 1700}, "a x =", id="E2", end=date(2022, 6, 19))


def july(rules=RULES):
    previous = (
        ListPlayer("a", 2500, career_games=12, games_by_period=(1, 2)),
        ListPlayer("b", 1001),
        ListPlayer("d", 2143, games_by_period=(0,) * 12, inactive_lists=2),
        ListPlayer("e", None, career_games=33),
        ListPlayer("f", None),
        ListPlayer("r", 2100),
        ListPlayer("x", 1700, reached_k10=True),
    )
    pool = (
        pooled("f", date(2020, 5, 1), (2000, 2100), 1),
        pooled("f", date(2020, 6, 1), (2000, 2100), 1),
        pooled("h", date(2022, 6, 1), (900, 920, 905, 900, 905), 2),
        pooled("i", date(2022, 6, 1), (1800, 1810, 1805, 1800, 1805), 4),
    )
    events = (rated_event(rules, SECOND), rated_event(rules, FIRST))
    return rules.next_list(ListInput(JULY, previous, samples=pool, events=events))


def test_rated_players_on_the_list():
    """a: .08 + -.42 in E1, -.42 in E2: -.76 × 20 = -15.2. r, rated by now: D 400 → .08 × 20 = 1.6 → 2.
    x: -.08 + .08 - .3 in E1 (D -150 → .30), .42 in E2: .12 × 20 = 2.4."""
    rows = by_id(july())
    assert list(rows) == ["a", "b", "d", "e", "f", "h", "i", "n", "r", "x", "y"]
    assert written.row(rows["a"]) == (
        "active", 2485, Fraction("-15.2"), 3, 20, (), 15, False, (3, 1, 2), 0, 20, None,
    )  # fmt: skip
    assert written.steps(rows["a"]) == [
        "7.32c | ΣΔR | -0.76 | -0.34 - 0.42",
        "7.32 | K | 20 | 3 × 20 = 60, not over 700",
        "7.32d | change | -15.2 | 20 × -0.76",
        "7.33 | rounded | -15 | -15.2, half-to-zero",
        "7.33 | Rn | 2485 | 2500 - 15",
    ]
    assert [(each.event, each.change, each.k) for each in rows["a"].events] == [
        ("E1", Fraction("-6.8"), 20),
        ("E2", Fraction("-8.4"), 20),
    ]
    assert written.row(rows["r"]) == (
        "active",
        2102,
        Fraction("1.6"),
        1,
        20,
        (),
        31,
        False,
        (1,),
        0,
        20,
        None,
    )
    assert written.row(rows["x"]) == ("active", 1702, Fraction("2.4"), 4, 20, (), 34, True, (4,), 0, 20, None)


def test_below_the_floor_and_inactive():
    """6.21: b 1001 - 1.6 → 999. 6.22: d without a game in twelve lists, the third of them inactive."""
    rows = by_id(july())
    assert written.row(rows["b"]) == (
        "unrated", None, Fraction("-1.6"), 1, 20, (), 31, False, (1,), 0, None, None,
    )  # fmt: skip
    assert written.steps(rows["b"])[3:] == [
        "7.33 | rounded | -2 | -1.6, half-to-zero",
        "7.33 | Rn | 999 | 1001 - 2",
        "6.21 | status | unrated | 999 is below 1000",
    ]
    assert written.row(rows["d"]) == (
        "inactive", 2143, 0, 0, 20, ("i",), 30, False, (0,) * 12, 3, 20, None,
    )  # fmt: skip
    assert written.steps(rows["d"]) == [
        "7.32c | ΣΔR | 0 | no games",
        "7.32 | K | 20 | 0 × 20 = 0, not over 700",
        "7.32d | change | 0 | 20 × 0",
        "7.33 | rounded | 0 | 0, half-to-zero",
        "7.33 | Rn | 2143 | 2143 + 0",
        "6.22 | status | inactive | no rated game in a year",
    ]
    assert by_id(july(replace(RULES, floor=999)))["b"].rating == 999


def test_unrated_players_on_the_list():
    """f: 26 months back is June 2020; (2000 + 2100 + 1700 + 1701)/4, a zero in a later event counts.
    h: 906 - 72 = 834. i: 1804 + 20 × 3. e: 20 × .3 = 6 and off the list."""
    result = july()
    rows = by_id(result)
    assert written.row(rows["f"]) == ("unrated", None, None, 2, None, (), 0, False, (2,), 0, None, None)
    assert written.steps(rows["f"]) == [
        "6.14 | no longer pooled | 2000 | 2 games of the list of 2020-05-01: over 26 months",
        "7.22 | Ra | 1875.25 | (2000 + 2100 + 1700 + 1701)/4",
        "7.23 | Ru | 1682 | 1875.25 - 193, p 0.25, to the nearest whole number",
        "6.14 | published | no | 4 of 5 games",
    ]
    assert written.steps(rows["h"]) == [
        "7.22 | Ra | 906 | (900 + 920 + 905 + 900 + 905)/5",
        "7.23 | Ru | 834 | 906 - 72, p 0.4, to the nearest whole number",
        "6.14 | published | no | 834 is below 1000",
    ]
    assert written.row(rows["i"]) == ("active", 1864, None, 0, 20, (), 5, False, (0,), 0, 20, None)
    assert written.steps(rows["i"])[1:] == [
        "7.23 | Ru | 1864 | 1804 + 20 × 3, to the nearest whole number",
        "6.14 | published | yes | 5 games",
    ]
    assert written.row(rows["e"]) == ("unrated", None, None, 0, None, (), 33, False, (0,), 0, None, None)
    assert written.steps(rows["e"]) == [
        "6.21 | change not applied | 6 | E1: played with a rating, no longer on the list"
    ]
    assert [(each.player, each.list_date, each.games, each.score, each.event) for each in result.samples] == [
        ("f", date(2020, 6, 1), 2, 1, ""),
        ("f", JULY, 2, 0, "E1"),
        ("h", date(2022, 6, 1), 5, 2, ""),
        ("n", JULY, 2, Fraction("1.5"), "E1"),
    ]


def test_the_standard_rating_is_the_base_of_the_first_list():
    """7.21: 1750 by the reference list, as the event has it: 20 × (1 - .57) = 8.6 → 9."""
    played = event("swiss", {"s": EventPlayer("s", None, standard_rating=1750), "y": 1701}, "s y 1", id="E")
    given = ListInput(JULY, (ListPlayer("y", 1701),), events=(rated_event(RULES, played),))
    row = by_id(RULES.next_list(given))["s"]
    assert (row.rating, row.status, row.games_by_period) == (1759, "active", (1,))
    assert written.steps(row)[-1] == "7.21 | Rn | 1759 | 1750 + 9, from the standard rating"
    other = by_id(RULES.next_list(replace(given, reference_standard={"s": 1760})))["s"]
    assert other.rating == 1769


@pytest.mark.parametrize(
    ("end", "received", "list_date", "said"),
    [
        ((5, 29), (5, 31), (6, 1), []),
        ((5, 26), (7, 1), (7, 1), []),  # five days left: July is aimed at
        ((5, 25), (6, 1), (6, 1), []),  # six days left: June
        ((5, 25), (6, 2), (7, 1), ["warning 8.1 report-late"]),
        ((5, 30), (6, 3), (6, 1), ["error 6.13 ends-after-closing"]),
        ((5, 30), (8, 1), (8, 1), ["warning 8.1 report-late"]),
        ((5, 30), (8, 2), (8, 1), ["error 8.1 report-too-late"]),
        ((5, 30), (7, 1), (9, 1), ["error 8.1 report-too-late"]),
    ],
)
def test_when_a_report_is_late(end, received, list_date, said):
    """6.13, 8.1"""
    days = {"end": date(2022, *end), "received": date(2022, *received), "list_date": date(2022, *list_date)}
    found = RULES.report_findings(**days)
    assert [f"{each.severity} {each.article} {each.code}" for each in found] == said


def test_what_a_late_report_is_told():
    ended, june = date(2022, 5, 30), date(2022, 6, 1)
    closed = RULES.report_findings(end=ended, received=date(2022, 6, 3), list_date=june)
    assert written.findings(closed) == [
        (
            "error 6.13 ends-after-closing (end): "
            "The event ends on 2022-05-30, after 2022-05-29: for the list of 2022-07-01."
        )
    ]
    assert RULES.report_findings(end=ended, received=june, list_date=june, official=True) == ()
    assert RULES.report_findings(end=ended, received=june, list_date=JULY) == ()
    too_late = RULES.report_findings(end=ended, received=date(2022, 8, 3), list_date=date(2022, 9, 1))
    assert written.findings(too_late) == [
        (
            "error 8.1 report-too-late (received): "
            "Not in by the list of 2022-08-01, the third after the end on 2022-05-30: not rated."
        )
    ]
    late = RULES.report_findings(end=date(2022, 5, 20), received=date(2022, 6, 3), list_date=JULY)
    assert written.findings(late) == [
        "warning 8.1 report-late (received): Received on 2022-06-03; it was due for the list of 2022-06-01."
    ]


def test_pooled_games_must_have_their_opponents():
    """7.22 averages the opponents of all games."""
    broken = replace(pooled("u", JULY, (2000, 2100), 1), games=3)
    with pytest.raises(ValueError) as caught:
        lists.first_rating(RULES, [broken])
    assert str(caught.value) == "Pooled results of player u: 3 games, 2 ratings."


def test_closing_dates_of_official_events():
    """6.13: three days before the list, or its eve."""
    assert (RULES.closing_date(JULY), RULES.closing_date(JULY, official=True)) == (
        date(2022, 6, 28),
        date(2022, 6, 30),
    )
    end = date(2022, 6, 29)
    assert RULES.list_for_end(end) == date(2022, 8, 1)
    assert RULES.list_for_end(end, official=True) == JULY
    days = {"end": end, "received": end, "list_date": date(2022, 6, 1)}
    assert RULES.report_findings(**days)[0].message == (
        "The event ends on 2022-06-29, after 2022-05-29: for the list of 2022-08-01."
    )
    assert RULES.report_findings(**days, official=True)[0].message == (
        "The event ends on 2022-06-29, after 2022-05-31: for the list of 2022-07-01."
    )
    assert RULES.report_findings(end=end, received=end, list_date=JULY, official=True) == ()
    assert RULES.report_findings(end=end, received=end, list_date=JULY) != ()


ZERO = event("swiss", {"v": None, "x": 1700}, "v x 0", id="Z", end=date(2022, 6, 9))


@pytest.mark.parametrize(
    ("known", "pool", "kept"),
    [
        ({}, (), 0),
        ({"career_games": 0, "games_by_period": (0, 0)}, (), 0),
        ({"career_games": 1}, (), 1),
        ({"games_by_period": (0, 1)}, (), 1),
        ({}, (pooled("v", date(2022, 6, 1), (1800,), 1),), 2),
        ({}, (pooled("v", date(2019, 6, 1), (1800,), 1),), 1),  # too old to count, not to have been the first
    ],
)
def test_a_zero_counts_if_it_was_not_in_the_first_event(known, pool, kept):
    """7.22"""
    previous = (ListPlayer("v", None, **known), ListPlayer("x", 1700))
    given = ListInput(JULY, previous, samples=pool, events=(rated_event(RULES, ZERO),))
    assert len(RULES.next_list(given).samples) == kept


def test_the_first_of_two_events_of_a_period():
    """7.22: a zero in the second counts."""
    later = replace(ZERO, id="Y", end=date(2022, 6, 12))
    events = tuple(rated_event(RULES, each) for each in (later, ZERO))
    result = RULES.next_list(ListInput(JULY, (ListPlayer("v", None),), events=events))
    assert [each.event for each in result.samples] == ["Y"]


def test_rated_in_one_event_and_unrated_in_the_next():
    """6.21: the change of E1 has nothing to be added to; a change of 0 is told too. 7.22: E2 is pooled."""
    first = event("swiss", {"e": 1700, "x": 1700}, "e x =", id="E1", end=date(2022, 6, 9))
    second = event("swiss", {"e": None, "x": 1700}, "e x 1", id="E2", end=date(2022, 6, 19))
    events = (rated_event(RULES, first), rated_event(RULES, second))
    result = RULES.next_list(ListInput(JULY, (ListPlayer("e", None),), events=events))
    assert [each.event for each in result.samples] == ["E2"]
    row = by_id(result)["e"]
    assert written.steps(row)[0] == (
        "6.21 | change not applied | 0 | E1: played with a rating, no longer on the list"
    )
    assert row.events == ()


def test_a_first_rating_takes_over_what_is_known():
    """6.14: exactly 1000, the least; the year has twelve lists."""
    player = ListPlayer("s", None, reached_k10=True, career_games=7, games_by_period=(1,) * 12)
    pool = (pooled("s", date(2022, 6, 1), (1000,) * 5, Fraction("2.5")),)
    (row,) = RULES.next_list(ListInput(JULY, (player,), samples=pool)).players
    assert written.row(row) == (
        "active", 1000, None, 0, 20, (), 12, True, (0, *(1,) * 11), 0, 20, None,
    )  # fmt: skip
    assert written.steps(row)[-1] == "6.14 | published | yes | 5 games"
    assert row.events == ()


def test_one_inactive_list_is_enough_to_stay_inactive():
    """6.22: the year is not known, the player was inactive on the last list."""
    (row,) = RULES.next_list(ListInput(JULY, (ListPlayer("p", 2300, inactive_lists=1),))).players
    assert (row.status, row.inactive_lists) == ("inactive", 2)
