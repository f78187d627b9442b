"""fide-standard-2024 and fide-rapid-blitz-2024: events.

Articles are those of the standard text; where the other text differs, its own stand in brackets.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.model import (
    CountedGame,
    EventPlayer,
    Finding,
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


@pytest.mark.parametrize(
    ("minutes", "played"), [(120, "12345"), (119, "2345"), (90, "2345"), (89, "45"), (60, "45"), (59, "")]
)
def test_games_that_were_too_fast_are_not_rated(minutes, played):
    """1.1 where the time of the event is known: by the higher rating in each game; not in rapid chess."""
    ratings = {"a": 2400, "b": 2399, "c": 1799, "d": 1800, "e": 1500}
    text = "a c 1, b c 1, d e 1, c e 1, e c ="
    event_ = event("swiss", ratings, text, minutes_for_60_moves=Fraction(minutes))
    result = STANDARD.rate(event_)
    games = {(game.round, player.id) for player in result.players for game in player.counted}
    assert {str(number) for number, _ in games} == set(played)
    assert len(games) == 2 * len(played)
    told = [each for player in result.players for each in player.uncounted]
    assert {(each.article, each.reason) for each in told} <= {("1.1", "too fast for these players")}
    assert sum(player.games for player in RAPID.rate(event_).players) == 10
    assert sum(player.games for player in rate(STANDARD, "swiss", ratings, text).players) == 10


def test_the_time_is_that_of_the_ratings_at_the_start():
    """1.1, 8.2.4: unrated then and 2450 now, with 60 minutes: v 1799 rated, v 1800 too fast."""
    late = EventPlayer("l", 2450, rated_since_event=True)
    hour = {"minutes_for_60_moves": Fraction(60)}
    own = by_id(rate(STANDARD, "swiss", {"l": late, "c": 1799, "d": 1800}, "l c 1, l d 1, l c +", **hour))[
        "l"
    ]
    assert [game.opponent for game in own.counted] == ["c"]
    assert own.uncounted == (
        Uncounted(2, "d", "1.1", "too fast for these players"), Uncounted(3, "c", "5.1", "forfeit")
    )  # fmt: skip


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
