"""What the workers are told to do: a service called."""

from __future__ import annotations

from celery import shared_task

from tournaments import notices


@shared_task(name="tournaments.send_notices")
def send_notices() -> None:
    notices.send_waiting()
