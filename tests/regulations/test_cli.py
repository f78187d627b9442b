"""The command line of the calculator, fault by fault."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from regulations import adjusting, cli, registry
from regulations.fide_standard_2004 import FideStandard2004
from regulations.reading import BadInput
from tests.regulations.test_calculator import CHECK, RATE
from tests.regulations.test_compare import INPUT

A = FideStandard2004()


def faults(*arguments):
    """Path and message of each fault of a command line."""
    with pytest.raises(BadInput) as caught:
        cli.run(list(arguments))
    return [(each.path, each.message) for each in caught.value.problems]


def adjusted(*settings):
    changed, problems = adjusting.adjusted(A, settings)
    assert problems == []
    return changed


def refused(*settings):
    same, problems = adjusting.adjusted(A, settings)
    assert same is A
    return [(each.path, each.message) for each in problems]


def written(capsysbinary, *arguments):
    status = cli.main(*arguments)
    return status, capsysbinary.readouterr().out


def test_help_names_the_commands_and_arguments(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.run(["--help"])
    assert caught.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith(
        "usage: python -m regulations [-h] [--parameter NAME=VALUE] [--canonical] {catalog,check,"
    )
    for part in (
        " Rating calculator; JSON in, JSON out. ",
        " {catalog,check,rate,list,compare} file JSON file, or - for standard input ",
        " regulations compare: the regulations to put side by side ",
        " --parameter NAME=VALUE another reading of the text: change one parameter that catalog shows",
    ):
        assert part in f"{shown} "


def test_faults_of_the_command_line_are_json_too(capsysbinary):
    assert written(capsysbinary, ["rate", "-", "x"]) == (
        2,
        (
            b'{\n "errors": [\n  {\n   "path": "command line",\n   "message": '
            b'"rate takes one file and no regulations"\n  }\n ]\n}\n'
        ),
    )
    ((path, message),) = faults("cup")
    assert path == "command line"
    assert message.startswith("argument command: invalid choice: 'cup'")


def test_the_arguments_of_the_process_are_taken(capsysbinary, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["regulations", "rate", "é"])
    status, said = written(capsysbinary)
    assert (status, "cannot read é: No such file or directory".encode() in said) == (2, True)
    monkeypatch.setattr(sys, "argv", ["regulations", "catalog"])
    status, said = written(capsysbinary, [])
    assert status == 2
    assert b"the following arguments are required: command" in said
    assert written(capsysbinary)[0] == 0


def test_half_characters_are_written_as_escapes(capsysbinary):
    status, said = written(capsysbinary, ["rate", "\udcff"])
    assert status == 2
    assert b"cannot read \\udcff: " in said


def test_a_missing_file_a_folder_and_a_file_without_json(tmp_path):
    missing, empty = tmp_path / "missing", tmp_path / "empty"
    empty.write_bytes(b"")
    assert faults("rate", str(missing)) == [("", f"cannot read {missing}: No such file or directory")]
    assert faults("compare", str(tmp_path)) == [("", f"cannot read {tmp_path}: Is a directory")]
    assert faults("list", str(empty)) == [("", "not JSON: Expecting value: line 1 column 1 (char 0)")]


def test_standard_input_is_the_file_that_is_not_named(monkeypatch):
    for arguments in (["rate"], ["rate", "-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{")))
        assert "not JSON" in faults(*arguments)[0][1]


def test_arguments_that_do_not_belong_together():
    assert faults("rate", "-", A.code) == [("command line", "rate takes one file and no regulations")]
    assert faults("compare", "-", A.code, "--parameter", "floor=1") == [
        ("--parameter", "compare takes each regulation with its own figures")
    ]


def test_compare_needs_two_regulations():
    from regulations import jsonio

    with pytest.raises(BadInput) as caught:
        jsonio.read_compare(INPUT, [A.code])
    (problem,) = caught.value.problems
    assert (problem.path, problem.message) == (
        "regulations",
        "two or more different ones are needed, here or after the file",
    )


def test_each_kind_of_parameter():
    assert adjusted() is A
    assert adjusted("k_normal=20", "calendar=monthly") == FideStandard2004(k_normal=20, calendar="monthly")
    assert adjusted("ra_whole=false").ra_whole is False
    assert adjusted("half_point_bonus=10.5").half_point_bonus == 10.5
    assert adjusted("rated_share=1/2").rated_share * 2 == 1
    assert adjusted('rated_share="0.25"').rated_share * 4 == 1
    assert adjusted("minimum_minutes=[[2200, 100], [0, 50]]").minimum_minutes == ((2200, 100), (0, 50))
    assert adjusted("round_robin_low_ru=n/(n+1)") == A


def test_every_fault_of_the_parameters():
    known = f"fide-standard-2004 has {', '.join(A.parameters)}"
    assert refused("nope=1", "rated_share=x", "k_old=1") == [
        ("--parameter nope", known),
        ("--parameter rated_share", '"x" is not an exact number such as "2.5"'),
        ("--parameter k_old", known),
    ]
    assert refused("rated_share=x", "nope") == [
        ("--parameter rated_share", '"x" is not an exact number such as "2.5"'),
        ("--parameter nope", known),
    ]
    assert refused("k_normal=x") == [("--parameter k_normal", "must be like 15; not 'x'")]
    assert refused("calendar=a=b", "k_new=0", "ra_whole=1") == [
        ("--parameter calendar", "must be one of quarterly, monthly; not 'a=b'"),
        ("--parameter ra_whole", "must be like True; not 1"),
        ("--parameter k_new", "must be from 1 to 200; not 0"),
    ]
    assert refused("k_normal=\udcff") == [("--parameter k_normal", "must be like 15; not '\\udcff'")]
    assert refused("k_normal=1.5") == [("--parameter k_normal", "must be like 15; not Fraction(3, 2)")]


def test_a_regulation_of_another_package_says_itself_what_it_refuses():
    class Own:
        code, parameters = "own", {"k": A.parameters["k_normal"]}

    own = Own()
    same, problems = adjusting.adjusted(own, ["k=1"])
    assert same is own
    assert [each.path for each in problems] == ["--parameter"]
    assert adjusting.adjusted(own, []) == (own, [])


def shell(line):
    """Status, standard output and standard error of a line in which $R is the calculator."""
    root = Path(__file__).parents[2]
    call = ["sh", "-c", f'R="$1 -m regulations"; {line}', "sh", sys.executable]
    done = subprocess.run(call, capture_output=True, cwd=root, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_closed_standard_input_is_bad_input():
    status, said, errors = shell("$R list <&-")
    assert (status, errors) == (2, b"")
    assert json.loads(said) == {
        "errors": [{"path": "", "message": "cannot read standard input: it is closed; name a file"}]
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("$R catalog >/dev/full", b"No space left on device"),
        ("$R --help >/dev/full", b"No space left on device"),
        ("echo '{' | $R rate >/dev/full", b"No space left on device"),
        ("$R catalog >&-", b"standard output is closed"),
        ("$R list <&- >&-", b"standard output is closed"),
    ],
)
def test_an_answer_that_cannot_be_written_is_one_line(line, reason):
    assert shell(line) == (1, b"", b"regulations: cannot write the answer: " + reason + b"\n")


def test_nobody_to_tell(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(["catalog"]) == 1


def test_a_name_that_no_file_can_have():
    ((path, message),) = faults("rate", "a\0b")
    assert (path, "cannot read a\0b: " in message) == ("", True)


def test_parameters_reach_check_rate_and_list():
    """A 1.12: 60 minutes are enough where 2200 ask for no more; K 15 or 20 on .32; the floor of the list."""
    assert cli.answer("rate", RATE, ("k_normal=20",))["players"][0]["change"] == "6.4"
    check = {**CHECK, "regulation": A.code, "time_control": [{"minutes": 60}]}
    assert not cli.answer("check", check)["ratable"]
    assert cli.answer("check", check, ("minimum_minutes=[[0, 60]]",))["ratable"]
    given = {"regulation": A.code, "list_date": "2004-07-01", "previous": [{"id": "a", "rating": 1900}]}
    assert cli.answer("list", given)["players"][0]["rating"] == 1900
    assert cli.answer("list", given, ("floor=1901",))["players"][0]["status"] == "delisted"


def test_catalog_has_every_regulation():
    assert [each["code"] for each in cli.run(["catalog"])] == [
        each.code for each in registry.all_regulations()
    ]
