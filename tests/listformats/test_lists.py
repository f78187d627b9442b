"""Rating lists as CSV and in FIDE's columns."""

import csv
import io
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.listformats.ascii_names import to_ascii
from players.listformats.spreadsheets import protect
from ratinglists.formats.csv_list import COLUMNS, csv_rows
from ratinglists.formats.fide_txt import FIELDS, WIDTH, fide_lines, flag
from ratinglists.formats.line import ListLine

NORA = ListLine("9100001", "Normal, Nora", "f", "ESP", "WGM", 2301, 9, 20, 1994, women_title="WGM")
DORA = ListLine("9100002", "Dormida, Dora", "f", "ESP", "", 1801, 0, 20, 1980, flag="i")
IVO = ListLine("", "Łączny, Íñigo", "m", "POL", "FM", None, 0, None, None, flag="i")

lines = st.builds(
    ListLine,
    fide_id=st.text(max_size=20),
    name=st.text(max_size=90),
    sex=st.sampled_from(["m", "f", ""]),
    federation=st.text(max_size=6),
    title=st.text(max_size=8),
    rating=st.none() | st.integers(-5, 10**9),
    games=st.integers(-5, 10**9),
    k=st.none() | st.integers(0, 10**6),
    birth_year=st.none() | st.integers(0, 10**9),
    flag=st.sampled_from(["", "i", "wi", "w"]),
    women_title=st.text(max_size=8),
)


def test_fide_columns_of_the_published_layout():
    """Columns counted from 1 as in docs/formats/fide-txt.md."""
    header, nora, dora, ivo = (
        line.decode("ascii") for line in fide_lines([NORA, DORA, IVO], list_date=date(2026, 10, 1))
    )
    assert header == (
        "ID Number      Name                                                         "
        "Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag\r\n"
    )
    assert nora == (
        "9100001        Normal, Nora                                                 "
        "ESP F   WGM  WGM                     2301  9   20 1994  w   \r\n"
    )
    assert dora[132:136] == "wi  "
    assert (ivo[:15].strip(), ivo[15:76].strip(), ivo[113:119], ivo[126:132]) == (
        "",
        "Laczny, Inigo",
        "0     ",
        "0     ",
    )
    assert {len(line) for line in (header, nora, dora, ivo)} == {WIDTH + 2}


@settings(max_examples=200)
@given(st.lists(lines, max_size=4))
def test_no_value_moves_a_column(players):
    written = list(fide_lines(players, list_date=date(2026, 1, 1)))
    assert len(written) == len(players) + 1
    for raw in written:
        assert raw.isascii()
        assert raw.endswith(b"\r\n")
        assert raw.count(b"\n") == raw.count(b"\r") == 1
        assert len(raw) == WIDTH + 2
    for player, raw in zip(players, written[1:], strict=True):
        assert raw[132:136].decode().strip() == flag(player)
        assert 0 <= int(raw[113:119]) <= 999_999
        assert raw[75:76] == b" "


def test_the_fields_fill_the_width():
    assert sum(width for _, width in FIELDS) == WIDTH


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Muñoz, Íñigo", "Munoz, Inigo"),
        ("Groß, Jörg", "Gross, Jorg"),
        ("Østergård, Søren", "Ostergard, Soren"),
        ("Łukasz, Żółć", "Lukasz, Zolc"),
        ("Đorđević, Æmil", "Dordevic, Aemil"),
        ("O’Test", "O'Test"),
        ("Тест", "????"),
        ("A\tB\nC", "A B C"),
    ],
)
def test_ascii_names(name, plain):
    assert to_ascii(name) == plain


def read_csv(players):
    data = b"".join(csv_rows(players, system="FIDE standard", list_date=date(2026, 10, 1)))
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


def test_csv():
    header, nora, _, ivo = read_csv([NORA, DORA, IVO])
    assert tuple(header) == COLUMNS
    assert ",".join(nora) == "2026-10-01,FIDE standard,9100001,Normal, Nora,f,ESP,WGM,WGM,2301,9,20,1994,,,,,"
    assert ivo[3] == "Łączny, Íñigo"
    assert ivo[8:12] == ["", "0", "", ""]


def test_csv_is_quoted_by_rfc_4180():
    raw = b"".join(csv_rows([NORA], system='Say "x"', list_date=date(2026, 10, 1)))
    assert raw.split(b"\r\n")[1].startswith(b'2026-10-01,"Say ""x""",9100001,"Normal, Nora",f,')


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx"])
def test_text_that_looks_like_a_formula_is_made_harmless(text):
    assert protect(text) == "'" + text
    assert read_csv([ListLine("1", text, "m", "ESP", "", 1500, 1, 20, 1990)])[1][3] == "'" + text


def test_numbers_stay_numbers():
    negative = ListLine("1", "Alba, Tomas", "m", "ESP", "", -3, 1, 20, 1990)
    assert read_csv([negative])[1][8] == "-3"


@given(st.lists(lines, max_size=4))
def test_csv_reads_back(players):
    rows = read_csv(players)
    assert [len(row) for row in rows] == [len(COLUMNS)] * (len(players) + 1)
    for player, row in zip(players, rows[1:], strict=True):
        assert not row[3].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert row[9] == str(player.games)


def test_writers_stream():
    def endless():
        while True:
            yield NORA

    fide = fide_lines(endless(), list_date=date(2026, 10, 1))
    table = csv_rows(endless(), system="x", list_date=date(2026, 10, 1))
    assert [len(next(fide)) for _ in range(3)] == [WIDTH + 2] * 3
    assert next(table).startswith(b"list_date,")
    assert next(table) == next(table)
