"""CSV: a crosstable or a list of entries as text with commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from tournaments.reports.model import ParsedReport
from tournaments.reports.problems import Problems
from tournaments.reports.table_head import head_lines
from tournaments.reports.table_writer import HEAD_KEYS, as_text, check_size, rows, template_titles, titles
from tournaments.reports.tables import MAX_HEAD_ROWS, MAX_ROWS, Line, find_columns, new_problems, read_table
from tournaments.reports.text import decode

DELIMITERS = ",;\t"
#: rows are read to here; a table of more players is refused anyway
MAX_LINES = MAX_ROWS + 1000
_START = 100_000
_SEPARATOR_LINE = re.compile(r"sep=(.)", re.IGNORECASE)
_TRF_LINE = re.compile(r"(?:0[0-9]2|001|013|1[0-9]2|XX[A-Z]) ")


def recognises(content: bytes, filename: str = "") -> bool:
    """Does a row near the start name the columns of a table? A name in .csv is enough for a text that
    is no TRF."""
    problems = new_problems()
    text = decode(content[:_START], problems)
    if text is None:
        return False
    lines = _plain(text)
    if any(find_columns(_cells(lines[:MAX_HEAD_ROWS], delimiter, None)) for delimiter in DELIMITERS):
        return True
    return filename.lower().endswith(".csv") and not any(map(_TRF_LINE.match, lines[:MAX_HEAD_ROWS]))


def parse(content: bytes) -> ParsedReport:
    """Read a table. Never raises; lines and columns of the findings are those of the file."""
    problems = new_problems()
    text = decode(content, problems)
    lines = _plain(text or "")
    delimiter = _delimiter(lines)
    if lines and (match := _SEPARATOR_LINE.fullmatch(lines[0].strip())):
        delimiter = match[1] if match[1] in DELIMITERS else delimiter
        lines[0] = ""
    return read_table(_cells(lines, delimiter, problems), "csv", problems, delimiter=delimiter)


def _plain(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _delimiter(lines: Sequence[str]) -> str:
    """The one that makes most known columns of a row near the start."""
    found = {
        delimiter: find_columns(_cells(lines[:MAX_HEAD_ROWS], delimiter, None)) for delimiter in DELIMITERS
    }
    return max(DELIMITERS, key=lambda delimiter: found[delimiter][1].known if found[delimiter] else 0)


def _cells(lines: Sequence[str], delimiter: str, problems: Problems | None) -> list[Line]:
    """The rows with the number of the line on which each begins; a row of quotes may go over several."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    made: list[Line] = []
    begin = 1
    try:
        for cells in reader:
            if cells:
                made.append(Line(begin, tuple(cells)))
            begin = reader.line_num + 1
            if len(made) > MAX_LINES:
                break
    except csv.Error:
        if problems is not None:
            message = (
                f"Line {begin} cannot be parted into cells (open quotes, or a cell without end); "
                "nothing from here on was read."
            )
            problems.error("csv-quotes", "cell", message, line=begin)
    return made


def write(report: ParsedReport) -> bytes:
    """The report as CSV: UTF-8 with a byte order mark, commas, CRLF. Reading it gives an equal report.

    Not held: teams and totals.
    """
    lines = [[f"# {key}: {value}"] for key, value in head_lines(report) if value]
    return _encode([*lines, titles(report), *([as_text(value) for value in row] for row in rows(report))])


def template(players: int, rounds: int) -> bytes:
    """An empty table with numbered rows; without rounds a list of entries. Raises ValueError for sizes
    that are not read."""
    check_size(players, rounds)
    names = template_titles(rounds)
    lines = [[f"# {key}:"] for key in HEAD_KEYS]
    lines += [names, *([str(number)] + [""] * (len(names) - 1) for number in range(1, players + 1))]
    return _encode(lines)


def _encode(lines: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", errors="replace")
