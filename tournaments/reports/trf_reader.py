"""The reader of TRF16 and TRF26: lines in, one report out.

Fixed columns are never split on blanks. Every fault of a file is reported at once, each with its line
and column.
"""

from __future__ import annotations

import re

from tournaments.reports import header as head
from tournaments.reports import trf_national as national
from tournaments.reports import trf_records as records
from tournaments.reports import trf_teams as teams
from tournaments.reports.checks import check_counts, check_players, check_points
from tournaments.reports.header import Header
from tournaments.reports.model import ParsedReport
from tournaments.reports.pairing import pair
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Adjustments
from tournaments.reports.text import blank_controls, decode, is_control, split_lines
from tournaments.reports.trf_players import PlayerLines

#: Tags that TRF16 does not have.
TRF26_TAGS = frozenset(
    {"142", "152", "162", "172", "182", "192", "202", "212", "222", "352", "362"}
) | frozenset({"240", "250", "260", "299", "300", "310", "320", "330", "801", "802"})
_KNOWN = frozenset({"001", "012", "022", "032", "042", "052", "062", "092", "102"})
_RULER = re.compile(r"[-+.|:=_*0-9 ]+$|(DDD|SSS|TTT) SSSS")
_LIKE_PLAYER = re.compile(r"\s*\S{1,3}\s+[0-9]{1,4}\s.{30,}")


def read(data: bytes, code: str | None = None) -> ParsedReport:
    """Read a report file as the format ``code``; by default the one that its tags show."""
    problems = Problems()
    text = decode(data, problems)
    if text is None:
        return ParsedReport(code or "trf16", problems=problems.all())
    return _Reader(problems, code).read(split_lines(text))


class _Reader:
    def __init__(self, problems: Problems, code: str | None) -> None:
        self.problems = problems
        self.code = code
        self.header = Header(problems)
        self.rows = PlayerLines(problems)
        self.national = national.National(problems)
        self.teams = teams.Teams(problems)
        self.records = records.Records(problems)
        self.new = False
        self.unknown: dict[str, list[int]] = {}

    def read(self, lines: list[str]) -> ParsedReport:
        if self._foreign(lines):
            return ParsedReport(self.code or "trf16", problems=self.problems.all())
        for number, line in enumerate(lines, start=1):
            self._line(line, number)
        self._name_unknown()
        self.header.finish()
        return self._report()

    def _foreign(self, lines: list[str]) -> bool:
        if not any(line[:3] in _KNOWN for line in lines):
            self.problems.error("not-trf", "file", "No line begins with a tag of the TRF format.")
            return True
        # Vega parts all fields by |; a name with such a sign is no reason to refuse a file.
        if any(line.startswith("001") and (line[:14] + line[47:]).count("|") >= 3 for line in lines):
            self.problems.error("vega-tdf", "file", "The player lines are separated by |: a Vega .tdf file.")
            return True
        return False

    def _line(self, line: str, number: int) -> None:
        if not line or line.startswith("#"):
            self.new = self.new or line.startswith("###")
            return
        if line[:3] == "001" and not blank_controls(line[3:4]).strip():
            self.rows.add(line, number)
            return
        line = self._printable(line, number)
        tag = line[:3].upper()
        if line[3:4].strip() or tag == "DDD":
            if not _RULER.match(line):
                message = f"Line {number} begins with {line[:4]!r}: no blank after the tag."
                self.problems.warn("tag-without-blank", "tag", message, line=number, column=4)
            return
        self.new = self.new or tag in TRF26_TAGS
        if tag in head.SINGLE or tag in head.REPEATED:
            self.header.add(tag, line, number)
        elif tag in teams.TAGS:
            self.teams.add(tag, line, number)
        elif tag in records.TAGS:
            self.records.add(tag, line, number)
        elif tag in head.SKIPPED or not line.strip() or _RULER.match(line):
            return
        elif national.is_national(line):
            self.national.add(line, number)
        elif _LIKE_PLAYER.match(line):
            self.rows.lost_lines = True
            message = f"Line {number} begins with {line[:3]!r} but looks like a player line."
            self.problems.error("unknown-tag-player", "tag", message, line=number, column=1)
        else:
            self.unknown.setdefault(tag, []).append(number)

    def _printable(self, line: str, number: int) -> str:
        """The line with control characters made blanks."""
        if line.isprintable():
            return line
        for code, severity, found in (
            ("tab", "warning", [at for at, c in enumerate(line) if c == "\t"]),
            ("control-character", "error", [at for at, c in enumerate(line) if c != "\t" and is_control(c)]),
        ):
            if found:
                what = "a tab" if code == "tab" else "a control character"
                message = f"Line {number} holds {what} ({len(found)} in all)."
                self.problems.add(severity, code, "line", message, line=number, column=found[0] + 1)
        return blank_controls(line)

    def _name_unknown(self) -> None:
        for tag, numbers in self.unknown.items():
            places = f"line {numbers[0]}" + (f" and {len(numbers) - 1} more" if len(numbers) > 1 else "")
            message = f"Tag {tag!r} is not known ({places})."
            self.problems.warn("unknown-tag", "tag", message, line=numbers[0], column=1)

    # --- the event ---

    def _report(self) -> ParsedReport:
        header, rows = self.header, self.rows
        self.national.apply(rows.players, header.rating_federation, header.federation)
        players = tuple(sorted(rows.players.values(), key=lambda p: p.start_number))
        if not rows.lost_lines or players:
            sound = [p for p in players if p.start_number not in rows.damaged]
            check_players(sound, rows.place, self.problems, any_row=bool(players))
        found_teams = self.teams.read(rows.players)
        adjustments = Adjustments()
        if self.teams.tag == "310" or "TEAM" in header.text("192").upper():
            self.records.to_teams(found_teams, rows.cells, header.scoring, adjustments)
        else:
            self.records.to_players(rows.players, rows.damaged, rows.cells, adjustments)
        paired = pair(rows.cells, rows.players, rows.damaged, rows.place, header.scoring, self.problems)
        check_points(players, rows.cells, paired, rows.damaged, header.scoring, adjustments, self.problems)
        check_counts(header, players, paired, bool(rows.damaged) or rows.lost_lines, self.problems)
        return ParsedReport(
            format=self.code or ("trf26" if self.new else "trf16"),
            name=header.text("012"),
            city=header.text("022"),
            federation=header.federation,
            start=header.start,
            end=header.end,
            type_text=header.type_text,
            chief_arbiter=header.text("102"),
            deputies=tuple(header.deputies),
            time_control_text=header.time_control_text,
            round_dates=header.round_dates,
            players=players,
            games=paired.games,
            teams=found_teams,
            rounds=paired.rounds,
            rounds_announced=header.rounds_announced,
            scoring=header.scoring.declared(),
            problems=self.problems.all(),
        )
