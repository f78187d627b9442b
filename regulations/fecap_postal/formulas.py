"""The formulas of both phases, each by itself. Ratings are whole points, everything else is exact."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from regulations import tables
from regulations.exact import half_away
from regulations.fecap_postal.parameters import Parameters

ONE, ZERO = Fraction(1), Fraction(0)


def gets_provisional(p: Parameters, category: str, had_rating: bool = False) -> bool:
    """General 4: Experto Provincial or higher over the board; General 5: once only, at the beginning."""
    known = {each.casefold() for each in p.provisional_categories}
    return not had_rating and category.strip().casefold() in known


def _line(constant: int | Fraction, divisor: int, at: int | Fraction, low: int, high: int) -> Fraction:
    """A straight line that falls by 1 in ``divisor`` points between two ends and is level beyond them."""
    return constant - Fraction(min(max(at, low), high)) / divisor


def rating_difference(p: Parameters, share: int) -> int:
    """Table 1: DP for P in hundredths."""
    return int(tables.dp(share, p.dp_certain))


def score_factor(p: Parameters, share: int) -> Fraction:
    """Phase 1: FP for P in hundredths."""
    proportion = Fraction(share, 100)
    return p.fp_factor * proportion * (1 - proportion) + p.fp_constant


def level_factor(p: Parameters, average: int | Fraction) -> Fraction:
    """Phase 1: F by the average of the rated opponents."""
    return _line(p.f_constant, p.f_divisor, average, p.f_from, p.f_to)


def weight_by_rating(p: Parameters, rating: int) -> Fraction:
    """Phase 2: a."""
    return _line(p.a_constant, p.a_divisor, rating, p.a_from, p.a_to)


def weight_by_games(p: Parameters, games: int) -> Fraction:
    """Phase 2: b, which is not in use, or as the ICCF had it; ``games`` is Pn."""
    return ONE if p.b == "one" else _line(p.b_constant, p.b_divisor, games, p.b_from, p.b_to)


def expected_at_average(rating: int, average: Fraction) -> Fraction:
    """Phase 2: We at the average opponent."""
    return tables.expected(whole_difference(rating, average))


def whole_difference(rating: int, average: Fraction) -> int:
    """Phase 2: D to the average opponent, to the nearest whole number."""
    return half_away(rating - average)


def root(p: Parameters, square: Fraction) -> Fraction:
    """The square root, cut off after ``root_decimals`` decimals."""
    scale = 10**p.root_decimals
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


def surprise_squared(total: Fraction, spread: Fraction) -> Fraction | None:
    """Phase 2: q² from Σ(W - We) and s², exactly. None: beyond all bounds, for s is 0."""
    if spread:
        return total**2 / spread
    return None if total else ZERO


def is_surprising(q_squared: Fraction | None) -> bool:
    """Phase 2: q is 1 or more, where the formula of c is lost."""
    return q_squared is None or q_squared >= 1


def weight_by_stability(p: Parameters, q_squared: Fraction | None) -> Fraction:
    """Phase 2: c, which is 1 while q is below 1."""
    if not is_surprising(q_squared) or p.c == "one":
        return ONE
    if p.c == "amplify":
        return p.c_cap if q_squared is None else min(root(p, q_squared), Fraction(p.c_cap))
    if p.c == "damp":
        return ZERO if q_squared is None else root(p, ONE / q_squared)
    rows = zip(p.c_table_q, p.c_table, strict=True)
    reached = [(least, c) for least, c in rows if q_squared is None or least**2 <= q_squared]
    return Fraction(max(reached, default=(ONE, ONE))[1])
