"""Lists by the calendar: two schedulers, or none for a while, and each list comes once."""

import os
import signal
import threading

import pytest
from django.db import connections

from ratinglists import jobs, services
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
    """None for a while, as for days; then one that dies, then one that looks again."""
    with city.arena(without="sweep") as arena:
        with broken():
            by_calendar(city, arena, 5)
        hold(not arena.told("begin"), "somebody asked for a job")
        run = arena.run("manage", "sweep", PORTAL_CRASH_AT="calendar: before a request")
        hold(run.returncode == -signal.SIGKILL, "the sweep did not die")
        over = threading.Event()

        def look_now_and_then() -> None:
            while not over.wait(1):
                services.look_for_due_periods()
                jobs.sweep()
            connections.close_all()

        scheduler = threading.Thread(target=look_now_and_then)
        scheduler.start()
        try:
            done = by_calendar(city, arena)
        finally:
            over.set()
            scheduler.join()
        arena.check(done)


def test_a_killed_sweep_comes_back(city):
    with city.arena() as arena:
        sweep = arena.child("sweep0")
        os.killpg(sweep.process.pid, signal.SIGKILL)
        arena.check(by_calendar(city, arena))


def test_without_the_supervisor_a_killed_sweep_stays_away(city):
    with city.arena() as arena:
        sweep = arena.child("sweep0")
        arena.supervisor.children.remove(sweep)
        os.killpg(sweep.process.pid, signal.SIGKILL)
        sweep.process.wait()
        with broken():
            by_calendar(city, arena, 10)
