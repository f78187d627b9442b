"""fide-standard-2024 and fide-rapid-blitz-2024: events.

Articles are those of the standard text; where the other text differs, its own stand in brackets.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.fide_2024.coefficient import is_junior, k_factor, k_text, period_k
from regulations.fide_2024.rating import performance
from regulations.model import (
    PLAYED,
    UNPLAYED,
    CountedGame,
    Event,
    EventPlayer,
    Finding,
    Game,
    PlayerResult,
    Step,
    Uncounted,
)
from tests.regulations.build import by_id, event

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])
OCTOBER = date(2025, 10, 1)


def rate(rules, system, ratings, text, **more):
    return rules.rate(event(system, ratings, text, **more))


def delta(rules, own, opponent, mark, **more):
    """Score - PD of the player "a" in one game."""
    result = by_id(rate(rules, "swiss", {"a": own, "b": opponent}, f"a b {mark}", **more))["a"]
    return result.score - result.expected


# --- 8.3.1-8.3.2: the change ----------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "chapter"), [(STANDARD, 8), (RAPID, 7)], ids=["std", "rapid"])
def test_four_games_of_a_rated_player(rules, chapter):
    """8.3.1, 8.3.2, 2000 against: 2050 won, D -50, .43: .57; 2450 drawn, -450 → -400, .08: .42; 1580
    lost, 420 → 400, .92: -.92; 2000 drawn: 0. Sum .07; × 20 = 1.4."""
    ratings = {"p": EventPlayer("p", 2000, career_games=64), "q": 2050, "r": 2450, "s": 1580, "t": 2000}
    result = rate(rules, "swiss", ratings, "p q 1, r p =, p s 0, t p =", start=date(2024, 5, 10))
    assert (result.rated, result.treated_as, result.findings, result.ra) == (True, "swiss", (), None)
    one, two, at = f"{chapter}.3.1", f"{chapter}.3.2", f"{chapter}.3.3"
    half = Fraction(1, 2)
    assert by_id(result)["p"] == PlayerResult(
        "p",
        "rated",
        4,
        Fraction(2),
        rc=Fraction(2020),
        expected=Fraction("1.93"),
        k=20,
        change=Fraction("1.4"),
        counted=(
            CountedGame(1, "q", True, Fraction(1), 2050, -50, Fraction("0.43"), one),
            CountedGame(2, "r", False, half, 2400, -400, Fraction("0.08"), one),
            CountedGame(3, "s", True, Fraction(0), 1600, 400, Fraction("0.92"), one),
            CountedGame(4, "t", False, half, 2000, 0, half, one),
        ),
        steps=(
            Step(f"{two}b", "ΔR round 1", "0.57", "q: D 2000 - 2050 = -50; PD 0.43; 1 - 0.43"),
            Step(
                f"{two}b",
                "ΔR round 2",
                "0.42",
                "r: D 2000 - 2450 = -450, limited to 400; PD 0.08; 0.5 - 0.08",
            ),
            Step(
                f"{two}b", "ΔR round 3", "-0.92", "s: D 2000 - 1580 = 420, limited to 400; PD 0.92; 0 - 0.92"
            ),
            Step(f"{two}b", "ΔR round 4", "0", "t: D 2000 - 2000 = 0; PD 0.5; 0.5 - 0.5"),
            Step(f"{two}c", "ΣΔR", "0.07", "0.57 + 0.42 - 0.92 + 0"),
            Step(at, "K", "20", "below 2400, 30 games or more; 4 × 20 = 80, not over 700"),
            Step(f"{two}d", "change", "1.4", f"20 × 0.07; rounded with the period's sum ({chapter}.3.4)"),
        ),
    )


@pytest.mark.parametrize(
    ("own", "opponent", "mark", "expected"),
    [
        (2000, 1600, "1", "0.08"),  # 400: .92
        (2000, 1599, "1", "0.08"),
        (2000, 1200, "0", "-0.92"),
        (1200, 2000, "1", "0.92"),
        (2000, 1609, "1", "0.09"),  # 391: .91
        (1996, 2000, "=", "0.01"),  # -4: .49
        (1997, 2000, "=", "0"),
    ],
)
@BOTH
def test_the_limit_of_400_points(rules, own, opponent, mark, expected):
    """8.3.1 (7.3.1)"""
    assert delta(rules, own, opponent, mark, start=date(2024, 3, 1)) == Fraction(expected)


@pytest.mark.parametrize(
    ("own", "when", "expected"),
    [
        (2650, {"start": OCTOBER}, "0.06"),  # 450: .94
        (2649, {"start": OCTOBER}, "0.08"),
        (2650, {"start": date(2025, 9, 30), "end": OCTOBER}, "0.08"),  # the start decides
        (2650, {"end": OCTOBER}, "0.06"),
        (2650, {"end": date(2025, 9, 30)}, "0.08"),
        (2650, {}, "0.06"),  # no date: the text of today
    ],
)
def test_from_2650_on_the_difference_is_taken_in_full(own, when, expected):
    """8.3.1 from October 2025, for the player's own rating only: the opponent sees 400, -.08."""
    opponent = own - 450
    assert delta(STANDARD, own, opponent, "1", **when) == Fraction(expected)
    assert delta(STANDARD, opponent, own, "0", **when) == Fraction("-0.08")


