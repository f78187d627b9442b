"""XLSX tables: cells of all kinds, sheets, what is written, and openpyxl as a second opinion."""

import io
from datetime import date, datetime, time
from fractions import Fraction

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.table_events import events
from tests.reports.xlsx_book import MAIN, book, cell, relations, row, sheet
from tournaments.reports import csv_table, formats
from tournaments.reports.model import Birth
from tournaments.reports.xlsx_table import parse, recognises, template, write

TITLES = row("no", "name", "birth", "points", "r1", "r2")
TABLE = TITLES + row(1.0, "Alba, Tomás", 1990, 1.5, "2w1", "3b=") + row(2, "Bruno", "", "0,0", "1b0", "")
TABLE += row(3, "Ciro", "", 0.5, "Z", "1w½")


def codes(report):
    return [(p.severity, p.code, p.line, p.column) for p in report.problems]


def test_a_table():
    report = parse(book(TABLE))
    assert report.problems == ()
    assert [(p.start_number, p.name, p.points) for p in report.players] == [
        (1, "Alba, Tomás", Fraction(3, 2)),
        (2, "Bruno", Fraction(0)),
        (3, "Ciro", Fraction(1, 2)),
    ]
    assert report.players[0].birth == Birth(1990)
    assert [(g.round, g.white, g.black, g.result) for g in report.games] == [
        (1, 1, 2, "1-0"),
        (1, 3, None, "bye-0"),
        (2, 3, 1, "1/2-1/2"),
    ]
    assert [p.line for p in report.players] == [2, 3, 4]


@pytest.mark.parametrize("title", ["event", "Torneo", " EVENTO "])
@pytest.mark.parametrize("first", [True, False])
def test_the_event_on_a_sheet_of_its_own(title, first):
    sheets = [f'<sheet name="{title}" r:id="s2"/>', '<sheet name="x" r:id="s1"/>']
    named = "".join(sheets if first else reversed(sheets))
    event = row("name", "Open, otra vez") + row("# start", "2026-03-06") + row("end:", "x") + row("nothing")
    report = parse(
        book(
            TABLE,
            xl__workbook=f'<w xmlns:r="r">{named}</w>',
            xl__worksheets__sheet2=sheet(event),
        )
    )
    assert (report.name, report.start) == ("Open, otra vez", date(2026, 3, 6))
    assert codes(report) == [("error", "date-unreadable", None, None)]
    assert f"Sheet {title.strip()}, row 3" in report.errors[0].message


def test_the_event_above_the_table():
    report = parse(book(row("# name", "Open") + row("# city: Villa") + TABLE))
    assert (report.name, report.city, report.problems) == ("Open", "Villa", ())
    assert report.players[0].line == 4


def test_hidden_sheets_and_those_that_are_missing_are_passed_over():
    sheets = (
        '<sheet name="a" state="hidden" r:id="s2"/><sheet name="b" r:id="gone"/><sheet name="c" r:id="s1"/>'
    )
    report = parse(
        book(TABLE, xl__workbook=f'<w xmlns:r="r">{sheets}</w>', xl__worksheets__sheet2=sheet(row("x")))
    )
    assert report.ok


def test_texts_by_number_with_runs_and_reading_aids():
    strings = (
        f"<sst {MAIN}><si><t>no</t></si><si><r><t>na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si>"
        "<si><t>r1</t></si><si><t> Alba &amp; Co </t></si><si><t>2w1</t></si></sst>"
    )
    shared = [f'<c t="s"><v>{number}</v></c>' for number in range(6)]
    rows = row(*shared[:3]) + row(1, shared[3], shared[4]) + row(2, "Bruno", "")
    report = parse(book(rows, xl__sharedStrings=strings))
    assert report.problems == ()
    assert report.players[0].name == "Alba & Co"
    broken = parse(book(rows + row(3, shared[5], "H"), xl__sharedStrings=strings))
    assert codes(broken) == [("error", "xlsx-cell", 4, 2), ("error", "name-missing", 4, 2)]


