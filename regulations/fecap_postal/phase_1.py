"""Phase 1: the rating that each provisional player is assigned, and that his opponents meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from regulations import tables
from regulations.exact import half_up, mean_text, show, sum_text
from regulations.fecap_postal import formulas
from regulations.fecap_postal.parameters import Parameters
from regulations.fecap_postal.standing import Outcome, Played, Standing, added, rated_sum
from regulations.model import Step, Totals


def assign(
    p: Parameters, standing: Standing, played: Sequence[Played], standings: Mapping[str, Standing]
) -> Outcome:
    """Phase 1 for one provisional player; of two of them neither has a rating for the other's Rc.
    General 6: with 30 finished games RRP is his definitive rating, and phase 2 begins with the next step."""
    rated, others = [], []
    for game in played:
        opponent = standings[game.opponent]
        if opponent.provisional:
            others.append(game.opponent)
        else:
            rated.append(opponent.rating or 0)
    totals = added(standing.totals, played, rated)
    if played or standing.rating is None:
        rating, steps = assigned_rating(p, standing, played, rated, totals)
    else:
        rating, steps = standing.rating, [Step("Fase 1", "RRP", str(standing.rating), "no games")]
    if others:
        text = f"{', '.join(others)}: for P, not for Rc"
        steps.append(Step("Fase 1", "games with provisional opponents", str(len(others)), text))
    provisional = not is_definitive(p, totals)
    status = "provisional" if provisional else "definitive"
    enough = f"{totals.games} games; {p.definitive_games} make it definitive"
    steps.append(Step("General 6", "status", status, enough))
    after = Standing(rating, standing.games + len(played), provisional, totals)
    return Outcome(standing, after, steps=tuple(steps))


def is_definitive(p: Parameters, totals: Totals) -> bool:
    """General 6: 30 finished games."""
    return totals.games >= p.definitive_games


def assigned_rating(
    p: Parameters, standing: Standing, played: Sequence[Played], rated: Sequence[int], totals: Totals
) -> tuple[int, list[Step]]:
    """RRP = Rc + DP·FP·F(Rc), 1500 at least; before the first rated opponent there is no Rc."""
    if not totals.rated_games:
        rating = p.first_provisional if standing.rating is None else standing.rating
        return rating, [Step("General 4", "RRP", str(rating), "no rated opponent so far")]
    rc, share = totals.rated_average, tables.hundredths(totals.points, totals.games)
    dp, fp, f = (
        formulas.rating_difference(p, share),
        formulas.score_factor(p, share),
        formulas.level_factor(p, rc),
    )
    rating = half_up(rc + dp * fp * f)
    proportion = show(Fraction(share, 100))
    points = sum_text([standing.totals.points, *(game.score for game in played)])
    product = f"{'-' if dp < 0 else '+'} {abs(dp)} × {digits(fp)} × {digits(f)}"
    steps = [
        Step("Fase 1", "Rc", show(rc), average_text(standing.totals, rated)),
        Step("Fase 1", "P", proportion, f"({points})/{totals.games}, to two decimals, half up"),
        Step("Tabla 1", "DP", str(dp), f"P {proportion}"),
        Step(
            "Fase 1",
            "FP",
            show(fp),
            f"{show(p.fp_factor)} × {proportion} × (1 - {proportion}) + {show(p.fp_constant)}",
        ),
        Step("Fase 1", "F", show(f), line_text(p.f_constant, p.f_divisor, rc, p.f_from, p.f_to)),
        Step("Fase 1", "RRP", str(rating), f"{digits(rc)} {product}, rounded half up"),
    ]
    if rating < p.floor:
        steps.append(Step("General 3", "RRP", str(p.floor), f"{rating} is below {p.floor}"))
    return max(rating, p.floor), steps


def average_text(before: Totals, rated: Sequence[int]) -> str:
    """The rated opponents of earlier periods by their average, those of this one by one."""
    if not before.rated_games:
        return mean_text(tuple(rated))
    earlier = f"{before.rated_games} × {digits(rated_sum(before) / before.rated_games)}"
    return f"({' + '.join([earlier, *map(str, rated)])})/{before.rated_games + len(rated)}"


def line_text(constant: int | Fraction, divisor: int, at: int | Fraction, low: int, high: int) -> str:
    """A straight line between two ends, written out."""
    used = min(max(at, low), high)
    text = f"{show(constant)} - {digits(used)}/{divisor}"
    if at < low:
        text += f", for {digits(at)} is below {low}"
    if at > high:
        text += f", for {digits(at)} is above {high}"
    return text


def digits(value: int | Fraction) -> str:
    """Up to six decimals, so that a product of shown figures comes out."""
    return show(Fraction(half_up(value * 10**6), 10**6))
