"""A round typed board by board: White's start number, the result, Black's start number.

Such rows become the cells of the crosstable (``crosstable.Row``), so that what is typed goes through
the same checks as a file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tournaments.reports.model import Severity

Field = Literal["white", "result", "black"]
BYES = "HFUZ"
_MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "L": "W", "D": "D"}
_DOUBLE = {"--", "00", "0=", "=0", "LD", "DL"} | {white + black for white, black in _MIRROR.items()}
_HALF = re.compile(r"½|1/2|0?[.,]5")
_BOTH = re.compile(r"([10=+WDL-]) ?[-:/]? ?([10=+WDL-])")
_KEYPAD = {".": "=", ",": "=", "/": "="}
RESULTS = "1 0 = + - W D L; -- when both forfeit"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row (from 1) and field, and what to do."""

    row: int
    field: Field
    message: str
    remedy: str
    severity: Severity = "error"


@dataclass(slots=True)
class Boards:
    """A round as read: the cell of each start number, the row on which it stands, and the faults."""

    cells: dict[int, str] = field(default_factory=dict)
    rows: dict[int, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def start_number(text: str) -> int | None:
    """A start number from 1 to 9999 in plain digits, or None."""
    return int(text) or None if re.fullmatch(r"[0-9]{1,4}", text) else None


def parse_result(text: str) -> tuple[str, str]:
    """White's and Black's letter; both "" for a blank, Black's "" for a bye.

    One letter is White's (``1 0 = + - W D L``) and Black has its mirror; ``--``, ``0-0`` (a ruling) and
    pairs such as ``1-0`` give both. A draw is also ``½``, ``0.5``, ``1/2`` and, for the number pad, a
    single point, comma or stroke. A bye is ``H F U Z``.

    Raises:
        ValueError: the text is none of these.
    """
    compact = " ".join(text.split()).upper()
    compact = _KEYPAD.get(compact) or _HALF.sub("=", compact)
    if not compact:
        return "", ""
    if compact in _MIRROR:
        return compact, _MIRROR[compact]
    if len(compact) == 1 and compact in BYES:
        return compact, ""
    if (match := _BOTH.fullmatch(compact)) and match[1] + match[2] in _DOUBLE:
        return match[1], match[2]
    raise ValueError(f"“{text}” is not a result")


def read_round(rows: Iterable[tuple[str, str, str]], players: Mapping[int, str]) -> Boards:
    """Read the rows of a round; ``players`` are the names by start number. Blank rows are left out.

    A row with an error gives no cells; a start number that stands twice keeps its first row.
    """
    boards = Boards()
    for number, (white, result, black) in enumerate(rows, start=1):
        if white or result or black:
            _read_row(boards, number, white, result, black, players)
    return boards


def missing(boards: Boards, players: Collection[int]) -> list[int]:
    """The start numbers that stand on no row of the round."""
    return sorted(set(players) - boards.rows.keys())


def _read_row(
    boards: Boards, row: int, white: str, result: str, black: str, players: Mapping[int, str]
) -> None:
    before = len(boards.faults)

    def wrong(where: Field, message: str, remedy: str, severity: Severity = "error") -> None:
        boards.faults.append(Fault(row, where, message, remedy, severity))

    def seat(where: Field, text: str) -> int | None:
        number = start_number(text)
        if number is None:
            wrong(where, f"“{text}” is not a start number.", "Type the player's start number, 1 to 9999.")
        elif number not in players:
            remedy = "Correct it, or add the player on the players' page."
            wrong(where, f"No player has start number {number}.", remedy)
            return None
        return number

    one = seat("white", white) if white else None
    two = seat("black", black) if black else None
    if not white:
        wrong("white", "White's number is missing.", "Type it; a player with a bye stands here too.")
    if one is not None and one == two:
        wrong("black", f"Player {one} stands on both sides.", "Correct one of the two numbers.")
        two = None
    for where, number in (("white", one), ("black", two)):
        if number is None:
            continue
        if first := boards.rows.get(number):
            message = f"Player {number} ({players[number]}) stands on board {first} already."
            wrong(where, message, "Correct the number on one of the two boards.")
        else:
            boards.rows[number] = row
    letters = ("", "")
    try:
        letters = parse_result(result)
    except ValueError as error:
        wrong("result", f"{error}.", f"Type {RESULTS}; for a bye H F U or Z without opponent.")
    else:
        _check_result(wrong, letters, bool(black))
    if any(fault.severity == "error" for fault in boards.faults[before:]) or one is None:
        return
    if two is None:
        boards.cells[one] = letters[0]
    else:
        boards.cells[one], boards.cells[two] = f"{two}w{letters[0]}", f"{one}b{letters[1]}"


def _check_result(wrong, letters: tuple[str, str], opponent: bool) -> None:
    bye = letters[0] != "" and letters[0] in BYES
    if opponent and bye:
        remedy = f"Type {RESULTS}, or take the opponent away."
        wrong("result", f"{letters[0]} is a bye, which has no opponent.", remedy)
    elif opponent and not letters[0]:
        remedy = "Type the result; without it the pairing is left out."
        wrong("result", "The result is missing.", remedy, "warning")
    elif not opponent and not bye:
        remedy = "Type Black's number; for a bye type H (½), F or U (1) or Z (0) as the result."
        wrong("black", "The opponent is missing.", remedy)
