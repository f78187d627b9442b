"""The figures and choices of FECAP's rating of postal chess."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations import parameters
from regulations.parameters import param

#: Experto Provincial and what stands above it over the board, in Spanish and by FIDE's abbreviations
CATEGORIES = (
    "Experto Provincial", "EP", "Experto Nacional", "EN", "Maestro Nacional", "MN",
    "Maestro FIDE", "MF", "FM", "WFM", "Maestro Internacional", "MI", "IM", "WIM",
    "Gran Maestro", "GM", "WGM",
)  # fmt: skip


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    """Each figure stands once, here. Where the text is lost or can be read in two ways the field is the
    choice. F, a and b are straight lines between two ends and level beyond them."""

    # general
    start: int = param(1600, "General 2", "rating of a player who begins with postal chess")
    floor: int = param(1500, "General 3, Fase 2", "lowest rating, provisional ones included")
    provisional_categories: tuple[str, ...] = param(
        CATEGORIES, "General 4", "categories over the board that give a provisional rating"
    )
    first_provisional: int = param(
        1600,
        "General 2, General 4",
        "provisional rating before the first rated opponent (the text is silent)",
    )
    definitive_games: int = param(30, "General 6", "finished games with which a rating is definitive")
    batch_share: Fraction = param(
        Fraction(1, 2), "General 9", "events with a greater share of their games finished are computed first"
    )
    # phase 1
    dp_certain: int = param(677, "Tabla 1", "DP at P 1.00, negative at 0.00")
    fp_factor: Fraction = param(Fraction(2), "Fase 1", "FP = this × P(1 - P) + fp_constant")
    fp_constant: Fraction = param(Fraction(1, 2), "Fase 1", "FP at P 0 and 1")
    f_constant: Fraction = param(
        Fraction(16, 5), "Fase 1", "F = this - Rc/f_divisor (pinned by the example: 0.53 at 1999)"
    )
    f_divisor: int = param(750, "Fase 1", "points of Rc that lower F by 1")
    f_from: int = param(1650, "Fase 1", "F is level up to this Rc (inferred)")
    f_to: int = param(2100, "Fase 1", "F is level from this Rc on (inferred)")
    # phase 2
    a_constant: int = param(52, "Fase 2", "a = this - R0/a_divisor (pinned by the example: 11 at 2050)")
    a_divisor: int = param(50, "Fase 2", "points of R0 that lower a by 1")
    a_from: int = param(1600, "Fase 2", "a is level up to this R0 (inferred)")
    a_to: int = param(2100, "Fase 2", "a is level from this R0 on (inferred)")
    b: str = param(
        "one", "Fase 2", "b is 1, as the note says, or falls with the games played", ("one", "iccf")
    )
    b_constant: Fraction = param(Fraction(7, 5), "Fase 2", "b iccf = this - Pn/b_divisor")
    b_divisor: int = param(200, "Fase 2", "games that lower b iccf by 1")
    b_from: int = param(30, "Fase 2", "b iccf is level up to so many games (inferred)")
    b_to: int = param(80, "Fase 2", "b iccf is level from so many games on")
    c: str = param(
        "one",
        "Fase 2",
        "c where q is 1 or more (the formula is lost): 1 and a warning; amplify: q, at most c_cap; "
        "damp: 1/q; table: by c_table_q",
        ("one", "amplify", "damp", "table"),
    )
    c_cap: Fraction = param(Fraction(2), "Fase 2", "greatest c of amplify")
    c_table_q: tuple[Fraction, ...] = param(
        (Fraction(1), Fraction(3, 2), Fraction(2)), "Fase 2", "least q of each row of the table of c"
    )
    c_table: tuple[Fraction, ...] = param(
        (Fraction(1), Fraction(3, 2), Fraction(2)), "Fase 2", "c of each row of the table of c"
    )
    root_decimals: int = param(
        6, "Fase 2", "decimals of the square roots in s and q; what follows is cut off"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.c_table) != len(self.c_table_q):
            raise ValueError("c_table and c_table_q must have as many rows as each other")
