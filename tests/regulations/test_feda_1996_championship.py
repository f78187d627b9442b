"""feda-1996, article 9.4: national championships."""

from dataclasses import replace
from datetime import date

import pytest

from regulations.feda_1996 import championship
from regulations.model import EventPlayer, ListInput, ListPlayer, Sample
from tests.regulations.build import by_id, event, rated_event, value_of
from tests.regulations.feda import RULES, F, foreigner

JULY = date(1996, 7, 1)
NATIONAL = frozenset({"national-championship"})


def swiss(opponents, rounds=None, flags=NATIONAL, player=None):
    """Player u meets each (rating, result) in turn; a and b play every round."""
    ratings = {"u": player or EventPlayer("u", None), "a": 2000, "b": 2000}
    ratings |= {f"o{n}": rating for n, (rating, _) in enumerate(opponents)}
    games = [f"u o{n} {result}" for n, (_, result) in enumerate(opponents)]
    played = event(
        "swiss", ratings, ", ".join(games + ["a b ="] * (rounds or len(games))), flags=flags, id="N"
    )
    count = len(games)
    rounds_of = [*range(1, count + 1), *range(1, len(played.games) - count + 1)]
    renumbered = [replace(game, round=n) for game, n in zip(played.games, rounds_of, strict=True)]
    return replace(played, games=tuple(renumbered))


def row_after(played, *samples, **player):
    given = ListInput(JULY, (ListPlayer("u", None, **player),), samples, (rated_event(RULES, played),))
    result = RULES.next_list(given)
    return by_id(result)["u"], result.samples


@pytest.mark.parametrize(
    ("opponents", "rounds", "rating"),
    [
        ([(1900, "=")] * 5 + [(None, "=")] * 4, 9, 1855),  # (9500 + 7200)/9 = 1855.6, at 50 %
        ([(None, "=")] * 8 + [(None, "1")], 9, 1815),  # 5 of 9: 1800 + 12.5 = 1812.5
        ([(None, "=")] * 9, 9, 1805),  # 1800: 1805 at least
        ([(1900, "1")] * 8, 9, None),  # eight of nine rounds
        ([(1840, "=")] * 8 + [(1840, "0")], 9, None),  # 4 of 9
        ([(1900, "=")] * 8 + [(1900, "+")], 9, None),  # a forfeit is no game
    ],
)
def test_half_of_the_points_in_every_round(opponents, rounds, rating):
    """9.4: 1805 or the higher performance, unrated opponents as 1800, no nine games needed."""
    row, _ = row_after(swiss(opponents, rounds))
    assert row.rating == rating
    assert row.status == ("active" if rating else "unrated")


def test_the_row_and_the_steps():
    """9.4: (2000 + 1800)/2 = 1900 + 12.5 = 1912.5 → 1915; 7.42 leaves no other result."""
    played = swiss([(2000, "1"), (None, "=")])
    result = by_id(RULES.rate(played))["u"]
    assert (result.status, result.games, result.performance, result.pooled) == ("unrated", 0, None, False)
    assert [(step.article, step.label, step.value, step.text) for step in result.steps] == [
        ("9.4", "Ra", "1900", "(2000 + 1800)/2, unrated opponents as 1800"),
        ("9.4", "Ru", "1912.5", "1900 + 12.5 × 1"),
        ("9.4", "rating at least", "1915", "1912.5 to the nearest multiple of 5, at least 1805"),
    ]
    row, kept = row_after(played, Sample("u", JULY, F(1850), 5, F(3)), career_games=1, games_by_period=(2, 2))
    assert (row.rating, row.status, row.games, row.change, row.k, row.k_next) == (
        1915,
        "active",
        2,
        None,
        25,
        25,
    )
    assert (row.career_games, row.games_by_period, row.reached_k10, kept) == (1 + 5 + 2, (2, 2), False, ())
    assert [(step.article, step.label, step.value, step.text) for step in row.steps] == [
        ("9.3", "Rn", "1850", "(1850 × 5)/5 = 1850, to the nearest multiple of 5"),
        ("8.14", "published", "no", "5 of 9 games"),
        *[(step.article, step.label, step.value, step.text) for step in result.steps],
        ("9.4", "Rn", "1915", "N: every round of a championship"),
        ("9.53.a", "K from this list on", "25", "8 of 30 games"),
    ]


def test_a_higher_first_rating_stays():
    """8.14 and 9.4: the higher of the two; games that count in both count once."""
    opponents = [(1900, "="), (1900, "="), (1900, "="), (1900, "="), (None, "=")]
    row, _ = row_after(swiss(opponents), Sample("u", JULY, F(2000), 9, F(3)))
    assert (row.rating, row.games, row.career_games) == (1970, 5, 9 + 4 + 1)  # (18000 + 7600)/13 = 1969.2
    row, _ = row_after(swiss(opponents), Sample("u", JULY, F(1810), 9, F(3)))
    assert row.rating == 1880  # 9.4: 9400/5, higher than (16290 + 7600)/13 = 1837.7
    row, _ = row_after(
        swiss(opponents), Sample("u", JULY, F(1805), 5, F(3)), Sample("u", JULY, F(1500), 9, F(3))
    )
    assert row.rating == 1880  # a first rating below 1805 is none


