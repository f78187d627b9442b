"""PostgreSQL restarted in mode immediate, as by a crash, in the middle of computing and of publishing."""

import time

import pytest

from tests.chaos.arena import SHORT, broken

pytestmark = [pytest.mark.chaos, pytest.mark.postgresql]
POINTS = [
    ("compute", "compute: an event is rated"),
    ("compute", "compute: the rows are written"),
    ("compute", "compute: before the commit"),
    ("publish", "publish: a file is written"),
    ("publish", "publish: the tournaments are counted"),
    ("publish", "publish: before the commit"),
    ("publish", "job: over, its message not acknowledged"),
]
if SHORT:
    POINTS = POINTS[5:6]


def restart_in(arena, city, kind, period, point, seconds=60) -> float:
    job = arena.ask(kind, period, wait=point)
    arena.waits(job)
    city.postgresql.restart_immediate()
    struck = time.monotonic()
    arena.go(job)
    arena.finish(job, seconds)
    return time.monotonic() - struck


def test_postgresql_restarted_at_work(city, note):
    slowest, done = 0.0, []
    with city.arena() as arena:
        periods = [period for system in city.systems for period in arena.periods(system)[:2]]
        for kind, point in POINTS:
            period = periods.pop(0)
            if kind == "publish":
                arena.do("compute", period)
            slowest = max(slowest, restart_in(arena, city, kind, period, point))
            if kind == "compute":
                arena.do("publish", period)
            done.append(period)
        arena.check(done)
    note(f"{len(POINTS)} restarts; the slowest job was at its end after {slowest:.1f} s")


def test_without_the_sweep_a_restart_loses_the_job(city):
    with city.arena(without="sweep") as arena, broken():
        restart_in(arena, city, "compute", arena.periods("s1")[0], "compute: before the commit", 10)
