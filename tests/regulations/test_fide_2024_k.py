"""fide-standard-2024 and fide-rapid-blitz-2024: K (8.3.3, in the rapid and blitz text 7.3.3)."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.fide_2024.coefficient import NO_AGE, age_in, k_factor, k_text, period_k
from regulations.model import EventPlayer, ListInput, ListPlayer, Sample
from tests.regulations.build import by_id, event, given_changes, only_row

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])


def rate(rules, system, ratings, text, **more):
    return rules.rate(event(system, ratings, text, **more))


@pytest.mark.parametrize(
    ("rating", "games", "reached", "born", "year", "k", "why"),
    [
        (2400, 0, None, 2012, 2026, 10, "published rating has reached 2400"),  # before junior and new
        (2399, 30, None, None, 2026, 20, "below 2400, 30 games or more"),
        (1900, 100, True, 2012, 2026, 10, "published rating has reached 2400"),  # for good
        (2299, 100, False, 2008, 2026, 40, "born in 2008, below 2300 in 2026"),  # the year of the 18th
        (2299, 100, False, 2007, 2026, 20, "below 2400, 30 games or more"),
        (2299, 100, False, 2007, 2025, 40, "born in 2007, below 2300 in 2025"),
        (2300, 100, False, 2012, 2026, 20, "below 2400, 30 games or more"),
        (2300, 29, False, 2012, 2026, 40, "29 of 30 games"),
        (2000, 29, False, 1990, 2026, 40, "29 of 30 games"),
        (2000, 30, False, 1990, 2026, 20, "below 2400, 30 games or more"),
        (2000, 30, False, 2012, None, 20, "below 2400, 30 games or more"),  # no year, no junior
        (2000, 30, False, None, 2026, 20, "below 2400, 30 games or more"),
    ],
)
@BOTH
def test_k_of_a_player(rules, rating, games, reached, born, year, k, why):
    """8.3.3 (7.3.3): 2400 once reached, then junior, then new, then 20."""
    assert k_factor(rules, rating, games, reached, born, year) == (k, why)
    record = {"rating": rating, "career_games": games, "reached_k10": reached}
    assert rules.k_of(**record, birth_year=born, on=year and date(year, 12, 31)) == k


def test_k_by_the_record_without_a_year_of_birth():
    """The protocol's k_of knows no juniors; unknown games mean 30."""
    assert STANDARD.k_of(rating=2000, career_games=None, reached_k10=None) == 20
    assert STANDARD.k_of(rating=2000, career_games=0, reached_k10=None) == 40
    assert STANDARD.k_of(rating=2400, career_games=None, reached_k10=None) == 10
    assert age_in(None, 2026) == NO_AGE > STANDARD.k_junior_age
    new = replace(STANDARD, k_new_games=31)
    assert new.k_of(rating=2000, career_games=None, reached_k10=None) == 20


@pytest.mark.parametrize(
    ("k", "games", "used"),
    [
        (40, 17, 40), (40, 18, 38), (20, 35, 20), (20, 36, 19), (20, 39, 17), (10, 70, 10), (10, 71, 9),
        (40, 0, 40), (10, 701, 0),
    ],
)  # fmt: skip
def test_k_times_games_stays_within_700(k, games, used):
    """8.3.3 (7.3.3)"""
    assert period_k(STANDARD, k, games) == used


def test_why_k_is_less():
    assert k_text(STANDARD, 20, "why", 35) == "why; 35 × 20 = 700, not over 700"
    assert k_text(STANDARD, 20, "why", 36) == (
        "why: 20; 36 × 20 = 720 is over 700; greatest K with 36 × K within it"
    )


