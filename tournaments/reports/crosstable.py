"""A report that an arbiter types as a crosstable instead of sending a file.

``build`` takes a grid of rounds (``12w1``), ``build_round_robin`` a grid of players against
players. Both give the same ``ParsedReport`` as a file would; written with ``trf16.write`` it is
kept as the original file and reads back equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from tournaments.reports.checks import Sums, check_players
from tournaments.reports.layout import MAX_ROUNDS, NAME_WIDTH
from tournaments.reports.model import ParsedReport, ReportedPlayer
from tournaments.reports.pairing import Cell, pair
from tournaments.reports.playerline import (
    read_birth_field,
    read_federation,
    read_fide_id,
    read_rating,
    read_sex,
    read_title,
)
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text

MAX_ROWS = 2000
_MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "L": "W", "D": "D"}
_HALF = re.compile(r"½|1/2|0?[.,]5")
_BYE_IN_FULL = re.compile(r"0{1,4} *-? *([HFUZ+=-])")
_OPPONENT_FIRST = re.compile(r"([0-9]{1,4})(?: *([WB])(?: *([10=+WDLHFUZ*-]))?| *([=+DLHFUZ*-])| +([10]))?")
_COLOUR_FIRST = re.compile(r"([WB]) *([0-9]{1,4})(?: *([=+WDLHFUZ*-])| +([10]))?")
_RESULT = re.compile(r"[10=+WDL-]")

#: Remedies that speak of the form instead of columns of a file.
FORM_REMEDIES = {
    "header-missing": "Fill in the field.",
    "federation-code": "Give the three-letter code of the federation.",
    "date-order": "Correct the start or the end: an event cannot end before it starts.",
    "start-number": "Give a start number from 1 to 9999.",
    "name-missing": "Give the name (Last, First).",
    "name-too-long": "Shorten the name to 33 characters.",
    "sex-unknown": "Give m or w, or leave it open.",
    "rating-unreadable": "Give the rating in digits or leave it blank.",
    "player-federation": "Give a three-letter federation code or leave it blank.",
    "fide-id-cleaned": "Give the FIDE number as bare digits.",
    "fide-id-not-fide": "Give the FIDE number or leave it blank and match the player by hand.",
    "birth-unreadable": "Give the birth date as YYYY/MM/DD; unknown parts as 00.",
    "title-unknown": "Give GM, IM, FM, CM, WGM, WIM, WFM or WCM.",
    "unknown-opponent": "Add the row of the opponent or correct the number.",
    "opponent-mismatch": "Correct the opponent in one of the two rows.",
    "colour-missing": "Type w or b behind the opponent, as in 12w1.",
    "colour-mismatch": "Correct the colour in one of the two rows: one w, one b.",
    "result-mismatch": "Correct the result in one of the two rows so that they mirror each other.",
    "one-sided": "Type + and - in the two rows, or correct the results.",
    "not-finished": "Type the result; the pairing was left out.",
    "unpaired-round": "Clear the cells of rounds that were not played.",
    "no-players": "Type at least two rows.",
    "too-many-players": "At most 2000 rows can be typed; send a file per event.",
}


@dataclass(frozen=True, slots=True)
class Header:
    """What the form says of the event; dates are local dates."""

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


@dataclass(frozen=True, slots=True)
class Row:
    """One typed row: identity fields as typed, then one text per round (or per opponent)."""

    start_number: int
    name: str
    sex: str = ""
    title: str = ""
    rating: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell as typed: opponent's start number or None, "w", "b" or "", and a result letter."""

    opponent: int | None = None
    colour: str = ""
    code: str = ""


def parse_cell(text: str) -> Entry:
    """Read one cell such as ``12w1``.

    Opponent, colour and result may stand apart and in any case (``12 W ½``), the colour may come
    first (``w12 1``) or be left out if a blank parts opponent and result (``12 1``, ``12=``). A
    draw is ``=``, ``½``, ``0.5`` or ``1/2``. Without opponent: ``H F U Z + - =`` or nothing.

    Raises:
        ValueError: the text is none of these, with a message for the arbiter.
    """
    compact = _HALF.sub("=", " ".join(text.split())).upper()
    if not compact:
        return Entry()
    if match := _BYE_IN_FULL.fullmatch(compact):
        return Entry(code=match[1])
    if re.fullmatch(r"[HFUZ+=*-]", compact):
        return Entry(code=compact)
    if (match := _OPPONENT_FIRST.fullmatch(compact)) and int(match[1]):
        return Entry(int(match[1]), (match[2] or "").lower(), match[3] or match[4] or match[5] or "")
    if (match := _COLOUR_FIRST.fullmatch(compact)) and int(match[2]):
        return Entry(int(match[2]), match[1].lower(), match[3] or match[4] or "")
    raise ValueError(f"{text!r} is not opponent, colour and result")


