"""Result letters and the agreement of the two sides of a game."""

from fractions import Fraction

import pytest

from regulations.model import RESULTS
from tests.reports.trf_text import FIRST, HEAD, cell, duel, player, report
from tournaments.reports.trf16 import parse


def codes(parsed):
    return [(problem.severity, problem.code, problem.line) for problem in parsed.problems]


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("1", "0", "1-0"),
        ("0", "1", "0-1"),
        ("=", "=", "1/2-1/2"),
        ("W", "L", "+/-"),
        ("w", "l", "+/-"),
        ("L", "W", "-/+"),
        ("D", "D", "=/="),
        ("+", "-", "+/-"),
        ("-", "+", "-/+"),
        ("-", "-", "-/-"),
    ],
)
def test_mirrored_letters_are_one_game_without_a_word(white, black, result):
    points = {"1": "1.0", "W": "1.0", "+": "1.0", "=": "0.5", "D": "0.5"}
    parsed = parse(duel(white, black, tuple(points.get(c.upper(), "0.0") for c in (white, black))))
    assert parsed.problems[:0] == ()
    assert [p.code for p in parsed.problems] == ["round-dates"]
    (game,) = parsed.games
    assert (game.round, game.white, game.black, game.result) == (1, 1, 2, result)
    assert (game.line, game.other_line) == (FIRST, FIRST + 1)
    assert game.result in RESULTS
    assert game.codes == (white + black).upper()


@pytest.mark.parametrize(
    ("white", "black", "result", "code"),
    [
        ("+", "Z", "+/-", "one-sided"),
        ("Z", "+", "-/+", "one-sided"),
        ("+", " ", "+/-", "one-sided"),
        ("U", "-", "+/-", "one-sided"),
        ("F", "Z", "+/-", "one-sided"),
        ("H", "H", "=/=", "one-sided"),
        ("Z", "Z", "-/-", "one-sided"),
        ("+", "L", "+/-", "one-sided"),
        ("0", "0", "-/-", "ruling"),
        ("0", "=", "-/-", "ruling"),
        ("=", "0", "-/-", "ruling"),
    ],
)
def test_readable_without_doubt_is_a_warning_naming_both_lines(white, black, result, code):
    parsed = parse(duel(white, black))
    (game,) = parsed.games
    assert game.result == result
    assert parsed.ok
    (problem,) = [p for p in parsed.problems if p.code == code]
    assert problem.severity == "warning"
    assert f"line {FIRST} " in problem.message
    assert f"line {FIRST + 1} " in problem.message


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ("1", "1"),
        ("1", "="),
        ("+", "+"),
        ("1", "-"),
        ("+", "0"),
        ("1", " "),
        ("W", "0"),
        ("=", "H"),
        ("F", "F"),
    ],
)
def test_sides_that_do_not_mirror_are_two_errors_each_naming_both_lines(white, black):
    parsed = parse(duel(white, black, ("1.5", "1.0")))
    assert parsed.games == ()
    assert [(p.code, p.line, p.column) for p in parsed.errors] == [
        ("result-mismatch", FIRST, 92),
        ("result-mismatch", FIRST + 1, 92),
    ]
    for problem in parsed.errors:
        assert f"line {FIRST} (1 Alba, Tomas)" in problem.message
        assert f"line {FIRST + 1} (2 Bruno, Luis)" in problem.message
        assert problem.remedy


def test_colours_must_mirror_too():
    both_white = report(
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
        player(2, "Bruno, Luis", cell(1, "w", "0"), points="0.0"),
    )
    parsed = parse(both_white)
    assert [(p.code, p.line) for p in parsed.errors] == [
        ("colour-mismatch", FIRST),
        ("colour-mismatch", FIRST + 1),
    ]


@pytest.mark.parametrize(
    ("first", "second", "white", "result"),
    [
        ("-", "-", 1, "0-1"),
        (" ", " ", 1, "0-1"),
        ("b", "-", 2, "1-0"),
        ("-", "w", 2, "1-0"),
        ("-", "b", 1, "0-1"),
    ],
)
def test_missing_colours_are_settled_the_same_way_every_time(first, second, white, result):
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, first, "0"), points="0.0"),
            player(2, "Bruno, Luis", cell(1, second, "1"), points="1.0"),
        )
    )
    assert parsed.ok
    assert "colour-missing" in [p.code for p in parsed.warnings]
    (game,) = parsed.games
    assert (game.white, game.result) == (white, result)


