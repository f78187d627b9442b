"""With the lease and the sweep of real use: every job is at its end within a minute of a death."""

import time

import pytest

from tests.chaos.arena import WITHIN, in_parallel
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos
POINTS = [
    ("compute", "claim: before the commit"),
    ("compute", "claim: taken"),
    ("compute", "compute: an event is rated:15"),
    ("compute", "compute: the rows are written"),
    ("publish", "archive: a part is written"),
    ("publish", "publish: the lists are flipped"),
    ("publish", "publish: before the commit"),
    ("publish", "job: over, its message not acknowledged"),
]


def test_taken_up_within_a_minute(city, note):
    """The renewal fails by surprise half a minute before: the lease of 30 s, a sweep every 15 s."""
    times, done = {}, []
    with city.arena(lease=30, every=15) as arena:

        def strike(part) -> None:
            (kind, point), system = part
            period = arena.periods(system)[0]
            if kind == "publish":
                arena.do("compute", period)
            job = arena.ask(kind, period, at=point)
            begun = arena.until(lambda: arena.told("begin", job=job.pk), "the job begins", 120)
            begun = begun[0]["heard"]
            arena.finish(job, 120)
            times[point] = time.monotonic() - begun
            if kind == "compute":
                arena.do("publish", period)
            done.append(period)

        in_parallel(strike, list(zip(POINTS, city.systems, strict=False)))
        arena.check(done)
    for point, seconds in times.items():
        note(f"{point}: at its end {seconds:.1f} s after it was begun for the first time")
    hold(max(times.values()) <= WITHIN, f"not within {WITHIN} s: {times}")
