from fractions import Fraction

import pytest

from regulations.crosstable import Crosstable, games_until_decided, symbol
from regulations.model import EventPlayer, Game
from tests.regulations.build import event

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "points", "played"),
    [
        ("1", 1, True),
        ("½", HALF, True),
        ("0.5", HALF, True),
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
