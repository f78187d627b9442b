"""Records about byes, forfeits and points: 240, 299, 320, 330, and the scoring of 162."""

import pytest

from tests.reports.trf_text import FIRST, cell, player, report, team_310
from tournaments.reports.trf26 import parse


def read(*lines, points=("1.0", "0.0", "0.0"), third=()):
    """Three players, one round: 1 beats 2; the cells of 3 are given."""
    parsed = parse(
        report(
            player(1, "Alba, Tomas", cell(2, "w", "1"), points=points[0]),
            player(2, "Bruno, Luis", cell(1, "b", "0"), points=points[1]),
            player(3, "Ciro, Pablo", *third, points=points[2]),
            *lines,
        )
    )
    ignored = ("round-dates", "unpaired-round", "points-missing")
    return parsed, [(p.severity, p.code, p.line) for p in parsed.problems if p.code not in ignored]


LINE = FIRST + 3


def abnormal(kind, points, round_, *numbers):
    return f"299 {kind:1}{'':8}{points:>4}  {round_:>3} " + " ".join(f"{number:4d}" for number in numbers)


@pytest.mark.parametrize(
    ("kind", "result", "points"), [("F", "bye-1", "1.0"), ("H", "bye-1/2", "0.5"), ("Z", "bye-0", "0.0")]
)
@pytest.mark.parametrize("tag", ["240", "330"])
def test_a_bye_fills_a_blank_cell(kind, result, points, tag):
    parsed, problems = read(f"{tag} {kind}   1    3", points=("1.0", "0.0", points))
    assert problems == []
    (bye,) = [game for game in parsed.games if game.black is None]
    assert (bye.white, bye.round, bye.result, bye.codes, bye.line) == (3, 1, result, kind, LINE)


def test_a_bye_that_the_players_line_has_as_well_is_one_bye():
    parsed, problems = read("240 H   1    3", points=("1.0", "0.0", "0.5"), third=(cell("0000", "-", "="),))
    assert problems == []
    assert [game.codes for game in parsed.games] == ["10", "="]


def test_a_bye_for_somebody_who_played_is_named_and_the_game_counts():
    parsed, problems = read("240 H   1    1    3", points=("1.0", "0.0", "0.5"))
    assert problems == [("warning", "bye-differs", LINE)]
    assert [game.codes for game in parsed.games] == ["10", "H"]


@pytest.mark.parametrize("points", ["0.0", "0.5"])
def test_a_bye_of_a_round_to_come_is_left_out(points):
    parsed, problems = read("142 3", "240 H   2    3", points=("1.0", "0.0", points))
    assert problems == [("warning", "unfinished", LINE)]
    assert len(parsed.games) == 1


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["240 X   1    3"], "record-unreadable"),
        (["240 H        3x"], "record-unreadable"),
        (["240 H 999    3"], "record-unreadable"),
        (["240"], "record-unreadable"),
        (["240 H   1   77"], "record-number"),
        ([abnormal("W", "1.x", 1, 3)], "record-unreadable"),
        ([abnormal("Q", "1.0", 1, 3)], "record-unreadable"),
        ([abnormal("W", "1.0", 1, 77)], "record-number"),
        (["330 ++   1   1   2"], "record-unreadable"),
        (["330 +-   1   1"], "record-unreadable"),
        (["320  1.0  1.0  xx"], "record-unreadable"),
    ],
)
def test_records_that_say_nothing_clear_are_named(lines, code):
    assert read(*lines)[1] == [("warning", code, LINE)]


