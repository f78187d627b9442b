"""Article 10.31: what the evaluation file and its rows mean. Reading the file is not done here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from regulations.exact import show
from regulations.feda_1996 import championship, formulas
from regulations.feda_1996.parameters import Parameters
from regulations.model import Event, EventPlayer, EventResult, EventTotals, Finding, PlayerResult, Step


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


def rate(p: Parameters, event: Event) -> EventResult:
    """10.31: an event reported by its totals. Who met whom is not known, so nothing of 6 is asked, and
    9.4 gives nobody a rating."""
    rows = {row.player: row for row in event.totals}
    results = tuple(player_result(p, player, rows.get(player.id)) for player in event.players)
    findings: tuple[Finding, ...] = ()
    if championship.FLAG in event.flags:
        text = "From a file of totals no unrated player of a championship gets this rating: report the games."
        findings = (Finding("warning", "totals-of-a-championship", "9.4", text, None, "games"),)
    return EventResult(True, event.system, findings, results)


def player_result(p: Parameters, player: EventPlayer, row: EventTotals | None) -> PlayerResult:
    """One player's row; without a row, or for a foreigner of no club (9.56), nothing counts."""
    rating = formulas.own_rating(p, player)
    if row is None or not row.games or formulas.is_foreign(player):
        row = EventTotals(player.id, Fraction(0), 0, 0)
    found = effect(
        p,
        row.points,
        row.games,
        row.average,
        rating=rating,
        career_games=player.career_games,
        reached_k10=player.reached_k10,
    )
    steps = found.steps if row.games else ()
    if rating is not None:
        nothing = Fraction(0)
        return PlayerResult(
            player.id,
            "rated",
            row.games,
            row.points,
            rc=Fraction(row.average) if row.games else None,
            expected=found.expected or nothing,
            k=found.k,
            change=found.change if row.games else nothing,
            steps=steps,
        )
    ru = found.performance
    kept = ru is not None and not (player.first_event and ru < p.floor)
    if ru is not None and not kept:
        steps += (Step("9.31", "kept", "no", f"first performance under {p.floor}"),)
    return PlayerResult(player.id, "unrated", row.games, row.points, performance=ru, pooled=kept, steps=steps)
