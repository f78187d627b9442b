"""Article 10.31: what a row of the evaluation file means. Reading the file is not done here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from regulations.exact import show
from regulations.feda_1996 import formulas
from regulations.feda_1996.parameters import Parameters
from regulations.model import Step


@dataclass(frozen=True, slots=True)
class Effect:
    """A rated player's change, or an unrated player's Ru (None where 7.1 or 9.1 leave none)."""

    games: int
    score: Fraction
    expected: Fraction | None = None
    k: int | None = None
    change: Fraction | None = None
    performance: Fraction | None = None
    steps: tuple[Step, ...] = ()


def needs_file(p: Parameters, players: int) -> bool:
    """10.31: an event of more than 40 players is reported with the file."""
    return players > p.file_above


def birth_date(p: Parameters, day: int, month: int, two_figures: int, on: date) -> date | None:
    """10.31: dd-mm-yy with the century that makes the player 5 to 100 years old on this day; None where
    no century does, or there is no such day."""
    for century in range(on.year // 100 - 2, on.year // 100 + 1):
        try:
            born = date(100 * century + two_figures, month, day)
        except ValueError:
            continue
        age = on.year - born.year - ((on.month, on.day) < (born.month, born.day))
        if p.least_age <= age <= p.most_age:
            return born
    return None


def effect(
    p: Parameters,
    points: Fraction,
    games: int,
    rival: int | Fraction,
    *,
    rating: int | None,
    career_games: int | None = None,
    reached_k10: bool | None = None,
) -> Effect:
    """The change of a rated player or the Ru of an unrated one, from the average of his opponents. 9.51:
    of a row only the whole difference can be limited."""
    average = Step("10.31", "Ra", show(rival), "the column of the average opponent")
    if rating is None:
        if not points:
            return Effect(games, points, steps=(Step("7.1", "Ru", "none", "zero in the event"),))
        ru, step = formulas.performance(p, rival, points, games)
        return Effect(games, points, performance=ru, steps=(average, step))
    share, found = formulas.expected_share(p, rating, rival, limit=True)
    expected = share * games
    k, why = formulas.k_factor(p, career_games, rating, reached_k10)
    change, last = formulas.change_steps(points, expected, games, k, why)
    we = Step("9.53", "We", show(expected), f"{show(share)} × {games}")
    return Effect(games, points, expected, k, change, steps=(average, *found, we, *last))
