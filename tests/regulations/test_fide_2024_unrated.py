"""fide-standard-2024 and fide-rapid-blitz-2024: unrated players in events.

Articles are those of the standard text; where the other text differs, its own stand in brackets.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.fide_2024.rating import performance
from regulations.model import (
    CountedGame,
    EventPlayer,
    PlayerResult,
    Step,
    Uncounted,
)
from tests.regulations.build import by_id, event

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])


def rate(rules, system, ratings, text, **more):
    return rules.rate(event(system, ratings, text, **more))


@pytest.mark.parametrize(
    ("opponents", "score", "ru"),
    [
        ((1902, 1877, 1884, 2012, 1832), "3", 1922),  # 13107/7 = 1872.43 + 50 (p 4/7 = .57)
        ((2400,) * 5, "3", 2200),  # 15600/7 = 2228.57 + 50 → 2279, 2200 at most
        ((2600, 2600), "1", 2200),  # 8800/4 = 2200 at .50
        ((2598, 2600), "1", 2200),  # 2199.5 → 2200
        ((2596, 2600), "1", 2199),
        ((1801, 1801), "1", 1801),  # 1800.5 → 1801
        ((2000,) * 6, "0", 1628),  # 15600/8 = 1950; p 1/8 = .125 → .13: -322
        ((2000,) * 6, "0.5", 1699),  # p 1.5/8 = .1875 → .19: -251
        ((1800,), "1", 1925),  # p 2/3 = .67: +125
        ((1500, 1600, 1700), "3", 1920),  # 8400/5 = 1680; p 4/5: +240
    ],
)
@BOTH
def test_ru_with_two_drawn_games_against_1800(rules, opponents, score, ru):
    """8.2.2, 8.2.3 (7.2.3, 7.2.4)"""
    assert performance(rules, opponents, Fraction(score))[0] == ru


@pytest.mark.parametrize(("rules", "chapter", "ra", "ru"), [(STANDARD, 8, 2, 3), (RAPID, 7, 3, 4)])
def test_the_result_of_an_unrated_player(rules, chapter, ra, ru):
    """8.2.2, 8.2.3: (2000 + 1900 + 3600)/4 = 1875; p (1.5 + 1)/4 = .625 → .63: +95."""
    ratings = {"u": None, "a": 2000, "b": 1900, "v": None}
    result = by_id(rate(rules, "swiss", ratings, "u a 1, b u =, u v 1, u a +"))
    at = f"{chapter}.2.{ra}"
    assert result["u"] == PlayerResult(
        "u",
        "unrated",
        2,
        Fraction(3, 2),
        performance=Fraction(1970),
        pooled=True,
        counted=(
            CountedGame(1, "a", True, Fraction(1), 2000, article=at),
            CountedGame(2, "b", False, Fraction(1, 2), 1900, article=at),
        ),
        uncounted=(
            Uncounted(3, "v", at, "unrated opponent"),
            Uncounted(4, "a", rules.article("5.1"), "forfeit"),
        ),
        steps=(
            Step(at, "Ra", "1875", "(2000 + 1900 + 2 × 1800)/4"),
            Step(at, "p", "0.63", "(1.5 + 1)/4, rounded to two decimals"),
            Step(f"{chapter}.1.1", "dp", "95", "p 0.63"),
            Step(f"{chapter}.2.{ru}", "Ru", "1970", "1875 + 95, to a whole number"),
        ),
    )
    assert result["v"] == PlayerResult(
        "v", "unrated", 0, Fraction(0), pooled=False, uncounted=(Uncounted(3, "u", at, "unrated opponent"),)
    )
    assert result["a"].uncounted[0] == Uncounted(1, "u", f"{chapter}.3.1", "unrated opponent")


def test_the_maximum_is_told():
    """8.2.3"""
    _, steps = performance(STANDARD, (2400,) * 5, Fraction(3))
    assert steps[-2:] == (
        Step("8.2.3", "Ru", "2279", "2228.5714 + 50, to a whole number"),
        Step("8.2.3", "Ru", "2200", "2279 is over 2200, the highest first rating"),
    )
    assert len(performance(STANDARD, (2600, 2600), Fraction(1))[1]) == 4  # 2200 is not over 2200


def test_the_two_draws_are_parameters():
    """8.2.2: with one game against 1000, (2000 + 1000)/2 and p .75: +193; dp_certain without any."""
    rules = replace(STANDARD, hypothetical_opponents=1, hypothetical_rating=1000)
    assert performance(rules, (2000,), Fraction(1))[0] == 1500 + 193
    assert performance(rules, (2000,), Fraction(1))[1][1].text == "(1 + 0.5)/2, rounded to two decimals"
    rules = replace(STANDARD, hypothetical_opponents=0, dp_certain=700)
    assert performance(rules, (2000,), Fraction(0))[0] == 1300


@BOTH
def test_zero_in_the_first_event_of_2024(rules):
    """8.2.1 (7.2.2): disregarded; half a point counts, and so does a zero in a later event."""
    ratings = {"u": None, "a": 2000, "b": 1900}
    first = by_id(rate(rules, "swiss", ratings, "u a 0, u b -, b u 1"))["u"]
    zero = rules.article("8.2.1")
    assert first == PlayerResult(
        "u",
        "unrated",
        0,
        Fraction(0),
        pooled=False,
        uncounted=(
            Uncounted(1, "a", zero, "zero in the first event"),
            Uncounted(2, "b", rules.article("5.1"), "forfeit"),
            Uncounted(3, "b", zero, "zero in the first event"),
        ),
    )
    half = by_id(rate(rules, "swiss", ratings, "u a 0, u b ="))["u"]
    assert (half.games, half.pooled) == (2, True)
    later = {**ratings, "u": EventPlayer("u", None, first_event=False)}
    counted = by_id(rate(rules, "swiss", later, "u a 0, u b 0"))["u"]
    # (2000 + 1900 + 3600)/4 = 1875; p 1/4: -193
    assert (counted.games, counted.score, counted.performance, counted.pooled) == (2, 0, 1682, True)
    assert by_id(rate(rules, "swiss", {"a": 2000, "b": 1900}, "a b 0"))["a"].games == 1


@BOTH
def test_rated_since_the_event_of_2024(rules):
    """8.2.4 (7.2.5): L 2050 v 2100 won, v 2000 drawn: .57 - .07 = .50 × 20; for the others unrated."""
    late = EventPlayer("l", 2050, rated_since_event=True, birth_year=1990)
    result = by_id(rate(rules, "swiss", {"l": late, "a": 2100, "b": 2000}, "l a 1, l b =, a b 1"))
    assert (result["l"].status, result["l"].games, result["l"].change) == ("rated", 2, 10)
    assert result["a"].uncounted == (Uncounted(1, "l", rules.article("8.3.1"), "unrated opponent"),)
    assert (result["a"].games, result["a"].change) == (1, Fraction("7.2"))
    assert result["l"].steps[0].label == "ΔR round 1"


@pytest.mark.parametrize("since", [False, True])
def test_the_standard_rating_stands_in_in_2024(since):
    """7.2.1: 2000 by the standard list, whatever rating he has now; 7.2.5 does not apply; K of a new
    player: .5 × 40. In standard chess he is unrated."""
    player = EventPlayer("s", 2300 if since else None, 0, standard_rating=2000, rated_since_event=since)
    result = by_id(rate(RAPID, "swiss", {"s": player, "b": 2000}, "s b 1"))
    assert (result["s"].status, result["s"].change, result["s"].k) == ("rated", 20, 40)
    assert result["s"].steps[0] == Step("7.2.1", "R", "2000", "the standard rating")
    assert (result["b"].games, result["b"].change) == (1, -10)
    standard = by_id(rate(STANDARD, "swiss", {"s": replace(player, rating=None), "b": 2000}, "s b 1"))
    assert (standard["s"].status, standard["b"].games) == ("unrated", 0)


def test_the_rating_of_its_own_kind_comes_first():
    """7.2.1 is for unrated players only."""
    player = EventPlayer("s", 1900, standard_rating=2000)
    own = by_id(rate(RAPID, "swiss", {"s": player, "b": 1900}, "s b ="))["s"]
    assert (own.change, own.steps[0].label) == (0, "ΔR round 1")


def test_k_of_a_standard_rating_that_stands_in():
    """7.2.1, 7.3.3: unknown games are 0 without a rating of this kind; 2400 is 2400."""

    def k(rating):
        player = EventPlayer("s", None, standard_rating=rating)
        return by_id(rate(RAPID, "swiss", {"s": player, "b": 2300}, "s b ="))["s"].k

    assert (k(2399), k(2400)) == (40, 10)
    player = EventPlayer("s", None, standard_rating=2000)
    own = by_id(rate(RAPID, "swiss", {"s": player, "b": 2300}, "s b ="))["s"]
    assert own.steps[-2].text == "0 of 30 games; 1 × 40 = 40, not over 700"
