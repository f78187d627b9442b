"""A worker that stands still beyond its lease, and comes back when another has done its job."""

import os
import signal

import pytest
from django.contrib.auth import get_user_model

from ratinglists import services
from tests.chaos.arena import broken
from tests.chaos.oracle import hold

pytestmark = pytest.mark.chaos


def come_back(arena, period) -> None:
    """What staff have made of the draft meanwhile must stand."""
    job = arena.ask("compute", period, wait="compute: the list is computed")
    pid = arena.waits(job)["pid"]
    os.kill(pid, signal.SIGSTOP)
    arena.finish(job)
    hold(job.attempts == 2, f"{job} ended in attempt {job.attempts}: the frozen worker was not passed over")
    draft = period.lists.get()
    services.propose(draft, get_user_model().objects.get(username="chaos-staff"))
    os.kill(pid, signal.SIGCONT)
    arena.go(job)
    arena.until(lambda: arena.told("end", job=job.pk, pid=pid), "the frozen worker comes to its end")
    now = period.lists.get()
    hold(now.pk == draft.pk and now.proposed_by, "the draft that was proposed is gone")
    arena.do("publish", period)
    arena.check([period])


def test_a_worker_back_from_the_dead_writes_nothing(city):
    with city.arena() as arena:
        come_back(arena, arena.periods("s1")[0])


def test_without_the_fence_it_overwrites_what_staff_proposed(city):
    with city.arena(without="fence") as arena, broken():
        come_back(arena, arena.periods("s1")[0])
