"""Published lists read again by what the portal reads lists with: what was written is found."""

import io
from datetime import date
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.listformats.ascii_names import to_ascii
from players.listformats.model import Faulty, ListRating
from players.listformats.reading import PlayerList
from players.listformats.spreadsheets import bare, protect
from ratinglists.formats.csv_list import csv_rows
from ratinglists.formats.fide_txt import fide_lines
from ratinglists.formats.fide_xml import xml_players
from ratinglists.formats.line import ListLine
from ratinglists.formats.table import Column, csv_table
from ratinglists.formats.xlsx import xlsx_table
from tournaments.reports.tables import new_problems
from tournaments.reports.xlsx_reader import read_workbook

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50)
DAY = date(2026, 10, 1)
words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
names = st.lists(words, min_size=1, max_size=4).map(" ".join)
lines = st.builds(
    ListLine,
    fide_id=st.integers(1, 10**9 - 1).map(str),
    name=names,
    sex=st.sampled_from(["m", "f", ""]),
    federation=st.sampled_from(["XAA", "XBB"]),
    title=st.sampled_from(["", "GM", "WFM"]),
    rating=st.integers(1, 4000),
    games=st.integers(0, 999),
    k=st.none() | st.integers(1, 99),
    birth_year=st.none() | st.integers(1850, 2100),
    flag=st.sampled_from(["", "i"]),
    women_title=st.sampled_from(["", "WFM"]),
)
FORMATS = {
    "fide-txt": lambda players: fide_lines(players, list_date=DAY),
    "fide-xml": xml_players,
    "csv": lambda players: csv_rows(players, system="standard", list_date=DAY),
}


@pytest.mark.parametrize("name", FORMATS)
@SLOW
@given(st.data())
def test_a_list_is_read_back(name, data):
    """Names in TXT are in ASCII; everything else is the same in all three."""
    players = data.draw(st.lists(lines, max_size=4))
    if name == "fide-txt":
        players = [each for each in players if to_ascii(each.name) and len(to_ascii(each.name)) <= 60]
    content = b"".join(FORMATS[name](players))
    read = PlayerList(io.BytesIO(content), single="standard")
    found = list(read)
    assert read.format == name
    assert not [each for each in found if isinstance(each, Faulty)]
    assert [each.number for each in found] == [each.fide_id for each in players]
    for one, other in zip(found, players, strict=True):
        expected = to_ascii(other.name) if name == "fide-txt" else other.name
        assert one.name == expected
        assert (one.federation, one.sex, one.title) == (other.federation, other.sex, other.title)
        assert (one.women_title, one.birth_year) == (other.women_title, other.birth_year)
        assert one.standard == ListRating(other.rating, other.games, other.k)
        if other.sex != "" or name != "csv":
            assert one.active == ("i" not in other.flag)
    if name == "fide-txt":
        assert read.list_date == DAY


def test_the_xml_is_one_document():
    """A parser that knows nothing of FIDE takes it: one root, in UTF-8 by default."""
    player = ListLine("1", "Łączny & <Íñigo>", "m", "XAA", "", 2000, 1, 20, 1990)
    root = ElementTree.fromstring(b"".join(xml_players([player, player])))
    assert (root.tag, len(root)) == ("playerslist", 2)
    assert root[0].find("name").text == "Łączny & <Íñigo>"


@given(st.text(max_size=20))
def test_what_is_made_safe_is_found_again(text):
    assert bare(protect(text)) == text
    assert not protect(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.mark.parametrize("text", ["=1", "'=1", "''=1", "'O", "'", "-"])
def test_apostrophes_before_a_formula_are_kept(text):
    assert bare(protect(text)) == text


COLUMNS = (Column("name", "Name", 20), Column("rating", "Rating", 6, number=True), Column("id", "Id", 8))
tables = st.lists(
    st.tuples(names, st.none() | st.integers(0, 10**6), st.sampled_from(["", "007", "=1+1", "-3", "@x"])),
    max_size=5,
)


@SLOW
@given(tables)
def test_a_workbook_is_read_back(rows):
    """By the portal's own reader of workbooks, which refuses formulas."""
    content = b"".join(xlsx_table(COLUMNS, rows, sheet="standard 2026-10-01", about=[("System", "=x")]))
    problems = new_problems()
    head, *found = read_workbook(content, problems).lines
    assert not problems.all()
    assert head.cells == ("Name", "Rating", "Id")
    wanted = [tuple("" if cell is None else str(cell) for cell in row) for row in rows]
    assert [(*line.cells, "", "")[:3] for line in found] == wanted
    assert [line.number for line in found] == list(range(2, len(rows) + 2))


@given(tables)
def test_a_table_in_csv_has_a_line_for_each_row(rows):
    content = b"".join(csv_table(COLUMNS, rows))
    assert content.startswith(b"name,rating,id\r\n")
    assert content.count(b"\r\n") == len(rows) + 1


@SLOW
@given(st.text("=+-@'\";|,\t\n\r ax＝", max_size=12))
def test_what_protects_a_text_is_taken_away_again(text):
    assert bare(protect(text)) == text


@pytest.mark.parametrize("cut", [";", "\t", "|", "\n"])
def test_a_text_is_harmless_where_a_program_cuts_it(cut):
    """Excel in Spanish parts our cells by semicolons, whatever quotes stand around them."""
    assert protect(f"Alder{cut}=1+1") == f"Alder{cut}'=1+1"
    assert protect(f"Alder{cut} +1") == f"Alder{cut}' +1"
    assert protect("Alder; Tom") == "Alder; Tom"
