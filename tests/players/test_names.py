"""Names as people and programs write them."""

from __future__ import annotations

import pytest

from players.names import abbreviates


@pytest.mark.parametrize(
    ("short", "name", "is_it"),
    [
        ("MEDINA CARRASCO Ant.", "Medina Carrasco, Antonio", True),
        ("MONTERO RIOS Rdo", "Montero Ríos, Ricardo", True),
        ("ESPINOSA SANCHEZ a", "Espinosa Sánchez, Alba", True),
        ("FLORES PISTON Agust", "Flores Pistón, Agustín", True),
        ("MEDINA CARRASCO Luis", "Medina Carrasco, Antonio", False),
        ("M C Ant.", "Medina Carrasco, Antonio", False),  # nothing stands in full
        ("MEDINA CARRASCO Tni", "Medina Carrasco, Antonio", False),
    ],
)
def test_cut_and_contracted_names(short, name, is_it):
    assert abbreviates(short, name) is is_it
