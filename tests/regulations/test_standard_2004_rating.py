"""fide-standard-2004, articles 5, 6 and 10: events, each figure derived by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.exact import half_up, show
from regulations.fide_standard_2004 import WORKED_EXAMPLE, FideStandard2004
from regulations.fide_standard_2004.rating import k_factor, performance
from regulations.model import EventPlayer, Game
from tests.regulations.build import by_id, event, value_of

RULES = FideStandard2004()


def rate(system, ratings, text, **more):
    return RULES.rate(event(system, ratings, text, **more))


def test_average_of_opponents_and_change_in_a_swiss_tournament():
    """10.51-10.54: Rc (2000 + 2150)/2 = 2075; D 25, PD .53, We 1.06; 15 × (1.5 - 1.06) = 6.6."""
    own = by_id(rate("swiss", {"a": 2100, "b": 2000, "c": 2150}, "a b 1, c a ="))["a"]
    assert (own.rc, own.expected, own.k, own.change) == (
        2075,
        Fraction("1.06"),
        15,
        Fraction("6.6"),
    )
    assert [step.article for step in own.steps] == [
        "10.51",
        "10.53",
        "10.1b",
        "10.54",
        "10.54",
        "10.54",
        "10.54",
    ]
    assert own.steps[-1].text == "15 × (1.5 - 1.06)"


@pytest.mark.parametrize(
    ("own", "opponent", "counts_for"), [(2351, 2000, 2001), (2350, 2000, 2000), (2000, 2400, 2350)]
)
def test_an_opponent_counts_at_most_350_points_away(own, opponent, counts_for):
    """10.51"""
    result = by_id(rate("swiss", {"a": own, "b": opponent}, "a b 1"))["a"]
    assert result.rc == counts_for
    assert result.counted[0].opponent_rating == counts_for


def test_the_difference_is_rounded_half_away_from_zero():
    """Decision 21: 2100 - 2096.5 = 3.5 → 4 → .51, and 2100 - 2103.5 → -4 → .49."""
    above = by_id(rate("swiss", {"a": 2100, "b": 2096, "c": 2097}, "a b =, a c ="))["a"]
    below = by_id(rate("swiss", {"a": 2100, "b": 2103, "c": 2104}, "a b =, a c ="))["a"]
    assert (above.expected, below.expected) == (Fraction("1.02"), Fraction("0.98"))


@pytest.mark.parametrize(
    ("games", "rating", "reached", "k"),
    [
        (29, 2450, True, 25),  # both conditions are needed for 10
        (30, 2000, False, 15),
        (30, 2399, False, 15),
        (30, 2400, False, 10),
        (100, 2350, True, 10),  # for good
        (None, 2000, None, 15),
        (None, 2400, None, 10),
        (0, 1900, None, 25),
    ],
)
def test_development_coefficient(games, rating, reached, k):
    """10.54"""
    assert k_factor(RULES, games, rating, reached)[0] == k


@pytest.mark.parametrize(
    ("opponents", "score", "ru"),
    [
        ((2100, 2200, 2300), "1.5", "2200"),  # 10.22
        ((2100, 2200, 2300), "3", "2237.5"),  # 10.23: three half points
        ((2100, 2200, 2300), "1", "2075"),  # 10.24: p .33, dp -125
        ((2000, 2001, 2001), "1.5", "2000.6667"),
    ],
)
def test_performance_in_a_swiss_tournament(opponents, score, ru):
    names = dict(zip("bcd", opponents, strict=True))
    marks = {"1.5": "1=0", "3": "111", "1": "100"}[score]
    text = ", ".join(f"u {name} {mark}" for name, mark in zip("bcd", marks, strict=True))
    result = by_id(rate("swiss", {"u": None, **names}, text))["u"]
    assert show(result.performance) == ru
    assert (result.status, result.games, result.pooled) == ("unrated", 3, True)


def test_performance_below_half_in_a_round_robin_is_reduced():
    """10.25: Ra 2100, one point of four: p .25, dp -193; 2100 - 193 × 4/5 = 1945.6."""
    assert performance(RULES, 2100, Fraction(1), 4, 4)[0] == Fraction("1945.6")
    assert performance(WORKED_EXAMPLE, 2100, Fraction(1), 4, 4)[0] == 1907


@pytest.mark.parametrize(
    ("ratings", "text", "article"),
    [
        ({"b": 2000, "c": 2010, "d": 2020}, "u b =, u c 0, u d 0", "6.1"),
        ({"b": 2000, "c": 2010, "d": 2020}, "u b 0, u c 0, u d 0", "6.1"),
        ({"b": 2000, "c": 2010}, "u b 1, u c =", "6.42"),
        ({"b": 2000, "c": 2010}, "u b 1, u c 1, c u 0, b u 0", "6.42"),  # two different opponents
    ],
)
def test_an_unrated_players_result_that_is_disregarded(ratings, text, article):
    """6.1, 6.42"""
    result = by_id(rate("swiss", {"u": None, **ratings}, text))["u"]
    assert (result.games, result.performance, result.pooled) == (0, None, False)
    assert {each.article for each in result.uncounted} == {article}
    assert len(result.uncounted) == len(text.split(","))


def test_a_first_performance_under_1801_is_reported_but_not_kept():
    """10.31, 11.31: (1700 × 3)/3 + 0 = 1700 at 50 %."""
    text = "u b 1, u c =, u d 0"
    opponents = {"b": 1700, "c": 1700, "d": 1700}
    first = by_id(rate("swiss", {"u": None, **opponents}, text))["u"]
    later = by_id(rate("swiss", {"u": EventPlayer("u", None, first_event=False), **opponents}, text))["u"]
    assert (first.performance, first.games, first.pooled) == (1700, 3, False)
    assert later.pooled is True


def test_unplayed_games_and_unrated_opponents_do_not_count_in_a_swiss_tournament():
    """5.1, 6.4: only a - b counts; D 2050 - 1990 = 60 → .58; 15 × .42 = 6.3."""
    played = event("swiss", {"a": 2050, "b": 1990, "u": None}, "a b 1, a u 0, a b +, a b =/=")
    played = replace(played, games=(*played.games, Game(9, "a", None, "bye-1/2")))
    own = by_id(RULES.rate(played))["a"]
    assert own.change == Fraction("6.3")
    assert [(each.round, each.article, each.reason) for each in own.uncounted] == [
        (2, "6.4", "unrated opponent"),
        (3, "5.1", "forfeit"),
        (4, "5.1", "agreed without a move"),
        (9, "5.1", "bye"),
    ]


def test_a_rated_player_without_a_counted_game_changes_by_nothing():
    own = by_id(rate("swiss", {"a": 2050, "b": 1990}, "a b +"))["a"]
    assert (own.games, own.change, own.rc, own.k) == (0, 0, None, 15)


def test_games_after_a_match_was_decided_do_not_count():
    """6.5: scheduled for 4, decided at 2.5 after game 3; D 0, 15 × (2.5 - 1.5) = 15."""
    text = "a b 1, b a =, a b 1, b a 1"
    own = by_id(rate("match", {"a": 2300, "b": 2300}, text, scheduled_games=4))["a"]
    assert (own.games, own.change) == (3, 15)
    assert own.uncounted[0].article == "6.5"
    unknown = rate("match", {"a": 2300, "b": 2300}, text)
    assert by_id(unknown)["a"].games == 4
    assert [each.code for each in unknown.findings] == ["scheduled-games-unknown"]


def test_matches_with_one_and_with_two_unrated_players():
    """6.4 lets one pass; 6.42 then leaves him without a result."""
    one = rate("match", {"a": 2300, "b": None}, "a b 1, b a =", scheduled_games=2)
    assert one.rated
    assert {each.games for each in one.players} == {0}
    two = rate("match", {"a": None, "b": None}, "a b 1, b a =", scheduled_games=2)
    assert not two.rated
    assert two.findings[0].article == "6.4"
    assert {game.reason for each in two.players for game in each.uncounted} == {"event not rated"}


def test_an_event_of_more_than_ninety_days_is_not_rated():
    """4.1, 4.11"""
    dates = {"start": date(2004, 1, 1), "end": date(2004, 3, 31)}
    assert not rate("swiss", {"a": 2050, "b": 1990}, "a b 1", **dates).rated
    assert rate("swiss", {"a": 2050, "b": 1990}, "a b 1", flags=frozenset({"league"}), **dates).rated


def test_rated_since_the_event_counts_as_rated_for_himself_only():
    """10.4: L 2000 v 2060: D -60 → .42 × 1, 25 × .58 = 14.5; the opponent has no counted game."""
    late = EventPlayer("l", 2000, career_games=12, rated_since_event=True)
    players = by_id(rate("swiss", {"l": late, "a": 2060}, "l a 1"))
    assert (players["l"].change, players["a"].games) == (Fraction("14.5"), 0)


def all_play_all(scores):
    """Games in which the players reach these scores with wins only: from the lowest score up, each
    beats as many of the weakest left as he needs and loses to the others."""
    left, rest, found = dict(scores), sorted(scores), []
    while len(rest) > 1:
        rest.sort(key=lambda name: left[name])
        name = rest.pop(0)
        wins = left[name]
        for place, other in enumerate(sorted(rest, key=lambda each: left[each])):
            found.append(f"{name} {other} {'1' if place < wins else '0'}")
            left[other] -= place >= wins
    return ", ".join(found)


TEN = {"A": 2600, "B": 2500, "C": None, "D": 2400, "E": None, "F": 2150, "G": 2300, "H": None, "I": None}
TEN["J"] = 2300
SCORES = {"A": 8, "B": 7, "C": 7, "D": 6, "E": 6, "F": 4, "G": 3, "H": 2, "I": 1, "J": 1}


def test_fides_worked_example_of_a_round_robin_with_unrated_players():
    """Handbook of 2003, 10.58. Rar 14250/6 = 2375; dp 351, 220, 125, -43, -125, -351: dpa 29.5;
    Ra 2375 - 29.5 × 9/10 = 2348. The limit of 350 moves I (1997 at first) and H (2128) up for A, B, D,
    A down for F, and so on: one pass."""
    result = WORKED_EXAMPLE.rate(event("round-robin", TEN, all_play_all(SCORES)))
    assert (result.rated, result.treated_as, result.ra) == (True, "round-robin", 2348)
    players = by_id(result)
    steps = players["A"].steps
    assert (value_of(steps, "Rar"), value_of(steps, "dpa"), value_of(steps, "Ra")) == ("2375", "29.5", "2348")
    first = {name: each.steps[3].value for name, each in players.items() if each.status == "rated"}
    assert first == {"A": "2320", "B": "2331", "D": "2342", "F": "2370", "G": "2353", "J": "2353"}
    assert {name: each.rc for name, each in players.items() if each.status == "rated"} == {
        "A": 2373,
        "B": 2350,
        "D": 2348,
        "F": 2359,
        "G": 2353,
        "J": 2353,
    }
    assert {name: each.performance for name, each in players.items() if each.status == "unrated"} == {
        "C": 2418,
        "E": 2390,
        "H": 2112,
        "I": 1935,
    }
    assert {name: show(each.change) for name, each in players.items() if each.status == "rated"} == {
        "A": "8.9",
        "B": "7",
        "D": "8.7",
        "F": "28.95",
        "G": "-13.05",
        "J": "-43.05",
    }


def test_the_same_tournament_by_the_text():
    """10.25 with n/(n+1): H 2348 - 220 × 9/10 = 2150, I 2348 - 351 × 9/10 = 2032.1. For A the limit adds
    100 (F) + 100 (H) + 217.9 (I) over 9: Rc 2320 + 46.43; D 234 → .79. B: I only, 117.9/9 on 2331.11:
    2344.21, D 156 → .71, 10 × (7 - 6.39) = 6.1."""
    players = by_id(RULES.rate(event("round-robin", TEN, all_play_all(SCORES))))
    articles = {game.article for player in players.values() for game in player.counted}
    assert articles == {"10.21b"}, "games with unrated opponents count here, which 6.41 does not say"
    assert value_of(players["H"].steps[:-1], "Ru") == "2150"
    assert show(players["A"].rc) == "2366.4333"
    assert (show(players["A"].change), show(players["B"].change)) == ("8.9", "6.1")
    literal = replace(RULES, limit_in_round_robin=False)
    assert by_id(literal.rate(event("round-robin", TEN, all_play_all(SCORES))))["A"].rc == 2320


def test_a_round_robin_of_rated_players_is_the_average_of_the_opponents():
    """10.51: Ra 2150; Rc of a (2150 × 4 - 2000)/3 = 2200."""
    result = rate(
        "round-robin",
        {"a": 2000, "b": 2100, "c": 2200, "d": 2300},
        "a b =, a c =, a d =, b c =, b d =, c d =",
    )
    assert result.ra is None
    assert by_id(result)["a"].rc == 2200


def test_a_double_round_robin_counts_opponents_once_and_games_twice():
    """Decision 15, all draws, four at 2000, one at 2300, one unrated: Rar = Ra = 2060 as dpa is 0, n 5.
    Rc of e (2060 × 6 - 2300)/5 = 2012; D 288 → .84 × 10 games."""
    names = {"a": 2000, "b": 2000, "c": 2000, "d": 2000, "e": 2300, "u": None}
    ids = list(names)
    text = ", ".join(f"{x} {y} =" for x in ids for y in ids if x != y)
    result = rate("double-round-robin", names, text)
    own = by_id(result)["e"]
    assert (result.ra, own.games, own.rc, own.expected) == (2060, 10, 2012, Fraction("8.4"))
    assert by_id(result)["u"].performance == 2060


def test_an_unplayed_game_makes_a_round_robin_a_swiss_tournament():
    """6.43"""
    result = rate(
        "round-robin",
        {"a": 2000, "b": 2100, "c": 2200, "d": 2300},
        "a b =, a c =, a d +, b c =, b d =, c d =",
    )
    assert (result.treated_as, result.ra) == ("swiss", None)
    assert by_id(result)["a"].rc == 2150
    assert [each.article for each in result.findings] == ["6.43"]


def six(draws_of_u):
    """Five players of 2100 and u, all draws but for u's games, of which the first few are draws."""
    ids = ["a", "b", "c", "d", "e", "u"]
    pairs = [(x, y) for number, x in enumerate(ids) for y in ids[number + 1 :]]
    with_u = [pair for pair in pairs if "u" in pair]
    marks = {pair: "=" if pair not in with_u[draws_of_u:] else "1" for pair in pairs}
    return dict.fromkeys(ids[:-1], 2100) | {"u": None}, ", ".join(f"{x} {y} {marks[x, y]}" for x, y in pairs)


