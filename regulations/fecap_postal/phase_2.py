"""Phase 2: how the ratings of the rated players vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from regulations import tables
from regulations.exact import half_up, mean, mean_text, show, sum_text
from regulations.fecap_postal import formulas
from regulations.fecap_postal.formulas import ZERO
from regulations.fecap_postal.parameters import Parameters
from regulations.fecap_postal.phase_1 import digits, line_text
from regulations.fecap_postal.standing import Outcome, Played, Standing
from regulations.model import CountedGame, Step


def vary(p: Parameters, standing: Standing, played: Sequence[Played], met: Mapping[str, Standing]) -> Outcome:
    """RN = R0 + a·b·c·Σ(W - We), 1500 at least; ``met`` has the provisional players at their RRP."""
    own, games = standing.rating or 0, standing.games + len(played)
    a, b = formulas.weight_by_rating(p, own), formulas.weight_by_games(p, games)
    if not played:
        return Outcome(standing, standing, factor=a * b, change=ZERO)
    counted = tuple(game_of(own, game, met[game.opponent].rating or 0) for game in played)
    differences = [game.score - (game.expected or ZERO) for game in counted]
    total = sum(differences, ZERO)
    average = mean([game.opponent_rating for game in counted])
    c, of_c = stability(p, own, counted, average, total)
    factor = a * b * c
    change = factor * total
    steps = [
        *(game_step(own, game, each.event) for game, each in zip(counted, played, strict=True)),
        Step("Fase 2", "Σ(W - We)", show(total), sum_text(differences)),
        Step("Fase 2", "a", show(a), line_text(p.a_constant, p.a_divisor, own, p.a_from, p.a_to)),
        Step("Fase 2", "b", show(b), b_text(p, games)),
        *of_c,
        Step("Fase 2", "f", show(factor), f"{show(a)} × {show(b)} × {show(c)}"),
        Step("Fase 2", "change", show(change), f"{show(factor)} × {show(total)}"),
    ]
    new = half_up(own + change)
    steps.append(Step("Fase 2", "RN", str(new), f"{sum_text([own, change])}, rounded half up"))
    if new < p.floor:
        steps.append(Step("General 3", "RN", str(p.floor), f"{new} is below {p.floor}"))
    return Outcome(
        standing,
        Standing(max(new, p.floor), games),
        counted,
        tuple(game.event for game in played),
        average,
        factor,
        change,
        tuple(steps),
    )


def game_of(own: int, game: Played, opponent: int) -> CountedGame:
    """Table 2: D and We of one game."""
    d = own - opponent
    return CountedGame(
        game.round, game.opponent, game.white, game.score, opponent, d, tables.expected(d), "Fase 2"
    )


def game_step(own: int, game: CountedGame, event: str) -> Step:
    """W - We of one game; the text takes column A of the table where the player is the higher one."""
    expected, d = game.expected or ZERO, game.difference or 0
    column = "A" if d > 0 else "B"
    text = (
        f"{game.opponent}: D {abs(d)}, {own} against {show(game.opponent_rating)}, column {column}; "
        f"We {show(expected)}; {show(game.score)} - {show(expected)}"
    )
    where = f"{event} round {game.round}" if event else f"round {game.round}"
    return Step("Tabla 2", f"W - We {where}", show(game.score - expected), text)


def b_text(p: Parameters, games: int) -> str:
    """Why b is what it is."""
    if p.b == "one":
        return "not in use"
    return line_text(p.b_constant, p.b_divisor, games, p.b_from, p.b_to)


def stability(
    p: Parameters, own: int, counted: Sequence[CountedGame], average: Fraction, total: Fraction
) -> tuple[Fraction, list[Step]]:
    """c from q = |Σ(W - We)|/s and s = √(n·We(1 - We)) at the average opponent; q is compared by its
    square, which is exact."""
    n, expected = len(counted), formulas.expected_at_average(own, average)
    square = n * expected * (1 - expected)
    q_squared = formulas.surprise_squared(total, square)
    c = formulas.weight_by_stability(p, q_squared)
    s = formulas.root(p, square)
    shown = "unbounded" if q_squared is None else show(formulas.root(p, q_squared))
    d = abs(formulas.whole_difference(own, average))
    ratings = tuple(game.opponent_rating for game in counted)
    steps = [
        Step("Fase 2", "average opponent", show(average), mean_text(ratings)),
        Step("Tabla 2", "We of the average", show(expected), f"D {d}, {own} against {digits(average)}"),
        Step("Fase 2", "s²", show(square), f"{n} × {show(expected)} × (1 - {show(expected)})"),
        Step("Fase 2", "s", show(s), f"the square root of {show(square)}"),
        Step("Fase 2", "q", shown, f"{show(abs(total))}/{show(s)}" if s else "s is 0"),
        Step("Fase 2", "c", show(c), c_text(p, q_squared)),
    ]
    if formulas.is_surprising(q_squared) and p.c == "one":
        text = f"q is 1 or more, where the formula of c is lost: computed with c = {show(c)}"
        steps.append(Step("Fase 2", "warning", "c is not certain", text))
    return c, steps


def c_text(p: Parameters, q_squared: Fraction | None) -> str:
    """Why c is what it is."""
    if not formulas.is_surprising(q_squared):
        return "q is below 1"
    reasons = {
        "one": "q is 1 or more; taken as 1",
        "amplify": f"q, at most {show(p.c_cap)}",
        "damp": "the inverse of q",
        "table": "by the table of q",
    }
    return reasons[p.c]
