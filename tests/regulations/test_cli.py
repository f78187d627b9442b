"""The command line of the calculator, fault by fault."""

import io
import sys

import pytest

from regulations import cli, registry
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
    return cli._adjusted(A, settings)


def refused(*settings):
    with pytest.raises(BadInput) as caught:
        adjusted(*settings)
    return [(each.path, each.message) for each in caught.value.problems]


def written(capsysbinary, *arguments):
    status = cli.main(*arguments)
    return status, capsysbinary.readouterr().out


def test_help_names_the_commands_and_arguments(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.run(["--help"])
    assert caught.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith("usage: python -m regulations [-h] [--parameter NAME=VALUE] {catalog,check,")
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
    assert refused("k_normal=x") == [("--parameter", "k_normal must be like 15; not 'x'")]
    assert refused("calendar=a=b") == [
        ("--parameter", "calendar must be one of quarterly, monthly; not 'a=b'")
    ]
    assert refused("k_normal=\udcff") == [("--parameter", "k_normal must be like 15; not '\\udcff'")]
    with pytest.raises(BadInput, match="k_normal must be like 15"):
        adjusted("k_normal=1.5")


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
