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


def attempt_on_full_disk(arena, job, fill) -> str:
    """What became of a job, waiting at its point, whose first attempt goes on without room."""
    arena.waits(job)
    fill()
    arena.go(job)
    arena.passed(job)  # not the end of a second message, which has nothing to do
    job.refresh_from_db()
    return f"{job.state}, {job.message}"


def publish_on_full_disk(arena, fill, empty) -> None:
    period = arena.periods("s1")[0]
    arena.do("compute", period)
    job = arena.ask("publish", period, wait="publish: a file is written")
    then = attempt_on_full_disk(arena, job, fill)
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


@contextlib.contextmanager
def arena_on_small_database(city, **options):
    """An arena whose database lies in a small tablespace, and what fills it and makes room."""
    folder = city.var / "tablespace"
    with small_disk(folder, 300) as (fill, empty, mounted), contextlib.ExitStack() as stack:
        assert mounted or os.getuid(), "root could not mount a file system"
        if mounted:
            shutil.chown(folder, "postgres")
            stack.callback(city.drop_tablespace)
            city.make_tablespace(folder)
        yield stack.enter_context(city.arena(**options)), fill, empty, mounted


def compute_in_full_database(arena, fill, empty) -> tuple[float, str]:
    """How long the job took once there was room, and what it said of the time before."""
    period = arena.periods("s1")[0]
    job = arena.ask("compute", period, wait="compute: the list is computed")
    then = attempt_on_full_disk(arena, job, fill)
    hold(job.is_open, f"{job}: {then}")
    hold(not period.lists.exists(), f"{job} left a part of its draft")
    empty()
    began = time.monotonic()
    arena.finish(job)
    took = time.monotonic() - began
    arena.do("publish", period)
    arena.check([period])
    return took, then


@pytest.mark.postgresql
def test_the_database_is_full(city, note):
    """A tablespace without room, while a draft is written; the job waits, and is done when there is room."""
    with arena_on_small_database(city) as (arena, fill, empty, mounted):
        if not mounted:
            return note("NOT TRIED: only root may mount a small file system")
        took, then = compute_in_full_database(arena, fill, empty)
        hold("space" in then, f"on the full disk the job said: {then}")
        note(f"at its end {took:.1f} s after there was room; it said: {then}")


@pytest.mark.postgresql
@pytest.mark.parametrize("guard", ["sweep", "transactions"])
def test_without_a_guard_a_full_database_fails_a_job_or_tears_a_draft(city, guard, note):
    with arena_on_small_database(city, without=guard) as (arena, fill, empty, mounted):
        if not mounted:
            return note("NOT TRIED: only root may mount a small file system")
        with broken():
            compute_in_full_database(arena, fill, empty)
