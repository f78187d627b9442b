import pytest

from tests.roles.world import World


@pytest.fixture(scope="module")
def made_world(module_db) -> World:
    return module_db(World)


@pytest.fixture
def world(world, settings) -> World:
    settings.PORTAL_API_LIMITS = {}
    return world
