"""Messages that come twice, late, in another order, or are no messages."""

import random

import pytest

from ratinglists import jobs
from tests.chaos.arena import SHORT, broken
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos


def ring_wildly(city, arena, times: int = 10 if SHORT else 50) -> None:
    """Every job's message fifty times over, those of jobs long done among them, in any order."""
    chance = random.Random(7)
    periods = [arena.periods(system)[0] for system in city.systems[:4]]
    asked = [arena.ask("compute", period) for period in periods]
    bells = [job.pk for job in asked for _ in range(times)]
    chance.shuffle(bells)
    for pk in bells:
        jobs.ring(pk)
    for job in asked:
        arena.finish(job)
    asked += [arena.ask("publish", period) for period in periods]
    bells = [job.pk for job in asked for _ in range(times // 2)]
    chance.shuffle(bells)
    for pk in bells:
        jobs.ring(pk)
    for job in asked[len(periods) :]:
        arena.finish(job)
    arena.until(lambda: city.redis.client.llen("celery") == 0, "the queue is empty")
    for job in asked:
        job.refresh_from_db()
        hold(job.attempts == 1, f"{job} was done {job.attempts} times")
    arena.check(periods)


def test_messages_doubled_and_in_another_order(city):
    with city.arena() as arena:
        ring_wildly(city, arena)


def test_without_claims_doubled_messages_do_the_work_twice(city):
    with city.arena(without="claims") as arena, broken():
        ring_wildly(city, arena, 4)


GARBAGE = [b"no message", b"{}", b'{"body": "AAAA", "headers": {}}', b"\xff\x00"]


def feed_garbage(city, arena, period, seconds) -> None:
    for thing in GARBAGE:
        city.redis.client.lpush("celery", thing)
    arena.finish(arena.ask("compute", period), seconds)


def test_garbage_in_the_queue_ends_and_loses_nothing(city):
    with city.arena() as arena:
        period = arena.periods("s1")[0]
        feed_garbage(city, arena, period, 60)
        arena.do("publish", period)
        arena.check([period])
        assert not any("worker ended" in text for text in arena.said)


def test_without_looking_at_messages_garbage_ends_the_work(city):
    with city.arena(without="messages") as arena:
        worker = arena.child("worker")
        arena.supervisor.children.remove(worker)  # which would start it again
        try:
            with broken():
                feed_garbage(city, arena, arena.periods("s1")[0], 15)
        finally:
            arena.supervisor.children.append(worker)
