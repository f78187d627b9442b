"""Workbooks and PDF: the same bytes for the same list, and what they hold."""

import hashlib
import io
import os
import re
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from base64 import a85decode

import openpyxl
import pytest
from reportlab.pdfgen.textobject import PDFTextObject

from ratinglists.formats import pdf, xlsx
from ratinglists.formats.table import Column

COLUMNS = (
    Column("number", "Number", 11),
    Column("name", "Name", 30),
    Column("rating", "Rating", 6, number=True),
)
ABOUT = [("System", "Isles rapid")]


def rows(count: int):
    return ((str(9_000_000 + n), f"Łączny, Íñigo {n}", 2800 - n) for n in range(count))


def book(count: int = 3) -> bytes:
    return b"".join(xlsx.xlsx_table(COLUMNS, rows(count), sheet="rapid", about=ABOUT))


def document(count: int = 3) -> bytes:
    return b"".join(
        pdf.pdf_table(COLUMNS, rows(count), count=count, title="Isles rapid", lines=["Aaland Isles", "List"])
    )


_IN_ANOTHER_PROCESS = """
import hashlib
from tests.listformats.test_documents import book, document
print(hashlib.sha256(book(80)).hexdigest(), hashlib.sha256(document(80)).hexdigest())
"""


def test_the_bytes_do_not_depend_on_the_process():
    """Not on the seed of hashes, the time zone or the clock either: the other process starts later."""
    own = [hashlib.sha256(each(80)).hexdigest() for each in (book, document)]
    environment = os.environ | {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Auckland", "LC_ALL": "C"}
    other = subprocess.run(
        [sys.executable, "-c", _IN_ANOTHER_PROCESS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.split() == own


def test_another_row_gives_other_bytes():
    assert book(3) != book(4)
    assert document(3) != document(4)


def test_a_workbook_tells_no_time():
    with zipfile.ZipFile(io.BytesIO(book())) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"created" not in archive.read("docProps/core.xml")
        assert b"modified" not in archive.read("docProps/core.xml")


def test_numbers_are_numbers_and_text_is_never_a_formula():
    cells = [("007", "=HYPERLINK(1)", 2100), ("", "@x", None), ("1", "a\x00b\ufffe & <c>", 0)]
    content = b"".join(xlsx.xlsx_table(COLUMNS, cells, sheet="a/b:c*[x]" + "y" * 40, about=[("=a", "=b")]))
    loaded = openpyxl.load_workbook(io.BytesIO(content))
    sheet, about = loaded.worksheets
    assert len(sheet.title) == 31
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["Number", "Name", "Rating"],
        ["007", "=HYPERLINK(1)", 2100],
        [None, "@x", None],
        ["1", "a?b? & <c>", 0],
    ]
    types = {cell.data_type for page in (sheet, about) for row in page.iter_rows() for cell in row}
    assert "f" not in types
    assert (sheet.freeze_panes, about["A1"].value) == ("A2", "=a")


def test_a_workbook_of_many_rows_needs_little_memory():
    book(10)
    tracemalloc.start()
    try:
        for _ in xlsx.xlsx_table(COLUMNS, rows(20_000), sheet="rapid", about=ABOUT):
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20


def test_more_rows_than_a_sheet_holds_are_refused(monkeypatch):
    monkeypatch.setattr(xlsx, "MAX_ROWS", 3)
    assert book(3)
    with pytest.raises(ValueError, match="3 rows"):
        book(4)


# --- PDF ------------------------------------------------------------------------------------------


def texts(content: bytes) -> list[str]:
    """What is drawn on each page: the strings of its content in order, in the letters of the font."""
    pages = []
    for raw in re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
        try:
            data = zlib.decompress(a85decode(raw.strip().removesuffix(b"~>")))
        except (ValueError, zlib.error):
            continue
        if b" Tj" in data:
            pages.append(data.decode("latin-1"))
    return pages


def test_pages_are_numbered_and_repeat_the_heading(monkeypatch):
    drawn = []
    for name in ("textOut", "textLine"):
        draw = getattr(PDFTextObject, name)

        def watched(self, text="", draw=draw):
            drawn.append((self._canvas.getPageNumber(), text))
            draw(self, text)

        monkeypatch.setattr(PDFTextObject, name, watched)
    document(pdf.ROWS * 2 + 1)
    by_page = {page: [text for number, text in drawn if number == page] for page in (1, 2, 3)}
    for page, found in by_page.items():
        assert found[:6] == ["Isles rapid", "Aaland Isles", "List", "Number", "Name", "Rating"]
        assert found[-1] == f"Page {page} of 3"
    assert by_page[1][6:9] == ["9000000", "Łaczny, Íñigo 0", "2800"]
    assert len(by_page[3]) == 6 + 3 + 1
    assert max(page for page, _ in drawn) == 3


def test_a_list_of_nobody_is_one_page():
    assert document(0).count(b"/Type /Page\n") == 1
    assert document(pdf.ROWS).count(b"/Type /Page\n") == 1
    assert document(pdf.ROWS + 1).count(b"/Type /Page\n") == 2


def test_a_page_draws_text_in_an_embedded_font():
    content = document()
    assert content.startswith(b"%PDF-1.")
    assert b"/FontFile2" in content
    assert len(texts(content)) == 1
    assert b"/MediaBox [ 0 0 595.2756 841.8898 ]" in content


def test_another_number_of_rows_than_told_is_refused():
    with pytest.raises(ValueError, match="3 rows came, not 2"):
        list(pdf.pdf_table(COLUMNS, rows(3), count=2, title="x", lines=[]))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Muñoz, Íñigo", "Muñoz, Íñigo"),
        ("Łukasz, Žižek Şahin", "Łukasz, Žižek Şahin"),
        ("Őry, Ștefan", "Ory, Stefan"),
        ("Щукин, Юрий", "Shchukin, Iurii"),
        ("Ἀλέξης", "Alexis"),
        ("שחמט", "????"),
        ("A\u00a0B\tC", "A B C"),
    ],
)
def test_letters_that_the_font_lacks_lose_their_accents(name, printed):
    assert pdf.readable(name) == printed


def test_a_name_too_long_for_its_column_ends_in_dots():
    font = "PortalVera"
    pdf.readable("")
    assert pdf.fitting("Short", font, 100) == "Short"
    long = pdf.fitting("Extraordinarily, Longwinded Name", font, 60)
    assert long.endswith("…")
    assert pdf.pdfmetrics.stringWidth(long, font, pdf._SIZE) <= 60
