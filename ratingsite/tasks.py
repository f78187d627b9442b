"""Tasks of the site itself."""

from celery import shared_task
from django.utils import timezone

from ratingsite.models import Heartbeat


@shared_task(name="ratingsite.heartbeat")
def heartbeat(token: int = 0) -> None:
    """Notes that a worker takes messages and writes to the database. A lost one is not sent again."""
    beat(Heartbeat.QUEUE, str(token))


def beat(who: int, token: str) -> None:
    """Note a sign of life."""
    Heartbeat.objects.update_or_create(pk=who, defaults={"token": token, "beaten_at": timezone.now()})
