"""A list as a table of plain values, which CSV, XLSX and PDF write alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from players.listformats.csv_list import safe_text

#: what a cell holds; None and "" are empty
Value = str | int | None
Row = Sequence[Value]


class Column(NamedTuple):
    """A column: its name in CSV, its heading for people, how many letters wide it is, and whether it
    holds numbers, which stand to the right."""

    key: str
    title: str
    letters: int
    number: bool = False


def csv_table(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[bytes]:
    """The table row by row, the columns' names first: UTF-8, CRLF (RFC 4180), no text that a
    spreadsheet takes for a formula."""
    yield csv_row([column.key for column in columns])
    for row in rows:
        yield csv_row(row)


def csv_row(cells: Iterable[Value]) -> bytes:
    """One line of CSV: text that begins like a formula gets an apostrophe, numbers stay bare."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(
        [safe_text(cell) if isinstance(cell, str) else cell for cell in cells]
    )
    return buffer.getvalue().encode("utf-8", errors="replace")
