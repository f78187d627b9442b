"""Real programs of the portal for tests: a Celery worker on the test's own database and queue."""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import redis
from django.conf import settings
from django.db import connection

from ratingsite.models import Heartbeat
from ratingsite.tasks import heartbeat

ROOT = Path(__file__).resolve().parents[1]


def database_url() -> str:
    """The test database as PORTAL_DATABASE_URL."""
    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    password = f":{quote(parts['PASSWORD'], safe='')}" if parts["PASSWORD"] else ""
    return f"postgresql://{quote(parts['USER'])}{password}@{parts['HOST']}:{parts['PORT']}/{parts['NAME']}"


class Worker:
    """`celery worker` in a process group of its own. Needs PORTAL_REDIS_URL and a committed database."""

    def __init__(self) -> None:
        if settings.PORTAL_EMBEDDED_BROKER:
            raise RuntimeError("A test with a worker needs PORTAL_REDIS_URL; ./test sets it.")
        redis.Redis.from_url(settings.CELERY_BROKER_URL).flushdb()
        self.process: subprocess.Popen | None = None
        self.log = Path(settings.VAR_DIR) / "worker.log"

    def start(self) -> None:
        """Returns when the worker has answered through the queue."""
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DATABASE_URL": database_url(),
            "REMAP_SIGTERM": "SIGQUIT",
            "PORTAL_ONE_PERSON": "1" if settings.PORTAL_ONE_PERSON else "",
        }
        command = [sys.executable, "-m", "celery", "-A", "ratingsite", "worker", "--concurrency", "1"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--loglevel", "INFO", "--without-gossip", "--without-mingle"],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        token, deadline = secrets.randbelow(1 << 62), time.monotonic() + 60
        heartbeat.delay(token)
        while not Heartbeat.objects.filter(token=token).exists():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"The worker does not answer:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.1)

    def kill(self) -> None:
        """Ends it and its children as a power cut would."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
