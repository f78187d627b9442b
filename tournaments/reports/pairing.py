"""From what each player's row says to games: the two sides of a game must agree.

Shared by the TRF reader and the typed crosstable. A game counts only when both rows name each
other with mirrored colours and results; whatever can be read without doubt is read with a
warning, everything else is an error that names both rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from tournaments.reports.model import ReportedGame, Severity
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Scoring

#: Every letter of a result column ("" is a blank, "*" not finished).
CODES = frozenset({"1", "0", "=", "W", "D", "L", "+", "-", "H", "F", "U", "Z", "", "*"})
_PLAYED = {("1", "0"): "1-0", ("0", "1"): "0-1", ("=", "="): "1/2-1/2"}
_CLEAN = {
    ("+", "-"): "+/-",
    ("-", "+"): "-/+",
    ("-", "-"): "-/-",
    ("W", "L"): "+/-",
    ("L", "W"): "-/+",
    ("D", "D"): "=/=",
}
_WINS = frozenset({"+", "W", "F", "U"})
_LOSSES = frozenset({"-", "L", "Z", ""})
_DRAWS = frozenset({"D", "H"})
_RULINGS = frozenset({("0", "0"), ("0", "="), ("=", "0"), ("L", "D"), ("D", "L")})
_OPEN = frozenset({"", "*"})
_BYES = {"+": "bye-1", "F": "bye-1", "=": "bye-1/2", "H": "bye-1/2", "-": "bye-0", "Z": "bye-0"}
_STRAY = {"1": "bye-1", "W": "bye-1", "D": "bye-1/2", "0": "bye-0", "L": "bye-0"}
_WORDS = {
    "1": "a win",
    "0": "a loss",
    "=": "a draw",
    "W": "a win without a game (W)",
    "D": "a draw without a game (D)",
    "L": "a loss without a game (L)",
    "+": "a forfeit win (+)",
    "-": "a forfeit loss (-)",
    "H": "a half-point bye (H)",
    "F": "a full-point bye (F)",
    "U": "a pairing-allocated bye (U)",
    "Z": "a zero-point bye (Z)",
    "*": "no result yet (*)",
    "": "no result",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one row; ``colour`` is "w", "b" or "", ``code`` one of ``CODES``."""

    player: int
    round: int
    opponent: int | None
    colour: str
    code: str
    line: int
    column: int

    @property
    def blank(self) -> bool:
        return self.opponent is None and self.code in _OPEN


Cells = Mapping[tuple[int, int], Cell]


@dataclass(frozen=True, slots=True)
class Paired:
    """The games and byes up to the last round with a paired result (``rounds``).

    ``disputed`` are the players of a game with an error; ``unpaired`` the rounds after
    ``rounds`` that hold byes or pairings without a result.
    """

    games: tuple[ReportedGame, ...]
    rounds: int
    disputed: frozenset[int]
    unpaired: tuple[int, ...]
    open_pairings: int


def pair(
    cells: Cells,
    players: Collection[int],
    damaged: Collection[int],
    place: Callable[[int], str],
    scoring: Scoring,
    problems: Problems,
) -> Paired:
    """Match the rows' cells.

    ``place`` names the row of a player in messages ("line 10 (1 Alba, Tomas)"); rows in
    ``damaged`` have an error already, so nothing that follows from it is reported again.
    """
    return _Pairing(cells, players, damaged, place, scoring, problems).run()