def test_who_takes_nothing_from_a_championship():
    """9.4: another event, a rated player, a foreigner."""
    opponents = [(1900, "="), (1900, "=")]
    assert championship.award(RULES, swiss(opponents), EventPlayer("u", None))[:2] == (1900, 2)
    assert row_after(swiss(opponents, flags=frozenset({"women"})))[0].rating is None
    assert championship.award(RULES, swiss(opponents), EventPlayer("u", 2000)) is None
    assert championship.award(RULES, swiss(opponents), foreigner("u", 2000)) is None
    since = EventPlayer("u", 2000, rated_since_event=True)
    assert championship.award(RULES, swiss(opponents), since) is None
    unlike = replace(RULES, rated_since_event=False)
    assert championship.award(unlike, swiss(opponents, player=since), since)[0] == 1900


def test_foreign_opponents_count_with_their_fide_rating():
    """9.4 with 9.56"""
    opponents = [(foreigner("o0", 2100), "="), (1900, "=")]
    assert championship.award(RULES, swiss(opponents), EventPlayer("u", None))[0] == 2000
    unknown = [(EventPlayer("o0", None, affiliated=False), "="), (1900, "=")]
    assert championship.award(RULES, swiss(unknown), EventPlayer("u", None))[0] == 1850


def test_all_rounds_of_a_round_robin():
    """9.4: everybody, whatever the numbers of the rounds; five players have a free round each."""
    ratings = {"u": None, "a": 1900, "b": 1900, "c": 1900, "d": 1900}
    text = "u a =, u b =, u c =, u d =, a b =, a c =, a d =, b c =, b d =, c d ="
    played = event("round-robin", ratings, text, flags=NATIONAL, id="N")
    u = played.players[0]
    assert championship.award(RULES, played, u)[:2] == (1900, 4)
    assert championship.award(RULES, replace(played, games=played.games[1:]), u) is None
    double = event("double-round-robin", ratings, f"{text}, {text}", flags=NATIONAL, id="N")
    assert championship.award(RULES, double, u)[:2] == (1900, 8)
    assert championship.award(RULES, replace(double, games=double.games[1:]), u) is None
    assert by_id(RULES.rate(played))["u"].steps[-1].article == "9.4"
    row, kept = row_after(played)
    assert (row.rating, row.games, row.career_games, kept) == (1900, 4, 4, ())


def test_all_rounds_of_an_event_with_a_final():
    """9.4 with 7.2: a round robin of two phases goes by its rounds."""
    ratings = {"u": None, "a": 1900, "b": 1900, "c": 1900}
    played = event("round-robin", ratings, "u a =, u b =, u c =, u a =, u b =, a c =", flags=NATIONAL)
    final = replace(
        played, games=tuple(replace(game, phase=1 if game.round < 4 else 2) for game in played.games)
    )
    u = played.players[0]
    assert championship.award(RULES, final, u) is None  # the sixth round
    assert championship.award(RULES, replace(final, games=final.games[:-1]), u)[:2] == (1900, 5)
    assert championship.award(RULES, replace(final, games=final.games[-1:]), u) is None  # no game at all


def test_the_figures_are_parameters():
    """9.4"""
    rules = replace(RULES, championship_unrated=1850, championship_share=F(2, 3), floor=1870)
    played = swiss([(None, "1"), (None, "="), (None, "=")])
    u = EventPlayer("u", None)
    assert championship.award(rules, played, u)[0] == 1870  # 1850 + 12.5 = 1862.5 → 1865
    below = swiss([(None, "="), (None, "="), (None, "=")])
    assert championship.award(rules, below, u) is None
    lenient = replace(RULES, championship_share=F(0))
    assert championship.award(lenient, swiss([(1900, "0")]), u) is None  # 9.1: no performance at 0 %
    assert value_of(championship.award(lenient, swiss([(1900, "0"), (2300, "=")]), u)[2], "Ru") == "1907"


@pytest.mark.parametrize(
    ("scope", "rating"),
    [(None, 1855), ("national", 1855), ("international", 1855), ("autonomic", None), ("provincial", None)],
)
def test_only_national_championships_give_it(scope, rating):
    """7.33 has the flag for championships of the regions and provinces as well, 9.4 for the national one."""
    played = replace(swiss([(1900, "=")] * 5 + [(None, "=")] * 4), scope=scope)
    assert row_after(played)[0].rating == rating
