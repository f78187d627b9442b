"""XLSX: a crosstable or a list of entries as a workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction

import openpyxl
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tournaments.reports.model import ParsedReport
from tournaments.reports.table_head import head_lines
from tournaments.reports.table_writer import (
    HEAD_KEYS,
    HELP,
    Value,
    as_text,
    check_size,
    rows,
    template_titles,
    titles,
)
from tournaments.reports.tables import new_problems, read_table
from tournaments.reports.xlsx_package import XlsxError
from tournaments.reports.xlsx_reader import read_workbook

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0"
_WIDTHS = {"start_no": 9, "name": 34, "fide_id": 12, "national_id": 13, "birth": 12, "federation": 11}
_NUMBERS = frozenset({"start_no", "rating", "national_rating", "points", "rank"})
_TEXT_FORMAT = "@"
#: characters that no XML can hold
_NOT_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}


def recognises(content: bytes, filename: str = "") -> bool:
    """Is it an archive, or an old workbook? Other documents are told from workbooks when they are read."""
    return content.startswith(_ZIP) or content.startswith(_OLE)


def parse(content: bytes) -> ParsedReport:
    """Read the first visible sheet, and the sheet "event" if there is one. Never raises."""
    problems = new_problems()
    try:
        workbook = read_workbook(content, problems)
    except XlsxError as error:
        problems.error(error.code, "file", error.message)
        return ParsedReport(format="xlsx", problems=problems.all())
    return read_table(
        workbook.lines, "xlsx", problems, event=workbook.event, event_sheet=workbook.event_sheet
    )


def write(report: ParsedReport) -> bytes:
    """The report as a workbook with the sheets players, event and help. Reading it gives an equal report.

    Not held: teams and totals. No cell is a formula.
    """
    book, sheet = _book(titles(report))
    for at, row in enumerate(rows(report), start=2):
        _fill(sheet, at, row)
    _event(book, head_lines(report))
    return _bytes(book)


def template(players: int, rounds: int) -> bytes:
    """An empty workbook with numbered rows; without rounds a list of entries. Raises ValueError for
    sizes that are not read."""
    check_size(players, rounds)
    names = template_titles(rounds)
    book, sheet = _book(names)
    for number in range(1, players + 1):
        sheet.cell(number + 1, 1, number)
        for column, name in enumerate(names[1:], start=2):
            if name not in _NUMBERS:
                # without it a program makes dates of 1/2 and formulas of +
                sheet.cell(number + 1, column).number_format = _TEXT_FORMAT
    _event(book, [(key, "") for key in HEAD_KEYS])
    return _bytes(book)


def _book(names: Sequence[str]) -> tuple[Workbook, Worksheet]:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "players"
    for column, name in enumerate(names, start=1):
        cell = sheet.cell(1, column, name)
        cell.font = Font(bold=True)
        cell.alignment = Alignment(horizontal="center")
        sheet.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, 8)
    sheet.freeze_panes = "C2"
    return book, sheet


def _fill(sheet: Worksheet, at: int, row: Sequence[Value]) -> None:
    for column, value in enumerate(row, start=1):
        if value in ("", None):
            continue
        if isinstance(value, int):
            sheet.cell(at, column, value)
        elif isinstance(value, Fraction) and (4 * value).denominator == 1:
            sheet.cell(at, column, float(value))
        else:
            _write_text(sheet, at, column, as_text(value))


def _write_text(sheet: Worksheet, row: int, column: int, text: str) -> None:
    cell = sheet.cell(row, column)
    cell.value = text.translate(_NOT_XML)
    cell.data_type = "s"  # never a formula, whatever it begins with
    cell.number_format = _TEXT_FORMAT


def _event(book: Workbook, lines: Sequence[tuple[str, str]]) -> None:
    event = book.create_sheet("event")
    event.column_dimensions["A"].width = 16
    event.column_dimensions["B"].width = 50
    for at, (key, value) in enumerate(lines, start=1):
        _write_text(event, at, 1, key)
        event.cell(at, 1).font = Font(bold=True)
        _write_text(event, at, 2, value)
    sheet = book.create_sheet("help")
    sheet.column_dimensions["A"].width = 16
    sheet.column_dimensions["B"].width = 80
    for at, (name, text) in enumerate(HELP, start=1):
        _write_text(sheet, at, 1, name)
        _write_text(sheet, at, 2, text)


def _bytes(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
