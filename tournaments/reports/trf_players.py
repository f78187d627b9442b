"""The player lines (001) of a report: fields and cells, and which of them cannot be trusted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tournaments.reports.layout import CELL_WIDTH, FIRST_CELL, MAX_LINE, MAX_ROUNDS, fits, split
from tournaments.reports.model import ReportedPlayer
from tournaments.reports.pairing import CODES, Cell
from tournaments.reports.playerline import read_player
from tournaments.reports.problems import Problems
from tournaments.reports.text import blank_controls, is_control

MAX_PLAYERS = 2000

_NUMBER = re.compile("[0-9]*")


class PlayerLines:
    """Reads player lines into ``players`` and ``cells``.

    ``damaged`` are players whose line holds an error that makes its cells doubtful; ``lost_lines``
    says that there may be players whom no line gave.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.players: dict[int, ReportedPlayer] = {}
        self.cells: dict[tuple[int, int], Cell] = {}
        self.damaged: set[int] = set()
        self.lost_lines = False

    def place(self, number: int) -> str:
        """Where the player stands, for messages."""
        player = self.players[number]
        return f"line {player.line} ({number} {player.name})"

    def add(self, line: str, number: int) -> None:
        """Take one line whose tag is 001."""
        line, damaged = self._printable(line, number)
        if len(self.players) >= MAX_PLAYERS:
            if len(self.players) == MAX_PLAYERS and not self.lost_lines:
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
        if first := self.players.get(start_number):
            message = f"Starting rank {start_number} stands on line {first.line} and on line {number}."
            code = "duplicate-start-number"
            self.problems.error(code, "start_number", message, line=number, column=5)
            self.damaged.add(start_number)
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
            self.damaged.add(start_number)
        self.players[start_number] = read_player(start_number, fields, number, report)
        for at, text in enumerate(fields.cells):
            column = FIRST_CELL + 1 + fields.shift + CELL_WIDTH * at
            self._cell(start_number, at + 1, text, number, column, damaged)

    def _printable(self, line: str, number: int) -> tuple[str, bool]:
        """The line without control characters, and whether it is damaged by them.

        Tabs do no harm when all fields stand in their columns with each tab as one blank, or as the
        blanks up to the next multiple of eight or four columns.
        """
        if line.isprintable():
            return line, False
        tabs = [at for at, c in enumerate(line) if c == "\t"]
        other = [at for at, c in enumerate(line) if c != "\t" and is_control(c)]
        if other:
            message = f"Line {number} holds a control character ({len(other)} in all)."
            place = {"line": number, "column": other[0] + 1}
            self.problems.error("control-character", "line", message, **place)
        plain = blank_controls(line)
        if not tabs:
            return plain, bool(other)
        whole = [plain] if len(line) > MAX_LINE else [plain, *(_expanded(line, size) for size in (8, 4))]
        fitting = [text for text in whole if fits(text)]
        message = f"Line {number} holds a tab ({len(tabs)} in all)."
        severity = "warning" if fitting else "error"
        self.problems.add(severity, "tab", "line", message, line=number, column=tabs[0] + 1)
        return (fitting or [plain])[0], bool(other) or not fitting

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
        if text[4] + text[6] + text[8:].strip() != "  " or not _NUMBER.fullmatch(opponent):
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
            self.cells[player, round_] = cell

    def _bad_cell(self, player: int, code: str, message: str, line: int, column: int, damaged: bool) -> None:
        self.damaged.add(player)
        if not damaged:
            self.problems.error(code, "result", f"{message} cannot be read.", line=line, column=column)


def _expanded(line: str, size: int) -> str:
    return blank_controls(line.expandtabs(size))


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
