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
# Cells of four columns with a number or nothing, each with the blank behind it.
_CELLS = re.compile(
    r"(?:(?: {4}|[0-9]{4}|[0-9]{3} | [0-9]{3}|[0-9]{2}  | [0-9]{2} |  [0-9]{2}"
    r"|[0-9]   | [0-9]  |  [0-9] |   [0-9]) )*"
)
#: Lines whose members stand aside are looked into so often.
_SEARCHES = 50


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the name and the first member stand (columns from 1)."""

    name: int
    members: int


LAYOUTS = {"013": Layout(5, 37), "310": Layout(9, 74)}


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
                    f"Line {number}: members of team {name or team_number} do not stand in their columns."
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
            message = f"Line {line}: team {team} names {_list(unknown)} without a player line; left out."
            self._warn("team-members", tag, message, line, column)
        if twice:
            others = sorted({of_player[member] for member in twice})
            message = f"Line {line}: {_list(twice)} of team {team} stand in team {_list(others)}; left out."
            self._warn("team-members", tag, message, line, column)
        return kept

    def _warn(self, code: str, tag: str, message: str, line: int, column: int = 5) -> None:
        self.problems.warn(code, tag, message, line=line, column=column)


def _cut(line: str, layout: Layout, *, search: bool) -> tuple[str, tuple[int, ...] | None, bool]:
    """Name, members (None when their columns cannot be found), and whether they had to be searched.

    A name padded by bytes or a value too wide for its field moves the members: the smallest shift
    is taken at which every cell holds a number or nothing.
    """
    shifts = sorted(range(-_MAX_SHIFT, _MAX_SHIFT + 1), key=abs) if search else [0]
    for shift in shifts:
        members = _members(line, layout.members - 1 + shift)
        if members is not None:
            return _name(line, layout, shift), members, shift != 0
    return _name(line, layout, 0), None, search


def _members(line: str, start: int) -> tuple[int, ...] | None:
    """The numbers in the cells of four columns, five apart, from index ``start``."""
    rest = line[start:]
    if line[start - 1 : start].isdecimal() and rest[:1].isdecimal():  # this would cut a number in two
        return None
    if not _CELLS.fullmatch(rest.ljust(-(-len(rest) // _STEP) * _STEP)):
        return None
    return tuple(number for number in map(int, rest.split()) if number)


def _name(line: str, layout: Layout, shift: int) -> str:
    start, end = layout.name - 1, layout.name - 1 + TEAM_NAME_WIDTH
    over = shift > 0 and line[end : end + 1].strip()
    return clean_text(line[start : end + (shift if shift < 0 or over else 0)])


def _list(values: Collection[int | str]) -> str:
    shown = [str(value) for value in list(values)[:5]]
    return ", ".join(shown) + (" …" if len(values) > 5 else "")