@pytest.mark.parametrize(
    ("player", "when", "k"),
    [
        ({"career_games": None}, {}, 20),  # unknown: 30
        ({"career_games": 12}, {}, 40),
        ({"career_games": 12, "reached_k10": True}, {}, 10),
        ({"birth_year": 2007}, {"start": date(2025, 12, 31), "end": date(2026, 1, 2)}, 40),
        ({"birth_year": 2007}, {"start": date(2026, 1, 1)}, 20),
        ({"birth_year": 2007}, {"end": date(2025, 12, 31)}, 40),
        ({"birth_year": 2007}, {}, 20),  # no date: not known to be a junior
        ({"games_in_period": 36}, {}, 19),
        ({"games_in_period": 0}, {}, 20),
    ],
)
@BOTH
def test_k_of_an_event(rules, player, when, k):
    """8.3.3 (7.3.3): won at equal ratings, .5 × K. The same K where no game counts."""
    players = {"a": EventPlayer("a", 2000, **player), "b": 2000}
    own = by_id(rate(rules, "swiss", players, "a b 1", **when))["a"]
    assert (own.k, own.change) == (k, Fraction(k, 2))
    forfeit = by_id(rate(rules, "swiss", players, "a b +", **when))["a"]
    assert (forfeit.k, forfeit.change) == (k, 0)


def test_more_games_than_the_period_was_said_to_have():
    """n is at least the games of this event: 36 at K 20 → 19."""
    ratings = {"a": EventPlayer("a", 2000, games_in_period=3), "b": 2000}
    own = by_id(rate(STANDARD, "swiss", ratings, ", ".join(["a b ="] * 36)))["a"]
    assert (own.games, own.k, own.change) == (36, 19, 0)


@pytest.mark.parametrize(
    ("highest", "k"), [(None, 40), (2150, 40), (2299, 40), (2300, 20), (2399, 20), (2400, 10)]
)
def test_a_junior_who_was_2300_once_does_not_remain_under_2300(highest, k):
    """8.3.3, decision 48: by the highest rating that a list ever printed, where it is known."""
    assert k_factor(STANDARD, 2150, 100, False, 2010, 2026, highest)[0] == k


def test_the_highest_rating_comes_with_the_event_and_with_the_list():
    player = EventPlayer("a", 2150, career_games=100, birth_year=2010, highest_rating=2300)
    played = event("swiss", {"a": player, "b": 2150}, "a b 1", start=date(2026, 5, 1), end=date(2026, 5, 1))
    assert by_id(STANDARD.rate(played))["a"].k == 20
    kept = ListPlayer("p", 2150, career_games=100, birth_year=2010, highest_rating=2300)
    row = only_row(STANDARD, ListInput(date(2026, 6, 1), (kept,)))
    assert (row.k, row.k_next) == (20, 20)
    fresh = ListPlayer("p", 2290, career_games=100, birth_year=2010)
    assert only_row(STANDARD, ListInput(date(2026, 6, 1), (fresh,))).k_next == 40
    # 2300 on the previous list, 2299 on this one
    fallen = ListInput(date(2026, 6, 1), (replace(fresh, rating=2300),), events=given_changes(2300, -1, k=20))
    row = only_row(STANDARD, fallen)
    assert (row.rating, row.k_next) == (2299, 20)


def test_2400_once_reached_stays_with_the_row():
    """By the highest rating alone; a first rating has no such past but keeps what is known of it."""
    row = only_row(
        STANDARD, ListInput(date(2026, 6, 1), (ListPlayer("p", 2100, career_games=100, highest_rating=2405),))
    )
    assert (row.k, row.k_next, row.reached_k10) == (10, 10, True)
    pool = Sample("u", date(2026, 5, 1), Fraction(2000), 5, Fraction(5, 2), (2000,) * 5)
    known = ListPlayer("u", None, birth_year=2010, highest_rating=2350)
    row = only_row(STANDARD, ListInput(date(2026, 6, 1), (known,), (pool,)))
    assert (row.status, row.k_next) == ("active", 40)  # five games: new
    experienced = replace(known, career_games=40)
    assert only_row(STANDARD, ListInput(date(2026, 6, 1), (experienced,), (pool,))).k_next == 20
