"""Workbooks made to cost time or memory: each is refused, or read without what makes it dear."""

import io
import struct
import tracemalloc
import zipfile

import pytest

from tests.reports.xlsx_book import book, row, sheet
from tournaments.reports.xlsx_package import MAX_ENTRIES, MAX_PART, MAX_TAGS
from tournaments.reports.xlsx_table import parse

TITLES = row("no", "name", "r1")
TABLE = TITLES + row(1, "Alba", "2w1") + row(2, "Bruno", "")
ENTITIES = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))


def codes(data):
    return [p.code for p in parse(data).errors]


def test_one_far_cell_costs_no_million_rows():
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    assert codes(book(TABLE + far)) == ["too-many-columns"]
    assert codes(book(TABLE + far.replace("XFD", "C"))) == ["start-number", "name-missing"]


def test_far_columns_in_every_row_are_not_padded():
    rows = "".join(
        f'<row r="{at}"><c r="XFC{at}"/><c r="XFD{at}"><v>1</v></c></row>' for at in range(4, 20_000)
    )
    tracemalloc.start()
    try:
        assert codes(book(TABLE + rows)) == ["too-many-columns"]
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "part",
    ["xl__worksheets__sheet1", "xl__sharedStrings", "xl__styles", "xl__workbook", "xl___rels__workbook.rels"],
)
def test_a_part_that_unpacks_to_too_much_is_not_unpacked(part):
    tracemalloc.start()
    try:
        assert codes(book(TABLE, **{part: b" " * (MAX_PART + 1)})) == ["xlsx-too-big"]
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_PART
    finally:
        tracemalloc.stop()


def test_an_archive_that_lies_about_its_sizes():
    data = bytearray(book(xl__worksheets__sheet1=b" " * (50 << 20)))
    at = data.find(b"PK\x01\x02")
    while at != -1:
        struct.pack_into("<I", data, at + 24, 100)
        at = data.find(b"PK\x01\x02", at + 4)
    tracemalloc.start()
    try:
        assert codes(bytes(data))[0] in ("xlsx-damaged", "xlsx-too-big")
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_PART
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packing_without_bounds_is_refused(method):
    assert codes(book(TABLE, method=method)) == ["xlsx-damaged"]


@pytest.mark.parametrize(
    "document",
    [
        f'<!DOCTYPE x [<!ENTITY e0 "0123456789">{ENTITIES}]>' + sheet(TABLE).replace("Alba", "&e9;"),
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + sheet(TABLE).replace("Alba", "&e;"),
        '<!DOCTYPE x SYSTEM "https://example.org/x.dtd">' + sheet(TABLE),
    ],
)
def test_document_types_are_refused(document):
    report = parse(book(xl__worksheets__sheet1=document))
    assert [p.code for p in report.errors] == ["xlsx-damaged"]
    assert "document type" in report.errors[0].message


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("xl__worksheets__sheet1", sheet("<c/>" * MAX_TAGS)),
        ("xl__worksheets__sheet1", "<a>" * (MAX_TAGS + 1)),
        ("xl__sharedStrings", "<si/>" * (MAX_TAGS + 1)),
        ("xl__styles", "<xf/>" * (MAX_TAGS + 1)),
        ("xl__workbook", "<sheet/>" * (MAX_TAGS + 1)),
    ],
)
def test_elements_are_counted_before_they_are_read(part, text):
    assert codes(book(TABLE, **{part: text})) == ["xlsx-too-big"]


def test_elements_of_all_parts_count_together():
    half = "<x>" + "<c/>" * (MAX_TAGS // 2) + "</x>"
    assert codes(book(TABLE, xl__styles=half)) == []
    assert codes(book(TABLE, xl__styles=half, xl__sharedStrings=half)) == ["xlsx-too-big"]


def test_one_long_text_shown_many_times():
    strings = f"<sst><si><t>{'x' * 1000}</t></si></sst>"
    rows = TITLES + ("<row>" + '<c t="s"><v>0</v></c>' * 30 + "</row>") * 1500
    assert "xlsx-too-big" in codes(book(rows, xl__sharedStrings=strings))
    assert codes(book(TABLE + row(3, '<c t="str"><v>' + "x" * 1_000_000 + "</v></c>", "H"))) == [
        "xlsx-cell",
        "name-missing",
    ]


def test_too_many_parts():
    out = io.BytesIO(book(TABLE))
    with zipfile.ZipFile(out, "a") as archive:
        for number in range(MAX_ENTRIES):
            archive.writestr(f"{number}", b"")
    assert codes(out.getvalue()) == ["xlsx-too-big"]


def test_too_many_rows():
    assert codes(book(TITLES + row("x") * 4000)) == ["xlsx-too-big"]
    assert codes(book(TITLES + "".join(row(at, "A", "H") for at in range(1, 2100)))) == [
        "too-many-players",
        "no-games",
    ]
    assert codes(b"PK\x03\x04" + b"\0" * (1 << 20)) == ["too-big"]


def test_thousands_of_formats_are_not_compared():
    formats = "".join(f'<numFmt numFmtId="{at}" formatCode="{"[" * 250}"/>' for at in range(20_000))
    cells = "".join(f'<xf numFmtId="{at}"/>' for at in range(20_000))
    assert codes(book(TABLE, xl__styles=f"<s>{formats}<cellXfs>{cells}</cellXfs></s>")) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"PK\x05\x06" + b"\0" * 18, "xlsx-not"),
        (b"PK\x03\x04", "xlsx-damaged"),
        (book(TABLE)[:-30], "xlsx-damaged"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "xlsx-not"),
        (book(xl__workbook=None), "xlsx-not"),
        (book(xl__workbook="<w/>"), "xlsx-not"),
        (book(_rels=None), "xlsx-not"),
        (book(xl__worksheets__sheet1="<a>"), "xlsx-damaged"),
        (book(xl__worksheets__sheet1=b"\xff\xfe<"), "xlsx-damaged"),
        (book('<row r="0"/>'), "xlsx-damaged"),
        (book('<row r="1e3"/>'), "xlsx-damaged"),
        (book('<row r="9999999"/>'), "xlsx-damaged"),
        (book('<row><c r="ABCD1"/></row>'), "xlsx-damaged"),
        (book(), "no-players"),
        (book(row("x", "y")), "table-columns"),
    ],
)
def test_what_is_no_workbook(data, code):
    assert codes(data) == [code]


def test_a_locked_part():
    data = bytearray(book(TABLE))
    at = data.find(b"PK\x01\x02")
    while at != -1:
        data[at + 8] |= 1
        at = data.find(b"PK\x01\x02", at + 4)
    assert codes(bytes(data)) == ["xlsx-damaged"]
