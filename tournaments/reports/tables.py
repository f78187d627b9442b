"""A table of players as CSV and XLSX hold it: rows of texts in, one ``ParsedReport`` out.

The readers of the two formats only make texts of their cells. Which row names the columns, what a row
says and every check on results are here and in ``crosstable``, so both give the same findings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from players.listformats.spreadsheets import bare
from tournaments.reports.crosstable import (
    MAX_ROWS,
    Placed,
    Sheet,
    build,
    build_round_robin,
)
from tournaments.reports.crosstable_rows import Row, row_name
from tournaments.reports.layout import MAX_ROUNDS
from tournaments.reports.model import ParsedReport
from tournaments.reports.problems import Problems
from tournaments.reports.table_columns import Columns, read_columns
from tournaments.reports.table_head import Head, split_head
from tournaments.reports.table_remedies import TABLE_REMEDIES
from tournaments.reports.text import clean_text, is_control

MAX_COLUMNS = 200
MAX_NAME = 120
#: the row that names the columns is looked for so far down
MAX_HEAD_ROWS = 200
_DIAGONAL = re.compile(r"[xX*#■█]{1,3}")
_NUMBER = re.compile(r"0*([0-9]{1,9})(?:[.,]0*)?")


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the file: its number from 1 and its cells."""

    number: int
    cells: tuple[str, ...]


def new_problems() -> Placed:
    """A collector with the words of tables; columns are known once their row has been read."""
    return Placed(TABLE_REMEDIES)


def find_columns(lines: Sequence[Line]) -> tuple[int, Columns] | None:
    """The row that names the columns and where it stands in ``lines``."""
    for at, line in enumerate(lines[:MAX_HEAD_ROWS]):
        if not line.cells or _is_head(line):
            continue
        if columns := read_columns(line.cells[:MAX_COLUMNS]):
            return at, columns
    return None


def read_table(
    lines: Sequence[Line],
    format: str,
    problems: Placed,
    *,
    delimiter: str = ",",
    event: Sequence[Line] = (),
    event_sheet: str = "",
) -> ParsedReport:
    """The report that a table is; ``problems`` holds what the reader has found.

    ``event`` are rows of another sheet (``event_sheet``) that say what event it is.
    """
    head = Head(problems)
    for line in event[:MAX_HEAD_ROWS]:
        if pair := split_head(line.cells):
            head.read(*pair, None, f"Sheet {event_sheet}, row {line.number}")
    found = find_columns(lines)
    if found is None:
        return _without_columns(lines, format, problems)
    at, columns = found
    for line in lines[:at]:
        _read_head(line, head, delimiter, problems)
    places = {field: (at + 1, columns.title(field).strip()) for field, at in columns.fields.items()}
    problems.place(places | {"start_number": places.get("start_no", (None, ""))})
    _check_columns(lines[at], columns, problems)
    rows = _rows(lines[at + 1 :], columns, problems)
    rounds = range(1, min(max(columns.rounds, default=0), MAX_ROUNDS) + 1)
    sheet = Sheet(
        format=format,
        remedies=TABLE_REMEDIES,
        round_columns=tuple(columns.rounds.get(number, -1) + 1 for number in rounds),
        file=True,
        states_points="points" in columns.fields,
        entry_list=not columns.rounds,
        name_width=MAX_NAME,
    )
    if sheet.entry_list:
        _check_entries(rows, columns, problems)
    if _is_round_robin(rows):
        rows = [replace(row, cells=row.cells[: len(rows)]) for row in rows]
        return build_round_robin(head.header(), rows, sheet=sheet, problems=problems)
    return build(head.header(), rows, sheet, problems)


def _is_head(line: Line) -> bool:
    """Does the row begin with "#" and more? A "#" alone is the title of the column of start numbers."""
    first = line.cells[0].strip()
    return first.startswith("#") and first != "#"


def _without_columns(lines: Sequence[Line], format: str, problems: Problems) -> ParsedReport:
    unread = any(problem.severity == "error" for problem in problems.all())
    first = next((line for line in lines if any(cell.strip() for cell in line.cells)), None)
    if first is None and not unread:
        problems.error("no-players", "players", "The table is empty.")
    elif first is not None and not unread:
        message = f"No row names the columns; row {first.number} begins with {first.cells[0][:60]!r}."
        problems.error("table-columns", "columns", message, line=first.number)
    return ParsedReport(format=format, problems=problems.all())


def _read_head(line: Line, head: Head, delimiter: str, problems: Problems) -> None:
    if not any(cell.strip() for cell in line.cells):
        return
    if _is_head(line):
        if pair := split_head(line.cells, delimiter):
            head.read(*pair, line.number, f"Row {line.number}")
        return
    shown = next(cell for cell in line.cells if cell.strip())[:60].strip()
    message = f"Row {line.number} above the columns was not read: {shown!r}."
    problems.warn("head-text", "header", message, line=line.number)


