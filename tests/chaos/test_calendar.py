"""Lists by the calendar: two schedulers, or none for a while, and each list comes once."""

import os
import signal

import pytest

from tests.chaos.arena import SHORT, broken
from tests.chaos.oracle import hold
from tournaments.models import RatingSystem

pytestmark = pytest.mark.chaos


def by_calendar(city, arena, seconds: int = 300) -> list:
    """Two systems go by their calendar, and nobody asks for anything; returns their periods when all are
    published."""
    systems = ["s1"] if SHORT else ["s1", "s2"]
    periods = [period for system in systems for period in arena.periods(system)]
    RatingSystem.objects.filter(pk__in=systems).update(schedule=RatingSystem.Schedule.PUBLISH)

    def published() -> bool:
        return all(period.lists.filter(state="published").exists() for period in periods)

    arena.until(published, "every list of the calendar is published", seconds)
    return periods


def test_two_schedulers_publish_each_list_once(city):
    with city.arena(schedulers=2) as arena:
        arena.check(by_calendar(city, arena))


def test_schedulers_killed_and_away(city):
    """None for a while, as for days; then each is killed again and again."""
    with city.arena(without="sweep") as arena:
        with broken():
            by_calendar(city, arena, 5)
        hold(not arena.told("begin"), "somebody asked for a job")
        done = False
        for _ in range(30):
            run = arena.run("manage", "sweep", PORTAL_CRASH_AT="calendar: before the commit")
            if run.returncode == -signal.SIGKILL:
                arena.run("manage", "sweep")
            try:
                done = by_calendar(city, arena, 3)
                break
            except AssertionError:
                continue
        hold(done, "not every list of the calendar was published")
        arena.check(done)


def test_a_killed_sweep_comes_back(city):
    with city.arena() as arena:
        sweep = arena.child("sweep0")
        os.killpg(sweep.process.pid, signal.SIGKILL)
        arena.check(by_calendar(city, arena))