def build(header: Header, rows: Sequence[Row]) -> ParsedReport:
    """A report from a grid of rounds; ``rows[i].cells[r]`` is round r + 1.

    A game may be typed in one row only: the blank cell of the opponent is filled with the
    mirrored result (``-`` gives the opponent ``+``; a double forfeit is typed on both sides).
    When both are typed they must mirror. Points are added up as 1, ½, 0.
    """
    problems = Problems(FORM_REMEDIES)
    cells: dict[tuple[int, int], Cell] = {}
    damaged: set[int] = set()
    rows = _capped(rows, problems)
    for number, row in enumerate(rows, start=1):
        for round_, text in enumerate(row.cells, start=1):
            if round_ > MAX_ROUNDS:
                message = f"{_row(number, row)} has more than {MAX_ROUNDS} rounds."
                problems.error("too-many-rounds", "results", message, line=number, column=round_)
                break
            try:
                entry = parse_cell(text)
            except ValueError as error:
                message = f"{_row(number, row)}, round {round_}: {error}."
                problems.error("cell-text", "result", message, line=number, column=round_)
                damaged.add(row.start_number)
                continue
            cell = Cell(row.start_number, round_, entry.opponent, entry.colour, entry.code, number, round_)
            if not cell.blank:
                cells[row.start_number, round_] = cell
    _fill_blank_sides(cells, rows)
    return _report(header, rows, cells, damaged, problems)


def build_round_robin(
    header: Header,
    rows: Sequence[Row],
    rounds: Mapping[tuple[int, int], Sequence[int]] | None = None,
) -> ParsedReport:
    """A report from a grid of players: ``rows[i].cells[j]`` is row i's result against row j.

    A cell holds 1, 0, ½ (= or 0.5), + - W D L or nothing, in an event of several cycles one
    result per cycle, parted by blanks. The diagonal is ignored. One side is enough, as in
    ``build``. Such a grid has neither rounds nor colours: both come from the Berger table with
    the rows in their order (second cycle: colours reversed, rounds go on), unless ``rounds``
    gives the rounds of a pair of start numbers, one per cycle. A warning says so.
    """
    problems = Problems(FORM_REMEDIES)
    rows = _capped(rows, problems)
    cells: dict[tuple[int, int], Cell] = {}
    damaged: set[int] = set()
    seats = len(rows) + len(rows) % 2
    for i, row in enumerate(rows):
        if len(row.cells) != len(rows):
            message = f"{_row(i + 1, row)} has {len(row.cells)} cells for {len(rows)} players."
            problems.error("cell-text", "result", message, line=i + 1)
            damaged.add(row.start_number)
        for j, text in enumerate(row.cells[: len(rows)]):
            codes = [] if i == j else _HALF.sub("=", text).upper().split()
            if not all(_RESULT.fullmatch(code) for code in codes):
                message = f"{_row(i + 1, row)} against {rows[j].start_number}: {text!r} is not a result."
                problems.error("cell-text", "result", message, line=i + 1, column=j + 1)
                damaged.add(row.start_number)
                continue
            given = (rounds or {}).get((row.start_number, rows[j].start_number))
            given = given or (rounds or {}).get((rows[j].start_number, row.start_number), ())
            for cycle, code in enumerate(codes):
                round_, i_white = berger(i + 1, j + 1, seats)
                round_ = given[cycle] if cycle < len(given) else round_ + cycle * (seats - 1)
                if round_ > MAX_ROUNDS:
                    message = f"{_row(i + 1, row)}: round {round_} is more than {MAX_ROUNDS}."
                    problems.error("too-many-rounds", "results", message, line=i + 1, column=j + 1)
                    break
                key = row.start_number, round_
                if key in cells:
                    message = f"{_row(i + 1, row)} has two games in round {round_}."
                    problems.error("two-games", "result", message, line=i + 1, column=j + 1)
                    continue
                colour = "w" if i_white == (cycle % 2 == 0) else "b"
                opponent = rows[j].start_number
                cells[key] = Cell(row.start_number, round_, opponent, colour, code, i + 1, j + 1)
    if cells:
        message = "Rounds and colours of the grid were taken from the Berger table."
        problems.warn("berger-colours", "results", message)
    _fill_blank_sides(cells, rows)
    return _report(header, rows, cells, damaged, problems)