def test_half_a_point_is_dropped_from_a_round_robin_for_everybody():
    """6.1: n shrinks to 4; all draws at 2100 leave no change, and e's win over u does not count."""
    ratings, text = six(1)
    players = by_id(rate("round-robin", ratings, text))
    assert (players["e"].games, players["e"].change) == (4, 0)
    assert players["e"].uncounted[0].article == "6.1"
    assert (players["u"].games, players["u"].pooled) == (0, False)


def test_a_whole_point_is_kept():
    """6.1: two draws of five. a, b 2.5/5, c, d, e 3/5 (dp 72): dpa 43.2; Ra 2100 - 43.2 × 5/6 = 2064."""
    ratings, text = six(2)
    result = rate("round-robin", ratings, text)
    assert result.ra == 2064
    assert by_id(result)["u"].games == 5


def test_composition_is_judged_before_anybody_is_dropped_and_refuses_the_event():
    """6.3: 3 of 12 is less than a third."""
    ids = list("abcdefghijkl")
    names = {name: 2000 if name in "abc" else None for name in ids}
    text = ", ".join(f"{x} {y} =" for number, x in enumerate(ids) for y in ids[number + 1 :])
    result = rate("round-robin", names, text)
    assert not result.rated
    assert result.findings[0].article == "6.3"


def test_rated_since_the_event_in_a_round_robin():
    """10.4: for the others l is unrated, so Ra and their results are those without his rating."""
    ids = ["a", "b", "c", "d", "l"]
    text = ", ".join(f"{x} {y} =" for number, x in enumerate(ids) for y in ids[number + 1 :])
    rated = {"a": 2000, "b": 2000, "c": 2000, "d": 2000}
    late = rate("round-robin", {**rated, "l": EventPlayer("l", 2200, rated_since_event=True)}, text)
    unrated = rate("round-robin", {**rated, "l": None}, text)
    assert [by_id(late)[name] for name in "abcd"] == [by_id(unrated)[name] for name in "abcd"]
    own = by_id(late)["l"]
    assert (own.status, own.rc, own.expected) == ("rated", 2000, Fraction("3.04"))  # D 200 → .76 × 4


def test_first_published_performances_keep_their_halves():
    """10.23 gives 12.5 steps; only Rn is rounded (10.32)."""
    result = by_id(rate("swiss", {"u": None, "b": 2100, "c": 2200, "d": 2300}, "u b 1, u c 1, u d 0"))["u"]
    assert (result.performance, half_up(result.performance)) == (Fraction("2212.5"), 2213)
