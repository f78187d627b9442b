"""The disk of the archive or of the database is full in the middle of the work; then there is room again."""

import contextlib
import os
import shutil
import subprocess
import time

import pytest

from tests.chaos.arena import broken
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos


@contextlib.contextmanager
def small_disk(folder, megabytes: int):
    """A file system of its own in that folder; yields what fills it, and what makes room again.

    Mounting needs root; without it the archive's writes meet ENOSPC by an error put into their way.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True).returncode == 0
    filler = folder / "filler"

    def fill() -> None:
        if not mounted:
            (folder.parent / "armed" / "full").touch()
            return
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def empty() -> None:
        filler.unlink(missing_ok=True)
        (folder.parent / "armed" / "full").unlink(missing_ok=True)

    try:
        yield fill, empty, mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def publish_on_full_disk(arena, fill, empty) -> None:
    period = arena.periods("s1")[0]
    arena.do("compute", period)
    job = arena.ask("publish", period, wait="publish: a file is written")
    arena.waits(job)
    fill()
    arena.go(job)
    arena.until(lambda: arena.told("end", job=job.pk), "the attempt on the full disk is over")
    job.refresh_from_db()
    then = f"{job.state}, {job.message}"
    empty()
    arena.finish(job)
    arena.check([period])
    hold("queued" in then and "space" in then, f"{job}, on the full disk: {then}")


def test_the_archive_is_full(city, note):
    with city.arena() as arena, small_disk(city.var / "archive", 4) as (fill, empty, mounted):
        publish_on_full_disk(arena, fill, empty)
        note("a small file system" if mounted else "an error put into the way of writes")


def test_without_care_a_full_disk_publishes_torn_files(city):
    archive = city.var / "archive"
    with city.arena(without="full_disk") as arena, small_disk(archive, 4) as (fill, empty, _), broken():
        publish_on_full_disk(arena, fill, empty)


@pytest.mark.postgresql
def test_the_database_is_full(city, note):
    """A tablespace without room, while a draft is written; the job waits, and is done when there is room."""
    folder = city.var / "tablespace"
    with small_disk(folder, 300) as (fill, empty, mounted):
        assert mounted or os.getuid(), "root could not mount a file system"
        with contextlib.ExitStack() as stack:
            if mounted:
                shutil.chown(folder, "postgres")
                stack.callback(city.drop_tablespace)
                city.make_tablespace(folder)
            arena = stack.enter_context(city.arena())
            period = arena.periods("s1")[0]
            job = arena.ask("compute", period, wait="compute: the list is computed")
            arena.waits(job)
            fill()
            arena.go(job)
            if mounted:
                arena.until(lambda: arena.told("end", job=job.pk), "the attempt on the full disk is over")
                job.refresh_from_db()
                hold(job.is_open, f"{job}: {job.state}, {job.message}")
            empty()
            began = time.monotonic()
            arena.finish(job)
            note(f"at its end {time.monotonic() - began:.1f} s after there was room; it said: {job.message}")
            arena.do("publish", period)
            arena.check([period])
