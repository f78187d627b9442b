"""fide-standard-2024 and fide-rapid-blitz-2024: rated players on lists.

Articles are those of the standard text; where the other text differs, its own stand in brackets.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations import per_game
from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.model import (
    EventShare,
    ListInput,
    ListPlayer,
    ListRow,
    RatedEvent,
    Step,
)
from tests.regulations.build import given_changes, only_row, value_of

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])
MAY = date(2024, 5, 1)


def period(player, *sums, games=5, rules=STANDARD, when=MAY):
    """The row of ``player`` after events with these sums of score - PD, ``games`` games each."""
    events = given_changes(player.rating, *(Fraction(each) * 20 for each in sums), k=20, games_each=games)
    return only_row(rules, ListInput(when, (player,), events=events))


@pytest.mark.parametrize(("rules", "chapter"), [(STANDARD, 8), (RAPID, 7)], ids=["std", "rapid"])
def test_the_period_of_a_rated_player(rules, chapter):
    """36 games, K 19: 19 × (2 - .5) = 28.5 → 29, away from zero; each event has its share at K 19."""
    player = ListPlayer("p", 1500, career_games=64, games_by_period=(4, 0))
    one, at = f"{chapter}.3.2", f"{chapter}.3.3"
    assert period(player, "2", "-0.5", games=18, rules=rules) == ListRow(
        "p",
        "active",
        1529,
        Fraction("28.5"),
        36,
        19,
        steps=(
            Step(f"{one}c", "ΣΔR", "1.5", "2 - 0.5"),
            Step(
                at,
                "K",
                "19",
                "below 2400, 30 games or more: 20; 36 × 20 = 720 is over 700; "
                "greatest K with 36 × K within it",
            ),
            Step(f"{one}d", "change", "28.5", "19 × 1.5"),
            Step(f"{chapter}.3.4", "rounded", "29", "28.5, half-away"),
            Step(f"{chapter}.3.4", "Rn", "1529", "1500 + 29"),
            Step(at, "K from this list on", "20", "below 2400, 30 games or more"),
        ),
        events=(EventShare("E1", Fraction(38), 19), EventShare("E2", Fraction("-9.5"), 19)),
        career_games=100,
        reached_k10=False,
        games_by_period=(36, 4, 0),
        inactive_lists=0,
        k_next=20,
    )


def test_fides_list_of_october_2026():
    """8.3.3: 39 games, 700/39 = 17: (1.44 + 1.14 + 2.34 + .79 - .27) × 17 = 92.48 → 92."""
    sums = ("1.44", "1.14", "2.34", "0.79", "-0.27")
    results = given_changes(2054, *(Fraction(each) * 20 for each in sums), k=20, games_each=8)
    last = results[-1]
    seven = replace(last.result, players=(replace(last.result.players[0], games=7),))
    events = (*results[:-1], RatedEvent(last.event, seven))
    row = only_row(STANDARD, ListInput(date(2026, 10, 1), (ListPlayer("p", 2054),), events=events))
    assert (row.games, row.k, row.change, row.rating) == (39, 17, Fraction("92.48"), 2146)


@pytest.mark.parametrize(
    ("total", "rating", "rounded"),
    [("0.025", 1501, "1"), ("-0.025", 1499, "-1"), ("0.0249", 1500, "0"), ("-0.125", 1497, "-3")],
)
def test_half_a_point_is_rounded_away_from_zero(total, rating, rounded):
    """8.3.4: 20 × .025 = .5; -2.5 → -3."""
    row = period(ListPlayer("p", 1500), total)
    assert (row.rating, value_of(row.steps, "rounded")) == (rating, rounded)
    literal = replace(STANDARD, change_rounding="half-to-zero")
    assert period(ListPlayer("p", 1500), "0.025", rules=literal).rating == 1500


def test_a_period_without_games():
    row = only_row(STANDARD, ListInput(MAY, (ListPlayer("p", 1500, career_games=12),)))
    assert (row.status, row.rating, row.change, row.games, row.k, row.events) == (
        "active",
        1500,
        0,
        0,
        40,
        (),
    )
    assert row.steps[0] == Step("8.3.2c", "ΣΔR", "0", "no games")
    assert (row.career_games, row.k_next) == (12, 40)


@pytest.mark.parametrize(
    ("player", "when", "k", "k_next", "reached"),
    [
        (ListPlayer("p", 2000, 25), MAY, 40, 20, False),  # 25 + 5: new for the last time
        (ListPlayer("p", 2000, 24), MAY, 40, 40, False),
        (ListPlayer("p", 2399, 100), MAY, 20, 10, True),  # 2399 + 10
        (ListPlayer("p", 2389, 100), MAY, 20, 20, False),  # 2389 + 10 = 2399
        (ListPlayer("p", 2390, 100), MAY, 20, 10, True),
        (ListPlayer("p", 2400, 100), MAY, 10, 10, True),
        (ListPlayer("p", 2350, 100, True), MAY, 10, 10, True),
        (ListPlayer("p", 2000, 100, birth_year=2006), MAY, 40, 40, False),
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2024, 12, 1), 40, 40, False),
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2025, 1, 1), 40, 20, False),  # K of December
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2025, 2, 1), 20, 20, False),
        (ListPlayer("p", 2290, 100, birth_year=2010), MAY, 40, 20, False),  # 2290 + 20 = 2310
        (ListPlayer("p", 2300, 100, birth_year=2010), MAY, 20, 20, False),
    ],
)
@BOTH
def test_k_of_the_period_and_from_the_list_on(rules, player, when, k, k_next, reached):
    """8.3.3 (7.3.3): K of the period is that of the previous list; .5 × K is gained in five games."""
    row = period(player, "0.5", rules=rules, when=when)
    assert (row.k, row.k_next, row.reached_k10, row.change) == (k, k_next, reached, Fraction(k, 2))


def test_once_2400_always_2400():
    """8.3.3: on the previous list 2405, now 2395; a rating that falls below the floor keeps it too."""
    row = period(ListPlayer("p", 2405, 100), "-1")
    assert (row.rating, row.k, row.k_next, row.reached_k10) == (2395, 10, 10, True)
    row = period(ListPlayer("p", 1400, 100, True), "-1")
    assert (row.rating, row.reached_k10, row.k_next) == (None, True, None)


def test_the_year_of_birth_may_come_with_a_report():
    """8.3.3: the list has none."""
    results = given_changes(2000, "10", k=20)
    born = replace(results[0].event.players[0], birth_year=2010)
    played = RatedEvent(replace(results[0].event, players=(born,)), results[0].result)
    row = only_row(STANDARD, ListInput(MAY, (ListPlayer("p", 2000),), events=(played,)))
    assert row.k == 40
    listed = ListPlayer("p", 2000, birth_year=1990)
    assert only_row(STANDARD, ListInput(MAY, (listed,), events=(played,))).k == 20


@pytest.mark.parametrize(("total", "rating"), [("-0.5", 1400), ("-0.55", None)])
@BOTH
def test_below_1400_a_player_is_unrated(rules, total, rating):
    """7.2.1 (6.2.1): 1410 - 10, 1410 - 11."""
    row = period(ListPlayer("p", 1410, 50), total, rules=rules)
    assert (row.rating, row.status) == (rating, "active" if rating else "unrated")
    assert row.k_next == (20 if rating else None)
    assert row.career_games == 55
    if not rating:
        assert row.steps[-1] == Step(rules.article("7.2.1"), "status", "unrated", "1399 is below 1400")


@pytest.mark.parametrize(
    ("earlier", "before", "status"),
    [
        ((0,) * 11, 0, "inactive"),
        ((0,) * 10, 0, "active"),  # the year is not known in full
        ((0,) * 10 + (1,), 0, "active"),
        ((0,) * 11 + (1,), 0, "inactive"),
        ((), 1, "inactive"),
    ],
)
@BOTH
def test_a_year_without_a_game(rules, earlier, before, status):
    """7.2.2 (6.2.2): this month and the eleven before."""
    player = ListPlayer("p", 1500, games_by_period=earlier, inactive_lists=before)
    row = only_row(rules, ListInput(MAY, (player,)))
    assert (row.status, row.rating, row.k_next) == (status, 1500, 20)
    assert row.games_by_period == (0, *earlier)[:12]
    inactive = status == "inactive"
    assert (row.flags, row.inactive_lists) == ((("i",), before + 1) if inactive else ((), 0))
    told = Step(rules.article("7.2.2"), "status", "inactive", "no rated game in a year")
    assert (told in row.steps) is inactive


def test_one_game_brings_a_player_back_in_2024():
    """7.2.2"""
    player = ListPlayer("p", 1500, games_by_period=(0,) * 12, inactive_lists=30)
    row = period(player, "0", games=1)
    assert (row.status, row.inactive_lists, row.flags) == ("active", 0, ())
    assert per_game.is_inactive(STANDARD, (0,) * 12, False)
    assert not per_game.is_inactive(STANDARD, (1,) + (0,) * 11, True)