def test_the_full_difference_is_told():
    """8.3.1: 2750 - 2000 = 750, over 735: PD 1."""
    own = by_id(rate(STANDARD, "swiss", {"a": 2750, "b": 2000, "c": 2400}, "a b =, a c ="))["a"]
    assert own.steps[0] == Step(
        "8.3.2b", "ΔR round 1", "-0.5", "b: D 2750 - 2000 = 750, in full from 2650 on; PD 1; 0.5 - 1"
    )
    assert own.steps[1].text == "c: D 2750 - 2400 = 350; PD 0.89; 0.5 - 0.89"
    assert own.counted[0] == CountedGame(1, "b", True, Fraction(1, 2), 2000, 750, Fraction(1), "8.3.1")


def test_no_full_difference_in_rapid_chess_and_blitz():
    """7.3.1: 2700 v 2101 (599): .92."""
    assert delta(RAPID, 2700, 2101, "1", start=date(2025, 11, 7)) == Fraction("0.08")


@pytest.mark.parametrize(
    ("strong", "weak", "when", "rated"),
    [
        (2601, 2001, {"start": date(2024, 12, 1)}, False),  # 600
        (2601, 2002, {"start": date(2024, 12, 1)}, True),  # 599
        (2600, 1900, {"start": date(2024, 12, 1)}, True),  # not above 2600
        (2601, 1800, {"start": date(2024, 11, 30), "end": date(2024, 12, 1)}, True),
        (2601, 1800, {"end": date(2024, 12, 1)}, False),
        (2601, 1800, {}, False),
    ],
)
def test_600_points_and_a_player_above_2600(strong, weak, when, rated):
    """7.3.1 from December 2024, for both players; standard chess has no such rule."""
    ratings = {"s": strong, "w": weak}
    result = by_id(rate(RAPID, "swiss", ratings, "s w 1, w s =", **when))
    assert [each.games for each in result.values()] == ([2, 2] if rated else [0, 0])
    reason = f"{strong - weak} points apart, a player above 2600"
    if not rated:
        assert result["s"].uncounted == (
            Uncounted(1, "w", "7.3.1", reason), Uncounted(2, "w", "7.3.1", reason)
        )  # fmt: skip
        assert [each.reason for each in result["w"].uncounted] == [reason, reason]
    standard = by_id(rate(STANDARD, "swiss", ratings, "s w 1, w s =", **when))
    assert [each.games for each in standard.values()] == [2, 2]


def test_an_unrated_players_game_with_a_strong_opponent_counts_for_him():
    """7.3.1 speaks of two ratings."""
    result = by_id(rate(RAPID, "swiss", {"s": 2700, "u": None}, "s u ="))
    assert (result["u"].games, result["u"].counted[0].opponent_rating) == (1, 2700)
    assert result["s"].uncounted == (Uncounted(1, "u", "7.3.1", "unrated opponent"),)


# --- 8.3.3: K -------------------------------------------------------------------------------------


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
    assert rules.k_of(**record, birth_year=born, year=year) == k


def test_k_by_the_record_without_a_year_of_birth():
    """The protocol's k_of knows no juniors; unknown games mean 30."""
    assert STANDARD.k_of(rating=2000, career_games=None, reached_k10=None) == 20
    assert STANDARD.k_of(rating=2000, career_games=0, reached_k10=None) == 40
    assert STANDARD.k_of(rating=2400, career_games=None, reached_k10=None) == 10
    assert not is_junior(STANDARD, None, 2026)
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


