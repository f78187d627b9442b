"""Articles 8.23 to 8.26: Ru of an unrated player from the average of his competition."""

from __future__ import annotations

from fractions import Fraction

from regulations import tables
from regulations.exact import show
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.model import Step


def performance(
    p: Parameters, rc: int | Fraction, score: Fraction, games: int, opponents: int | None = None
) -> tuple[Fraction, Step]:
    """8.23-8.26: Ru, exact. ``opponents`` is n of a round robin, None for any other event."""
    above = 2 * score - games
    if above == 0:
        return Fraction(rc), Step("8.23", "Ru", show(rc), f"{show(rc)}, at 50 %")
    if above > 0:
        ru = rc + p.half_point_bonus * above
        return ru, Step("8.24", "Ru", show(ru), f"{show(rc)} + {show(p.half_point_bonus)} × {show(above)}")
    share = tables.hundredths(score, games)
    dp = tables.dp(share, p.dp_certain)
    said = f"p {show(Fraction(share, 100))}"
    if opponents is None:
        ru = Fraction(rc + dp)
        return ru, Step("8.25", "Ru", show(ru), f"{show(rc)} - {-dp}, {said}")
    ru = rc + Fraction(dp * opponents, opponents + 1)
    return ru, Step("8.26", "Ru", show(ru), f"{show(rc)} - {-dp} × {opponents}/{opponents + 1}, {said}")
