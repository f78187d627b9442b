"""One event under several regulations: ``regulations.compare`` and the calculator's command."""

import json
from fractions import Fraction

import pytest

from regulations import cli
from regulations.compare import compare
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from tests.regulations.build import event

A, C = FideStandard2004(), FideRapidBlitz2022()
# Alba beats unrated Ciro and Bruno (D 133, PD .68); Ciro beats Bruno, meets no other rated player.
PLAYED = event(
    "swiss",
    {"ciro": None, "bruno": 2010, "alba": 2143},
    "ciro alba 0, alba bruno 1, ciro bruno 1",
)
INPUT = {
    "event": {"system": "swiss"},
    "players": [
        {"id": "alba", "rating": 2143},
        {"id": "bruno", "rating": 2010},
        {"id": "ciro", "rating": None},
    ],
    "games": [
        {"round": 1, "white": "ciro", "black": "alba", "result": "0-1"},
        {"round": 2, "white": "alba", "black": "bruno", "result": "1-0"},
        {"round": 3, "white": "ciro", "black": "bruno", "result": "1-0"},
    ],
}


def run(tmp_path, capsys, value, *arguments):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    status = cli.main(["compare", str(path), *arguments])
    return status, json.loads(capsys.readouterr().out)


def test_each_player_under_each_regulation_and_the_distance():
    found = compare([A, C], PLAYED)
    assert [each.id for each in found.players] == ["alba", "bruno", "ciro"]
    alba, bruno, ciro = found.players
    # K 15 and K 20 on 1 - 0.68: 4.8 and 6.4
    assert alba.figures == (Fraction("4.8"), Fraction("6.4"))
    assert alba.differences == (Fraction("1.6"),)
    assert bruno.differences == (Fraction("-1.6"),)
    # A 6.42 asks for three rated opponents; C pools (2143 + 2010)/2 at 50 %, 2076.5 up
    assert ciro.figures == (None, 2077)
    assert ciro.differences == (None,)
    assert not any(each.same for each in found.players)
    assert [result.treated_as for result in found.results] == ["swiss", "swiss"]


def test_the_same_regulation_twice_gives_the_same():
    found = compare([A, FideStandard2004()], PLAYED)
    assert all(each.same for each in found.players)
    assert [each.differences for each in found.players] == [(0,), (0,), (None,)]


def test_the_order_decides_from_which_the_distance_is_taken():
    assert compare([C, A], PLAYED).players[0].differences == (Fraction("-1.6"),)
    assert compare([C, A, A], PLAYED).players[0].differences == (Fraction("-1.6"), Fraction("-1.6"))


def test_other_games_count_though_the_figure_is_the_same():
    # against equals 50 % changes nothing under either; C also drops nothing, A drops the unrated opponent
    played = event("swiss", {"a": 2000, "b": 2000, "u": 2000}, "a b =, a u =")
    assert compare([A, C], played).players[0].same
    fewer = event("match", {"a": 2000, "b": 2000}, "a b =, b a =", scheduled_games=2)
    assert compare([A, C], fewer).players[0].same


def test_two_regulations_are_needed():
    with pytest.raises(ValueError, match=r"^at least two regulations are needed$"):
        compare([A], PLAYED)


def test_an_unrated_result_that_is_not_kept_is_no_figure():
    """A 10.31: three draws against 1700 are under 1801; C keeps 1700."""
    opponents = {"a": 1700, "b": 1700, "c": 1700}
    played = event("swiss", {"u": None, **opponents}, "u a =, u b =, u c =")
    found = {each.id: each for each in compare([A, C], played).players}["u"]
    assert [each.performance for each in found.results] == [1700, 1700]
    assert (found.figures, found.differences, found.same) == ((None, 1700), (None,), False)


def test_the_command_takes_the_regulations_after_the_file(tmp_path, capsys):
    status, said = run(tmp_path, capsys, INPUT, A.code, C.code)
    assert status == 0
    assert [each["code"] for each in said["regulations"]] == [A.code, C.code]
    assert said["regulations"][0] == {
        "code": A.code,
        "rated": True,
        "treated_as": "swiss",
        "ra": None,
        "findings": [],
    }
    alba = said["players"][0]
    assert (alba["id"], alba["same"], alba["differences"]) == ("alba", False, ["1.6"])
    assert {code: each["change"] for code, each in alba["under"].items()} == {A.code: "4.8", C.code: "6.4"}
    assert alba["under"][A.code]["uncounted"] == [
        {"round": 1, "opponent": "ciro", "article": "6.4", "reason": "unrated opponent"}
    ]
    assert said["players"][2]["under"][C.code]["performance"] == "2077"


def test_the_command_takes_the_regulations_of_the_file(tmp_path, capsys):
    within = run(tmp_path, capsys, {**INPUT, "regulations": [A.code, C.code]})
    assert within == run(tmp_path, capsys, INPUT, A.code, C.code)
    # what stands after the file goes before what the file names
    status, said = run(tmp_path, capsys, {**INPUT, "regulation": C.code}, C.code, A.code)
    assert (status, [each["code"] for each in said["regulations"]]) == (0, [C.code, A.code])


@pytest.mark.parametrize(
    ("value", "arguments", "path"),
    [
        (INPUT, [], "regulations"),
        (INPUT, [A.code], "regulations"),
        (INPUT, [A.code, A.code], "regulations"),
        (INPUT, [A.code, "nix"], "command line"),
        ({**INPUT, "regulation": A.code}, [], "regulations"),
        ({**INPUT, "regulations": [A.code, "nix"]}, [], "regulations[1]"),
        ({**INPUT, "games": [{**INPUT["games"][0], "white": "x"}]}, [A.code, C.code], "games[0].white"),
        ({**INPUT, "regulations": 5}, [], "regulations"),
        ({**INPUT, "regulation": 5}, [], "regulation"),
        (INPUT, [A.code, C.code, "--parameter", "floor=1"], "--parameter"),
    ],
)
def test_what_cannot_be_compared(tmp_path, capsys, value, arguments, path):
    status, said = run(tmp_path, capsys, value, *arguments)
    assert status == 2
    assert [each["path"] for each in said["errors"]] == [path]


def test_other_commands_take_no_regulations(capsys):
    assert cli.main(["rate", "-", A.code]) == 2
    assert "takes one file" in capsys.readouterr().out
