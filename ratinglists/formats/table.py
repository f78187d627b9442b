"""A list as a table of plain values, which CSV, XLSX and PDF write alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from players.listformats.spreadsheets import lines as as_csv

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
    """The table row by row, the columns' names first."""
    return as_csv(chain([[column.key for column in columns]], rows))
