"""The broker emptied, stopped, frozen and restarted while lists are computed and published."""

import time

import pytest

from tests.chaos.arena import SHORT, broken

pytestmark = pytest.mark.chaos
#: where the blow falls: the worker waits there
POINTS = {"compute": "compute: the inputs are read", "publish": "publish: a file is written"}


def stopped(redis) -> None:
    redis.stop()
    time.sleep(3)
    redis.start()


def frozen(redis) -> None:
    redis.freeze()
    time.sleep(12)  # longer than a socket waits
    redis.thaw()


BLOWS = {"emptied": lambda redis: redis.flush(), "stopped": stopped, "frozen": frozen}
if SHORT:
    del BLOWS["frozen"]


@pytest.mark.parametrize("blow", BLOWS)
def test_redis_struck_while_a_job_runs(city, note, blow):
    with city.arena() as arena:
        period, slowest = arena.periods("s1")[0], 0.0
        for kind, point in POINTS.items():
            job = arena.ask(kind, period, wait=point)
            arena.waits(job)
            BLOWS[blow](city.redis)
            arena.go(job)
            struck = time.monotonic()
            arena.finish(job)
            slowest = max(slowest, time.monotonic() - struck)
        arena.check([period])
    note(f"at its end after {slowest:.1f} s at most")


def ask_without_redis(city, arena) -> None:
    """Jobs asked for while the broker is away, and others whose messages it loses."""
    away, lost = arena.periods("s1")[0], arena.periods("s2")[0]
    city.redis.stop()
    jobs = [arena.ask("compute", away)]
    city.redis.start()
    arena.stop_worker()
    jobs.append(arena.ask("compute", lost))
    city.redis.flush()
    arena.start_worker()
    for job in jobs:
        arena.finish(job, 60 if arena.sweeps else 20)


def test_no_request_is_lost_with_redis(city):
    with city.arena() as arena:
        ask_without_redis(city, arena)
        for system in ("s1", "s2"):
            arena.do("publish", arena.periods(system)[0])
        arena.check([arena.periods(system)[0] for system in ("s1", "s2")])


def test_without_the_sweep_requests_are_lost_with_redis(city):
    with city.arena(without="sweep") as arena, broken():
        ask_without_redis(city, arena)
