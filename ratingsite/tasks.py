"""Tasks of the site itself."""

from celery import shared_task
from django.utils import timezone

from ratingsite.models import Heartbeat


@shared_task(name="ratingsite.heartbeat")
def heartbeat(token: str = "beat") -> None:
    """Notes that a worker takes messages and writes to the database. A lost one is not sent again."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"token": token, "beaten_at": timezone.now()})
