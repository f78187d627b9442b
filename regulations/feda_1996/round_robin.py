"""Articles 9.21.b, 9.25, 9.51 and 9.53: round robins, where unrated players count as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import mean, mean_text, show
from regulations.feda_1996 import formulas
from regulations.feda_1996.formulas import Part, Seen
from regulations.feda_1996.parameters import Parameters
from regulations.model import EventPlayer, Step

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Average:
    """The tournament average Ra and what it came from; ``opponents`` is n."""

    ra: Fraction
    opponents: int
    meetings: int
    lines: Mapping[str, tuple[Line, ...]]
    ratings: Mapping[str, int]
    steps: tuple[Step, ...]

    def number(self, player: str) -> int | Fraction:
        """What a player is shown with as an opponent: an unrated one with the average."""
        return self.ratings.get(player, self.ra)


def average(table: Crosstable, sight: Seen, meetings: int) -> Average | None:
    """9.21.b: Ra = Rar - dpa × n/(n+1); without unrated players simply the average (9.51). None where
    no rated player has a game that counts."""
    lines = {}
    for player in table.participants:
        own, _ = formulas.split(player.id, table.lines[player.id], sight, table.players)
        if own:
            lines[player.id] = tuple(own)
    rated = {player: sight.ratings[player] for player in lines if player in sight.ratings}
    if not rated:
        return None
    n, ratings = len(lines) - 1, list(rated.values())
    rar = mean(ratings)
    if len(rated) == len(lines):
        steps = (Step("9.51", "Ra", show(rar), mean_text(ratings)),)
        return Average(rar, n, meetings, lines, rated, steps)
    dpa, step = average_dp(lines, rated)
    ra = rar - dpa * n / (n + 1)
    steps = (
        Step("9.21.b.1", "Rar", show(rar), mean_text(ratings)),
        step,
        Step("9.21.b.3", "Ra", show(ra), f"{show(rar)} - ({show(dpa)}) × {n}/{n + 1}"),
    )
    return Average(ra, n, meetings, lines, rated, steps)


def average_dp(lines: Mapping[str, tuple[Line, ...]], rated: Mapping[str, int]) -> tuple[Fraction, Step]:
    """9.21.b.2: the average dp of the rated players; 9.1: without those who have 0 or 100 %."""
    shares = [tables.hundredths(formulas.total(lines[player]), len(lines[player])) for player in rated]
    dps = [tables.dp(share) for share in shares if share not in formulas.UNDEFINED]
    if not dps:
        return formulas.ZERO, Step("9.21.b.2", "dpa", "0", "every rated player has 0 or 100 %")
    left = len(shares) - len(dps)
    note = f"; {left} with 0 or 100 % left out" if left else ""
    dpa = mean(dps)
    return dpa, Step("9.21.b.2", "dpa", show(dpa), mean_text(dps) + note)


def part(
    p: Parameters,
    table: Crosstable,
    sight: Seen,
    found: Average | None,
    player: EventPlayer,
    own: int | None,
) -> Part:
    """One player of a round robin; ``own`` is his rating."""
    lines, uncounted = formulas.split(player.id, table.lines[player.id], sight, table.players)
    if not lines:
        return Part(uncounted=tuple(uncounted))
    if found is None:
        return formulas.without(lines, uncounted, "7.3", "no rated player has a game that counts")
    score, games, n = formulas.total(lines), len(lines), found.opponents
    numbers = [found.number(line.opponent or "") for line in lines]
    counted = formulas.counted_games(lines, numbers, "9.21.b")
    if own is None:
        ru, step = formulas.performance(p, found.ra, score, games, n)
        if ru is None:
            return formulas.without(lines, uncounted, "9.1", "no performance at 0 %")
        steps = (*found.steps, step)
        return Part(games, score, found.ra, ru=ru, counted=counted, uncounted=tuple(uncounted), steps=steps)
    share, steps = formulas.expected_share(p, own, found.ra, limit=True)
    expected = (share * (n + 1) - HALF) * found.meetings
    twice = f" × {found.meetings}" if found.meetings > 1 else ""
    we = Step("9.53", "We", show(expected), f"({show(share)} × {n + 1} - 0.5){twice}")
    steps = (*found.steps, *steps, we)
    return Part(games, score, found.ra, expected, counted=counted, uncounted=tuple(uncounted), steps=steps)
