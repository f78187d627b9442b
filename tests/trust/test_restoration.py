"""A portal of the demonstration's size times 100, backed up encrypted, is restored within ten minutes: into a
database of the same kind and of the other, each list computed again to the same bytes."""

import json
import os
import subprocess
import sys

import pytest

from tests.programs import ROOT, database_url
from tests.trust.counts import counted

pytestmark = [pytest.mark.trust, pytest.mark.once]

LIMIT = 600
#: of FIDE's size, and files in the archive: what the demonstration × 100 has, or more
SCALE, FILES = "0.16", "17300"


def test_a_restoration_within_ten_minutes(tmp_path):
    server = database_url()
    assert server.startswith("postgresql"), "needs PORTAL_DATABASE_URL of PostgreSQL"
    own = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    own |= {"PORTAL_DATABASE_URL": server.rpartition("/")[0] + "/postgres"}
    own["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    file = tmp_path / "measured.json"
    command = [sys.executable, "bench/backup.py", "--scale", SCALE, "--files", FILES, "--json", str(file)]
    told = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, timeout=7200)
    assert told.returncode == 0, f"{told.stdout}{told.stderr}"[-3000:]
    print(told.stdout)
    found = json.loads(file.read_text())
    for kind in ("PostgreSQL", "SQLite"):
        took, peak = found[kind]["seconds"], found[kind]["peak_mib"]
        counted(
            f"restored into {kind}, demonstration × 100",
            1,
            found[kind]["computed_again"],
            took,
            peak * 1.048576,
        )
    for kind in ("PostgreSQL", "SQLite"):
        assert found[kind]["seconds"] < LIMIT
        assert found[kind]["computed_again"] >= 1
