"""Records about byes, forfeits and points of TRF26: 240, 299, 320 and 330.

What they say of players becomes byes and points; what they say of teams is compared with the
players' lines, which alone hold the games.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.reports.layout import MAX_ROUNDS
from tournaments.reports.model import ReportedTeam
from tournaments.reports.pairing import Cell
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Adjustments, Scoring, read_points

TAGS = frozenset({"240", "299", "320", "330"})
MAX_RECORDS = 5000
_BYE_TYPES = "FHZ"
_FORFEITS = ("+-", "-+", "--")
_PLAYED = frozenset("10=")


@dataclass(frozen=True, slots=True)
class ByeRecord:
    kind: str
    round: int
    numbers: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PointsRecord:
    """``kind`` is the result that is worth ``points``, "" a bonus or penalty; round 0 means all rounds."""

    kind: str
    points: Fraction
    round: int
    numbers: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MatchForfeit:
    kind: str
    round: int
    white: int
    black: int
    line: int


@dataclass(slots=True)
class Records:
    """Collects the records; the other methods apply them once players and teams are known."""

    problems: Problems
    byes: list[ByeRecord] = field(default_factory=list)
    points: list[PointsRecord] = field(default_factory=list)
    forfeits: list[MatchForfeit] = field(default_factory=list)
    count: int = 0

    def add(self, tag: str, line: str, number: int) -> None:
        self.count += 1
        if self.count > MAX_RECORDS:
            return
        if tag == "330" and line[4:5].upper() in ("F", "H", "Z"):  # as in the draft of 2025
            tag = "240"
        read = {"240": self._bye, "299": self._points, "320": self._team_byes, "330": self._forfeit}[tag]
        if not read(line, number):
            message = f"Line {number}: the fields of record {tag} could not be read."
            self._warn("record-unreadable", tag, message, number)

    # --- reading ---

    def _bye(self, line: str, number: int) -> bool:
        kind = line[4:5].upper()
        found = _numbers(line[5:])
        if kind not in _BYE_TYPES or not kind or not found or not 1 <= found[0] <= MAX_ROUNDS:
            return False
        self.byes.append(ByeRecord(kind, found[0], found[1:], number))
        return True

    def _points(self, line: str, number: int) -> bool:
        kind = line[4:5].upper().strip()
        text = line[12:17].strip() or line[6:11].strip()
        value = read_points(text.lstrip("-"))
        round_text = line[19:22].strip()
        numbers = _numbers(line[23:])
        if value is None or numbers is None or kind not in "WDLFHZ+-U":
            return False
        if not re.fullmatch("[0-9]*", round_text):
            return False
        value = -value if text.startswith("-") else value
        self.points.append(PointsRecord(kind, value, int(round_text or 0), numbers, number))
        return True

    def _team_byes(self, line: str, number: int) -> bool:
        numbers = [line[at : at + 3].strip() for at in range(14, len(line), 4)]
        if not all(re.fullmatch("[0-9]*", text) for text in numbers):
            return False
        for round_, text in enumerate(numbers[:MAX_ROUNDS], start=1):
            if int(text or 0):
                self.byes.append(ByeRecord("U", round_, (int(text),), number))
        return True

    def _forfeit(self, line: str, number: int) -> bool:
        kind = line[4:6]
        found = _numbers(line[6:])
        if kind not in _FORFEITS or found is None or len(found) != 3 or not 1 <= found[0] <= MAX_ROUNDS:
            return False
        self.forfeits.append(MatchForfeit(kind, *found, number))
        return True

    # --- applying ---

    def to_players(
        self,
        players: Collection[int],
        damaged: Collection[int],
        cells: dict[tuple[int, int], Cell],
        adjustments: Adjustments,
    ) -> None:
        """In an individual event: a bye fills the blank cell of its player, points go to the sums."""
        for bye in self.byes:
            if bye.kind == "U":  # 320 is about teams only
                continue
            self._known(bye.numbers, players, "player", bye.line)
            for player in bye.numbers:
                if player not in players or player in damaged:
                    continue
                cell = cells.get((player, bye.round))
                if cell is None or cell.blank:
                    cells[player, bye.round] = Cell(player, bye.round, None, "", bye.kind, bye.line, 11)
                elif not _same_bye(cell, bye.kind):
                    message = (
                        f"Line {bye.line} gives player {player} the bye {bye.kind} in round {bye.round}, "
                        f"but line {cell.line} holds another result, which counts."
                    )
                    self._warn("bye-differs", "240", message, bye.line)
        for record in self.points:
            self._known(record.numbers, players, "player", record.line)
            for player in record.numbers:
                if record.kind:
                    adjustments.worth[player, record.round, record.kind] = record.points
                else:
                    adjustments.bonus[player] = adjustments.bonus.get(player, Fraction(0)) + record.points

    def to_teams(
        self,
        teams: Collection[ReportedTeam],
        cells: Mapping[tuple[int, int], Cell],
        scoring: Scoring,
        adjustments: Adjustments,
    ) -> None:
        """In a team event: members of a team with a bye or a forfeited match may have points for a
        round that their line leaves blank; a forfeited match must not hold games."""
        members = {team.number: team.members for team in teams}
        values = scoring.values
        worth = {"F": "FPB", "H": "HPB", "Z": "ZPB", "U": "PAB"}
        for bye in self.byes:
            self._known(bye.numbers, members, "team", bye.line)
            most = max(values[worth[bye.kind]], values["WW"] if bye.kind == "U" else Fraction(0))
            for team in bye.numbers:
                for player in members.get(team, ()):
                    adjustments.slack[player, bye.round] = most
        for record in self.points:
            self._known(record.numbers, members, "team", record.line)
        for match in self.forfeits:
            self._known((match.white, match.black), members, "team", match.line)
            for team, sign in ((match.white, match.kind[0]), (match.black, match.kind[1])):
                for player in members.get(team, ()):
                    adjustments.slack[player, match.round] = values["FW" if sign == "+" else "FL"]
            self._played(match, members, cells)

    def _played(
        self,
        match: MatchForfeit,
        members: Mapping[int, tuple[int, ...]],
        cells: Mapping[tuple[int, int], Cell],
    ) -> None:
        others = set(members.get(match.black, ()))
        for player in members.get(match.white, ()):
            cell = cells.get((player, match.round))
            if cell and cell.opponent in others and cell.code in _PLAYED:
                message = (
                    f"Line {match.line}: teams {match.white} and {match.black} forfeited the match of round "
                    f"{match.round}, but player {player} has a game in it (line {cell.line})."
                )
                self._warn("forfeit-played", "330", message, match.line)
                return

    def _known(self, numbers: Collection[int], known: Collection[int], what: str, line: int) -> None:
        unknown = [str(number) for number in numbers if number and number not in known]
        if unknown:
            more = " …" if len(unknown) > 5 else ""
            message = f"Line {line} names {what} {', '.join(unknown[:5])}{more}, not found in the report."
            self._warn("record-number", "record", message, line)

    def _warn(self, code: str, tag: str, message: str, line: int) -> None:
        self.problems.warn(code, tag, message, line=line, column=5)


def _numbers(text: str) -> tuple[int, ...] | None:
    """Numbers parted by blanks; None when there is anything else."""
    parts = text.split()
    if not all(re.fullmatch("[0-9]{1,4}", part) for part in parts):
        return None
    return tuple(map(int, parts))


def _same_bye(cell: Cell, kind: str) -> bool:
    same = {"F": "F+", "H": "H=", "Z": "Z-"}[kind] if kind in _BYE_TYPES else "U"
    return cell.code in same and (cell.opponent is None or kind == "Z")
