"""The team lines of a report: 013 (TRF16) and 310 (TRF26)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tournaments.reports.model import ReportedTeam
from tournaments.reports.problems import Problems
from tournaments.reports.text import clean_text

MAX_TEAMS = 1000
TEAM_NAME_WIDTH = 32
TAGS = frozenset({"013", "310"})

_STEP = 5
_MAX_SHIFT = TEAM_NAME_WIDTH
# Cells of four columns with a right-aligned number or nothing, each with the blank behind it.
_CELLS = re.compile(r"(?:(?: {4}|[0-9]{4}| [0-9]{3}|  [0-9]{2}|   [0-9]) )*")
# The same with numbers anywhere in their cells.
_LOOSE = re.compile(
    r"(?:(?: {4}|[0-9]{4}|[0-9]{3} | [0-9]{3}|[0-9]{2}  | [0-9]{2} |  [0-9]{2}"
    r"|[0-9]   | [0-9]  |  [0-9] |   [0-9]) )*"
)
#: Lines whose members stand aside are looked into so often.
_SEARCHES = 50


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the name and the first member stand (columns from 1), and the blanks before that member."""

    name: int
    members: int
    gap: int


LAYOUTS = {"013": Layout(5, 37, 0), "310": Layout(9, 74, 2)}


class Teams:
    """Collects team lines; ``read`` makes teams of them once all players are known."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.lines: dict[str, list[tuple[str, int]]] = {tag: [] for tag in TAGS}

    def add(self, tag: str, line: str, number: int) -> None:
        if len(self.lines[tag]) < MAX_TEAMS:
            self.lines[tag].append((line, number))
        elif len(self.lines[tag]) == MAX_TEAMS:
            self.lines[tag].append(("", number))
            message = f"More than {MAX_TEAMS} teams, from line {number}; the others were left out."
            self._warn("team-number", tag, message, number)

    @property
    def tag(self) -> str:
        """The tag that counts: where both are used, 310 says all that 013 does."""
        return "310" if self.lines["310"] else "013"

    def read(self, players: Collection[int]) -> tuple[ReportedTeam, ...]:
        """The teams in the order of the file."""
        tag = self.tag
        teams: list[ReportedTeam] = []
        seen: dict[int, int] = {}
        of_player: dict[int, str] = {}
        searches = 0
        for at, (line, number) in enumerate(self.lines[tag][:MAX_TEAMS], start=1):
            team_number = at
            if tag == "310":
                text = line[4:7].strip()
                team_number = int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 0
                if not team_number or team_number in seen:
                    where = f" and on line {seen[team_number]}" if team_number else ""
                    message = f"Line {number}: team number {text!r} is not a number of its own{where}."
                    self._warn("team-number", tag, message, number)
                    continue
                seen[team_number] = number
            name, members, searched = _cut(line, LAYOUTS[tag], search=searches < _SEARCHES)
            searches += searched
            if members is None:
                message = (
                    f"Line {number}: members of team “{name or team_number}” do not stand in their columns."
                )
                self._warn("team-members", tag, message, number, LAYOUTS[tag].members)
                members = ()
            kept = self._check_members(members, players, of_player, f"{name or team_number}", tag, number)
            teams.append(ReportedTeam(team_number, name, kept, number))
        return tuple(teams)

    def _check_members(
        self,
        members: tuple[int, ...],
        players: Collection[int],
        of_player: dict[int, str],
        team: str,
        tag: str,
        line: int,
    ) -> tuple[int, ...]:
        unknown = [member for member in members if member not in players]
        twice = [member for member in members if member in of_player]
        kept = tuple(m for m in dict.fromkeys(members) if m in players and m not in of_player)
        of_player.update(dict.fromkeys(kept, team))
        column = LAYOUTS[tag].members
        if unknown:
            message = f"Line {line}: team “{team}” names {_list(unknown)} without a player line; left out."
            self._warn("team-members", tag, message, line, column)
        if twice:
            others = sorted({of_player[member] for member in twice})
            message = (
                f"Line {line}: {_list(twice)} of team “{team}” stand in team “{_list(others)}”; left out."
            )
            self._warn("team-members", tag, message, line, column)
        return kept

    def _warn(self, code: str, tag: str, message: str, line: int, column: int = 5) -> None:
        self.problems.warn(code, tag, message, line=line, column=column)


def _cut(line: str, layout: Layout, *, search: bool) -> tuple[str, tuple[int, ...] | None, bool]:
    """Name, members (None when their columns cannot be found), and whether they had to be searched.

    A name padded by bytes or a value too wide for its field moves the members: the smallest shift
    is taken at which every cell holds a right-aligned number or nothing.
    """
    first = layout.members - 1
    nothing = not line[first:].strip()
    if nothing and not line[-1:].isdecimal():
        return _name(line, layout, 0), (), False
    length, line = len(line), line.ljust(first + _MAX_SHIFT)
    for shift in sorted(range(-_MAX_SHIFT, _MAX_SHIFT + 1), key=abs) if search else [0]:
        cells = line[first + shift : length]
        if cells.strip() and _CELLS.fullmatch(_padded(cells)):
            start = _first_cell(line, first + shift)
            if _parted(line, start, layout):
                return _name(line, layout, start - first), _numbers(line[start:]), shift != 0
    if nothing or (_LOOSE.fullmatch(_padded(line[first:])) and _parted(line, first, layout)):
        return _name(line, layout, 0), _numbers(line[first:]), search
    return _name(line, layout, 0), None, search


def _first_cell(line: str, start: int) -> int:
    """Where the cells begin that stand right before ``start``, behind at least two blanks."""
    first = start
    while first > 2 * _STEP and _CELLS.fullmatch(line[first - _STEP : first]) and line[first - 2] != " ":
        first -= _STEP
    while first < start and not _behind_blanks(line, first):
        first += _STEP
    return first


def _parted(line: str, start: int, layout: Layout) -> bool:
    """Does nothing before ``start`` belong to a number that begins there, or to a member before it?"""
    if layout.gap:
        return not line[start - layout.gap : start].strip()
    if start < layout.members - 1:
        return _behind_blanks(line, start)
    if line[start - 1].isdecimal() and line[start : start + 1].isdecimal():
        return False
    return not re.search("[0-9]", line[layout.members - 1 : start])


def _behind_blanks(line: str, start: int) -> bool:
    return line[start - 2 : start] == "  " or line[start : start + 2] == "  "


def _padded(cells: str) -> str:
    return cells.ljust(-(-len(cells) // _STEP) * _STEP)


def _numbers(cells: str) -> tuple[int, ...]:
    return tuple(number for number in map(int, cells.split()) if number)


def _name(line: str, layout: Layout, shift: int) -> str:
    start, end = layout.name - 1, layout.name - 1 + TEAM_NAME_WIDTH
    over = shift > 0 and line[end : end + 1].strip()
    return clean_text(line[start : end + (shift if shift < 0 or over else 0)])


def _list(values: Collection[int | str]) -> str:
    shown = [str(value) for value in list(values)[:5]]
    return ", ".join(shown) + (" …" if len(values) > 5 else "")
