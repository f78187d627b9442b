"""Checks over the whole report: players, points and numbers that must agree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from tournaments.reports.header import Header
from tournaments.reports.model import ReportedPlayer
from tournaments.reports.pairing import Cell, Cells, Paired
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Adjustments, Scoring


def check_players(
    players: Sequence[ReportedPlayer],
    place: Callable[[int], str],
    problems: Problems,
    *,
    any_row: bool,
) -> None:
    """There are players (``any_row``), and no FIDE number stands twice among ``players``."""
    if not any_row:
        problems.error("no-players", "players", "The report has no player that could be read.")
    by_id: dict[str, ReportedPlayer] = {}
    for player in players:
        if not player.fide_id:
            continue
        first = by_id.setdefault(player.fide_id, player)
        if first is not player:
            both = f"{place(first.start_number)} and on {place(player.start_number)}"
            message = f"FIDE number {player.fide_id} stands on {both}."
            problems.error("duplicate-fide-id", "fide_id", message, line=player.line, column=58)


def check_points(
    players: Sequence[ReportedPlayer],
    cells: Cells,
    paired: Paired,
    damaged: Collection[int],
    scoring: Scoring,
    adjustments: Adjustments,
    problems: Problems,
) -> None:
    """The points column against the sum of the results.

    A difference is a warning where practice allows it: byes of rounds not paired yet, half-point
    byes whose cell was left blank, and players whose result is disputed anyway. Team files may
    leave the column empty.
    """
    if not paired.rounds:
        return
    stated = [player for player in players if player.points]
    sums = {p.start_number: Sums(p.start_number, cells, paired, scoring, adjustments) for p in players}
    if not stated and any(found.total for found in sums.values()):
        missing = [player for player in players if player.points is None]
        text = "are blank" if missing else "are 0"
        problems.warn("points-missing", "points", f"The points of all players {text}; they were not checked.")
        return
    for player in players:
        if player.start_number in damaged:
            continue
        place = {"line": player.line, "column": 81}
        name = f"Player {player.start_number} {player.name}"
        if player.points is None:
            problems.warn("points-missing", "points", f"{name} has no points.", **place)
            continue
        found = sums[player.start_number]
        if found.least <= player.points <= found.most:
            continue
        message = (
            f"{name} has {_decimal(player.points)} points, but the results add up to {_decimal(found.total)}."
        )
        over = player.points - found.total
        if 0 < over <= found.blank * scoring.values["HPB"] and over % scoring.values["HPB"] == 0:
            message += " Half-point byes may have been counted whose cell is blank."
            problems.warn("points-blank-bye", "points", message, **place)
        elif player.start_number in paired.disputed:
            problems.warn("points-total", "points", message, **place)
        else:
            problems.error("points-total", "points", message, **place)


class Sums:
    """What a player's cells are worth: ``total``, and the bounds that are taken as right."""

    def __init__(
        self,
        number: int,
        cells: Cells,
        paired: Paired,
        scoring: Scoring,
        adjustments: Adjustments | None = None,
    ) -> None:
        adjust = adjustments or Adjustments()
        sure, blank, more = adjust.bonus.get(number, Fraction(0)), Fraction(0), Fraction(0)
        self.blank = 0
        for round_ in range(1, paired.rounds + 1):
            cell = cells.get((number, round_))
            value = self._value(number, round_, cell, scoring, adjust)
            if cell is None:
                self.blank += 1
                blank += value
                more += adjust.slack.get((number, round_), 0)
            elif value:  # sums of fractions are slow, and half of them are zero
                sure += value
            if cell is not None and _is_open(cell, cells):
                more += scoring.unknown
        for round_ in paired.unpaired:
            if cell := cells.get((number, round_)):
                more += self._value(number, round_, cell, scoring, adjust)
            else:
                more += adjust.slack.get((number, round_), 0)
        self.least, self.total, self.most = sure, sure + blank, sure + blank + more

    @staticmethod
    def _value(
        number: int, round_: int, cell: Cell | None, scoring: Scoring, adjust: Adjustments
    ) -> Fraction:
        code, paired = (cell.code, cell.opponent is not None) if cell else ("", False)
        worth = adjust.worth_of(number, round_, code, paired)
        return scoring.points(code, cell.colour if cell else "", paired) if worth is None else worth


def _is_open(cell: Cell, cells: Cells) -> bool:
    """Is it a pairing that has no result on either side?"""
    if cell.opponent is None or cell.code not in ("", "*"):
        return False
    other = cells.get((cell.opponent, cell.round))
    return other is None or other.code in ("", "*")


def check_counts(
    header: Header,
    players: Sequence[ReportedPlayer],
    paired: Paired,
    incomplete: bool,
    problems: Problems,
) -> None:
    """Numbers of the header against what was found; the header never decides."""
    count = header.number("062")
    if count is not None and count != len(players):
        line = header.texts["062"][1]
        message = f"Line {line} says {count} players, {len(players)} were read."
        problems.warn("player-count", "062", message, line=line, column=5)
    if not paired.rounds:
        if players and not paired.disputed and not incomplete:
            problems.error("no-games", "results", "The report holds no results of games.")
        return
    announced = header.rounds_announced
    if announced is not None and announced != paired.rounds:
        tag = "142" if header.number("142") == announced else "XXR"
        line = header.texts[tag][1]
        if paired.rounds < announced:
            code, message = "unfinished", f"The event is not finished: {paired.rounds} of {announced} rounds."
        else:
            code, message = "round-count", f"Tag {tag} says {announced} rounds, {paired.rounds} hold results."
        problems.warn(code, tag, message, line=line, column=5)
    dated = header.round_dates
    if dated and set(dated) != set(range(1, max(paired.rounds, announced or 0) + 1)):
        line = header.date_lines[0][1]
        message = f"Line {line} dates {len(dated)} rounds, {paired.rounds} hold results."
        problems.warn("round-dates", "132", message, line=line, column=5)


def _decimal(value: Fraction) -> str:
    """Points as arbiters write them: 2.5, or 1/3 where no decimal fits."""
    hundredths = value * 100
    if hundredths.denominator != 1:
        return str(value)
    text = f"{hundredths.numerator // 100}.{abs(hundredths.numerator) % 100:02d}"
    return text[:-1] if text.endswith("0") else text
