"""A world made once for a module: each test finds it as it was made, and nothing of it is left."""

import copy

import pytest

from players.models import Federation
from tests.factories import make_federation


@pytest.fixture(scope="module")
def made(module_db):
    return module_db(lambda: make_federation("XAA", "Isles"))


@pytest.fixture
def federation(made, db):
    return copy.deepcopy(made)


@pytest.mark.parametrize("name", ["first", "second"])
def test_what_a_test_changes_is_taken_back(federation, name):
    federation.refresh_from_db()
    assert federation.name == "Isles"
    federation.name = name
    federation.save()
    Federation.objects.create(code="XBB", name=name)
