"""The two conversion tables that every FIDE text shares (A 10.1, B 8.1, C 7.1).

The look-ups hold only comparisons, sums and products, so that the same code serves one integer
and a numpy column of integers. Scores are in hundredths: 50 means 0.50.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

#: dp for p = 0.50, 0.51 … 0.99; below 0.50 the sign turns; dp at 1.00 is a choice of each regulation.
# fmt: off
DP_UPPER_HALF = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
)

#: The least rating difference of each row of the second table, from 0.51 to 1.00.
PD_ROWS = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69,
    77, 84, 92, 99, 107, 114, 122, 130, 138, 146,
    154, 163, 171, 180, 189, 198, 207, 216, 226, 236,
    246, 257, 268, 279, 291, 303, 316, 329, 345, 358,
    375, 392, 412, 433, 457, 485, 518, 560, 620, 736,
)
# fmt: on

_DP_STEPS = tuple(b - a for a, b in pairwise(DP_UPPER_HALF))


def _sign(value: Any) -> Any:
    """-1 for a negative value, else 1."""
    return (value >= 0) * 2 - 1


def dp(p: Any, certain: int = 800) -> Any:
    """Rating difference for a score of ``p`` hundredths; ``certain`` is dp at 1.00, negative at 0.00."""
    distance = abs(p - 50)
    size = sum(step * (distance >= row) for row, step in enumerate(_DP_STEPS, start=1))
    size = size + (certain - DP_UPPER_HALF[-1]) * (distance >= 50)
    return _sign(p - 50) * size


def pd(difference: Any) -> Any:
    """Scoring probability in hundredths for an integer rating difference D (own minus opponent)."""
    distance = abs(difference)
    return 50 + _sign(difference) * sum((distance >= least) * 1 for least in PD_ROWS)


def limited(difference: Any, limit: int) -> Any:
    """D, or the limit with the sign of D where D is beyond it."""
    distance = abs(difference)
    return _sign(difference) * (distance * (distance <= limit) + limit * (distance > limit))


def hundredths(score: Fraction, games: int) -> int:
    """p as whole hundredths, half up (A 14.2: no third figure)."""
    return (200 * score + games) // (2 * games)


@lru_cache(maxsize=4096)
def expected(difference: int) -> Fraction:
    """PD as an exact fraction."""
    return Fraction(pd(difference), 100)
