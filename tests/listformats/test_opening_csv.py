"""The CSV of a federation's first list."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratinglists.formats.opening_csv import COLUMNS, MAX_PROBLEMS, OpeningRow, read_opening_csv

HEADER = ",".join(COLUMNS)
GOOD = '7,9000011,"Alba, Tomás",m,1990-05-17,esp,fm,2143,120,yes,14'


def read(*rows: str, header: str = HEADER, encoding: str = "utf-8"):
    return read_opening_csv("\r\n".join((header, *rows, "")).encode(encoding))


ALBA = OpeningRow(2, "7", "9000011", "Alba, Tomás", "m", (1990, 5, 17), "ESP", "FM", 2143, 120, True, 14)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_good_row(encoding):
    assert read(GOOD, encoding=encoding) == ((ALBA,), ())


def test_semicolons_columns_in_any_order_and_optional_ones_left_out():
    rows, problems = read("1800;Bruno, Luis;W", header="Rating;Name;Sex")
    assert problems == ()
    assert rows == (
        OpeningRow(2, "", "", "Bruno, Luis", "f", (None, None, None), "", "", 1800, None, None, None),
    )


@pytest.mark.parametrize(
    ("text", "birth"),
    [
        ("1990", (1990, None, None)),
        ("1990-05", (1990, 5, None)),
        ("1990-05-17", (1990, 5, 17)),
        ("", (None, None, None)),
    ],
)
def test_birth_with_its_precision(text, birth):
    (row,), _ = read(f"1800,Bruno,{text}", header="rating,name,birth")
    assert row.birth == birth


def test_unrated_players():
    rows, problems = read("0,Bruno", ",Ciro", header="rating,name")
    assert problems == ()
    assert [row.rating for row in rows] == [None, None]


def test_every_fault_at_once_with_row_field_and_remedy():
    rows, problems = read(
        GOOD,
        "8,Z56538,,x,1990-13,Spain,NM,21x,-1,maybe,1.5",
        '7,9000011,"Alba, T.",m,1990-02-30,ESP,,2143,,,',
        "1,2,3",
    )
    assert rows == (ALBA,)
    assert [(p.row, p.field) for p in problems] == [
        (3, "name"),
        (3, "fide_id"),
        (3, "sex"),
        (3, "birth"),
        (3, "federation"),
        (3, "title"),
        (3, "rating"),
        (3, "career_games"),
        (3, "k10"),
        (3, "games_last_year"),
        (4, "birth"),
        (4, "player_id"),
        (4, "fide_id"),
        (5, "row"),
    ]
    assert all(p.remedy and str(p.row) in p.message for p in problems)


def test_columns_unknown_twice_or_missing():
    rows, problems = read("x", header="name,elo,name")
    assert rows == ()
    assert [(p.row, p.field) for p in problems] == [(1, "name"), (1, "elo"), (1, "name"), (1, "rating")]


def test_rows_count_lines_of_the_file():
    _, problems = read('"Alba,\n Tomas",1800', "Bruno,x", header="name,rating")
    assert [p.row for p in problems] == [4]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (b"", None),
        (b"\n\n", None),
        (b"name,rating\n", None),
        (b"name,rating\nAlba,1800\nMu\xf1oz,1700\n", 3),
        (b"name,rating\nAl\0ba,1800\n", 2),
        (b'name,rating\n"Alba,1800\n', 2),
    ],
)
def test_files_that_cannot_be_read(data, row):
    _, problems = read_opening_csv(data)
    assert [p.row for p in problems] == [row]
    assert problems[0].remedy


def test_a_quote_that_stays_open_is_said_in_words_of_the_portal():
    _, (problem,) = read_opening_csv(b'name,rating\nBo,1700\n"Alba,1800\n')
    told = "From row 3 on the file cannot be parted into cells: a quote or a cell has no end."
    assert (problem.row, problem.message) == (3, told)


def test_problems_are_capped():
    _, problems = read(*["x,y"] * (MAX_PROBLEMS + 5), header="name,rating")
    assert len(problems) == MAX_PROBLEMS + 1
    assert "5 more" in problems[-1].message


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_read_or_refused(data, with_header):
    rows, problems = read_opening_csv((HEADER.encode() + b"\n" if with_header else b"") + data)
    assert rows or problems


@given(st.lists(st.text(max_size=12), min_size=len(COLUMNS), max_size=len(COLUMNS)))
def test_any_cells_are_read_or_refused(cells):
    quoted = ",".join('"' + cell.replace('"', '""').replace("\ud800", "") + '"' for cell in cells)
    rows, problems = read_opening_csv(f"{HEADER}\n{quoted}\n".encode("utf-8", "replace"))
    assert len(rows) == 1 or problems


def test_a_column_without_title_has_a_finding_with_its_place():
    _, problems = read("1800,Bruno,x", header="rating,name,")
    assert [(p.row, p.field, p.message) for p in problems] == [(1, "column", "Column 3 has no title.")]


def test_many_columns_of_one_name_are_soon_refused():
    """They were counted anew for each: 16,000 took four seconds."""
    started = time.process_time()
    rows, problems = read(header=",".join(["rating"] * 50_000))
    assert time.process_time() - started < 1
    assert rows == ()
    assert len(problems) == MAX_PROBLEMS + 1
