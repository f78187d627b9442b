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
#: programs pass over blanks, of whatever width, and quotes before it
_FORMULA = rf"[\s\u200b\ufeff\"']*[{re.escape(FORMULA_START)}]"
#: where a cell begins: of the file as it is written, and as a program cuts it that parts cells by semicolons
#: or tabs, as Excel does in half of Europe. It takes our quotes, which then begin no cell, for letters.
_RUNS = re.compile(rf"\A(?='*[\t\r\n])|(?:\A|(?<=[;|\t\r\n]))(?={_FORMULA})")
_PROTECTED = re.compile(rf"\A'(?='*[\t\r\n])|(?:\A|(?<=[;|\t\r\n]))'(?={_FORMULA})")


class Figure(str):
    """A number as its column shows it, as +12 or -0.5: it stays one."""

    _NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?|")

    def __new__(cls, text: str) -> Figure:
        if not cls._NUMBER.fullmatch(text):
            raise ValueError(f"{text!r} is no number")
        return super().__new__(cls, text)


def protect(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would begin to run it, and where apostrophes stand
    before such a place, so that ``bare`` finds it again."""
    return _RUNS.sub("'", text)


def bare(cell: str) -> str:
    """The text of a cell as it was before ``protect``."""
    return _PROTECTED.sub("", cell)


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