@pytest.mark.parametrize("open_code", [" ", "*"])
def test_a_pairing_without_result_is_no_game(open_code):
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), cell(2, "b", open_code), points="1.0"),
            player(2, "Bruno, Luis", cell(1, "b", "0"), cell(1, "w", open_code), points="0.0"),
        )
    )
    assert parsed.ok
    assert len(parsed.games) == 1
    assert parsed.rounds == 1
    assert "not-finished" in [p.code for p in parsed.warnings]


def test_a_game_that_the_opponent_does_not_know_is_an_error_on_both_lines():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
            player(2, "Bruno, Luis", points="0.0"),
            player(3, "Ciro, Pablo", cell(4, "w", "1"), points="1.0"),
            player(4, "Duran, Jose", cell(3, "b", "0"), points="0.0"),
        )
    )
    (error,) = parsed.errors
    assert (error.code, error.line) == ("opponent-mismatch", FIRST)
    assert f"line {FIRST + 1} (2 Bruno, Luis) has no opponent" in error.message


def test_three_players_cannot_share_a_round():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
            player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
            player(3, "Ciro, Pablo", cell(2, "w", "1"), points="1.0"),
        )
    )
    (error,) = parsed.errors
    assert (error.code, error.line) == ("opponent-mismatch", FIRST + 2)
    assert "has opponent 1" in error.message
    assert len(parsed.games) == 1


def test_a_forfeit_named_by_the_present_player_only():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "+"), points="1.0"),
            player(2, "Bruno, Luis", cell("0000", "-", "Z"), points="0.0"),
            player(3, "Ciro, Pablo", cell(4, "b", "1"), points="1.0"),
            player(4, "Duran, Jose", cell(3, "w", "0"), points="0.0"),
        )
    )
    assert parsed.ok
    assert [(g.white, g.black, g.result) for g in parsed.games] == [(1, 2, "+/-"), (4, 3, "0-1")]


def test_two_players_cannot_both_win_by_forfeit_against_the_same_one():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "+"), points="1.0"),
            player(2, "Bruno, Luis", points="0.0"),
            player(3, "Ciro, Pablo", cell(2, "w", "+"), points="1.0"),
        )
    )
    assert [(p.code, p.line) for p in parsed.errors] == [("two-games", FIRST + 2)]


def test_byes():
    letters = "UFHZ+=-"
    lines = [
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
    ]
    worth = {"U": "1.0", "F": "1.0", "+": "1.0", "H": "0.5", "=": "0.5"}
    for number, letter in enumerate(letters, start=3):
        lines.append(
            player(number, f"Nadie, {number}", cell("0000", "-", letter), points=worth.get(letter, "0.0"))
        )
    parsed = parse(report(*lines))
    assert parsed.ok
    assert {game.codes: game.result for game in parsed.games if game.black is None} == {
        "U": "bye-1",
        "F": "bye-1",
        "+": "bye-1",
        "H": "bye-1/2",
        "=": "bye-1/2",
        "-": "bye-0",
        "Z": "bye-0",
    }


def test_self_unknown_opponent_and_bad_letters_are_all_reported_at_once():
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(1, "w", "1"), points="1.0"),
            player(2, "Bruno, Luis", cell(77, "w", "1"), points="1.0"),
            player(3, "Ciro, Pablo", cell(4, "w", "x"), points="1.0"),
            player(4, "Duran, Jose", cell(3, "s", "0"), points="1.0"),
            player(5, "Eneas, Jon", "6  w 1", points="1.0"),
        )
    )
    assert [(p.code, p.line, p.column) for p in parsed.errors] == [
        ("self-pairing", FIRST, 92),
        ("unknown-opponent", FIRST + 1, 92),
        ("result-unknown", FIRST + 2, 99),
        ("colour-unknown", FIRST + 3, 97),
        ("cell-unreadable", FIRST + 4, 92),
    ]


