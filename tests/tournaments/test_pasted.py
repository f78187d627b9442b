"""Lists of players, pasted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pasted import MAX_LINES, merge, parse_lines


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1\t7000011\tAlder, Tom", [["1", "7000011", "Alder, Tom"]]),
        ("1;7000011;Alder\r\n2;7000012;Birch", [["1", "7000011", "Alder"], ["2", "7000012", "Birch"]]),
        ("7000011", [["", "7000011", ""]]),
        ("4711", [["", "4711", ""]]),
        ("Alder, Tom", [["", "", "Alder, Tom"]]),
        ("Alder, Tom\t7000011", [["", "7000011", "Alder, Tom"]]),
        ("12\tAlder, Tom", [["12", "", "Alder, Tom"]]),
        ("3\tGM\t2143\t7000011\t1980", [["3", "7000011", "GM"]]),
        ("No.\tNumber\tName\n1\t7000011\tAlder, Tom", [["1", "7000011", "Alder, Tom"]]),
        ("Alder, Tom\nBirch, Lou", [["", "", "Alder, Tom"], ["", "", "Birch, Lou"]]),
        ("\n \n\t\t\n1\t 7000011 \n", [["1", "7000011", ""]]),
        ("", []),
    ],
)  # fmt: skip
def test_lines(text, rows):
    assert parse_lines(text) == rows


def test_a_pasted_row_replaces_that_of_its_start_number_and_that_of_its_player():
    rows = [["1", "7000011", ""], ["2", "7000012", ""], ["3", "7000013", ""], ["4", "", ""]]
    pasted = [["2", "7000011", ""], ["", "7000013", "Cedar, Pat"], ["", "7000014", ""], ["4", "7000015", ""]]
    merged, replaced = merge(rows, pasted)
    assert merged == [
        ["2", "7000011", ""], ["3", "7000013", "Cedar, Pat"], ["4", "7000015", ""], ["5", "7000014", ""],
    ]  # fmt: skip
    assert replaced == 1, "7000012 gave way; the others are the same person or a blank row"


def test_the_rows_given_are_left_as_they_are():
    rows = [["1", "7000011", ""]]
    merge(rows, [["1", "7000012", ""]])
    assert rows == [["1", "7000011", ""]]


@given(st.text(alphabet=st.sampled_from("019a,;\t\n\r \0ü"), max_size=200))
def test_any_text_gives_rows_of_three_texts_with_their_own_start_numbers(text):
    rows = parse_lines(text)
    assert len(rows) <= MAX_LINES
    assert all(len(row) == 3 and any(row) for row in rows)
    merged, _ = merge([], rows)
    starts = [row[0] for row in merged]
    assert len(starts) == len(set(starts))
