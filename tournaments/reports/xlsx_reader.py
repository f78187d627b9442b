"""The cells of an XLSX file as texts: the first sheet, and one that says what event it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

from tournaments.reports.crosstable import MAX_ROWS
from tournaments.reports.problems import Problems
from tournaments.reports.tables import MAX_COLUMNS, Line
from tournaments.reports.text import MAX_BYTES
from tournaments.reports.xlsx_package import Attributes, Package, XlsxError

#: titles of the sheet about the event
EVENT_SHEETS = ("event", "torneo", "evento")
MAX_LINES = MAX_ROWS + 1000
_MAX_TEXT = 1000
_MAX_SHEETS = 100
_MAX_FORMATS = 500
_REFERENCE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_EAST_ASIAN_DATES = frozenset({*range(27, 37), *range(50, 59)})


@dataclass(slots=True)
class Workbook:
    """What is read of a workbook: the lines of the table and of the sheet about the event."""

    lines: list[Line]
    event: list[Line] = field(default_factory=list)
    event_sheet: str = ""


def read_workbook(content: bytes, problems: Problems) -> Workbook:
    """The sheets of a file; faults of single cells go to ``problems``. Raises XlsxError."""
    package = Package(content)
    main = next((name for kind, name in package.related("").values() if kind == "officeDocument"), "")
    if not main or not package.has(main):
        raise XlsxError("xlsx-not", "The file is an archive or a document, but no XLSX workbook.")
    sheets, epoch_1904 = _sheets(package, main)
    tables = [path for title, path in sheets if title.strip().casefold() not in EVENT_SHEETS]
    if not tables:
        raise XlsxError("xlsx-not", "The workbook has no visible sheet with a table.")
    others = dict(package.related(main).values())
    strings = _strings(package, others["sharedStrings"]) if "sharedStrings" in others else []
    dates = _date_styles(package, others["styles"]) if "styles" in others else frozenset()
    reader = _Sheet(strings, dates, epoch_1904, problems)
    workbook = Workbook(reader.read(package, tables[0], ""))
    for title, path in sheets:
        if title.strip().casefold() in EVENT_SHEETS:
            workbook.event_sheet = title.strip()
            workbook.event = reader.read(package, path, title.strip())
            break
    return workbook


def _sheets(package: Package, main: str) -> tuple[list[tuple[str, str]], bool]:
    """Titles and parts of the visible sheets in their order, and whether days count from 1904."""
    related = package.related(main)
    found: list[tuple[str, str]] = []
    epoch_1904 = False

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal epoch_1904
        if tag == "workbookPr":
            epoch_1904 = attributes.get("date1904", "0").lower() in ("1", "true", "on")
        elif tag == "sheet" and attributes.get("state", "visible") == "visible" and len(found) < _MAX_SHEETS:
            key = next((value for name, value in attributes.items() if name.endswith(":id")), "")
            kind, path = related.get(key, ("", ""))
            if kind == "worksheet" and package.has(path):
                found.append((attributes.get("name", "")[:100], path))

    package.scan(main, start)
    return found, epoch_1904


def _strings(package: Package, name: str) -> list[str]:
    """The texts that cells refer to by number; reading aids of East Asian texts are left out."""
    found: list[str] = []
    parts: list[str] = []
    inside = skipped = 0

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal inside, skipped
        if tag == "si":
            parts.clear()
        elif tag == "rPh":
            skipped += 1
        elif tag == "t":
            inside += 1

    def end(tag: str) -> None:
        nonlocal inside, skipped
        if tag == "si":
            found.append("".join(parts)[: _MAX_TEXT + 1])
        elif tag == "rPh":
            skipped -= 1
        elif tag == "t":
            inside -= 1

    def text(piece: str) -> None:
        if inside and not skipped:
            parts.append(piece)

    if package.has(name):
        package.scan(name, start, end, text)
    return found


def _date_styles(package: Package, name: str) -> frozenset[str]:
    """The numbers of the styles that show a number as a date."""
    custom: dict[str, str] = {}
    formats: list[str] = []
    inside = False

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal inside
        if tag == "numFmt" and len(custom) < _MAX_FORMATS:
            custom[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")[:255]
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            formats.append(attributes.get("numFmtId", "0"))

    def end(tag: str) -> None:
        nonlocal inside
        if tag == "cellXfs":
            inside = False

    if package.has(name):
        package.scan(name, start, end)
    known = {number: _is_date(number, custom) for number in set(formats)}
    return frozenset(str(at) for at, number in enumerate(formats) if known[number])


def _is_date(number: str, custom: dict[str, str]) -> bool:
    if number in custom:
        return is_date_format(custom[number])
    if not re.fullmatch(r"[0-9]{1,4}", number):
        return False
    return int(number) in _EAST_ASIAN_DATES or is_date_format(BUILTIN_FORMATS.get(int(number)))


class _Sheet:
    """Reads sheets cell by cell; the characters of all of them are counted."""

    def __init__(
        self, strings: list[str], dates: frozenset[str], epoch_1904: bool, problems: Problems
    ) -> None:
        self.strings = strings
        self.dates = dates
        self.epoch = MAC_EPOCH if epoch_1904 else WINDOWS_EPOCH
        self.problems = problems
        self.characters = 0

    def read(self, package: Package, path: str, sheet: str) -> list[Line]:
        self.sheet = sheet
        self.rows: dict[int, dict[int, str]] = {}
        self.row = self.column = 0
        self.kind = self.style = ""
        self.value: list[str] = []
        self.formula = self.wide = False
        self.in_text = self.skipped = 0
        package.scan(path, self._start, self._end, self._text)
        lines = []
        for number in sorted(self.rows):
            cells = self.rows[number]
            lines.append(Line(number, tuple(cells.get(at, "") for at in range(1, max(cells) + 1))))
        return lines

    def _start(self, tag: str, attributes: Attributes) -> None:
        if tag == "c":
            self.column += 1
            if reference := attributes.get("r"):
                self.column = _column(reference)
            self.kind = attributes.get("t", "n")
            self.style = attributes.get("s", "")
            self.value = []
            self.formula = False
        elif tag in ("v", "t"):
            self.in_text += 1
        elif tag == "rPh":
            self.skipped += 1
        elif tag == "f":
            self.formula = True
        elif tag == "row":
            self.row = _row(attributes.get("r", str(self.row + 1)))
            self.column = 0

    def _text(self, piece: str) -> None:
        if self.in_text and not self.skipped:
            self.value.append(piece)

    def _end(self, tag: str) -> None:
        if tag == "c":
            self._cell()
        elif tag in ("v", "t"):
            self.in_text -= 1
        elif tag == "rPh":
            self.skipped -= 1

    def _cell(self) -> None:
        if self.formula:
            self._fault("xlsx-formula", "holds a formula, whose value may be out of date")
            return
        if not self.value:
            return
        text = self._as_text("".join(self.value))
        if not text.strip():
            return
        if self.column > MAX_COLUMNS:
            if not self.wide:
                message = f"The sheet has cells after column {MAX_COLUMNS}; they were not read."
                self.problems.error("too-many-columns", "columns", message, line=self.row)
            self.wide = True
            return
        if len(text) > _MAX_TEXT:
            self._fault("xlsx-cell", f"holds more than {_MAX_TEXT} characters")
            return
        self.characters += len(text)
        if self.characters > MAX_BYTES or (self.row not in self.rows and len(self.rows) > MAX_LINES):
            raise XlsxError("xlsx-too-big", f"The table is too large; it was given up at row {self.row}.")
        self.rows.setdefault(self.row, {})[self.column] = text

    def _as_text(self, value: str) -> str:
        if self.kind == "s":
            if not re.fullmatch(r"\s*[0-9]{1,7}\s*", value) or int(value) >= len(self.strings):
                self._fault("xlsx-cell", "refers to a text that is not in the file")
                return ""
            return self.strings[int(value)]
        if self.kind == "e":
            self._fault("xlsx-cell", f"holds the error {value[:20]}")
            return ""
        if self.kind == "b":
            return "TRUE" if value.strip() == "1" else "FALSE"
        if self.kind == "d":
            return value.strip()[:10]
        return self._number(value.strip()) if self.kind == "n" else value

    def _number(self, value: str) -> str:
        """A whole number without decimals; a date as YYYY-MM-DD; other numbers as short as they are."""
        try:
            number = float(value[:400])
        except ValueError:
            self._fault("xlsx-cell", f"holds {value[:20]!r} for a number")
            return ""
        if self.style in self.dates:
            try:
                day = from_excel(number, self.epoch)
            except (OverflowError, ValueError):
                self._fault("xlsx-cell", "is formatted as a date, but holds none")
                return ""
            if isinstance(day, datetime):
                return day.date().isoformat()
        return str(int(number)) if abs(number) < 1e15 and number.is_integer() else repr(number)

    def _fault(self, code: str, text: str) -> None:
        where = f"Sheet {self.sheet}, cell" if self.sheet else "Cell"
        place = {} if self.sheet else {"line": self.row, "column": self.column}
        self.problems.error(code, "cell", f"{where} {_letters(self.column)}{self.row} {text}.", **place)


def _row(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= 1 << 20:
        raise XlsxError("xlsx-damaged", f"The sheet has a row {text[:20]!r}.")
    return int(text)


def _column(reference: str) -> int:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise XlsxError("xlsx-damaged", f"The sheet has a cell {reference[:20]!r}.")
    number = 0
    for letter in match[1].upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _letters(column: int) -> str:
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