@pytest.mark.parametrize(
    ("record", "points", "third"),
    [
        (abnormal("W", "3.0", 1, 1), ("3.0", "0.0", "0.0"), ()),
        (abnormal("W", "3.0", "", 1), ("3.0", "0.0", "0.0"), ()),
        (abnormal("W", "3.0", "000", 1), ("3.0", "0.0", "0.0"), ()),
        (abnormal("L", "0.5", 1, 2), ("1.0", "0.5", "0.0"), ()),
        (abnormal("Z", "0.5", 1, 3), ("1.0", "0.0", "0.5"), ()),
        (abnormal("H", "1.0", 1, 3), ("1.0", "0.0", "1.0"), (cell("0000", "-", "H"),)),
        (abnormal("F", "2.0", 1, 3), ("1.0", "0.0", "2.0"), (cell("0000", "-", "F"),)),
        (abnormal("", "-0.5", "", 1), ("0.5", "0.0", "0.0"), ()),
        (abnormal("-", "0.5", 1, 3), ("1.0", "0.0", "0.5"), (cell("0000", "-", "-"),)),
        (abnormal("", "1.5", "", 2, 3), ("1.0", "1.5", "1.5"), ()),
    ],
)
def test_abnormal_points_are_counted(record, points, third):
    assert read(record, points=points, third=third)[1] == []
    wrong = ("9.0", *points[1:])
    assert ("error", "points-total", FIRST) in read(record, points=wrong, third=third)[1]


def test_points_of_another_round_or_result_are_not_touched():
    for record in (abnormal("W", "3.0", 2, 1), abnormal("D", "3.0", 1, 1)):
        assert read(record)[1] == []


# --- teams ---

TEAMS = (team_310(1, "Uno", 1, 3), team_310(2, "Dos", 2))


def test_numbers_of_a_team_event_are_teams():
    parsed, problems = read(*TEAMS, "240 H   1    2", abnormal("W", "3.0", 1, 1))
    assert problems == []
    assert len(parsed.games) == 1
    _, problems = read(*TEAMS, "240 H   1    7")
    assert problems == [("warning", "record-number", LINE + 2)]


@pytest.mark.parametrize("line", ["320  2.0  3.0   1", "330 +-   1   1   2", "240 F   1    1"])
def test_a_member_may_have_the_point_of_a_match_without_games(line):
    lines = (*TEAMS, line)
    for points in ("0.0", "1.0"):
        found = read(*lines, points=("1.0", "0.0", points))[1]
        assert "points-total" not in [code for _, code, _ in found]
    assert ("error", "points-total", FIRST + 2) in read(*lines, points=("1.0", "0.0", "1.5"))[1]


def test_a_forfeited_match_with_games_is_named():
    parsed, problems = read(*TEAMS, "330 -+   1   1   2")
    assert problems == [("warning", "forfeit-played", LINE + 2)]
    assert len(parsed.games) == 1
    assert read(*TEAMS, "330 +-   2   1   2")[1] == []


def test_team_byes_say_nothing_of_players_in_an_individual_event():
    parsed, problems = read("320  1.0  1.0   3")
    assert (problems, len(parsed.games)) == ([], 1)


def test_records_about_pairing_and_standings_pass_without_a_word():
    lines = (
        "152 W",
        "172 ESP FIDE",
        "182 Some Program",
        "202 BH:MP/C1/P",
        "212 PTS,BH",
        "250      1.0   1   2    1    2",
        "260   1   1    1    2",
        "300   1   1   2    1    2",
        "352 WBWB",
        "362 TW 2     TD 1     TL 0",
        "801  1 Uno 1.0",
        "802   1 UNO   2.0",
        "XXA    1  1.0  1.0",
        "XXP 1 2",
        "XXZ 3",
    )
    assert read(*lines)[1] == []


# --- unknown results ---


def adjourned(*lines, points):
    return [
        problem.code
        for problem in parse(
            report(
                player(1, "Alba, Tomas", cell(2, "w", "1"), cell(3, "b", " "), points=points),
                player(2, "Bruno, Luis", cell(1, "b", "0"), cell(4, "w", "1"), points="1.0"),
                player(3, "Ciro, Pablo", cell("0000", "-", "H"), cell(1, "w", "*"), points="0.5"),
                player(4, "Duran, Jose", cell("0000", "-", "H"), cell(2, "b", "0"), points="0.5"),
                *lines,
            )
        ).errors
    ]


def test_an_unfinished_game_may_count_as_a_draw_or_as_the_scoring_says():
    for points in ("1.0", "1.5"):
        assert adjourned(points=points) == []
    assert adjourned(points="2.0") == ["points-total"]
    assert adjourned("162  W 1.0    X 1.0", points="2.0") == []
    assert adjourned("162  W 1.0    X 0.0", points="1.5") == ["points-total"]
