"""Reading FIDE's tournament report, TRF16, with the dialects of TRF06, JaVaFo and TRF26.

Fixed columns are never split on blanks. Every fault of a file is reported at once, each with
its line and column; see docs/formats/trf16.md for the columns, the dialects and the codes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tournaments.reports import header as head
from tournaments.reports.checks import check_counts, check_players, check_points
from tournaments.reports.header import Header
from tournaments.reports.layout import CELL_WIDTH, FIRST_CELL, MAX_LINE, MAX_ROUNDS, split
from tournaments.reports.model import ParsedReport, ReportedPlayer
from tournaments.reports.pairing import CODES, Cell, pair
from tournaments.reports.playerline import read_player
from tournaments.reports.problems import Problems
from tournaments.reports.text import decode, is_control, split_lines
from tournaments.reports.trf_writer import write

__all__ = ["parse", "write"]

MAX_PLAYERS = 2000
_TRF26_TAGS = frozenset(
    {"142", "152", "162", "172", "182", "192", "202", "212", "222"} | head.NOT_READ.keys() - {"013"}
)
_RULER = re.compile(r"[0-9 ]+$|(DDD|SSS|TTT) SSSS")
_NATIONAL = re.compile(r"[A-Z]{3} +[0-9]+ ")
_LIKE_PLAYER = re.compile(r"\s*\S{1,3}\s+[0-9]{1,4}\s.{30,}")


def parse(data: bytes) -> ParsedReport:
    """Read a report file. Never raises for its content: what is wrong is in ``problems``."""
    problems = Problems()
    text = decode(data, problems)
    if text is None:
        return ParsedReport("TRF16", problems=problems.all())
    return _Reader(problems).read(split_lines(text))


@dataclass(slots=True)
class _Rows:
    players: dict[int, ReportedPlayer] = field(default_factory=dict)
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    damaged: set[int] = field(default_factory=set)


class _Reader:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.header = Header(problems)
        self.rows = _Rows()
        self.tags: dict[str, list[int]] = {}
        self.national: set[str] = set()
        self.lost_lines = False

    def read(self, lines: list[str]) -> ParsedReport:
        if self._foreign(lines):
            return ParsedReport("TRF16", problems=self.problems.all())
        for number, line in enumerate(lines, start=1):
            self._line(line, number)
        self._name_tags()
        self.header.finish()
        return self._report()

    def _foreign(self, lines: list[str]) -> bool:
        known = {"001", "012", "022", "032", "042", "052", "062", "092", "102"}
        if not any(line[:3] in known for line in lines):
            self.problems.error("not-trf", "file", "No line begins with a tag of the TRF format.")
            return True
        # Vega parts all fields by |; a name with such a sign is no reason to refuse a file.
        if any(line.startswith("001") and (line[:14] + line[47:]).count("|") >= 3 for line in lines):
            self.problems.error("vega-tdf", "file", "The player lines are separated by |: a Vega .tdf file.")
            return True
        return False

    def _line(self, line: str, number: int) -> None:
        if not line or line.startswith("#"):
            return
        line, damaged = self._printable(line, number)
        tag = line[:3].upper()
        if line[3:4].strip() or tag == "DDD":
            if not _RULER.match(line):
                message = f"Line {number} begins with {line[:4]!r}: no blank after the tag."
                self.problems.warn("tag-without-blank", "tag", message, line=number, column=4)
            return
        if tag == "001":
            self._player(line, number, damaged)
        elif tag in head.SINGLE or tag in head.REPEATED:
            self.tags.setdefault(tag, []).append(number)
            self.header.add(tag, line, number)
        elif line.strip() and not _RULER.match(line):
            self.tags.setdefault(tag, []).append(number)
            known = tag in head.IGNORED or tag in head.NOT_READ or _NATIONAL.match(line)
            if known and tag not in head.IGNORED and tag not in head.NOT_READ:
                self.national.add(tag)
            if not known and _LIKE_PLAYER.match(line):
                self.lost_lines = True
                message = f"Line {number} begins with {line[:3]!r} but looks like a player line."
                self.problems.error("unknown-tag-player", "tag", message, line=number, column=1)
                self.tags[tag].pop()

    def _printable(self, line: str, number: int) -> tuple[str, bool]:
        """The line with control characters made blanks, and whether its columns can be trusted."""
        if line.isprintable():
            return line, False
        bad = [(at, c) for at, c in enumerate(line) if is_control(c)]
        for code, name, found in (
            ("tab", "a tab", [at for at, c in bad if c == "\t"]),
            ("control-character", "a control character", [at for at, c in bad if c != "\t"]),
        ):
            if found:
                message = f"Line {number} holds {name} ({len(found)} in all)."
                severity = "warning" if code == "tab" and not line.startswith("001") else "error"
                self.problems.add(severity, code, "line", message, line=number, column=found[0] + 1)
        return "".join(" " if c.isspace() or is_control(c) else c for c in line), bool(bad)

    def _name_tags(self) -> None:
        for tag, numbers in self.tags.items():
            if tag in head.SINGLE or tag in head.REPEATED or tag in head.IGNORED or not numbers:
                continue
            places = f"line {numbers[0]}" + (f" and {len(numbers) - 1} more" if len(numbers) > 1 else "")
            if tag in head.NOT_READ:
                code, message = "tag-not-read", f"Tag {tag} ({head.NOT_READ[tag]}) is not read ({places})."
            elif tag in self.national:
                code, message = "tag-not-read", f"National lines {tag} are not read ({places})."
            else:
                code, message = "unknown-tag", f"Tag {tag!r} is not known ({places})."
            self.problems.warn(code, "tag", message, line=numbers[0], column=1)

    # --- players ---

    def _player(self, line: str, number: int, damaged: bool) -> None:
        if len(self.rows.players) >= MAX_PLAYERS:
            if len(self.rows.players) == MAX_PLAYERS and not self.lost_lines:
                message = f"More than {MAX_PLAYERS} players, from line {number}."
                self.problems.error("too-many-players", "file", message, line=number, column=1)
                self.lost_lines = True
            return
        text = line[4:8].strip()
        start_number = int(text) if re.fullmatch(r"[0-9]{1,4}", text) else 0
        if not start_number:
            self.lost_lines = True
            if damaged:
                return
            message = f"Line {number}: starting rank {text!r} is not a number from 1 to 9999."
            self.problems.error("start-number", "start_number", message, line=number, column=5)
            return
        if first := self.rows.players.get(start_number):
            message = f"Starting rank {start_number} stands on line {first.line} and on line {number}."
            code = "duplicate-start-number"
            self.problems.error(code, "start_number", message, line=number, column=5)
            self.rows.damaged.add(start_number)
            return
        if len(line) > MAX_LINE:
            message = f"Line {number} has more than {MAX_ROUNDS} rounds."
            self.problems.error("too-many-rounds", "results", message, line=number, column=FIRST_CELL + 1)
            line, damaged = line[:MAX_LINE], True
        fields = split(line)
        if fields.stray and not damaged:
            columns = ", ".join(map(str, fields.stray))
            message = (
                f"Line {number}: fields do not stand in their columns (not blank: {columns}); "
                "a name may run over column 47."
            )
            self.problems.error("columns-broken", "line", message, line=number, column=fields.stray[0])
            damaged = True
        report = _Muted() if damaged else _PlayerReport(self.problems, number, start_number, fields.shift)
        if damaged:
            self.rows.damaged.add(start_number)
        self.rows.players[start_number] = read_player(start_number, fields, number, report)
        for at, text in enumerate(fields.cells):
            column = FIRST_CELL + 1 + fields.shift + CELL_WIDTH * at
            self._cell(start_number, at + 1, text, number, column, damaged)

    def _cell(self, player: int, round_: int, text: str, line: int, column: int, damaged: bool) -> None:
        if not text.strip():
            return
        if round_ > MAX_ROUNDS:
            if round_ == MAX_ROUNDS + 1 and not damaged:
                message = f"Line {line} has more than {MAX_ROUNDS} rounds."
                self.problems.error("too-many-rounds", "results", message, line=line, column=column)
            return
        text = text.ljust(CELL_WIDTH)
        opponent = text[:4].strip()
        where = f"Line {line}, round {round_}"
        if text[4] + text[6] + text[8:].strip() != "  " or not re.fullmatch(r"[0-9]*", opponent):
            self._bad_cell(player, "cell-unreadable", f"{where}: {text.rstrip()!r}", line, column, damaged)
            return
        colour = text[5].lower()
        if colour not in "wb- ":
            message = f"{where}: colour {text[5]!r}"
            self._bad_cell(player, "colour-unknown", message, line, column + 5, damaged)
            return
        code = text[7].upper().strip().replace("½", "=")
        if code not in CODES:
            message = f"{where}: result {text[7]!r}"
            self._bad_cell(player, "result-unknown", message, line, column + 7, damaged)
            return
        cell = Cell(player, round_, int(opponent or 0) or None, colour.strip("- "), code, line, column)
        if not cell.blank:
            self.rows.cells[player, round_] = cell

    def _bad_cell(self, player: int, code: str, message: str, line: int, column: int, damaged: bool) -> None:
        self.rows.damaged.add(player)
        if not damaged:
            self.problems.error(code, "result", f"{message} cannot be read.", line=line, column=column)

    # --- the event ---

    def _report(self) -> ParsedReport:
        header, rows = self.header, self.rows
        players = tuple(sorted(rows.players.values(), key=lambda p: p.start_number))
        if not self.lost_lines or players:
            sound = [p for p in players if p.start_number not in rows.damaged]
            check_players(sound, self._place, self.problems, any_row=bool(players))
        paired = pair(rows.cells, rows.players, rows.damaged, self._place, header.scoring, self.problems)
        check_points(
            players,
            rows.cells,
            paired,
            rows.damaged,
            header.scoring,
            [tag for tag in ("240", "299", "320", "330") if tag in self.tags],
            self.problems,
        )
        check_counts(header, players, paired, bool(rows.damaged) or self.lost_lines, self.problems)
        new = any(tag in _TRF26_TAGS for tag in self.tags)
        return ParsedReport(
            format="TRF26" if new else "TRF16",
            name=header.text("012"),
            city=header.text("022"),
            federation=header.federation,
            start=header.start,
            end=header.end,
            type_text=header.text("092"),
            chief_arbiter=header.text("102"),
            deputies=tuple(header.deputies),
            time_control_text=header.text("122"),
            round_dates=header.round_dates,
            players=players,
            games=paired.games,
            rounds=paired.rounds,
            rounds_announced=header.rounds_announced,
            scoring=header.scoring.declared(),
            problems=self.problems.all(),
        )

    def _place(self, number: int) -> str:
        player = self.rows.players[number]
        return f"line {player.line} ({number} {player.name})"


_COLUMNS = {
    "name": 15,
    "sex": 10,
    "title": 11,
    "rating": 49,
    "federation": 54,
    "fide_id": 58,
    "birth": 70,
    "points": 81,
    "rank": 86,
}


@dataclass(frozen=True, slots=True)
class _PlayerReport:
    """Puts line, column and player to the findings about one player line."""

    problems: Problems
    line: int
    start_number: int
    shift: int

    def __call__(self, severity: str, code: str, field: str, message: str) -> None:
        column = _COLUMNS[field] + (self.shift if _COLUMNS[field] > 47 else 0)
        message = f"Line {self.line}, player {self.start_number}: {message}"
        self.problems.add(severity, code, field, message, line=self.line, column=column)


class _Muted:
    """For a line whose columns are known to be wrong: its fields say nothing."""

    def __call__(self, severity: str, code: str, field: str, message: str) -> None:
        return None
