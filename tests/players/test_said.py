"""Texts that are kept in English, said in the reader's language."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.contrib.admin import helpers
from django.db import models
from django.utils import translation
from django.utils.safestring import SafeString

from players.languages.templates import Index, Template
from players.languages.texts import english, figure, minus, said, said_lazy


@pytest.mark.parametrize(
    ("text", "es", "pt"),
    [
        ("no games", "ninguna partida", "nenhuma partida"),
        ("+4.8", "+4,8", "+4,8"),
        ("2100 + 2200 - 5.5", "2100 + 2200 - 5,5", "2100 + 2200 - 5,5"),
        ("2022-03-01", "01/03/2022", "01/03/2022"),
        ("2022-03-01: 0.5 points", "01/03/2022: 0,5 puntos", "01/03/2022: 0,5 pontos"),
        ("2213.5 - 125, p 0.33", "2213,5 - 125, p 0,33", "2213,5 - 125, p 0,33"),
        (
            "Rapid, list of 1 April 2024",
            "Rapid, lista del 1 de abril de 2024",
            "Rapid, lista de 1 de abril de 2024",
        ),
        (
            "Alder, Tom: D 2100 - 1650 = 450, limited to 400; PD 0.92; 1 - 0.92",
            "Alder, Tom: D 2100 - 1650 = 450, limitada a 400; PD 0,92; 1 - 0,92",
            "Alder, Tom: D 2100 - 1650 = 450, limitada a 400; PD 0,92; 1 - 0,92",
        ),
        (
            "20 × 0.35; rounded with the period's sum (8.3.4)",
            "20 × 0,35; redondeado con la suma del periodo (8.3.4)",
            "20 × 0,35; arredondado com a soma do período (8.3.4)",
        ),
        (
            "1 of 2 players are rated; at least 4 in an event of 10 players or fewer.",
            "1 de 2 jugadores tienen Elo; al menos 4 en un torneo de 10 jugadores o menos.",
            "1 de 2 jogadores têm rating; pelo menos 4 num torneio de 10 jogadores ou menos.",
        ),
        (
            "2000 + 5, from the standard rating",
            "2000 + 5, desde el Elo clásico",
            "2000 + 5, a partir do rating clássico",
        ),
    ],
)
def test_a_text_is_said(text, es, pt):
    assert said(text) == text
    with translation.override("es"):
        assert said(text) == es
    with translation.override("pt"):
        assert said(text) == pt


def test_what_no_template_makes_stays_as_it_is():
    with translation.override("es"):
        assert said("Rapid, Rob") == "Rapid, Rob"
        assert said("White, Bob") == "White, Bob"
        assert said("Black, Anna 1-0 White, Bob") == "Black, Anna 1-0 White, Bob"
        assert said("Harbour Open 2.0") == "Harbour Open 2.0"
        assert said("") == said(None) == ""


def test_a_name_in_a_place_is_never_translated():
    with translation.override("es"):
        text = "Rapid, Rob: D 2100 - 1900 = 200; PD 0.76; 1 - 0.76"
        assert said(text) == "Rapid, Rob: D 2100 - 1900 = 200; PD 0,76; 1 - 0,76"


def test_safe_html_stays_safe_and_other_text_unsafe():
    with translation.override("es"):
        assert isinstance(said(SafeString("no games")), SafeString)
        assert not isinstance(said("<b>no games</b>"), SafeString)


def test_numbers_of_articles_are_no_decimals():
    with translation.override("pt"):
        assert figure("8.3.4") == "8.3.4"
        assert figure("0.25") == "0,25"
        assert figure("-16.95 of 3.5") == "−16,95 of 3,5"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("-0.69", "−0.69"),
        ("0.5 - 1.19", "0.5 − 1.19"),
        ("9.2 - -0.5 × 3/4", "9.2 − −0.5 × 3/4"),
        ("Sample, Eva: D 1800 - 2000 = -200; 20 × (-0.1)", "Sample, Eva: D 1800 − 2000 = −200; 20 × (−0.1)"),
        ("(2100 × 9 - 2000)/8 - (12.5)", "(2100 × 9 − 2000)/8 − (12.5)"),
        ("2022-03-01, rounds 3-5, 1-0, U-12 Open - final", "2022-03-01, rounds 3-5, 1-0, U-12 Open - final"),
    ],
)
def test_minus_signs_are_printed_in_sums_only(text, printed):
    assert minus(text) == printed


def test_the_administration_prints_minus_signs_and_leaves_icons():
    shown, number, yes = (
        helpers.display_for_field,
        models.DecimalField(decimal_places=1),
        models.BooleanField(),
    )
    with translation.override("es"):
        assert shown(Decimal("-0.5"), number, "") == "−0,5"
        assert isinstance(shown(True, yes, ""), SafeString)
        assert shown("Hidden player", models.CharField(), "") == "Jugador oculto"


def test_english_is_what_is_kept():
    lazy = said_lazy("no games")
    with translation.override("es"):
        assert str(lazy) == "ninguna partida"
        assert english(lazy) == "no games"


def test_of_two_templates_the_closer_one():
    index = Index(["{a} games", "{a} of {b} games", "no games"])
    found = index.matches("3 of 30 games")
    assert [each.text for each, _ in found] == ["{a} of {b} games", "{a} games"]
    assert found[0][1] == ("3", "30")


def test_places_side_by_side_and_text_that_follows():
    assert Template("D {a}{b}; x").pattern.fullmatch("D 5, up to 4; x").groups() == ("5", ", up to 4")
    assert Template(", up to {limit}").names == ("before", "limit")
    assert Index(["{a} ({b})x"]).matches("1 (2), 3 (4)x") == []


def test_a_long_calculation_is_said_whole():
    texts = [
        f"Player {at}, A: D {1500 + at} - {1900 - at} = {2 * at - 400}, limited to 400; PD 0.{at % 90 + 10}; "
        f"1 - 0.{at % 90 + 10}"
        for at in range(400)
    ]
    with translation.override("es"):
        made = [said(text) for text in texts]
    assert all("limitada a 400; PD 0," in text for text in made)
