"""Rounds typed board by board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.reports import crosstable
from tournaments.reports.boards import missing, parse_result, read_round, start_number

NAMES = {number: f"Player {number}" for number in range(1, 9)}


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("1", "10"), ("0", "01"), ("=", "=="), ("+", "+-"), ("-", "-+"), ("w", "WL"),
        ("L", "LW"), ("d", "DD"),
        ("½", "=="), ("0.5", "=="), ("0,5", "=="), (".5", "=="), ("1/2", "=="),
        (".", "=="), (",", "=="), ("/", "=="),
        ("1-0", "10"), ("0:1", "01"), ("½-½", "=="), ("1/2-1/2", "=="), ("= =", "=="), ("10", "10"),
        ("+/-", "+-"), ("-/+", "-+"), ("+--", "+-"), ("--+", "-+"), ("--", "--"),
        ("---", "--"), ("-/-", "--"),
        ("0-0", "00"), ("00", "00"), ("0-½", "0="), ("=0", "=0"), ("LD", "LD"),
        ("h", "H"), ("F", "F"), (" u ", "U"), ("Z", "Z"), ("", ""), ("  ", ""),
    ],
)  # fmt: skip
def test_results(text, letters):
    assert "".join(parse_result(text)) == letters


@pytest.mark.parametrize(
    "text", ["2", "11", "1-1", "1=", "x", "HH", "+ +", "W-W", "1-", "0.25", "10 01", "١", "\0"]
)
def test_what_is_no_result(text):
    with pytest.raises(ValueError, match="is not a result"):
        parse_result(text)


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("007", 7), ("9999", 9999)])
def test_start_numbers(text, number):
    assert start_number(text) == number


@pytest.mark.parametrize("text", ["", "0", "0000", "10000", "-1", "1.", "a", "²", "٣"])
def test_what_is_no_start_number(text):
    assert start_number(text) is None


def test_rows_become_cells_of_the_crosstable():
    read = read_round(
        [("1", "1", "2"), ("", "", ""), ("4", "--", "3"), ("5", "h", ""), ("6", "", "7")], NAMES
    )
    assert read.cells == {1: "2w1", 2: "1b0", 4: "3w-", 3: "4b-", 5: "H", 6: "7w", 7: "6b"}
    assert read.rows == {1: 1, 2: 1, 4: 3, 3: 3, 5: 4, 6: 5, 7: 5}
    assert missing(read, NAMES) == [8]
    assert [(fault.row, fault.field, fault.severity) for fault in read.faults] == [(5, "result", "warning")]


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        ([("x", "1", "2")], [(1, "white", "“x” is not a start number")]),
        ([("1", "1", "77")], [(1, "black", "No player has start number 77")]),
        ([("", "1", "2")], [(1, "white", "White's number is missing")]),
        ([("", "1", "")], [(1, "white", "White's number is missing"), (1, "black", "opponent is missing")]),
        ([("3", "1", "3")], [(1, "black", "stands on both sides")]),
        ([("3", "1", "")], [(1, "black", "opponent is missing")]),
        ([("3", "", "")], [(1, "black", "opponent is missing")]),
        ([("3", "=", "")], [(1, "black", "opponent is missing")]),
        ([("3", "H", "4")], [(1, "result", "H is a bye")]),
        ([("3", "2", "4")], [(1, "result", "“2” is not a result")]),
        ([("1", "1", "2"), ("3", "1", "2")], [(2, "black", "Player 2 (Player 2) stands on board 1 already")]),
        ([("1", "1", "2"), ("1", "Z", "")], [(2, "white", "stands on board 1 already")]),
        (
            [("x", "y", "0")],
            [(1, "white", "“x”"), (1, "black", "“0” is not a start number"), (1, "result", "“y”")],
        ),
    ],
)  # fmt: skip
def test_every_fault_names_board_and_field(rows, faults):
    read = read_round(rows, NAMES)
    assert [(fault.row, fault.field) for fault in read.faults] == [(row, field) for row, field, _ in faults]
    for fault, (_, _, words) in zip(read.faults, faults, strict=True):
        assert words in fault.message
        assert fault.remedy
        assert fault.severity == "error"


def test_a_row_with_an_error_gives_no_cells_and_the_first_of_two_boards_stands():
    read = read_round([("1", "1", "2"), ("2", "0", "3"), ("4", "?", "5")], NAMES)
    assert read.cells == {1: "2w1", 2: "1b0"}


TEXTS = st.one_of(
    st.sampled_from(["", "1", "2", "3", "8", "9", "0", "01", "=", "+", "-", "h", "Z", "--", "1-0", "½", "x"]),
    st.text(max_size=6),
)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=8))
def test_any_text_is_read_and_what_has_no_fault_makes_a_sound_crosstable(rows):
    read = read_round(rows, NAMES)
    assert all(1 <= fault.row <= len(rows) for fault in read.faults)
    assert read.rows.keys() <= NAMES.keys()
    assert read.cells.keys() <= read.rows.keys()
    header = crosstable.Header("Open", federation="XAA")
    lines = [crosstable.Row(n, name, cells=(read.cells.get(n, ""),)) for n, name in NAMES.items()]
    wrong = {
        "cell-text",
        "result-mismatch",
        "opponent-mismatch",
        "two-games",
        "unknown-opponent",
        "self-pairing",
    }
    assert not wrong & {problem.code for problem in crosstable.build(header, lines).problems}
