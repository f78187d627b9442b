"""SIGKILL at every named crash point. A point that no trial passes is a failure."""

import contextlib
import json
import threading
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from players.ledger import MAX_ATTEMPTS
from tests.chaos.arena import PATIENCE, SHORT, in_parallel
from tests.chaos.oracle import hold
from tests.chaos.points import OF_JOBS, OF_NO_PORTAL, OF_UPLOADS, named_points
from tests.chaos.test_other_points import DRIVERS

pytestmark = pytest.mark.chaos


OVER = -1
#: passed where a content is new to the archive: in a period's first computation or publication only
FRESH = ("archive: before the rename", "archive: renamed")
#: after it the job is over, and nobody takes it up again: kept for its last death
ENDING = "job: over"


class Orders:
    """At which points jobs of a kind are still to be killed; each is tried at three jobs at most."""

    def __init__(self, passed: dict[str, int], times: int) -> None:
        self.waiting = [
            (f"{name}:{1 + (count - 1) * n // max(1, times - 1)}", 0)
            for n in range(times)
            for name, count in passed.items()
        ]
        self.killed: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, fresh: bool, last: bool) -> tuple[str, int] | None:
        """For a job that is the first of its period and kind, or for any other; for its last death or not."""
        with self._lock:
            order = (fresh and self._first_for_fresh()) or self.next_for_any(last)
            if order:
                self.waiting.remove(order)
            return order

    def _first_for_fresh(self) -> tuple[str, int] | None:
        return next((order for order in self.waiting if order[0].startswith(FRESH)), None)

    def next_for_any(self, last: bool = True) -> tuple[str, int] | None:
        orders = [order for order in reversed(self.waiting) if not order[0].startswith(FRESH)]
        orders.sort(key=lambda order: order[0].startswith(ENDING) != last)
        return orders[0] if orders else None

    def back(self, at: str, tries: int) -> None:
        with self._lock:
            hold(tries < 3, f"nobody passes the crash point {at}")
            self.waiting.insert(0, (at, tries + 1))


def kill_at_points(arena, kind, period, orders, fresh=True) -> None:
    """One job, killed as often as it is tried again, and then done; ``fresh`` is the first of its period."""
    job = None
    for deaths in range(1, MAX_ATTEMPTS):
        if (order := orders.take(fresh and job is None, deaths == MAX_ATTEMPTS - 1)) is None:
            break
        at, tries = order
        before = len(arena.told("begin", job=job.pk, order=at)) if job else 0
        if job is None:
            job = arena.ask(kind, period, at=at)
        else:
            (arena.armed / str(job.pk)).write_text(json.dumps({"at": at}))
        pid = arena.until(partial(_taken, arena, job, at, before), f"{job} begins", PATIENCE)
        if pid == OVER:
            orders.back(at, tries - 1)  # over without having been taken up again
            break
        if arena.until(partial(_outcome, arena, pid), f"{job} dies at {at}", PATIENCE) == "lived":
            orders.back(at, tries)
            break
        orders.killed[at.rpartition(":")[0]] += 1
    arena.finish(job or arena.ask(kind, period), PATIENCE)


def _taken(arena, job, at, before) -> int | None:
    """The worker that has taken the order; OVER when the job is over, and the order not taken."""
    file = arena.armed / str(job.pk)
    if not file.exists():
        told = arena.told("begin", job=job.pk, order=at)
        return told[-1]["pid"] if len(told) > before else None
    job.refresh_from_db()
    if not job.is_open:
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
            return OVER
    return None


def _outcome(arena, pid) -> str | None:
    if not Path(f"/proc/{pid}").exists():
        return "died"
    last = [e for e in list(arena.events) if e["pid"] == pid and e["kind"] in ("begin", "end")][-1]
    return "lived" if last["kind"] == "end" else None


def test_killed_at_every_point_of_a_job(city, note):
    """Of both kinds, at different passes of each point; every job is at its end within a minute."""
    times = 1 if SHORT or not city.on_postgresql else 5
    with city.arena() as arena:
        rest = [period for system in city.systems for period in arena.periods(system)]
        # The very first publication has more files that are new to the archive than any other.
        measured = [rest.pop(0) for _ in range(1 if times == 1 else 2)]
        passes = [
            {kind: arena.passed(arena.do(kind, period)) for kind in ("compute", "publish")}
            for period in measured
        ]
        before = {
            kind: {
                # Systems share files without players: of those that are new, count on half.
                name: -(-least // 2) if name.startswith(FRESH) else least
                for name in found
                for least in [min(each[kind].get(name, 1) for each in passes)]
            }
            for kind, found in passes[0].items()
        }
        orders = {kind: Orders(passed, times) for kind, passed in before.items()}

        def lane(periods):
            for number, period in enumerate(periods):
                kill_at_points(arena, "compute", period, orders["compute"])
                while number + 1 == len(periods) and orders["compute"].next_for_any():
                    kill_at_points(arena, "compute", period, orders["compute"], fresh=False)
                kill_at_points(arena, "publish", period, orders["publish"])

        in_parallel(lane, [[p for p in rest if p.system_id == system] for system in city.systems])
        arena.check([*measured, *rest])
    passed = {name for kind in before for name in before[kind]}
    unseen = {point for point in named_points() if point.partition(":")[0] in OF_JOBS} - passed
    hold(not unseen, f"crash points that no job passes: {unseen}")
    for kind, each in orders.items():
        note(f"{kind}: {sum(each.killed.values())} kills at {len(each.killed)} points: {dict(each.killed)}")
        hold(not each.waiting, f"crash points that no {kind} was killed at: {each.waiting}")
    note(arena.times())


def test_every_point_is_struck():
    """A new point needs a trial: one that jobs pass, or a driver among the other points."""
    struck = (*DRIVERS, *OF_JOBS, *OF_NO_PORTAL, *OF_UPLOADS)
    forgotten = {point for point in named_points() if point.partition(":")[0] not in struck}
    assert not forgotten, f"no trial strikes at {forgotten}"
