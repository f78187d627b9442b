from fractions import Fraction

import pytest

from regulations.crosstable import Crosstable, Line, games_until_decided, symbol
from regulations.model import Event, EventPlayer, Game
from tests.regulations.build import event

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "points", "played"),
    [
        ("1", 1, True),
        ("½", HALF, True),
        ("0.5", HALF, True),
        ("1/2", HALF, True),
        ("0", 0, True),
        ("+", 1, False),
        ("=", HALF, False),
        ("-", 0, False),
    ],
)
def test_symbols_of_a_crosstable(text, points, played):
    """A 11.23: +, = and - stand for points without a game."""
    assert symbol(text) == (points, played)


def test_an_unknown_symbol_is_refused():
    with pytest.raises(KeyError):
        symbol("?")


@pytest.mark.parametrize(
    ("scores", "scheduled", "games"),
    [
        ([1, 1, 1, 1, HALF, 1, 1], 8, 5),  # 4.5 of 8 is more than half
        ([1, 1, 1, 1, 0, 0, 0, 0], 8, 8),  # 4 of 8 is not more than half
        ([1, 1], 10, 2),
        ([1, HALF, HALF], 3, 3),
        ([1, 1, 0], 3, 2),
    ],
)
def test_a_match_is_decided_by_more_than_half_of_the_points(scores, scheduled, games):
    """A 6.5, C 5.2."""
    assert games_until_decided([Fraction(score) for score in scores], scheduled) == games


def test_points_by_forfeit_help_to_decide_a_match():
    played = event("match", {"A": 2300, "B": 2300}, "A B 1, A B +, A B 1, A B 0", scheduled_games=4)
    lines = Crosstable(played).lines["A"]
    assert [(line.why_unplayed, line.decided) for line in lines] == [
        ("", False),
        ("forfeit", False),
        ("", False),
        ("", True),
    ]


@pytest.mark.parametrize(
    ("text", "meetings", "complete"),
    [
        ("A B 1, A C =, B C 0", 1, True),
        ("A B 1, A C =, B C +", 1, False),
        ("A B 1, A C =", 1, False),
        ("A B 1, A C =, B C 0, A B 1", 1, False),
        ("A B 1, A C =, B C 0, A B 1, A C 1, B C 1", 2, True),
        ("A B 1, A B 1, A B 1, A C 1, A C 1, B C 1", 2, False),
    ],
)
def test_a_round_robin_is_complete_when_each_pair_played(text, meetings, complete):
    played = event("round-robin", {"A": 2300, "B": 2300, "C": 2000}, text)
    assert Crosstable(played).every_pair_played(meetings) is complete


def test_free_rounds_and_players_who_never_came_do_not_make_a_round_robin_incomplete():
    played = event("round-robin", {"A": 2300, "B": 2300, "C": 2000, "Z": None}, "A B 1, A C =, B C 0")
    byes = (Game(1, "C", None, "bye-0"), Game(2, "B", None, "bye-0"), Game(4, "Z", None, "bye-0"))
    table = Crosstable(type(played)("round-robin", played.players, played.games + byes))
    assert table.every_pair_played(1)
    assert [player.id for player in table.participants] == ["A", "B", "C"]
    assert table.players["Z"] == EventPlayer("Z", None)


def test_a_match_is_decided_by_either_player_with_either_colour():
    """A 6.5: B has 2.5 of 4 after the third game, won with black, drawn with white, won with black."""
    played = event("match", {"A": 2300, "B": 2300}, "A B 0, B A =, A B 0, B A 1", scheduled_games=4)
    assert [line.decided for line in Crosstable(played).lines["B"]] == [False, False, False, True]
    assert not any(line.decided for line in Crosstable(played, cut_decided=False).lines["B"])


def test_nobody_met_is_no_round_robin():
    assert not Crosstable(event("round-robin", {"A": 2300, "B": 2300}, "A B +")).every_pair_played(1)
    byes = (Game(1, "A", None, "bye-1"),)
    assert not Crosstable(Event("round-robin", (EventPlayer("A", 2300),), byes)).every_pair_played(1)


def test_lines_are_in_order_of_rounds_whatever_order_the_games_came_in():
    games = (
        Game(2, "A", "C", "1-0"),
        Game(1, "A", "C", "0-1"),
        Game(1, "A", "B", "=/=", "postponed for ever"),
        Game(1, "A", None, "bye-1/2"),
    )
    players = tuple(EventPlayer(name, 2000) for name in "CBA")
    table = Crosstable(Event("swiss", players, games))
    assert list(table.players) == ["A", "B", "C"]
    assert table.lines["A"] == [
        Line(1, None, True, HALF, "bye"),
        Line(1, "B", True, HALF, "postponed for ever"),
        Line(1, "C", True, Fraction(0)),
        Line(2, "C", True, Fraction(1)),
    ]
    assert table.lines["C"] == [Line(1, "A", False, Fraction(1)), Line(2, "A", False, Fraction(0))]


@pytest.mark.parametrize(
    ("result", "white", "black", "why"),
    [
        ("1-0", 1, 0, ""),
        ("0-1", 0, 1, ""),
        ("1/2-1/2", HALF, HALF, ""),
        ("+/-", 1, 0, "forfeit"),
        ("-/+", 0, 1, "forfeit"),
        ("=/=", HALF, HALF, "agreed without a move"),
        ("-/-", 0, 0, "forfeit"),
    ],
)
def test_points_of_each_result(result, white, black, why):
    """A 11.23"""
    table = Crosstable(event("swiss", {"A": 2300, "B": 2300}, f"A B {result}"))
    assert table.lines == {
        "A": [Line(1, "B", True, Fraction(white), why)],
        "B": [Line(1, "A", False, Fraction(black), why)],
    }


@pytest.mark.parametrize(("result", "points"), [("bye-1", 1), ("bye-1/2", HALF), ("bye-0", 0)])
def test_points_of_each_bye(result, points):
    table = Crosstable(Event("swiss", (EventPlayer("A", 2300),), (Game(3, "A", None, result),)))
    assert table.lines == {"A": [Line(3, None, True, Fraction(points), "bye")]}