# --- 8.2: unrated players ---------------------------------------------------------------------------


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
            Step(at, "p", "0.63", "(1.5 + 1)/4, to two decimals"),
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
    assert steps[-1] == Step(
        "8.2.3", "Ru", "2200", "2228.5714 + 50, to a whole number = 2279, limited to 2200"
    )


def test_the_two_draws_are_parameters():
    """8.2.2: with one game against 1000, (2000 + 1000)/2 and p .75: +193; dp_certain without any."""
    rules = replace(STANDARD, hypothetical_opponents=1, hypothetical_rating=1000)
    assert performance(rules, (2000,), Fraction(1))[0] == 1500 + 193
    assert performance(rules, (2000,), Fraction(1))[1][1].text == "(1 + 0.5)/2, to two decimals"
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


# --- 5, 6 and 0.2: the event -----------------------------------------------------------------------


@BOTH
def test_unplayed_games_of_2024(rules):
    """5.1 (4.1)"""
    own = by_id(rate(rules, "swiss", {"a": 2000, "b": 2000}, "a b +, a b -/-, a b =/="))["a"]
    at = rules.article("5.1")
    assert own == PlayerResult(
        "a",
        "rated",
        0,
        Fraction(0),
        expected=Fraction(0),
        k=20,
        change=Fraction(0),
        uncounted=(
            Uncounted(1, "b", at, "forfeit"),
            Uncounted(2, "b", at, "forfeit"),
            Uncounted(3, "b", at, "agreed without a move"),
        ),
    )


EIGHT = ", ".join(["a b 1"] * 5 + ["a b 0"] * 3)
WAIVED = frozenset({"decided-match-games"})


@pytest.mark.parametrize(
    ("scheduled", "granted", "games"), [(8, (), 5), (8, WAIVED, 8), (10, (), 8), (12, (), 8)]
)
@BOTH
def test_games_after_a_match_was_decided_in_2024(rules, scheduled, granted, games):
    """6.2 (5.2): 5 points of 8 after game 5; matches of any length."""
    result = rate(
        rules,
        "match",
        {"a": 2300, "b": 2300},
        EIGHT,
        scheduled_games=scheduled,
        authorizations=frozenset(granted),
    )
    own = by_id(result)["a"]
    assert (result.findings, own.games, own.score) == ((), games, 5)
    at = rules.article("6.2")
    assert own.uncounted == tuple(
        Uncounted(number, "b", at, "after the match was decided") for number in range(games + 1, 9)
    )
    uncut = replace(rules, cut_decided_match=False)
    assert by_id(rate(uncut, "match", {"a": 2300, "b": 2300}, EIGHT, scheduled_games=8))["a"].games == 8


@BOTH
def test_a_match_of_unknown_length(rules):
    """6.2 (5.2)"""
    text = "The scheduled number of games is not known: games after the match was decided count."
    warning = Finding(
        "warning", "scheduled-games-unknown", rules.article("6.2"), text, "decided-match-games", "rounds"
    )
    players = {"a": 2300, "b": 2300}
    result = rate(rules, "match", players, EIGHT)
    assert (result.rated, result.findings) == (True, (warning,))
    assert by_id(result)["a"].games == 8
    assert rate(rules, "match", players, EIGHT, authorizations=WAIVED).findings == ()
    assert rate(replace(rules, cut_decided_match=False), "match", players, EIGHT).findings == ()
    assert rate(rules, "swiss", players, EIGHT).findings == ()


@BOTH
def test_a_match_with_an_unrated_player_is_not_rated_in_2024(rules):
    """6.1 (5.1); 7.2.1 makes the second rated."""
    result = rate(rules, "match", {"a": 2300, "b": None}, "a b 1", scheduled_games=1)
    at = rules.article("6.1")
    text = "A match with an unrated player is not rated."
    assert (result.rated, result.treated_as) == (False, "match")
    assert result.findings == (Finding("error", "unrated-in-match", at, text, None, "players"),)
    zero, why = Fraction(0), (at, "event not rated")
    uncounted = {"a": (Uncounted(1, "b", *why),), "b": (Uncounted(1, "a", *why),)}
    assert result.players == (
        PlayerResult("a", "rated", 0, zero, None, zero, 20, zero, uncounted=uncounted["a"]),
        PlayerResult("b", "unrated", 0, zero, pooled=False, uncounted=uncounted["b"]),
    )
    standard = {"a": 2300, "b": EventPlayer("b", None, standard_rating=2250)}
    assert rate(rules, "match", standard, "a b 1", scheduled_games=1).rated is (rules is RAPID)
    late = {"a": 2300, "b": EventPlayer("b", 2250, rated_since_event=True)}
    assert not rate(rules, "match", late, "a b 1", scheduled_games=1).rated


