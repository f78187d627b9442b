"""The regulation of another package makes a list through the portal."""

import pytest

from tests.example import installed
from tests.ratinglists import test_all_regulations as every

pytestmark = pytest.mark.django_db
bells, world = every.bells, every.world


@pytest.fixture
def regulation(tmp_path):
    with installed(tmp_path) as example:
        yield example


def test_the_portal_and_the_calculator_agree(world, regulation):
    every.test_the_portal_and_the_calculator_agree(world, regulation)


def test_every_page_shows_it(world, regulation, client):
    every.test_every_page_shows_it(world, regulation, client)
