"""``migrate`` of every release killed wherever something lasting was just written: the next one ends well."""

import time

import pytest
from django.db import connection

from tests.programs import database_url
from tests.releases.fixtures import RELEASES, laid_out, program
from tests.trust.counts import counted

pytestmark = pytest.mark.trust


@pytest.mark.parametrize("release", RELEASES)
def test_migrate_goes_on_wherever_it_was_killed(release, tmp_path):
    server = database_url() if connection.vendor == "postgresql" else ""
    begun = time.perf_counter()
    with laid_out(release, tmp_path, server) as environment:
        found = program("killed", environment, environment["TEMPLATE"], "all", limit=1800)
    kills = sum(found.values())
    counted(f"kills of migrate from {release}", 40, kills, time.perf_counter() - begun)
    assert found["points"] >= 8
    assert found["new"] >= 30
