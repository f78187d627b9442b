"""Articles 8.21, 8.26, 8.52 and 8.58: round robins in which unrated players take part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, mean, mean_text, show, sum_text
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2022.rating import seen_by_opponents
from regulations.model import Step


@dataclass(frozen=True, slots=True)
class Average:
    """The average Ra, and of each unrated player Ru with its explanation; ``ratings`` is what everybody
    counts for as an opponent: the published rating, or the rounded Ru. Without unrated players no Ra."""

    ra: Fraction | None
    steps: tuple[Step, ...]
    ru: Mapping[str, Fraction]
    explained: Mapping[str, tuple[Step, ...]]
    ratings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Field:
    """The games that count of each participant, and the ratings of the rated ones."""

    lines: Mapping[str, tuple[Line, ...]]
    rated: Mapping[str, int]

    @property
    def unrated(self) -> list[str]:
        return [player for player in self.lines if player not in self.rated]

    @property
    def opponents(self) -> int:
        """n: how many opponents everybody has."""
        return len(self.lines) - 1

    def score(self, player: str) -> Fraction:
        return sum((line.score for line in self.lines[player]), Fraction(0))


def average(p: Parameters, table: Crosstable, dropped: frozenset[str]) -> Average:
    """Ra of the tournament without the ``dropped``, and Ru (new) of each unrated player."""
    field = Field(
        {
            player.id: tuple(line for line in table.lines[player.id] if line.opponent not in dropped)
            for player in table.participants
            if player.id not in dropped
        },
        {
            player.id: rating
            for player in table.participants
            if (rating := seen_by_opponents(player)) is not None
        },
    )
    if not (field.rated and field.unrated):
        return Average(None, (), {}, {}, field.rated)
    ra, steps = closed_average(p, field)
    if p.unrated_opponents == "iterated":
        ra, more = iterated_average(p, field, ra)
        steps += more
    first = {
        player: performance(p, ra, field.score(player), len(field.lines[player]), field.opponents)
        for player in field.unrated
    }
    known: dict[str, int | Fraction] = {**field.rated, **{player: ru for player, (ru, _) in first.items()}}
    ru, explained = {}, {}
    for player, (value, step) in first.items():
        ru[player], more = limited(p, field, player, value, known)
        whole = half_up(ru[player])
        explained[player] = (
            Step("8.21", "Rc", show(ra), "Ra"),
            step,
            *more,
            Step("8.58", "Ru (new)", str(whole), f"{show(ru[player])}, to the nearest whole number"),
        )
    ratings = {**field.rated, **{player: half_up(value) for player, value in ru.items()}}
    return Average(ra, steps, ru, explained, ratings)


def closed_average(p: Parameters, field: Field) -> tuple[Fraction, tuple[Step, ...]]:
    """8.21 i-iii: Ra = Rar - dpa × n/(n+1)."""
    values, n = tuple(field.rated.values()), field.opponents
    rar = mean(values)
    dps = tuple(
        tables.dp(tables.hundredths(field.score(player), len(field.lines[player])), p.dp_certain)
        for player in field.rated
        if field.lines[player]
    )
    dpa = mean(dps)
    ra = rar - dpa * n / (n + 1)
    return ra, (
        Step("8.21 i", "Rar", show(rar), mean_text(values)),
        Step("8.21 ii", "dpa", show(dpa), mean_text(dps)),
        Step("8.21 iii", "Ra", show(ra), f"{show(rar)} - {show(dpa)} × {n}/{n + 1}"),
    )


def iterated_average(p: Parameters, field: Field, closed: Fraction) -> tuple[Fraction, tuple[Step, ...]]:
    """8.58 read as a true iteration: Ra = Rar + what each rated player adds, averaged, with opponents
    beyond the limit of 8.54 at the limit; Ru follows from Ra, and so on until no Ru changes.

    A rated player performs R = Rc + dp, and his Rc is off by the average of what lies beyond the limit;
    solved for Ra as in 8.21 iii, that average stands beside dp, times n/(n+1).

    Ru grows with Ra and Ra with Ru, by less than Ru itself, since at least a third are rated; so whole
    Ru only ever move one way and the iteration ends. ``p.iteration_limit`` is a second fence.
    """
    ra, before, rounds, n = closed, None, 0, field.opponents
    while rounds < p.iteration_limit:
        rounds += 1
        known: dict[str, int] = {**field.rated}
        for player in field.unrated:
            ru, _ = performance(p, ra, field.score(player), len(field.lines[player]), field.opponents)
            known[player] = half_up(ru)
        if known == before:
            break
        before = known
        beyond = [
            known[line.opponent or ""]
            - own
            + tables.limited(own - known[line.opponent or ""], p.difference_limit)
            for player, own in field.rated.items()
            for line in field.lines[player]
        ]
        ra = closed + mean(beyond) * n / (n + 1)
    text = f"after {rounds} rounds, with what lies beyond {p.difference_limit} points"
    return ra, (Step("8.58", "Ra", show(ra), text),)


def limited(
    p: Parameters, field: Field, player: str, value: Fraction, known: Mapping[str, int | Fraction]
) -> tuple[Fraction, tuple[Step, ...]]:
    """8.54 and decision 30: one pass that takes each opponent beyond 735 points at 735 and moves Ru by
    the average of these corrections."""
    shifts = []
    for line in field.lines[player]:
        other = known[line.opponent or ""]
        shift = value - tables.limited(value - other, p.difference_limit) - other
        if shift:
            shifts.append(shift)
    if not shifts:
        return value, ()
    games = len(field.lines[player])
    found = value + Fraction(sum(shifts)) / games
    text = f"{show(value)} + ({sum_text(shifts)})/{games}: differences over {p.difference_limit}"
    return found, (Step("8.54", "Ru", show(found), text),)
