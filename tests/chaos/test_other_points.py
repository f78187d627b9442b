"""SIGKILL at the crash points that no job passes."""

import signal
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.chaos.arena import SHORT
from tests.chaos.oracle import hold
from tests.chaos.points import named_points
from tests.factories import make_user
from tournaments.models import RatingSystem, Report, ReportNotice

pytestmark = pytest.mark.chaos


def dies(arena, point: str, *program: str) -> None:
    run = arena.run(*program, PORTAL_CRASH_AT=point)
    hold(run.returncode == -signal.SIGKILL, f"nobody passes {point}: {program} ended with {run.returncode}")


def ringing(arena, point, period) -> None:
    """A request of staff dies while it rings; the row stands, and a sweep rings."""
    before = list(period.jobs.values_list("pk", flat=True))
    dies(arena, point, "request", "compute", str(period.pk))
    arena.run("manage", "sweep")
    arena.finish(period.jobs.exclude(pk__in=before).get())


def sweeping(arena, point, period) -> None:
    """A sweep dies while it takes up the job of a dead worker; the next one takes it up."""
    job = arena.ask("compute", period, at="compute: the inputs are read")
    arena.until(lambda: arena.told("begin", job=job.pk), "the job begins")

    def lease_over() -> bool:
        job.refresh_from_db()
        return job.lease_until is not None and job.lease_until < timezone.now()

    arena.until(lease_over, "its lease is over")
    dies(arena, point, "manage", "sweep")
    time.sleep(3)  # a message that was lost is sent again after a lease's time
    arena.run("manage", "sweep")
    arena.finish(job)


def calendar(arena, point, period) -> None:
    """Dies while it queues what is due: nothing is queued; the next look queues it."""
    system = RatingSystem.objects.filter(pk=period.system_id)
    before = list(period.jobs.values_list("pk", flat=True))
    period.lists.filter(state="draft").delete()
    system.update(schedule=RatingSystem.Schedule.COMPUTE)
    dies(arena, point, "manage", "sweep")
    hold(period.jobs.count() == len(before), "a job of a transaction that died")
    arena.run("manage", "sweep")
    arena.finish(period.jobs.exclude(pk__in=before).get())
    system.update(schedule=RatingSystem.Schedule.MANUAL)


def noticing(arena, point, period) -> None:
    """Dies around a mail: after a quarter of an hour it is tried again. It may come twice."""
    report = Report.objects.filter(tournament__rating_system=period.system_id).first()
    entry = report.tournament.entries.filter(player__user=None).first()
    entry.player.user = make_user(f"mail-{point}-{entry.player_id}", email="player@example.org")
    entry.player.save()
    row = ReportNotice.objects.create(
        tournament=report.tournament,
        player=entry.player,
        report=report,
        digest="0" * 64,
        told_at=timezone.now(),
    )
    dies(arena, point, "call", "tournaments.notices", "send_waiting")
    row.refresh_from_db()
    hold(row.mail == "sending", f"the notice is {row.mail}")
    ReportNotice.objects.filter(pk=row.pk).update(mail_at=timezone.now() - timedelta(minutes=16))
    arena.run("call", "tournaments.notices", "send_waiting")
    row.refresh_from_db()
    hold(row.mail == "sent", f"the notice is {row.mail}")


#: the first word of a point -> what passes it, outside compute and publish
DRIVERS = {"ring": ringing, "sweep": sweeping, "calendar": calendar, "notice": noticing}


def test_killed_at_the_other_points(city, note):
    points = sorted(point for point in named_points() if point.partition(":")[0] in DRIVERS)
    times = 1 if SHORT or not city.on_postgresql else 5
    with city.arena(without="sweep") as arena:
        periods = [arena.periods(system)[0] for system in city.systems]
        for number, point in enumerate(points * times):
            DRIVERS[point.partition(":")[0]](arena, point, periods[number % len(periods)])
        for period in periods:
            arena.do("compute", period)
            arena.do("publish", period)
        arena.check(periods)
    note(f"{len(points) * times} kills at {len(points)} points: {points}")
