"""Lines of a list of players, pasted from a spreadsheet or a pairing program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tournaments.reports import boards

MAX_LINES = 1000


def parse_lines(text: str) -> list[list[str]]:
    """Rows of start number, player number and name ("" where a line lacks them).

    Cells are parted by tabs, or else by semicolons. Up to four digits before other cells are the start
    number, of the other cells the longest with digits only is the player's number, and the first with
    letters the name. A first line without digits above lines with digits is a heading.
    """
    lines = [line for line in text.splitlines()[:MAX_LINES] if line.strip()]
    headed = len(lines) > 1 and not _DIGIT.search(lines[0]) and all(map(_DIGIT.search, lines[1:]))
    return [row for line in lines[headed:] if any(row := _row(line))]


def merge(rows: Sequence[Sequence[str]], pasted: Iterable[Sequence[str]]) -> tuple[list[list[str]], int]:
    """The rows with the pasted ones in them, and how many rows of other players gave way.

    A pasted row takes the place of the row with its start number and of that with its player number;
    without a start number it keeps that of the row it replaces, or gets the next one.
    """
    kept = [list(row) for row in rows]
    replaced = 0
    for start, number, name in pasted:
        same = [row[0] for row in kept if number and row[1] == number]
        start = start or (same[0] if same else str(_last(kept) + 1))
        gone = [at for at, row in enumerate(kept) if row[0] == start or (number and row[1] == number)]
        replaced += sum(any(kept[at][1:]) and kept[at][1] != number for at in gone)
        kept = [row for at, row in enumerate(kept) if at not in gone]
        kept.insert(gone[0] if gone else len(kept), [start, number, name])
    return kept, replaced


def _last(rows: Iterable[Sequence[str]]) -> int:
    return max((boards.start_number(row[0]) or 0 for row in rows), default=0)


_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")


def _row(line: str) -> list[str]:
    cells = [cell.strip() for cell in line.split("\t" if "\t" in line else ";")]
    cells = [cell for cell in cells if cell]
    start = ""
    if len(cells) > 1 and boards.start_number(cells[0]):
        start, *cells = cells
    number = max((cell for cell in cells if cell.isascii() and cell.isdigit()), key=len, default="")
    name = next((cell for cell in cells if _LETTER.search(cell)), "")
    return [start, number, name]
