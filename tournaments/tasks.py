"""What the scheduler has done to tournaments: services called."""

from __future__ import annotations

from celery import shared_task

from tournaments import notices, rechecks


@shared_task(name="tournaments.recheck_upcoming")
def recheck_upcoming() -> None:
    rechecks.recheck_upcoming()


@shared_task(name="tournaments.send_notices")
def send_notices() -> None:
    notices.send_waiting()