class _Pairing:
    def __init__(
        self,
        cells: Cells,
        players: Collection[int],
        damaged: Collection[int],
        place: Callable[[int], str],
        scoring: Scoring,
        problems: Problems,
    ) -> None:
        self.cells = cells
        self.players = frozenset(players)
        self.damaged = frozenset(damaged)
        self.place = place
        self.scoring = scoring
        self.problems = problems
        self.games: list[ReportedGame] = []
        self.byes: list[ReportedGame] = []
        self.taken: dict[tuple[int, int], int] = {}
        self.disputed: set[int] = set()
        self.open_rounds: list[int] = []

    def run(self) -> Paired:
        lone: list[Cell] = []
        for cell in sorted(self.cells.values(), key=lambda c: (c.round, c.player)):
            if cell.opponent is None:
                continue
            if cell.opponent == cell.player:
                self.disputed.add(cell.player)
                self._report("error", "self-pairing", cell, "the player is paired with himself")
            elif cell.opponent not in self.players:
                self.disputed.add(cell.player)
                if not self._excused(cell):
                    text = f"opponent {cell.opponent} has no player line"
                    self._report("error", "unknown-opponent", cell, text)
            else:
                other = self.cells.get((cell.opponent, cell.round))
                if other is not None and other.opponent == cell.player:
                    if cell.player < cell.opponent:
                        self._settle(cell, other)
                else:
                    lone.append(cell)
        for cell in lone:
            self._settle_lone(cell, self.cells.get((cell.opponent or 0, cell.round)))
        for cell in self.cells.values():
            if cell.opponent is None and (cell.player, cell.round) not in self.taken:
                self._bye(cell)
        return self._result()

    def _result(self) -> Paired:
        rounds = max((game.round for game in self.games), default=0)
        unpaired = {bye.round for bye in self.byes if bye.round > rounds}
        unpaired |= {round_ for round_ in self.open_rounds if round_ > rounds}
        for round_ in sorted(unpaired):
            byes = [bye for bye in self.byes if bye.round == round_]
            text = (
                f"Round {round_} has no paired result; its cells without opponent ({len(byes)}) are left out."
            )
            first = self.cells.get((byes[0].white, round_)) if byes else None
            place = {"line": first.line, "column": first.column} if first else {}
            self.problems.warn("unpaired-round", "results", text, **place)
        byes = [bye for bye in self.byes if bye.round <= rounds]
        games = sorted(self.games + byes, key=lambda g: (g.round, g.white))
        return Paired(
            tuple(games), rounds, frozenset(self.disputed), tuple(sorted(unpaired)), len(self.open_rounds)
        )

    # --- both rows name each other ---

    def _settle(self, a: Cell, b: Cell) -> None:
        self.taken[a.player, a.round] = b.player
        self.taken[b.player, b.round] = a.player
        if a.code in _OPEN and b.code in _OPEN:
            self.open_rounds.append(a.round)
            self._both("warning", "not-finished", a, b, "the pairing has no result")
            return
        result = self._result_of(a, b)
        if a.colour and a.colour == b.colour:
            played = result is None or result in _PLAYED.values()
            text = f"both have the colour {a.colour}"
            self._both("error" if played else "warning", "colour-mismatch", a, b, text)
            if played:
                return
            a, b = replace(a, colour="w"), replace(b, colour="b")
        if result is None:
            return
        if not a.colour and not b.colour:
            if result in _PLAYED.values():
                text = f"no colour is given; white was given to {a.player}"
                self._both("warning", "colour-missing", a, b, text)
        elif (not a.colour or not b.colour) and result in _PLAYED.values():
            self._both("warning", "colour-missing", a, b, "only one side gives the colour")
        self._add(a, b, result)

    def _result_of(self, a: Cell, b: Cell) -> str | None:
        codes = (a.code, b.code)
        if codes in _PLAYED:
            return _PLAYED[codes]
        if codes in _CLEAN:
            return _CLEAN[codes]
        if codes in _RULINGS:
            text = f"{_WORDS[a.code]} against {_WORDS[b.code]}: read as a ruling, not rated"
            self._both("warning", "ruling", a, b, text)
            return "-/-"
        result = _forfeit(a.code, b.code)
        if result is None:
            self._dispute(a, b)
            return None
        text = f"{_WORDS[a.code]} against {_WORDS[b.code]}: read as {result}, not rated"
        self._both("warning", "one-sided", a, b, text)
        return result

    def _dispute(self, a: Cell, b: Cell) -> None:
        self.disputed |= {a.player, b.player}
        for one, two in ((a, b), (b, a)):
            self._report(
                "error",
                "result-mismatch",
                one,
                f"{self.place(one.player)} reports {_WORDS[one.code]} against {one.opponent}, "
                f"but {self.place(two.player)} reports {_WORDS[two.code]} against {two.opponent}",
            )

    def _add(self, a: Cell, b: Cell, result: str) -> None:
        if a.colour == "b" or b.colour == "w":
            a, b = b, a
            result = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}.get(result, result)
        codes = (a.code or "Z") + (b.code or "Z")  # a blank is a Z
        self.games.append(ReportedGame(a.round, a.player, b.player, result, codes, a.line, b.line))

    # --- only one row names the other ---

    def _settle_lone(self, cell: Cell, other: Cell | None) -> None:
        opponent = cell.opponent
        assert opponent is not None
        if self._excused(cell):
            return
        if (cell.player, cell.round) in self.taken:
            return
        free = (opponent, cell.round) not in self.taken
        if other is None or (other.opponent is None and free):
            code = "" if other is None or other.code == "*" else other.code
            result = _forfeit(cell.code, code) if cell.code not in _OPEN else None
            if result is not None and free:
                colour = {"w": "b", "b": "w"}.get(cell.colour, "")
                line = other.line if other else cell.line
                made = Cell(opponent, cell.round, cell.player, colour, code, line, cell.column)
                text = (
                    f"{self.place(cell.player)} reports {_WORDS[cell.code]} against {opponent}, "
                    f"{self.place(opponent)} names no opponent: read as {result}, not rated"
                )
                self._report("warning", "one-sided", cell, text)
                self.taken[cell.player, cell.round] = opponent
                self.taken[opponent, cell.round] = cell.player
                self._add(cell, made, result)
                return
            if cell.code in _OPEN and code in _OPEN:
                self.open_rounds.append(cell.round)
                self._report("warning", "not-finished", cell, f"the pairing with {opponent} has no result")
                return
        self.disputed |= {cell.player, opponent}
        if not free and (other is None or other.opponent is None):
            rival = self.taken[opponent, cell.round]
            text = f"{self.place(cell.player)} and {self.place(rival)} both name opponent {opponent}"
            self._report("error", "two-games", cell, text)
            return
        said = "no opponent" if other is None or other.opponent is None else f"opponent {other.opponent}"
        text = f"{self.place(cell.player)} names opponent {opponent}, but {self.place(opponent)} has {said}"
        self._report("error", "opponent-mismatch", cell, text)
        if other is not None and other.opponent is None and free:
            text = f"{self.place(opponent)} has no opponent, but {self.place(cell.player)} names {opponent}"
            self._report("error", "opponent-mismatch", other, text)

    def _bye(self, cell: Cell) -> None:
        if cell.code in _OPEN:
            return
        if cell.code in _STRAY:
            text = f"{_WORDS[cell.code]} without an opponent; read as a bye, not rated"
            self._report("warning", "code-without-opponent", cell, text)
        result = _BYES.get(cell.code) or _STRAY.get(cell.code) or self.scoring.allocated_bye()
        self.byes.append(ReportedGame(cell.round, cell.player, None, result, cell.code, cell.line))

    # --- messages ---

    def _excused(self, cell: Cell) -> bool:
        return cell.player in self.damaged or cell.opponent in self.damaged

    def _both(self, severity: Severity, code: str, a: Cell, b: Cell, text: str) -> None:
        """An error on each of the two rows, or one warning that names both."""
        text = f"{self.place(a.player)} and {self.place(b.player)}: {text}"
        self._report(severity, code, a, text)
        if severity == "error":
            self.disputed |= {a.player, b.player}
            self._report(severity, code, b, text)

    def _report(self, severity: Severity, code: str, cell: Cell, text: str) -> None:
        message = f"Round {cell.round}, player {cell.player}: {text}."
        self.problems.add(severity, code, "result", message, line=cell.line, column=cell.column)


def _forfeit(a: str, b: str) -> str | None:
    """A result without a game that two letters agree on, in whatever letters they say it."""
    if a in _WINS and b in _LOSSES:
        return "+/-"
    if a in _LOSSES and b in _WINS:
        return "-/+"
    if a in _LOSSES and b in _LOSSES:
        return "-/-"
    if a in _DRAWS and b in _DRAWS:
        return "=/="
    return None