@pytest.mark.parametrize(
    ("style", "number", "birth"),
    [
        (1, 32994, Birth(1990, 5, 1)),
        (2, 32994.5, Birth(1990, 5, 1)),
        (0, 1990, Birth(1990)),
        (0, "1990.0", Birth(1990)),
        (7, 1990, Birth(1990)),
        (1, 0, Birth()),
    ],
)
def test_dates_are_told_from_numbers_by_their_format(style, number, birth):
    rows = row("name", "birth", "id") + row("Alba", f'<c s="{style}"><v>{number}</v></c>', 9000061)
    report = parse(book(rows))
    assert report.players[0].birth == birth
    assert report.problems == ()


def test_days_may_count_from_1904():
    rows = row("name", "birth", "id") + row("Alba", '<c s="1"><v>31532</v></c>', 9000061)
    workbook = '<w xmlns:r="r"><workbookPr date1904="1"/><sheet name="T" r:id="s1"/></w>'
    assert parse(book(rows, xl__workbook=workbook)).players[0].birth == Birth(1990, 5, 1)


@pytest.mark.parametrize(
    ("made", "code", "shown"),
    [
        ('<c><f>1+1</f><v>2</v></c>', "xlsx-formula", "Cell C2 holds a formula"),
        ('<c t="str"><f>A1</f><v>x</v></c>', "xlsx-formula", "Cell C2"),
        ('<c t="e"><v>#N/A</v></c>', "xlsx-cell", "the error #N/A"),
        ('<c s="1"><v>99999999999</v></c>', "xlsx-cell", "a date"),
        ('<c><v>1 2</v></c>', "xlsx-cell", "'1 2' for a number"),
        ('<c t="s"><v>x</v></c>', "xlsx-cell", "not in the file"),
        ('<c t="s"><v>-1</v></c>', "xlsx-cell", "not in the file"),
        (cell("x" * 1001), "xlsx-cell", "1000 characters"),
        (cell("1800\u200b"), "control-character", "column 3"),
        ('<c t="b"><v>1</v></c>', "rating-unreadable", "TRUE"),
        ('<c><v>1e999</v></c>', "rating-unreadable", "inf"),
        ('<c><v>1700.5</v></c>', "rating-unreadable", "1700.5"),
    ],
)  # fmt: skip
def test_a_cell_that_cannot_be_taken_is_named(made, code, shown):
    report = parse(book(row("name", "id", "rating") + row("Alba", 9000061, made)))
    assert codes(report) == [("error", code, 2, 3)]
    assert shown in report.errors[0].message


def test_results_that_a_program_made_dates_of():
    report = parse(book(row("no", "name", "r1") + row(1, "A", '<c s="1"><v>46054</v></c>') + row(2, "B", "")))
    assert codes(report) == [("error", "cell-text", 2, 3)]
    assert "2026-02-01" in report.errors[0].message


def test_a_grid_of_players():
    rows = row("no", "name", 1, 2) + row(1, "A", "x", 1) + row(2, "B", 0, "X")
    assert [(g.white, g.black, g.result) for g in parse(book(rows)).games] == [(1, 2, "1-0")]


def test_other_prefixes_and_encodings():
    prefixed = sheet(TABLE).replace("<", "<x:").replace("<x:/", "</x:").replace("xmlns=", "xmlns:x=")
    assert parse(book(xl__worksheets__sheet1=prefixed)) == parse(book(TABLE))
    assert parse(book(xl__worksheets__sheet1=sheet(TABLE).encode("utf-16"))) == parse(book(TABLE))


def test_a_workbook_by_openpyxl():
    made = openpyxl.Workbook()
    made.active.append(["No", "Name", "Born", "Rtg", "1", "2"])
    made.active.append([1, "Alba", date(1990, 5, 1), 1800.0, "2w1", "H"])
    made.active.append([2, "=cmd", datetime.combine(date(1991, 6, 2), time(9)), None, None, None])
    made.active["B3"].data_type = "s"
    made.active["Z1000"].font = openpyxl.styles.Font(bold=True)
    out = io.BytesIO()
    made.save(out)
    report = parse(out.getvalue())
    assert [p.code for p in report.problems] == ["unpaired-round"]
    assert [(p.name, p.birth.day, p.rating) for p in report.players] == [("Alba", 1, 1800), ("=cmd", 2, None)]


