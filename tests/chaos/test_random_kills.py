"""SIGKILL at random times, spread over the phases: to a worker's child, a whole worker, or the sweep."""

import os
import random
import signal
import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.db import connections

from tests.chaos.arena import PATIENCE, SHORT, broken, in_parallel, stages_of
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos


@dataclass
class Killer:
    """Spreads its kills evenly over the phases of an undisturbed job; within a phase at a random moment."""

    arena: object
    phases: dict[str, dict[str, float]]
    wanted: int
    chance: random.Random = field(default_factory=lambda: random.Random(2026))
    ordered: int = 0
    histogram: Counter = field(default_factory=Counter)
    victims: Counter = field(default_factory=Counter)
    timers: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def killed(self) -> int:
        return sum(self.victims.values())

    def follow(self, job) -> None:
        """Kill the worker of a job in two of its attempts."""
        for kind in ("begin", "stage"):
            listeners = {"begin": self.arena.on_begin, "stage": self.arena.on_stage}[kind]
            listeners[job.pk] = lambda event, kind=kind: self._heard(job, event, kind)
        job.plan, job.lives = None, 2

    def _heard(self, job, event, kind) -> None:
        if kind == "begin":
            if job.lives == 0 or self.killed >= self.wanted:
                return
            job.lives -= 1
            stages = list(self.phases[job.kind])
            with self.lock:
                stage, self.ordered = stages[self.ordered % len(stages)], self.ordered + 1
            # One in four dies at any moment of the whole job, the others in their phase.
            if self.ordered % 4 == 0:
                job.plan = None
                self._soon(event["pid"], sum(self.phases[job.kind].values()))
            else:
                job.plan = stage
        stage = "claiming" if kind == "begin" else self.arena.stage_of(event["stage"])
        if job.plan == stage:
            job.plan = None
            self._soon(event["pid"], self.phases[job.kind][stage])

    def _soon(self, pid, longest) -> None:
        timer = threading.Timer(self.chance.uniform(0, max(longest, 0.02)), self._strike, [pid])
        self.timers.append(timer)
        timer.start()

    def _strike(self, pid) -> None:
        whole = self.chance.random() < 0.12
        at = self.arena.where.get(pid)
        stage = self.arena.strike(pid, whole)
        if stage:
            kind = f"{at['of']}: " if at else ""
            self.histogram[f"{kind}{stage}"] += 1
            self.victims["whole worker" if whole else "worker's child"] += 1

    def strike_sweep(self) -> None:
        sweep = self.arena.child("sweep0")
        at_work = sweep.running and self.arena.told("swept", pid=sweep.process.pid)
        if at_work and self.killed < self.wanted:
            os.killpg(sweep.process.pid, signal.SIGKILL)
            sweep.failures = 0
            self.histogram["the sweep"] += 1
            self.victims["sweep"] += 1


def bars(histogram: Counter) -> str:
    width = max(map(len, histogram))
    return "\n".join(f"  {name:{width}} {count:4} {'#' * count}" for name, count in sorted(histogram.items()))


def test_killed_at_random_times(city, note):
    """No list torn, lost, doubled or wrong, whatever dies whenever; each job at its end within a minute."""
    wanted = 12 if SHORT else 200 if city.on_postgresql else 20
    with city.arena() as arena:
        first, *rest = [period for system in city.systems for period in arena.periods(system)]
        phases = {}
        for kind in ("compute", "publish"):
            job = arena.do(kind, first)
            arena.passed(job)
            phases[kind] = stages_of(arena, job)
        killer = Killer(arena, phases, wanted)

        def do(kind, period) -> None:
            arena.finish(arena.ask(kind, period, before=killer.follow), PATIENCE)

        def lane(periods) -> None:
            for number, period in enumerate(periods):
                do("compute", period)
                do("compute", period)
                while number + 1 == len(periods) and killer.killed < wanted:
                    do("compute", period)
                do("publish", period)

        over = threading.Event()

        def strike_sweeps() -> None:
            while not over.wait(killer.chance.uniform(5, 15)):
                killer.strike_sweep()
            connections.close_all()

        other = threading.Thread(target=strike_sweeps)
        other.start()
        try:
            in_parallel(lane, [[p for p in rest if p.system_id == system] for system in city.systems])
        finally:
            over.set()
            other.join()
        for timer in killer.timers:
            timer.join()
        arena.check([first, *rest])
    note(f"{killer.killed} kills {dict(killer.victims)}; phases at death:\n{bars(killer.histogram)}")
    note(arena.times())
    hold(killer.killed >= wanted, f"only {killer.killed} kills of {wanted}")
    hold(len(killer.histogram) >= 5, f"the kills are not spread: {killer.histogram}")


def test_without_the_sweep_a_killed_job_is_lost(city):
    with city.arena(without="sweep") as arena:
        period = arena.periods("s0")[0]
        job = arena.ask("compute", period, at="compute: the inputs are read")
        with broken():
            arena.finish(job, 10)


def test_without_transactions_a_killed_publication_is_torn(city):
    with city.arena(without="transactions") as arena:
        period = arena.periods("s0")[0]
        arena.do("compute", period)
        job = arena.ask("publish", period, at="publish: the lists are flipped")
        with broken():
            arena.finish(job, 30)
            arena.check([period])


def test_without_the_rename_a_killed_publication_has_a_torn_file(city):
    with city.arena(without="rename") as arena:
        period = arena.periods("s0")[0]
        arena.do("compute", period)
        job = arena.ask("publish", period, at="archive: a part is written")
        with broken():
            arena.finish(job, 30)
            arena.check([period])
