"""Cells of CSV files that no spreadsheet takes for a formula; numbers stay numbers.

The one place for it: every CSV file is written by ``line`` or ``lines``, and every reader of ours takes the
apostrophe away by ``bare``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

#: what a formula begins with, also in the full width of East Asian keyboards
FORMULA_START = "=+-@＝＋－＠"
#: programs pass over blanks, of whatever width, before it; a tab or a line end begins a new cell
_RUN = re.compile(rf"[\t\r\n]|[\s\u200b\ufeff]*[{re.escape(FORMULA_START)}]")


class Figure(str):
    """A number as its column shows it, as +12 or -0.5: it stays one."""

    _NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?|")

    def __new__(cls, text: str) -> Figure:
        if not cls._NUMBER.fullmatch(text):
            raise ValueError(f"{text!r} is no number")
        return super().__new__(cls, text)


def protect(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would run it, and where apostrophes stand
    before such a text, so that ``bare`` finds it again."""
    return f"'{text}" if _RUN.match(text.lstrip("'")) else text


def bare(cell: str) -> str:
    """The text of a cell as it was before ``protect``."""
    return cell[1:] if cell[:1] == "'" and _RUN.match(cell.lstrip("'")) else cell


def lines(rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """Rows as lines of CSV: UTF-8, CRLF (RFC 4180), None empty, texts protected, numbers bare."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    for row in rows:
        buffer.seek(0)
        buffer.truncate()
        writer.writerow([_cell(value) for value in row])
        yield buffer.getvalue().encode("utf-8", errors="replace")


def line(cells: Iterable[object]) -> bytes:
    return b"".join(lines([cells]))


def _cell(value: object) -> object:
    return protect(value) if isinstance(value, str) and not isinstance(value, Figure) else value