def test_what_is_written_has_no_formula_and_the_values_that_are_shown():
    report = csv_table.parse(
        b"# name: =Open\nno,name,rating,points,r1,r2\n"
        b'1,"\'=x()",1800,1.5,2w1,0000 - =\n2,+y,,1,,3b+\n3,z,,0,,\n'
    )
    made = openpyxl.load_workbook(io.BytesIO(write(report)))
    assert made.sheetnames == ["players", "event", "help"]
    cells = [each for page in made for line in page.iter_rows() for each in line if each.value is not None]
    assert {each.data_type for each in cells} <= {"s", "n"}
    assert not [each for each in cells if str(each.value).startswith(("=", "+", "-", "@"))]
    first = {made["players"].cell(1, at).value: made["players"].cell(2, at).value for at in range(1, 14)}
    assert (first["start_no"], first["name"], first["rating"], first["points"]) == (1, "'=x()", 1800, 1.5)
    assert (first["r1"], first["r2"]) == ("2w1", "0000 - =")


def test_empty_workbooks():
    made = openpyxl.load_workbook(io.BytesIO(template(3, 2)))
    players = made["players"]
    assert players.freeze_panes == "C2"
    assert players["M4"].number_format == players["B2"].number_format == "@"
    assert players.column_dimensions["B"].width > players.column_dimensions["A"].width
    assert made["help"]["A2"].value == "start_no"
    assert [p.code for p in parse(template(3, 2)).errors] == ["no-players"]
    players["B2"], players["B3"], players["L2"], made["event"]["B1"] = "Alba", "Bruno", "2w1", "Open"
    out = io.BytesIO()
    made.save(out)
    report = parse(out.getvalue())
    assert (report.name, report.problems, len(report.players), len(report.games)) == ("Open", (), 2, 1)
    assert "r1" not in [
        each.value for each in openpyxl.load_workbook(io.BytesIO(template(3, 0)))["players"][1]
    ]
    with pytest.raises(ValueError, match="0 players"):
        template(0, 1)


def test_it_is_recognised_by_its_content():
    assert recognises(book())
    assert formats.recognise(book(), "x.csv").code == "xlsx"
    assert formats.recognise(b"\xd0\xcf\x11\xe0", "x").code == "xlsx"
    assert not recognises(b"no,name", "x.xlsx")


@settings(max_examples=60, deadline=None)
@given(events() | events(entry_list=True))
def test_a_written_workbook_reads_back_equal_and_without_errors(event):
    again = parse(write(event))
    assert again.errors == ()
    assert again == event
    assert again.players == csv_table.parse(csv_table.write(event)).players


def test_noncharacters_are_replaced():
    report = csv_table.parse("no,name,r1\n1,a\ufffeb,2w1\n2,b,\n".encode())
    assert parse(write(report)).players[0].name == "a\ufffdb"


FULL = book(TABLE)
PARTS_OF_A_SHEET = st.sampled_from(
    ["<row>", "</row>", '<row r="3">', '<row r="0">', "<c>", "</c>", '<c r="B2" t="s">', '<c r="?">', "<v>",
     "</v>", "<f>", "1", "x", "<is>", "<t>", "</t>", "&lt;", "&x;", "<!--", "]]>", "name", "\0"]
)  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(
    st.binary(max_size=200)
    | st.binary(max_size=200).map(b"PK\x03\x04".__add__)
    | st.tuples(st.integers(0, len(FULL)), st.integers(0, 30), st.binary(max_size=6)).map(
        lambda cut: FULL[: cut[0]] + cut[2] + FULL[cut[0] + cut[1] :]
    )
    | st.lists(PARTS_OF_A_SHEET, max_size=12).map(lambda parts: book(TITLES + "".join(parts)))
    | st.text(max_size=60).map(lambda text: book(TABLE, xl__styles=text.encode("utf-8", "replace")))
    | st.lists(st.lists(st.text("12wb=+-HUZx\u200bé ", max_size=6), max_size=7), max_size=5).map(
        lambda rows: book(TITLES + "".join(row(*values) for values in rows))
    )
)
def test_no_bytes_make_the_reader_fail(data):
    report = parse(data)
    assert all(problem.message and problem.remedy for problem in report.problems)
    if report.ok:
        assert parse(write(report)) == report


def test_relations_lead_nowhere_else():
    for target in (
        "../../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "https://example.org/x.xml",
    ):
        found = parse(book(TABLE, **{"xl___rels__workbook.rels": relations(s1=f"worksheet {target}")}))
        assert [p.code for p in found.errors] == ["xlsx-not"]
