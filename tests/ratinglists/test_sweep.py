"""The sweep's loop outlives the database, and removes what dead workers left in the archive."""

import os
import time

import pytest
from django.core.management import call_command
from django.db import InterfaceError, OperationalError

from ratinglists import archive, jobs

COMMAND = "ratinglists.management.commands.sweep"


class Enough(Exception):
    """Ends the loop."""


@pytest.fixture
def loop(monkeypatch):
    """Runs the loop for so many turns, without its pauses."""

    def run(turns: int) -> None:
        pauses = iter(range(turns - 1))

        def sleep(_):
            if next(pauses, None) is None:
                raise Enough

        monkeypatch.setattr(f"{COMMAND}.time.sleep", sleep)
        monkeypatch.setattr(f"{COMMAND}.close_old_connections", lambda: None)  # the test's own
        with pytest.raises(Enough):
            call_command("sweep", loop=True)

    return run


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_the_loop_goes_on_when_the_database_comes_back(loop, monkeypatch, error):
    swept = []

    def sweep():
        swept.append(len(swept))
        if len(swept) == 1:
            raise error("the connection is closed")
        return []

    monkeypatch.setattr(jobs, "sweep", sweep)
    loop(2)
    assert swept == [0, 1]


@pytest.mark.django_db
def test_a_single_sweep_tells_that_the_database_is_away(monkeypatch):
    def sweep():
        raise InterfaceError("the connection is closed")

    monkeypatch.setattr(jobs, "sweep", sweep)
    with pytest.raises(InterfaceError):
        call_command("sweep")


def test_what_a_dead_worker_left_is_removed_after_a_day(settings, tmp_path):
    settings.PORTAL_ARCHIVE = tmp_path
    kept = archive.store([b"whole"])
    old, young = tmp_path / "new-old", tmp_path / "new-young"
    for left in (old, young):
        left.write_bytes(b"half")
    a_day_ago = time.time() - 90_000
    os.utime(old, (a_day_ago, a_day_ago))
    os.utime(archive.path_of(kept.sha256), (a_day_ago, a_day_ago))
    assert archive.tidy() == 1
    assert (old.exists(), young.exists()) == (False, True)
    assert archive.is_whole(kept.sha256)
