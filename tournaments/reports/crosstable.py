"""A crosstable: rows of players with a cell for each round, typed in a form or sent as a table.

``build`` takes a grid of rounds (``12w1``), ``build_round_robin`` a grid of players against
players. Both give the same ``ParsedReport`` as a file would; written with ``trf16.write`` it reads
back equal. The readers of CSV and XLSX hand their rows to the same two functions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from tournaments.reports.checks import Sums, check_players, check_points
from tournaments.reports.crosstable_rows import Row, check_national_ids, read_player, row_name
from tournaments.reports.layout import MAX_ROUNDS, NAME_WIDTH
from tournaments.reports.model import ParsedReport, ReportedPlayer, Severity
from tournaments.reports.pairing import Cell, pair
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Adjustments, Scoring
from tournaments.reports.table_remedies import FORM_REMEDIES
from tournaments.reports.text import clean_text
from tournaments.reports.typed_cells import HALF, MIRROR, RESULT, Entry, berger, parse_cell

__all__ = [
    "FORM",
    "Entry",
    "Header",
    "Placed",
    "Row",
    "Sheet",
    "berger",
    "build",
    "build_round_robin",
    "parse_cell",
]

MAX_ROWS = 2000
#: results in one table (2000 players with 20 rounds, 400 with 100), which bounds the time of every reading
MAX_CELLS = 40_000
#: fields whose findings know their column already
PASSED = frozenset({"result", "results", "columns", "cell"})


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of the event; dates are local dates, ``scoring`` as in ``ParsedReport``."""

    name: str
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    type_text: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control_text: str = ""
    round_dates: Mapping[int, date] | None = None
    rounds_announced: int | None = None
    scoring: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where rows come from: the words of the findings, and what has to be there.

    ``round_columns`` are the columns of the cells in a file (a form has rounds instead). A ``file``
    needs no header, but its FIDE numbers have to be such. ``states_points``: it has a column of points.
    """

    format: str = "crosstable"
    remedies: Mapping[str, str] = field(default_factory=lambda: FORM_REMEDIES)
    round_columns: Sequence[int] = ()
    file: bool = False
    states_points: bool = False
    entry_list: bool = False
    name_width: int = NAME_WIDTH

    def column(self, cell: int) -> int:
        """The column of a cell, counted from 1."""
        return self.round_columns[cell - 1] if cell <= len(self.round_columns) else cell


class Placed(Problems):
    """Findings with the column of a file in which their field stands, and its title (a form has none)."""

    def __init__(self, remedies: Mapping[str, str]) -> None:
        super().__init__(remedies)
        self._columns: Mapping[str, tuple[int, str]] = {}

    def place(self, columns: Mapping[str, tuple[int, str]]) -> None:
        """From now on: field -> its column, counted from 1, and the title of the column."""
        self._columns = columns

    def add(
        self,
        severity: Severity,
        code: str,
        field: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        if field not in PASSED:
            column, title = self._columns.get(field, (None, ""))
            if title and line:
                message += f" (Column {title}.)"
        super().add(severity, code, field, message, line=line, column=column)


FORM = Sheet()


def build(
    header: Header, rows: Sequence[Row], sheet: Sheet = FORM, problems: Problems | None = None
) -> ParsedReport:
    """A report from a grid of rounds; ``rows[i].cells[r]`` is round r + 1.

    A game may be typed in one row only: the blank cell of the opponent is filled with the
    mirrored result (``-`` gives the opponent ``+``; a double forfeit is typed on both sides).
    When both are typed they must mirror. Points are added up as 1, ½, 0 unless the rows state them.
    ``problems`` takes the findings of the sheet's reader along.
    """
    problems = problems or Placed(sheet.remedies)
    cells: dict[tuple[int, int], Cell] = {}
    damaged: set[int] = set()
    rows = _capped(rows, problems)
    for row in rows:
        number = row.line
        if len(cells) + len(row.cells) > MAX_CELLS:
            message = f"The table holds more than {MAX_CELLS} results; those from here on were not read."
            problems.error("too-many-cells", "results", message, line=number)
            break
        for round_, text in enumerate(row.cells, start=1):
            if not text:
                continue
            column = sheet.column(round_)
            if round_ > MAX_ROUNDS:
                message = f"{row_name(row)} has more than {MAX_ROUNDS} rounds."
                problems.error("too-many-rounds", "results", message, line=number, column=column)
                break
            try:
                entry = parse_cell(text)
            except ValueError as error:
                message = f"{row_name(row)}, round {round_}: {error}."
                problems.error("cell-text", "result", message, line=number, column=column)
                damaged.add(row.start_number)
                continue
            cell = Cell(row.start_number, round_, entry.opponent, entry.colour, entry.code, number, column)
            if not cell.blank:
                cells[row.start_number, round_] = cell
    _fill_blank_sides(cells, rows)
    return _report(header, rows, cells, damaged, sheet, problems)


def build_round_robin(
    header: Header,
    rows: Sequence[Row],
    rounds: Mapping[tuple[int, int], Sequence[int]] | None = None,
    sheet: Sheet = FORM,
    problems: Problems | None = None,
) -> ParsedReport:
    """A report from a grid of players: ``rows[i].cells[j]`` is row i's result against row j.

    A cell holds 1, 0, ½ (= or 0.5), + - W D L or nothing, in an event of several cycles one
    result per cycle, parted by blanks. The diagonal is ignored. One side is enough, as in
    ``build``. Such a grid has neither rounds nor colours: both come from the Berger table with
    the rows in their order (second cycle: colours reversed, rounds go on), unless ``rounds``
    gives the rounds of a pair of start numbers, one per cycle. A warning says so.
    """
    problems = problems or Placed(sheet.remedies)
    rows = _capped(rows, problems)
    cells: dict[tuple[int, int], Cell] = {}
    damaged: set[int] = set()
    seats = len(rows) + len(rows) % 2
    for i, row in enumerate(rows):
        if len(cells) + len(rows) > MAX_CELLS:
            message = f"The table holds more than {MAX_CELLS} results; those from here on were not read."
            problems.error("too-many-cells", "results", message, line=row.line)
            break
        if len(row.cells) != len(rows):
            message = f"{row_name(row)} has {len(row.cells)} cells for {len(rows)} players."
            problems.error("cell-text", "result", message, line=row.line)
            damaged.add(row.start_number)
        for j, text in enumerate(row.cells[: len(rows)]):
            codes = [] if i == j or not text else HALF.sub("=", text[:60]).upper().split()
            if not all(RESULT.fullmatch(code) for code in codes):
                message = f"{row_name(row)} against {rows[j].start_number}: {text!r} is not a result."
                problems.error("cell-text", "result", message, line=row.line, column=sheet.column(j + 1))
                damaged.add(row.start_number)
                continue
            given = (rounds or {}).get((row.start_number, rows[j].start_number))
            given = given or (rounds or {}).get((rows[j].start_number, row.start_number), ())
            for cycle, code in enumerate(codes):
                round_, i_white = berger(i + 1, j + 1, seats)
                round_ = given[cycle] if cycle < len(given) else round_ + cycle * (seats - 1)
                if round_ > MAX_ROUNDS:
                    message = f"{row_name(row)}: round {round_} is more than {MAX_ROUNDS}."
                    problems.error(
                        "too-many-rounds", "results", message, line=row.line, column=sheet.column(j + 1)
                    )
                    break
                key = row.start_number, round_
                if key in cells:
                    message = f"{row_name(row)} has two games in round {round_}."
                    problems.error("two-games", "result", message, line=row.line, column=sheet.column(j + 1))
                    continue
                colour = "w" if i_white == (cycle % 2 == 0) else "b"
                opponent = rows[j].start_number
                cells[key] = Cell(
                    row.start_number, round_, opponent, colour, code, row.line, sheet.column(j + 1)
                )
    if cells:
        message = "Rounds and colours of the grid were taken from the Berger table."
        problems.warn("berger-colours", "results", message)
    _fill_blank_sides(cells, rows)
    return _report(header, rows, cells, damaged, sheet, problems)


def _capped(rows: Sequence[Row], problems: Problems) -> list[Row]:
    """The rows, at most ``MAX_ROWS``, each with its line: in a form they are counted."""
    if len(rows) > MAX_ROWS:
        problems.error("too-many-players", "players", f"{len(rows)} rows; {MAX_ROWS} are read.")
    return [
        row if row.line else replace(row, line=number) for number, row in enumerate(rows[:MAX_ROWS], start=1)
    ]


def _fill_blank_sides(cells: dict[tuple[int, int], Cell], rows: Sequence[Row]) -> None:
    lines = {row.start_number: row.line for row in rows}
    for cell in list(cells.values()):
        opponent = cell.opponent
        if opponent is None or opponent == cell.player or opponent not in lines:
            continue
        if (opponent, cell.round) in cells or cell.code not in MIRROR:
            continue
        colour = {"w": "b", "b": "w", "": ""}[cell.colour]
        cells[opponent, cell.round] = replace(
            cell,
            player=opponent,
            opponent=cell.player,
            colour=colour,
            code=MIRROR[cell.code],
            line=lines[opponent],
        )


def _report(
    header: Header,
    rows: Sequence[Row],
    cells: dict[tuple[int, int], Cell],
    damaged: set[int],
    sheet: Sheet,
    problems: Problems,
) -> ParsedReport:
    _check_header(header, sheet, problems)
    players: dict[int, ReportedPlayer] = {}
    for row in rows:
        player = read_player(row, problems, sheet.name_width, file=sheet.file)
        first = players.get(row.start_number)
        if not 1 <= row.start_number <= 9999:
            message = f"{row_name(row)}: the start number is not from 1 to 9999."
            problems.error("start-number", "start_number", message, line=row.line)
        elif first is not None:
            message = f"Start number {row.start_number} stands in row {first.line} and in row {row.line}."
            problems.error("duplicate-start-number", "start_number", message, line=row.line)
            damaged.add(row.start_number)
        else:
            players[row.start_number] = player

    def place(start_number: int) -> str:
        found = players[start_number]
        return f"row {found.line} ({start_number} {found.name})"

    scoring = Scoring()
    for code, value in header.scoring:
        scoring.set(code, value)
    cells = {key: cell for key, cell in cells.items() if cell.player in players}
    ordered = [players[number] for number in sorted(players)]
    sound = [player for player in ordered if player.start_number not in damaged]
    check_players(sound, place, problems, any_row=bool(rows))
    check_national_ids(sound, problems)
    paired = pair(cells, players, damaged, place, scoring, problems)
    if players and not paired.rounds and not paired.disputed and not damaged and not sheet.entry_list:
        problems.error("no-games", "results", "The crosstable holds no results of games.")
    _check_rounds(header, sheet, paired.rounds, problems)
    if sheet.states_points and any(player.points is not None for player in ordered):
        check_points(ordered, cells, paired, damaged, scoring, Adjustments(), problems)
    elif not sheet.states_points and not sheet.entry_list:
        sums = {number: Sums(number, cells, paired, scoring).total for number in players}
        ordered = [replace(player, points=sums[player.start_number]) for player in ordered]
    return ParsedReport(
        format=sheet.format,
        name=clean_text(header.name),
        city=clean_text(header.city),
        federation=_federation(header.federation),
        start=header.start,
        end=header.end,
        type_text=clean_text(header.type_text),
        chief_arbiter=clean_text(header.chief_arbiter),
        deputies=tuple(filter(None, map(clean_text, header.deputies))),
        time_control_text=clean_text(header.time_control_text),
        round_dates=dict(header.round_dates or {}),
        players=tuple(ordered),
        games=paired.games,
        rounds=paired.rounds,
        rounds_announced=header.rounds_announced,
        scoring=scoring.declared(),
        entry_list=sheet.entry_list,
        problems=problems.all(),
    )


def _check_rounds(header: Header, sheet: Sheet, rounds: int, problems: Problems) -> None:
    announced = header.rounds_announced
    if not sheet.file or not announced or not rounds or announced == rounds:
        return
    if rounds < announced:
        message = f"The event is not finished: {rounds} of {announced} rounds."
        problems.warn("unfinished", "header", message)
    else:
        message = f"The event has {announced} rounds by what stands above the table, {rounds} hold results."
        problems.warn("round-count", "header", message)


def _federation(text: str) -> str:
    code = clean_text(text).upper()
    return code if re.fullmatch(r"[A-Z]{3}", code) else ""


def _check_header(header: Header, sheet: Sheet, problems: Problems) -> None:
    for name, value in (
        ("name", clean_text(header.name)),
        ("federation", clean_text(header.federation)),
        ("start", header.start),
        ("end", header.end),
    ):
        if not value and not sheet.file:
            problems.error("header-missing", name, f"The {name} of the event is missing.")
    if clean_text(header.federation) and not _federation(header.federation):
        message = f"{header.federation!r} is not a three-letter federation code."
        problems.error("federation-code", "federation", message)
    if header.start and header.end and header.end < header.start:
        message = f"The event ends on {header.end} before it starts on {header.start}."
        problems.error("date-order", "end", message)
    for round_, day in sorted((header.round_dates or {}).items()):
        if (header.start and day < header.start) or (header.end and day > header.end):
            message = f"Round {round_} is dated {day}, outside the event."
            problems.error("round-date-outside", "round_dates", message)
