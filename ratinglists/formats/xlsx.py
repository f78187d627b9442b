"""A table as a workbook: rows go to the disk as they come, and the same table gives the same bytes."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from ratinglists.formats.table import Column, Row, Value

#: Excel's 1,048,576 rows, less the heading
MAX_ROWS = (1 << 20) - 1
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CORE, _SHEET = "docProps/core.xml", "xl/worksheets/sheet1.xml"
#: in place of openpyxl's, which say when the file was made
_CORE_XML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"/>'
)
_EPOCH = (1980, 1, 1, 0, 0, 0)
_CHUNK = 1 << 16


def xlsx_table(
    columns: Sequence[Column], rows: Iterable[Row], *, sheet: str, about: Sequence[tuple[str, str]]
) -> Iterator[bytes]:
    """The workbook: a sheet of the table, and "about" with facts of the list.

    Numbers are numbers; text is never a formula, whatever it begins with. Raises ValueError past
    ``MAX_ROWS``.
    """
    with tempfile.TemporaryFile() as empty, tempfile.TemporaryFile() as file:
        _without_rows(columns, sheet, about).save(empty)
        with zipfile.ZipFile(empty) as source, zipfile.ZipFile(file, "w") as target:
            for name in sorted(source.namelist()):
                info = zipfile.ZipInfo(name, _EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                with target.open(info, "w", force_zip64=name == _SHEET) as part:
                    if name == _SHEET:
                        before, end, after = source.read(name).partition(b"</sheetData>")
                        part.write(before)
                        part.writelines(_rows(rows, [get_column_letter(n + 1) for n in range(len(columns))]))
                        part.write(end + after)
                    else:
                        part.write(_CORE_XML.encode() if name == _CORE else source.read(name))
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk


def _without_rows(columns: Sequence[Column], title: str, about: Sequence[tuple[str, str]]) -> Workbook:
    """The workbook with the heading of the table only: openpyxl would take a minute for 100,000 rows."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(_sheet_name(title))
    sheet.freeze_panes = "A2"
    for place, column in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(place)].width = column.letters + 2
    sheet.append([_bold(sheet, column.title) for column in columns])
    facts = book.create_sheet("about")
    facts.column_dimensions["A"].width, facts.column_dimensions["B"].width = 16, 60
    for name, value in about:
        facts.append([_bold(facts, name), _text(facts, value)])
    return book


def _rows(rows: Iterable[Row], letters: Sequence[str]) -> Iterator[bytes]:
    """The rows below the heading in the elements of a sheet."""
    for number, row in enumerate(rows, 2):
        if number > MAX_ROWS + 1:
            raise ValueError(f"A sheet holds {MAX_ROWS} rows below its heading.")
        cells = "".join(_cell(f"{letter}{number}", value) for letter, value in zip(letters, row, strict=True))
        yield f'<row r="{number}">{cells}</row>'.encode()


def _cell(place: str, value: Value) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, int):
        return f'<c r="{place}"><v>{value}</v></c>'
    text = escape(clean(value))
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _bold(sheet, text: str) -> WriteOnlyCell:
    cell = _text(sheet, text)
    cell.font = Font(bold=True)
    return cell


def _text(sheet, text: str) -> WriteOnlyCell:
    """A cell with this text, and not with what a program would make of it."""
    cell = WriteOnlyCell(sheet, clean(text))
    cell.data_type = "s"
    return cell


def clean(text: str) -> str:
    """XML knows no control characters, and no character that is not one."""
    if text.isprintable() and "\ufffe" not in text and "\uffff" not in text:
        return text
    return "".join(c if c.isprintable() and c not in "\ufffe\uffff" else "?" for c in text)


def _sheet_name(title: str) -> str:
    """At most 31 letters, without those that a sheet's name may not have."""
    return "".join(c for c in title if c.isprintable() and c not in "[]:*?/\\'")[:31] or "list"
