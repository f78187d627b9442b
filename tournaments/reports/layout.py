"""Columns of the player line 001, and how to find them when a name has pushed them aside."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME_WIDTH = 33
NAME_AT = 14
FIRST_CELL = 91
CELL_WIDTH = 10
MAX_ROUNDS = 100
#: No line is longer than the most rounds and the longest shift that is looked for.
MAX_SHIFT = 60
MAX_LINE = FIRST_CELL + CELL_WIDTH * MAX_ROUNDS + MAX_SHIFT

# Everything behind the name, from the blank in column 48 to the blanks before the first round.
_TAIL = re.compile(
    r" [0-9 ]{4} .{3} .{11} [0-9./ -]{10} (?P<points>[0-9.,½ ]{4}) [0-9 ]{4}(?:  |$)(?P<cells>.*)$"
)
_CELL = re.compile(r"[0-9 ]{4} . .(?:  |$)")
_POINTS = re.compile(r" {0,2}[0-9]{1,2}[.,][0-9]")
_FRONT_BLANKS = (9, 14)
_BLANKS = (48, 53, 57, 69, 80, 85, 90, 91)


@dataclass(frozen=True, slots=True)
class Fields:
    """The raw text of a player line; ``shift`` is how far the fields stand to the right,
    ``title_adjacent`` whether no blank parts sex and title.

    ``stray`` holds columns that should be blank and are not (only when no shift explains them).
    """

    sex: str
    title: str
    name: str
    rating: str
    federation: str
    fide_id: str
    birth: str
    points: str
    rank: str
    cells: tuple[str, ...]
    shift: int
    stray: tuple[int, ...]
    title_adjacent: bool


def split(line: str) -> Fields:
    """Cut a player line at its columns.

    When the columns behind the name do not fit, the shift (names padded by bytes: to the left;
    names longer than 33 characters: to the right) at which all of them do is looked for; it must
    put points with a decimal into the points column.
    """
    shift = 0
    if not _fits(line, 0):
        shifts = sorted(range(-NAME_WIDTH + 1, MAX_SHIFT + 1), key=abs)
        shift = next((s for s in shifts if s and _fits(line, s, strict=True)), 0)
    blanks = _FRONT_BLANKS if shift or _fits(line, 0) else _FRONT_BLANKS + _BLANKS
    stray = tuple(column for column in blanks if line[column - 1 : column].strip())

    def cut(first: int, last: int) -> str:
        return line[first - 1 + shift : last + shift].strip()

    body = line[FIRST_CELL + shift :]
    cells = tuple(body[at : at + CELL_WIDTH] for at in range(0, len(body), CELL_WIDTH))
    return Fields(
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        name=line[NAME_AT : NAME_AT + NAME_WIDTH + shift].strip(),
        rating=cut(49, 52),
        federation=cut(54, 56),
        fide_id=cut(58, 68),
        birth=cut(70, 79),
        points=cut(81, 84),
        rank=cut(86, 89),
        cells=cells,
        shift=shift,
        stray=stray,
        title_adjacent=bool(line[9:10].strip() and line[10:11].strip()),
    )


def fits(line: str) -> bool:
    """Do all fields of a player line surely stand in their columns?"""
    front = (line[8:9] + line[13:14]).strip()
    return not front and line[4:8].strip().isdecimal() and _fits(line, 0, strict=True)


def _fits(line: str, shift: int, *, strict: bool = False) -> bool:
    tail = line[NAME_AT + NAME_WIDTH + shift :]
    tail = tail if len(tail) >= 44 else tail.ljust(44)
    match = _TAIL.match(tail)
    if match is None:
        return False
    if strict and not _POINTS.fullmatch(match["points"]):
        return False
    cells = match["cells"]
    pieces = (cells[at : at + CELL_WIDTH] for at in range(0, len(cells), CELL_WIDTH))
    return all(_CELL.fullmatch(piece.ljust(CELL_WIDTH)) for piece in pieces)
