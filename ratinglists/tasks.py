"""What the workers are told to do: an id in, a service called."""

from __future__ import annotations

from celery import shared_task

from players import player_imports
from ratinglists import complaint_mail, jobs, live, services


@shared_task(name="ratinglists.run_job")
def run_job(job_id: int) -> None:
    services.run_job(job_id)


@shared_task(name="ratinglists.look_for_due_periods")
def look_for_due_periods() -> None:
    services.look_for_due_periods()


@shared_task(name="ratinglists.sweep")
def sweep() -> None:
    live.sweep()
    jobs.sweep()
    player_imports.sweep()


@shared_task(name="ratinglists.send_complaints")
def send_complaints() -> None:
    complaint_mail.send_waiting()
