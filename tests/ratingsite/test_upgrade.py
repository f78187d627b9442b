"""Every release that was kept comes to this version whole, also when ``migrate`` dies on its way."""

import re
from pathlib import Path

import pytest
from django.db import connection

from players import triggers
from ratingsite import condition
from tests.programs import database_url
from tests.releases.fixtures import RELEASES, laid_out, program

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=RELEASES)
def release(request, tmp_path):
    server = database_url() if connection.vendor == "postgresql" else ""
    with laid_out(request.param, tmp_path, server) as environment:
        yield environment


def test_the_releases_that_were_kept():
    assert RELEASES[0] == "0.6"
    told = set(re.findall(r"^## (\d\S+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE))
    assert told == set(RELEASES), "each release of the change log: python tests/releases/make.py"


def test_a_release_upgraded(release):
    found = program("upgraded", release, release["TEMPLATE"])
    assert found["lists"] >= 8
    assert found["pages"] >= 150
    assert found["tables"] >= 40


def test_a_migration_that_dies_before_it_is_noted(release):
    found = program("killed", release, release["TEMPLATE"], "first")
    assert found == {"points": 1, "random": 0, "new": 0}


def test_a_database_without_its_triggers_is_not_ready(transactional_db, client):
    condition._migrated.cache_clear()
    assert triggers.missing(connection) == set()
    with connection.cursor() as cursor:
        on = " ON players_auditentry" if connection.vendor == "postgresql" else ""
        name = "guard_delete" if on else "players_auditentry_guard_DELETE"
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert triggers.missing(connection) == {("players_auditentry", name)}
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "manage.py migrate" in answer.json()["obstacles"][0]
    triggers.remove_all(connection)
    triggers.install_all(connection)
    assert client.get("/readyz").status_code == 200