def _check_columns(line: Line, columns: Columns, problems: Problems) -> None:
    for at in columns.unknown:
        message = f"Column {at + 1} has the title {columns.titles[at][:60]!r}, which is not known."
        problems.warn("column-unknown", "columns", message, line=line.number, column=at + 1)
    for at in columns.twice:
        message = f"Column {at + 1}, {columns.titles[at][:60]!r}, is there a second time."
        problems.error("column-twice", "columns", message, line=line.number, column=at + 1)
    if any(cell.strip() for cell in line.cells[MAX_COLUMNS:]):
        message = f"The table has more than {MAX_COLUMNS} columns; the others were not read."
        problems.error("too-many-columns", "columns", message, line=line.number)
    if columns.too_many_rounds:
        message = f"There are columns of rounds after the {MAX_ROUNDS}th."
        problems.error("too-many-rounds", "results", message, line=line.number)
    last = max(columns.rounds, default=0)
    if missing := [str(number) for number in range(1, min(last, MAX_ROUNDS)) if number not in columns.rounds]:
        message = f"There is a column for round {last}, but none for round {', '.join(missing)}."
        problems.error("round-missing", "columns", message, line=line.number)


def _rows(lines: Sequence[Line], columns: Columns, problems: Problems) -> list[Row]:
    rows: list[Row] = []
    counted = "start_no" not in columns.fields
    last = min(max(columns.rounds, default=0), MAX_ROUNDS)
    start_at = columns.fields.get("start_no")
    untitled: set[int] = set()
    for line in lines:
        cells = line.cells
        said = [at for at, cell in enumerate(cells) if cell.strip()]
        # a row of a template that nobody filled in has its number and nothing else
        if not said or said == [start_at]:
            continue
        if len(rows) > MAX_ROWS:
            break
        if _check_cells(line, said, columns, problems):
            cells = tuple(clean_text(cell) for cell in cells)
        untitled.update(at for at in said if at < len(columns.titles) and not columns.titles[at].strip())
        texts = {field: bare(cells[at]) if at < len(cells) else "" for field, at in columns.fields.items()}
        start = texts.pop("start_no", "")
        number = _NUMBER.fullmatch(start.strip())
        results = tuple(
            cells[at].strip() if (at := columns.rounds.get(round_, len(cells))) < len(cells) else ""
            for round_ in range(1, last + 1)
        )
        start_number = len(rows) + 1 if counted else int(number[1]) if number else 0
        rows.append(Row(start_number, cells=results, line=line.number, **texts))
    for at in sorted(untitled):
        message = f"Column {at + 1} has no title; it was not read."
        problems.warn("column-unknown", "columns", message, column=at + 1)
    if counted and columns.rounds and rows:
        message = "No column holds start numbers; the players were numbered in the order of the rows."
        problems.warn("table-counted", "start_number", message)
    return rows


def _check_cells(line: Line, said: Sequence[int], columns: Columns, problems: Problems) -> bool:
    """Cells beyond the last column, and characters that are in no cell on purpose: were there such?"""
    found = False
    width = len(columns.titles)
    if said[-1] >= width:
        message = (
            f"Row {line.number} has {said[-1] + 1} cells, the row of the titles {width}. "
            "A comma inside a cell needs quotes around the cell."
        )
        problems.error("row-cells", "cell", message, line=line.number, column=width + 1)
    for at in said[:MAX_COLUMNS]:
        if any(is_control(c) and c not in "\t\n\r" for c in line.cells[at]):
            title = columns.titles[at] if at < width else ""
            message = f"Row {line.number}, column {at + 1} ({title[:60]}) has a control character."
            problems.error("control-character", "cell", message, line=line.number, column=at + 1)
            found = True
    return found


def _check_entries(rows: Sequence[Row], columns: Columns, problems: Problems) -> None:
    """In a list of entries everybody has a number: nothing else tells who he is before round 1."""
    if "fide_id" not in columns.fields and "national_id" not in columns.fields:
        message = "There is no column with FIDE numbers or national numbers; players are found by name only."
        problems.warn("entries-by-name", "columns", message)
        return
    for row in rows:
        if not row.fide_id.strip("0 '\"`") and not row.national_id.strip():
            message = f"{row_name(row)}: the player has no number."
            problems.error("number-missing", "fide_id", message, line=row.line)


def _is_round_robin(rows: Sequence[Row]) -> bool:
    """As many columns as players (a column of seat N + 1 may be left over) and a crossed-out diagonal."""
    size = len(rows)
    if size < 2 or len(rows[0].cells) < size:
        return False
    if any(text for row in rows for text in row.cells[size:]):
        return False
    return all(_DIAGONAL.fullmatch(row.cells[at]) for at, row in enumerate(rows))
