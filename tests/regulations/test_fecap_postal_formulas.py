"""FECAP postal: the tables and formulas of both phases, each at its borders."""

from dataclasses import replace
from fractions import Fraction

import pytest

from regulations.fecap_postal import FecapPostal, formulas

P = FecapPostal()
AMPLIFY, DAMP, TABLE = (replace(P, c=mode) for mode in ("amplify", "damp", "table"))


@pytest.mark.parametrize(
    ("share", "dp"),
    [
        # Tabla 1: the ends, both of which stand for 0.99-1.00 and 0.01-0.00, and the example
        (100, 677), (99, 677), (98, 589), (96, 501), (84, 284), (76, 202), (56, 43), (51, 7),
        (50, 0), (49, -7), (38, -87), (2, -589), (1, -677), (0, -677),
    ],
)  # fmt: skip
def test_the_difference_by_the_score(share, dp):
    assert formulas.rating_difference(P, share) == dp


def test_the_difference_at_the_ends_is_a_parameter():
    assert formulas.rating_difference(replace(P, dp_certain=800), 100) == 800
    assert formulas.rating_difference(replace(P, dp_certain=800), 0) == -800
    assert formulas.rating_difference(replace(P, dp_certain=800), 99) == 677


@pytest.mark.parametrize(
    ("share", "fp"),
    [(0, "1/2"), (100, "1/2"), (50, "1"), (56, "0.9928"), (44, "0.9928"), (1, "0.5198")],
)
def test_fp(share, fp):
    """Fase 1: 2 × 0.56 × 0.44 + 0.5 = 0.9928."""
    assert formulas.score_factor(P, share) == Fraction(fp)


@pytest.mark.parametrize(
    ("average", "f"),
    [
        (1500, "1"), (1649, "1"), (1650, "1"), (1651, "749/750"),  # 3.2 - 1651/750
        (1999, "401/750"),  # the example: 0.53
        (2099, "301/750"), (2100, "2/5"), (2101, "2/5"), (2700, "2/5"),
        (Fraction(3301, 2), "1499/1500"),
    ],
)  # fmt: skip
def test_f_by_the_average(average, f):
    assert formulas.level_factor(P, average) == Fraction(f)


@pytest.mark.parametrize(
    ("rating", "a"),
    [
        (1500, "20"), (1599, "20"), (1600, "20"), (1601, "999/50"), (1800, "16"), (2050, "11"),
        (2099, "501/50"), (2100, "10"), (2101, "10"), (2600, "10"),
    ],
)  # fmt: skip
def test_a_by_the_rating(rating, a):
    assert formulas.weight_by_rating(P, rating) == Fraction(a)


def test_the_lines_and_their_ends_are_parameters():
    assert formulas.level_factor(replace(P, f_from=1500), 1500) == Fraction(6, 5)
    assert formulas.level_factor(replace(P, f_to=2250), 2250) == Fraction(1, 5)
    assert formulas.level_factor(replace(P, f_constant=Fraction(3), f_divisor=1000), 2000) == 1
    assert formulas.weight_by_rating(replace(P, a_from=1500), 1500) == 22
    assert formulas.weight_by_rating(replace(P, a_to=2200), 2200) == 8
    assert formulas.weight_by_rating(replace(P, a_constant=50, a_divisor=100), 2000) == 30
    assert formulas.score_factor(replace(P, fp_factor=Fraction(4), fp_constant=Fraction(1)), 50) == 2


@pytest.mark.parametrize(
    ("games", "b"),
    [(0, "5/4"), (30, "5/4"), (31, "249/200"), (50, "23/20"), (79, "201/200"), (80, "1"), (200, "1")],
)
def test_b_is_not_in_use(games, b):
    """Fase 2, the note: always 1; the ICCF's line is 1.4 - Pn/200."""
    assert formulas.weight_by_games(P, games) == 1
    assert formulas.weight_by_games(replace(P, b="iccf"), games) == Fraction(b)


def test_the_line_of_b_is_made_of_parameters():
    other = replace(P, b="iccf", b_constant=Fraction(2), b_divisor=100, b_from=10, b_to=90)
    assert [formulas.weight_by_games(other, games) for games in (5, 50, 100)] == [
        Fraction(19, 10),
        Fraction(3, 2),
        Fraction(11, 10),
    ]


@pytest.mark.parametrize(
    ("total", "spread", "squared"),
    [
        ("-0.15", "1.2455", "0.0225/1.2455"), ("5", "2.5", "10"), ("1", "1", "1"), ("0", "1", "0"),
        ("0", "0", "0"),
    ],
)  # fmt: skip
def test_q_squared(total, spread, squared):
    top, _, bottom = squared.partition("/")
    expected = Fraction(top) / Fraction(bottom or 1)
    assert formulas.surprise_squared(Fraction(total), Fraction(spread)) == expected