def berger(a: int, b: int, seats: int) -> tuple[int, bool]:
    """Round in which numbers ``a`` and ``b`` meet by the Berger table, and whether a has white.

    ``seats`` is the even number of places. The last number is met in the round in which twice a
    number is the round plus one (modulo seats - 1); of two others the lower has white when their
    sum is odd; the last number has black against the first half.
    """
    low, high = sorted((a, b))
    cycle = seats - 1
    total = 2 * low if high == seats else low + high
    round_ = (total - 2) % cycle + 1
    low_white = low <= seats // 2 if high == seats else total % 2 == 1
    return round_, low_white == (a == low)


def _capped(rows: Sequence[Row], problems: Problems) -> Sequence[Row]:
    if len(rows) > MAX_ROWS:
        problems.error("too-many-players", "players", f"{len(rows)} rows; {MAX_ROWS} are read.")
    return rows[:MAX_ROWS]


def _row(number: int, row: Row) -> str:
    return f"row {number} ({row.start_number} {clean_text(row.name)})"


def _fill_blank_sides(cells: dict[tuple[int, int], Cell], rows: Sequence[Row]) -> None:
    lines = {row.start_number: number for number, row in enumerate(rows, start=1)}
    for cell in list(cells.values()):
        opponent = cell.opponent
        if opponent is None or opponent == cell.player or opponent not in lines:
            continue
        if (opponent, cell.round) in cells or cell.code not in _MIRROR:
            continue
        colour = {"w": "b", "b": "w", "": ""}[cell.colour]
        cells[opponent, cell.round] = replace(
            cell,
            player=opponent,
            opponent=cell.player,
            colour=colour,
            code=_MIRROR[cell.code],
            line=lines[opponent],
        )


def _report(
    header: Header,
    rows: Sequence[Row],
    cells: dict[tuple[int, int], Cell],
    damaged: set[int],
    problems: Problems,
) -> ParsedReport:
    _check_header(header, problems)
    players: dict[int, ReportedPlayer] = {}
    for number, row in enumerate(rows, start=1):
        player = _player(number, row, problems)
        first = players.get(row.start_number)
        if not 1 <= row.start_number <= 9999:
            message = f"{_row(number, row)}: the start number is not from 1 to 9999."
            problems.error("start-number", "start_number", message, line=number)
        elif first is not None:
            message = f"Start number {row.start_number} stands in row {first.line} and in row {number}."
            problems.error("duplicate-start-number", "start_number", message, line=number)
            damaged.add(row.start_number)
        else:
            players[row.start_number] = player

    def place(start_number: int) -> str:
        found = players[start_number]
        return f"row {found.line} ({start_number} {found.name})"

    scoring = Scoring()
    cells = {key: cell for key, cell in cells.items() if cell.player in players}
    ordered = [players[number] for number in sorted(players)]
    sound = [player for player in ordered if player.start_number not in damaged]
    check_players(sound, place, problems, any_row=bool(rows))
    paired = pair(cells, players, damaged, place, scoring, problems)
    if players and not paired.rounds and not paired.disputed and not damaged:
        problems.error("no-games", "results", "The crosstable holds no results of games.")
    return ParsedReport(
        format="crosstable",
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
        players=tuple(
            replace(player, points=Sums(player.start_number, cells, paired, scoring).total)
            for player in ordered
        ),
        games=paired.games,
        rounds=paired.rounds,
        rounds_announced=header.rounds_announced,
        problems=problems.all(),
    )


def _federation(text: str) -> str:
    code = clean_text(text).upper()
    return code if re.fullmatch(r"[A-Z]{3}", code) else ""


def _check_header(header: Header, problems: Problems) -> None:
    for field, value in (
        ("name", clean_text(header.name)),
        ("federation", clean_text(header.federation)),
        ("start", header.start),
        ("end", header.end),
    ):
        if not value:
            problems.error("header-missing", field, f"The {field} of the event is missing.")
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


def _player(number: int, row: Row, problems: Problems) -> ReportedPlayer:
    def report(severity: str, code: str, field: str, message: str) -> None:
        problems.add(severity, code, field, f"{_row(number, row)}: {message}", line=number)

    name = clean_text(row.name)
    if not name:
        report("error", "name-missing", "name", "The player has no name.")
    elif len(name) > NAME_WIDTH:
        report("warning", "name-too-long", "name", f"The name was cut to {NAME_WIDTH} characters.")
        name = name[:NAME_WIDTH].strip()
    return ReportedPlayer(
        start_number=row.start_number,
        name=name,
        sex=read_sex(row.sex.strip(), report),
        title=read_title(row.title.strip(), report),
        rating=read_rating(row.rating.strip(), report),
        federation=read_federation(row.federation.strip(), report),
        fide_id=read_fide_id(row.fide_id.strip(), report),
        birth=read_birth_field(row.birth.strip(), report),
        line=number,
    )
