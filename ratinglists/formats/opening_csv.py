"""The CSV with which a federation loads its first list, read with all faults at once."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, field
from datetime import date
from typing import Literal

from regulations.characters import forbidden

MAX_BYTES = 64 << 20
MAX_PROBLEMS = 1000
REQUIRED = ("name", "rating")
OPTIONAL = (
    "player_id",
    "fide_id",
    "sex",
    "birth",
    "federation",
    "title",
    "career_games",
    "k10",
    "games_last_year",
)
COLUMNS = ("player_id", "fide_id", "name", *OPTIONAL[2:6], "rating", *OPTIONAL[6:])
TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
_SEXES = {"": "", "m": "m", "f": "f", "w": "f"}
_YES = {"": None, "yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class OpeningProblem:
    """A fault: ``row`` counts lines of the file from 1 (None: the whole file)."""

    row: int | None
    field: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message} {self.remedy}"


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """A player of the first list. What the file leaves blank is None or "".

    ``birth`` is year, month, day; ``k10`` says whether the player has ever had K = 10;
    ``games_last_year`` counts the rated games of the twelve months before the list.
    """

    row: int
    player_id: str
    fide_id: str
    name: str
    sex: Literal["m", "f", ""]
    birth: tuple[int | None, int | None, int | None]
    federation: str
    title: str
    rating: int | None
    career_games: int | None
    k10: bool | None
    games_last_year: int | None


@dataclass(slots=True)
class _Problems:
    found: list[OpeningProblem] = field(default_factory=list)
    dropped: int = 0

    def add(self, row: int | None, name: str, message: str, remedy: str) -> None:
        if len(self.found) < MAX_PROBLEMS:
            self.found.append(OpeningProblem(row, name, message, remedy))
        else:
            self.dropped += 1

    def all(self) -> tuple[OpeningProblem, ...]:
        if self.dropped:
            message = f"{self.dropped} more problems are not shown."
            return (*self.found, OpeningProblem(None, "file", message, "Correct those above first."))
        return tuple(self.found)


def read_apart(data: bytes) -> list[list]:
    """What ``read_opening_csv`` says, as plain values: for ``players.apart``."""
    rows, problems = read_opening_csv(data)
    return [[asdict(row) for row in rows], [astuple(each) for each in problems]]


def read_opening_csv(data: bytes) -> tuple[tuple[OpeningRow, ...], tuple[OpeningProblem, ...]]:
    """The rows of an opening list and every problem of the file.

    UTF-8 with or without byte order mark, columns in any order under their names, parted by
    commas or semicolons. A row with a problem is not among the rows; load nothing when there
    are problems.
    """
    problems = _Problems()
    text = _text(data, problems)
    if text is None:
        return (), problems.all()
    first = text.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    rows: list[OpeningRow] = []
    seen: dict[tuple[str, str], int] = {}
    columns: list[str] | None = None
    before = 1
    try:
        for cells in reader:
            number, before = before, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(cells, number, problems)
                if columns is None:
                    return (), problems.all()
            elif row := _row(columns, cells, number, seen, problems):
                rows.append(row)
    except csv.Error:
        message = f"From row {before} on the file cannot be parted into cells: a quote or a cell has no end."
        problems.add(before, "file", message, "Close every quote and save the file as CSV again.")
    if columns is None and not problems.found:
        problems.add(None, "file", "The file is empty.", f"Begin with the row {','.join(COLUMNS)}.")
    elif not rows and not problems.found:
        problems.add(None, "file", "The file holds no players.", "Give one row per player.")
    return tuple(rows), problems.all()


def _text(data: bytes, problems: _Problems) -> str | None:
    if len(data) > MAX_BYTES:
        problems.add(None, "file", f"The file has {len(data)} bytes.", f"Send at most {MAX_BYTES} bytes.")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        problems.add(row, "file", f"Row {row} is not UTF-8.", "Save the file as CSV in UTF-8.")
        return None
    return text


def _columns(cells: list[str], number: int, problems: _Problems) -> list[str] | None:
    names = [cell.strip().lower() for cell in cells]
    good, times = True, Counter(names)
    for place, name in enumerate(names, 1):
        if name not in COLUMNS:
            what = f"Column {name[:40]!r} is not known." if name else f"Column {place} has no title."
            problems.add(number, name[:40] or "column", what, f"Use {', '.join(COLUMNS)}.")
            good = False
        elif times[name] > 1:
            problems.add(number, name, f"Column {name!r} stands twice.", "Leave one column of each name.")
            good = False
    for name in REQUIRED:
        if name not in names:
            problems.add(number, name, f"Column {name!r} is missing.", f"Add the column {name}.")
            good = False
    return names if good else None


def _row(
    columns: list[str],
    cells: list[str],
    number: int,
    seen: dict[tuple[str, str], int],
    problems: _Problems,
) -> OpeningRow | None:
    count = len(problems.found) + problems.dropped
    if len(cells) != len(columns):
        message = f"Row {number} has {len(cells)} cells, the header has {len(columns)}."
        problems.add(number, "row", message, "Give every column a cell; quote cells that hold the separator.")
        return None
    for name, cell in zip(columns, cells, strict=True):
        if which := forbidden(cell):
            message = f"Row {number}: the control character {which} stands in {name}."
            problems.add(number, name, message, "Delete it, or type the cell again.")
    if len(problems.found) + problems.dropped > count:
        return None
    given = {name: " ".join(cell.split()) for name, cell in zip(columns, cells, strict=True)}

    def fault(name: str, remedy: str) -> None:
        problems.add(number, name, f"Row {number}: {name} {given.get(name, '')!r} cannot be read.", remedy)

    name = given["name"]
    if not name or not name.isprintable():
        fault("name", "Give the name (Last, First).")
    row = OpeningRow(
        row=number,
        player_id=given.get("player_id", ""),
        fide_id=_fide_id(given.get("fide_id", ""), fault),
        name=name,
        sex=_choice("sex", given, _SEXES, fault, "Write m, f or nothing."),
        birth=_birth(given.get("birth", ""), fault),
        federation=_federation(given.get("federation", ""), fault),
        title=_title(given.get("title", ""), fault),
        rating=_number("rating", given, 1, 4000, fault) or None,
        career_games=_number("career_games", given, 0, 99_999, fault),
        k10=_choice("k10", given, _YES, fault, "Write yes, no or nothing."),
        games_last_year=_number("games_last_year", given, 0, 9_999, fault),
    )
    for key in ("player_id", "fide_id"):
        value = getattr(row, key)
        first = seen.setdefault((key, value), number) if value else number
        if first != number:
            message = f"Rows {first} and {number} have the same {key} {value}."
            problems.add(number, key, message, "Leave one row per player.")
    return row if len(problems.found) + problems.dropped == count else None


Fault = Callable[[str, str], None]


def _fide_id(text: str, fault: Fault) -> str:
    if re.fullmatch(r"0*", text):
        return ""
    if not re.fullmatch(r"[1-9][0-9]{5,8}", text):
        fault("fide_id", "Write the FIDE number in 6 to 9 digits, or nothing.")
        return ""
    return text


def _choice(name: str, given: dict[str, str], choices: dict, fault: Fault, remedy: str):
    text = given.get(name, "").lower()
    if text not in choices:
        fault(name, remedy)
    return choices.get(text, choices[""])


def _federation(text: str, fault: Fault) -> str:
    code = text.upper()
    if code and not re.fullmatch(r"[A-Z]{3}", code):
        fault("federation", "Write the three-letter code of the federation, or nothing.")
    return code


def _title(text: str, fault: Fault) -> str:
    title = text.upper()
    if title and title not in TITLES:
        fault("title", f"Write {', '.join(TITLES)} or nothing.")
    return title


def _number(name: str, given: dict[str, str], low: int, high: int, fault: Fault) -> int | None:
    """A whole number; nothing (and 0 where ``low`` is 1) means unknown or unrated."""
    text = given.get(name, "")
    if not text or (low == 1 and re.fullmatch(r"0+", text)):
        return None
    if not re.fullmatch(r"[0-9]{1,6}", text) or not low <= int(text) <= high:
        fault(name, f"Write a whole number from {low} to {high}, or nothing.")
        return None
    return int(text)


def _birth(text: str, fault: Fault) -> tuple[int | None, int | None, int | None]:
    parts: list[int | None] = [None, None, None]
    match = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", text)
    if match:
        parts = [int(part) if part else None for part in match.groups()]
        try:
            day = date(parts[0] or 0, parts[1] or 1, parts[2] or 1)
            match = match if 1880 <= day.year <= 2100 and 0 not in parts else None
        except ValueError:
            match = None
    if text and not match:
        fault("birth", "Write YYYY, YYYY-MM or YYYY-MM-DD, or nothing.")
        parts = [None, None, None]
    year, month, day = parts
    return year, month, day