def test_q_without_bounds():
    """We of 1.00 at the average leaves no spread: a lost point is beyond every q."""
    assert formulas.surprise_squared(Fraction(-1), Fraction(0)) is None


LESS, ABOVE = Fraction(999999, 1000000), Fraction(1000001, 1000000)


@pytest.mark.parametrize(
    ("regulation", "squared", "c"),
    [
        # Fase 2: q below 1 is c = 1 under every reading, and so is q = 1
        (P, LESS, "1"), (AMPLIFY, LESS, "1"), (DAMP, LESS, "1"), (TABLE, LESS, "1"), (DAMP, 0, "1"),
        (P, 1, "1"), (AMPLIFY, 1, "1"), (DAMP, 1, "1"), (TABLE, 1, "1"),
        (P, 100, "1"), (P, None, "1"),
        (AMPLIFY, Fraction(9, 4), "1.5"), (AMPLIFY, 2, "1.414213"), (AMPLIFY, 4, "2"),
        (AMPLIFY, 10, "2"), (AMPLIFY, None, "2"),
        (DAMP, 4, "0.5"), (DAMP, 10, "0.316227"), (DAMP, None, "0"),
        (TABLE, Fraction(224, 100), "1"), (TABLE, Fraction(9, 4), "1.5"), (TABLE, Fraction(399, 100), "1.5"),
        (TABLE, 4, "2"), (TABLE, 100, "2"), (TABLE, None, "2"),
    ],
)  # fmt: skip
def test_c(regulation, squared, c):
    assert formulas.weight_by_stability(regulation, squared) == Fraction(c)


def test_the_figures_of_c_are_parameters():
    assert formulas.weight_by_stability(replace(AMPLIFY, c_cap=Fraction(3)), 10) == 3
    assert formulas.weight_by_stability(replace(AMPLIFY, c_cap=3, root_decimals=2), 2) == Fraction("1.41")
    one_row = replace(TABLE, c_table_q=(Fraction(2),), c_table=(Fraction(1, 2),))
    assert [formulas.weight_by_stability(one_row, q2) for q2 in (2, 4)] == [1, Fraction(1, 2)]
    with pytest.raises(ValueError, match=r"^c_table and c_table_q must have as many rows as each other$"):
        replace(P, c_table=(Fraction(1),))
    with pytest.raises(ValueError, match="c must be one of one, amplify, damp, table; not 'other'"):
        replace(P, c="other")


def test_surprising_is_one_or_more():
    assert [formulas.is_surprising(q2) for q2 in (LESS, 1, ABOVE, None)] == [False, True, True, True]


def test_roots_are_cut_off():
    assert formulas.root(P, Fraction("1.2455")) == Fraction("1.116019")  # 1.1160197…
    assert formulas.root(P, Fraction(4)) == 2
    assert formulas.root(P, Fraction(0)) == 0


@pytest.mark.parametrize(
    ("average", "d", "expected"),
    [
        ("2028.4", 22, "0.53"),  # the example: D 21.6
        ("2021.5", 29, "0.54"), ("2078.5", -29, "0.46"),  # a half away from zero
        ("2050", 0, "0.5"), ("2100", -50, "0.43"),
    ],
)  # fmt: skip
def test_we_at_the_average_opponent(average, d, expected):
    assert formulas.whole_difference(2050, Fraction(average)) == d
    assert formulas.expected_at_average(2050, Fraction(average)) == Fraction(expected)


@pytest.mark.parametrize(
    "category",
    ["Experto Provincial", " experto provincial ", "EP", "Experto Nacional", "EN", "Maestro Nacional", "MN",
     "Maestro FIDE", "MF", "FM", "WFM", "Maestro Internacional", "MI", "mi", "IM", "WIM", "Gran Maestro",
     "GM", "WGM"],
)  # fmt: skip
def test_categories_with_a_provisional_rating(category):
    """General 4: Experto Provincial is the least; General 5: once only."""
    assert formulas.gets_provisional(P, category)
    assert not formulas.gets_provisional(P, category, True)


@pytest.mark.parametrize("category", ["", "Primera Categoría", "Experto", "Experto Provincial II"])
def test_categories_without_one(category):
    assert not formulas.gets_provisional(P, category)


def test_the_categories_are_a_parameter():
    other = replace(P, provisional_categories=("Candidato",))
    assert formulas.gets_provisional(other, "candidato")
    assert not formulas.gets_provisional(other, "GM")
    with pytest.raises(ValueError, match="provisional_categories must be like"):
        replace(P, provisional_categories=(5,))
