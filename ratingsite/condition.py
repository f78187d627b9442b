"""How the portal does: what monitors, the status page and the metrics tell. Reads only."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min
from django.utils import timezone

from players import triggers
from players.ledger import Work
from players.models import AuditEntry, OutboxMessage
from ratinglists.models import Publication
from ratingsite.environment import cache_url
from ratingsite.models import Heartbeat

#: after so long without a sign of life the queue, or the sweep, is taken for broken
SILENCE = timedelta(minutes=3)
#: a job that waits longer is late
LATE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Jobs:
    """Jobs of a kind in a state, and since when the oldest of them is there."""

    kind: str
    state: str
    number: int
    since: datetime


def heartbeat(pk: int) -> datetime | None:
    """When the queue (``Heartbeat.QUEUE``) or the sweep last gave a sign of life."""
    return Heartbeat.objects.filter(pk=pk).values_list("beaten_at", flat=True).first()


def is_silent(beaten_at: datetime | None) -> bool:
    return beaten_at is None or timezone.now() - beaten_at > SILENCE


def jobs() -> list[Jobs]:
    """The jobs of every ledger by kind and state."""
    found = []
    for model in sorted(Work.__subclasses__(), key=lambda model: model.__name__):
        own = model._meta.model_name
        kinds = ["kind"] if any(field.name == "kind" for field in model._meta.fields) else []
        rows = model._default_manager.order_by().values("state", *kinds)
        for row in rows.annotate(number=Count("pk"), since=Min("requested_at")):
            kind = row.get("kind", own) if own == "job" else "-".join(filter(None, (own, row.get("kind"))))
            found.append(Jobs(kind, row["state"], row["number"], row["since"]))
    return found


def is_late(known: list[Jobs]) -> bool:
    """Does a job wait longer than ``LATE``?"""
    return any(each.state == Work.State.QUEUED and timezone.now() - each.since > LATE for each in known)


def messages_in_queue() -> int | None:
    """Bells that no worker has heard yet; None while the broker does not answer."""
    try:
        with redis.Redis.from_url(
            cache_url(settings.CELERY_BROKER_URL), socket_timeout=0.5, socket_connect_timeout=0.5
        ) as broker:
            return broker.llen("celery")
    except (redis.RedisError, OSError):
        return None


def outbox() -> dict[str, int]:
    """Messages to staff by state."""
    rows = OutboxMessage.objects.order_by().values_list("state")
    return dict(rows.annotate(Count("pk")))


def unsealed() -> int:
    """Entries of the audit log that wait for their number."""
    return AuditEntry.objects.filter(number__isnull=True).count()


def last_publication() -> Publication | None:
    return Publication.objects.order_by("-number").first()


def database_bytes() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return cursor.fetchone()[0]


def free_bytes() -> int:
    """Of the disk where the archive lies."""
    return shutil.disk_usage(settings.PORTAL_ARCHIVE).free


def obstacles() -> list[str]:
    """Why this process should get no requests, with the remedies; or nothing. Raises DatabaseError."""
    found = []
    if not _is_migrated():
        found.append("The database is not migrated to this version: manage.py migrate.")
    if not Path(settings.PORTAL_ARCHIVE).is_dir():
        found.append("The archive's folder is not there: mount it, or set PORTAL_ARCHIVE.")
    return found


@cache
def _migrated(name: str) -> None:
    """Remembers a database that was found migrated, with its triggers; raises LookupError while it is not."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()) or triggers.missing(connection):
        raise LookupError(name)


def _is_migrated() -> bool:
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    try:
        _migrated(str(connection.settings_dict["NAME"]))
    except LookupError:
        return False
    return True