# --- points ---


def one_round(first_points: str, *first_cells: str, extra: tuple[str, ...] = ()) -> bytes:
    return report(
        player(1, "Alba, Tomas", cell(2, "w", "1"), *first_cells, points=first_points),
        player(2, "Bruno, Luis", cell(1, "b", "0"), cell(3, "w", "1"), points="1.0"),
        player(3, "Ciro, Pablo", cell("0000", "-", "U"), cell(2, "b", "0"), points="1.0"),
        *extra,
    )


def test_points_must_add_up():
    (error,) = parse(one_round("3.0", cell("0000", "-", "Z"))).errors
    assert (error.code, error.line, error.column) == ("points-total", FIRST, 81)
    assert "3.0 points" in error.message
    assert "add up to 1.0" in error.message


@pytest.mark.parametrize("points", ["1.0", "1,0", "  1", "1"])
def test_points_in_every_form(points):
    parsed = parse(one_round(points, cell("0000", "-", "Z")))
    assert parsed.ok
    assert parsed.players[0].points == Fraction(1)


def test_half_point_byes_counted_but_left_blank_are_a_warning():
    parsed = parse(one_round("1.5"))
    assert parsed.ok
    assert "points-blank-bye" in [p.code for p in parsed.warnings]


def test_no_half_point_without_a_blank_cell():
    assert [p.code for p in parse(one_round("1.5", cell("0000", "-", "Z"))).errors] == ["points-total"]


def test_byes_of_a_round_not_yet_paired_may_be_counted_or_not():
    for points in ("1.0", "1.5"):
        lines = (
            player(1, "Alba, Tomas", cell(2, "w", "1"), points="1.0"),
            player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
            player(3, "Ciro, Pablo", cell("0000", "-", "U"), cell("0000", "-", "H"), points=points),
            "XXR 5",
        )
        parsed = parse(report(*lines))
        assert parsed.ok
        assert parsed.rounds == 1
        assert parsed.rounds_announced == 5
        assert {"unfinished", "unpaired-round"} <= {p.code for p in parsed.warnings}
        assert all(game.round == 1 for game in parsed.games)


@pytest.mark.parametrize(
    "scoring",
    [
        "162  W 3.0    D 1.0    L 0.0    Z 0.5    P 3.0",
        "162  W 3.0    D 1.0    L 0.0    A 0.5    P 3.0",
        "XXS W=3 D=1 PAB=3 ZPB=0.5 FL=.5",
    ],
)
def test_declared_scoring_is_used_for_the_points_only(scoring):
    lines = (
        scoring,
        player(1, "Alba, Tomas", cell(2, "w", "1"), cell(3, "b", "-"), points="3.5"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), cell("0000", "-", "U"), points="3.0"),
        player(3, "Ciro, Pablo", cell("0000", "-", "Z"), cell(1, "w", "+"), points="3.5"),
    )
    parsed = parse(report(*lines))
    assert parsed.ok
    assert sorted(g.result for g in parsed.games) == ["+/-", "1-0", "bye-0", "bye-1"]


def test_bbp_scoring_and_a_bye_worth_half_a_point():
    lines = (
        "BBW  3.0",
        "BBD  1.0",
        "BBU  1.0",
        player(1, "Alba, Tomas", cell(2, "w", "1"), points="3.0"),
        player(2, "Bruno, Luis", cell(1, "b", "0"), points="0.0"),
        player(3, "Ciro, Pablo", cell("0000", "-", "U"), points="1.0"),
    )
    parsed = parse(report(*lines))
    assert parsed.ok
    assert [g.result for g in parsed.games] == ["1-0", "bye-1/2"]


def test_unreadable_scoring_is_named():
    parsed = parse(report("XXS W=three", *HEAD[:0], player(1, "Alba, Tomas")))
    assert ("warning", "scoring-unreadable", FIRST) in codes(parsed)


@pytest.mark.parametrize("points", ["", "0.0"])
def test_team_files_may_leave_points_empty(points):
    parsed = parse(duel("1", "0", (points, points)))
    assert parsed.ok
    assert "points-missing" in [p.code for p in parsed.warnings]
