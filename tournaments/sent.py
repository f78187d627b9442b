"""Reading a report that somebody sent: in a child process with limits."""

from __future__ import annotations

from datetime import date

from players.apart.calling import Limits, Readers, Spent
from tournaments.reports.model import ParsedReport
from tournaments.reports.plain import report_of
from tournaments.reports.problems import Problems
from tournaments.reports.text import MAX_BYTES

#: a report of 1 MiB takes at most some 60 MiB and a second (docs/developers/input.md)
LIMITS = Limits(memory=96 << 20, cpu=6, wall=20)
_readers = Readers("tournaments.reports.reader")


def parse(content: bytes, filename: str = "", on: date | None = None) -> ParsedReport:
    """The report, read in the format that its content is; what cannot be read within the limits is a problem
    of the report.

    What was stored has been read in this way and may be read again by ``formats.parse``.
    """
    if len(content) > MAX_BYTES:
        return _refused("too-big", f"The file has {len(content)} bytes; at most {MAX_BYTES} are read.")
    try:
        answer = _readers.read(
            "tournaments.reports.reader:read",
            content,
            LIMITS,
            {"filename": filename, "on": on.isoformat() if on else None},
        )
    except Spent as spent:
        return _refused("too-costly", str(spent))
    return report_of(answer.value)


def _refused(code: str, message: str) -> ParsedReport:
    problems = Problems()
    problems.error(code, "file", message)
    return ParsedReport(format="", problems=problems.all())
