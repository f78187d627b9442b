"""What the workers are told to do: an id in, a service called."""

from __future__ import annotations

from celery import shared_task

from players import crashpoints
from ratinglists import complaint_mail, partition, services


@shared_task(name="ratinglists.run_job")
def run_job(job_id: int) -> None:
    services.run_job(job_id)
    crashpoints.here("job: over, its message not acknowledged")


@shared_task(name="ratinglists.run_share")
def run_share(share_id: int) -> None:
    partition.run(share_id)


@shared_task(name="ratinglists.look_for_due_periods")
def look_for_due_periods() -> None:
    services.look_for_due_periods()


@shared_task(name="ratinglists.sweep")
def sweep() -> None:
    services.sweep()


@shared_task(name="ratinglists.send_complaints")
def send_complaints() -> None:
    complaint_mail.send_waiting()
