"""With the lease and the sweep of real use: every job is taken up within a minute of a death."""

import pytest

from tests.chaos.arena import PATIENCE, in_parallel

pytestmark = pytest.mark.chaos
POINTS = [
    ("compute", "claim: before the commit"),
    ("compute", "claim: taken"),
    ("compute", "compute: an event is rated:5"),
    ("compute", "compute: the rows are written"),
    ("publish", "archive: a part is written"),
    ("publish", "publish: the lists are flipped"),
    ("publish", "publish: before the commit"),
    ("publish", "job: over, its message not acknowledged"),
]


def test_taken_up_within_a_minute(city, note):
    """A lease of 30 s, a sweep every 15 s."""
    done = []
    with city.arena(lease=30, every=15, concurrency=4) as arena:

        def strike(part) -> None:
            (kind, point), system = part
            period = arena.periods(system)[0]
            if kind == "publish":
                arena.do("compute", period)
            job = arena.ask(kind, period, at=point)
            arena.finish(job, PATIENCE)
            if kind == "compute":
                arena.do("publish", period)
            done.append(period)

        in_parallel(strike, list(zip(POINTS, city.systems, strict=False)))
        arena.check(done)
    note(f"{len(done)} deaths: {arena.times()}")