@BOTH
def test_a_hybrid_event_needs_approval_in_the_report(rules):
    """0.2"""
    players, flags = {"a": 2000, "b": 2000}, frozenset({"hybrid"})
    refused = rate(rules, "swiss", players, "a b 1", flags=flags)
    assert (refused.rated, by_id(refused)["a"].uncounted) == (
        False, (Uncounted(1, "b", "0.2", "event not rated"),)
    )  # fmt: skip
    approved = frozenset({"hybrid-approval"})
    allowed = rate(rules, "swiss", players, "a b 1", flags=flags, authorizations=approved)
    assert (allowed.rated, [each.severity for each in allowed.findings]) == (True, ["warning"])


def test_players_of_every_kind_of_event_are_rated_game_by_game():
    """There is no article on round robins."""
    ratings, text = {"a": 2000, "b": 2100, "u": None}, "a b =, a u 0, b u ="
    results = {system: rate(STANDARD, system, ratings, text) for system in ("swiss", "round-robin", "team")}
    assert results["swiss"].players == results["round-robin"].players == results["team"].players
    assert [each.treated_as for each in results.values()] == list(results)


def test_who_was_never_paired_is_there_with_nothing():
    result = by_id(rate(STANDARD, "swiss", {"a": 2000, "b": 2000, "c": 1500, "d": None}, "a b 1"))
    assert (result["c"].status, result["c"].change, result["d"].status) == ("rated", 0, "unrated")


# --- whatever the event ------------------------------------------------------------------------------


@st.composite
def events(draw):
    """A few rounds among six players, with or without ratings, in either year of the amendments."""
    ids = "abcdef"
    rating = st.one_of(st.none(), st.integers(1400, 2850))
    players = tuple(
        EventPlayer(
            each,
            draw(rating),
            career_games=draw(st.one_of(st.none(), st.integers(0, 40))),
            birth_year=draw(st.sampled_from([None, 1980, 2007, 2010])),
            standard_rating=draw(rating),
            first_event=draw(st.booleans()),
        )
        for each in ids
    )
    games = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        order = draw(st.permutations(ids))
        games += [
            Game(number, white, black, draw(st.sampled_from(PLAYED + UNPLAYED)))
            for white, black in zip(order[::2], order[1::2], strict=True)
        ]
    start = draw(st.sampled_from([date(2024, 6, 1), date(2025, 6, 1), date(2026, 6, 1)]))
    return Event("swiss", players, tuple(games), start=start)


MIRROR = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([STANDARD, RAPID]), events(), st.randoms(use_true_random=False))
def test_order_and_colours_never_matter_in_2024(rules, played, shuffle):
    """The same numbers for players and games in any order, and with colours swapped."""
    expected = rules.rate(played)
    players, games = list(played.players), list(played.games)
    shuffle.shuffle(players)
    shuffle.shuffle(games)
    assert rules.rate(replace(played, players=tuple(players), games=tuple(games))) == expected
    swapped = tuple(
        Game(game.round, game.black, game.white, MIRROR.get(game.result, game.result)) for game in games
    )
    other = rules.rate(replace(played, games=swapped))
    assert [replace(each, counted=()) for each in other.players] == [
        replace(each, counted=()) for each in expected.players
    ]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([STANDARD, RAPID]), events())
def test_what_each_result_adds_up_to(rules, played):
    """Change = K × (score - expected); every game is counted or not; K is one of the text's or less."""
    result = rules.rate(played)
    for player in result.players:
        lines = sum(player.id in (game.white, game.black) for game in played.games)
        assert len(player.counted) + len(player.uncounted) == lines
        assert player.games == len(player.counted)
        if player.status == "rated":
            assert player.change == player.k * (player.score - player.expected)
            assert player.k in (10, 20, 40)
        elif player.games:
            assert 0 < player.performance <= 2200
