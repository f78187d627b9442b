"""A hundred processes publish the same period at the same moment."""

import json
import time

import pytest

from ratinglists.models import Job
from tests.chaos.arena import SHORT, broken
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos
COUNT, REFUSALS = 100, "is published already|no draft|computed again meanwhile"


def publish_together(city, arena, rounds: int, count: int = COUNT) -> int:
    """Returns how many of the processes could not get through to the database."""
    done = [period for system in city.systems for period in arena.periods(system)][:rounds]
    run = arena.run("publishers", str(count), *[str(period.pk) for period in done])
    hold(run.returncode == 0, f"the publishers: {run.stderr[-2000:]}")
    for period in done:
        arena.until(
            lambda period=period: not period.jobs.filter(state__in=["queued", "running"]).exists(),
            "all ended",
        )
    for job in Job.objects.exclude(kind="live"):
        hold(job.attempts == 1, f"{job} was done {job.attempts} times")
    arena.check(done, refusals=REFUSALS)
    return sum(json.loads(run.stdout.splitlines()[-1]))


def test_a_hundred_publishers(city, note):
    rounds = 1 if SHORT else 20 if city.on_postgresql else 5
    with city.arena(lease=30) as arena:  # nobody dies; on SQLite a renewal waits for a hundred writers
        turned_away = publish_together(city, arena, rounds)
        refused = Job.objects.filter(kind="publish", state="failed").count()
    note(f"{rounds} rounds of {COUNT}: {refused} late requests refused, {turned_away} processes turned away")
    # SQLite lets one write at a time, and turns away who waited for 20 seconds.
    hold(not turned_away or not city.on_postgresql, f"{turned_away} processes broke off")


def test_without_claims_many_do_the_work(city):
    with city.arena(without="claims") as arena, broken():
        publish_together(city, arena, 1, 12)


def publish_two_systems(arena) -> None:
    """The second comes while the first is in its transaction: it waits, and is the next link."""
    periods = [arena.periods(system)[0] for system in ("s1", "s2")]
    for period in periods:
        arena.do("compute", period)
    first = arena.ask("publish", periods[0], wait="publish: the manifest is written")
    arena.waits(first)
    second = arena.ask("publish", periods[1])
    arena.until(lambda: arena.told("stage", job=second.pk, stage="files are written"), "the second's files")
    time.sleep(1)
    arena.go(first)
    for job in (first, second):
        arena.finish(job)
        hold(job.attempts == 1, f"{job} took {job.attempts} attempts")
    arena.check(periods)


@pytest.mark.postgresql
def test_two_systems_publish_at_once(city):
    with city.arena(lease=30) as arena:
        publish_two_systems(arena)


@pytest.mark.postgresql
def test_without_locks_two_systems_want_the_same_link(city):
    with city.arena(without="locks", lease=5) as arena, broken():
        publish_two_systems(arena)
