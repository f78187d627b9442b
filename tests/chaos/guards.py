"""Guards of the portal, to be taken away one by one: each fault trial has to fail without its guard."""

from __future__ import annotations

import contextlib
import errno
import hashlib
from types import SimpleNamespace

from django.db.models import QuerySet

from players import crashpoints, ledger
from ratinglists import archive, services
from ratingsite import broker


def fence() -> None:
    """Whoever lost his lease writes all the same."""
    ledger.Claim.fence = lambda self: None


def locks() -> None:
    """No row is locked before it is read."""
    QuerySet.select_for_update = lambda self, **_: self.all()


_lock = QuerySet.select_for_update


def waiting_lock(self, **_):
    """A lock that waits for whoever holds the row."""
    return _lock(self)


def claims() -> None:
    """Everybody who is told of a job does it, done or not."""

    def take(model, pk):
        job = model._default_manager.get(pk=pk)
        job.state, job.token, job.attempts = "running", "everybody", job.attempts + 1
        job.lease_until, job.started_at = None, None
        job.save()
        return ledger.Claim(job)

    ledger.claim = take
    fence()


def transactions() -> None:
    """Compute and publish write statement by statement."""
    locks()
    fence()
    services.transaction = SimpleNamespace(atomic=contextlib.nullcontext)


def rename() -> None:
    """An archived file is written in its place, bit by bit."""

    def store(chunks):
        body = b"".join(chunks)
        stored = archive.Stored(hashlib.sha256(body).hexdigest(), len(body))
        target = archive.path_of(stored.sha256)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                file.write(body[: len(body) // 2])
                file.flush()
                crashpoints.here("archive: a part is written")
                file.write(body[len(body) // 2 :])
        return stored

    archive.store = store


def full_disk() -> None:
    """Nobody hears that the disk is full."""
    careful = archive.store

    def store(chunks):
        body = b"".join(chunks)
        try:
            return careful([body])
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EFBIG):
                raise
            stored = archive.Stored(hashlib.sha256(body).hexdigest(), len(body))
            archive.path_of(stored.sha256).parent.mkdir(parents=True, exist_ok=True)
            archive.path_of(stored.sha256).write_bytes(b"")
            return stored

    archive.store = store


def messages() -> None:
    """Whatever stands in the queue is given to Celery."""
    from kombu.transport import redis

    broker.check_envelope = broker.check_call = lambda *_: None
    broker.Channel._brpop_read = redis.Channel._brpop_read


def remove(names: list[str]) -> None:
    for name in names:
        globals()[name]()
