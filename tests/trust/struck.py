"""A real web server that is killed again and again, and clients that try again."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.programs import database_url
from tests.servers import free_port, wait_for

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'name="token" value="([^"]+)"')
CSRF = "c" * 32


class Web:
    """gunicorn as ./portal starts it, started again when its master dies."""

    def __init__(self, var: Path, workers: int) -> None:
        self.port, self.log = free_port(), var / "web.log"
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DATABASE_URL": database_url(),
            "PORTAL_ONE_PERSON": "1",
        }
        self.workers = workers
        # One request at a time in a process: a crash point is meant for one of them.
        self.command = [sys.executable, "-m", "gunicorn", "tests.trust.strikable", "--no-control-socket"]
        self.command += ["--bind", f"127.0.0.1:{self.port}", "--workers", str(workers)]
        # Loaded once: a new worker is there at once.
        self.command += [
            "--preload",
            "--worker-class",
            "gthread",
            "--threads",
            "1",
            "--graceful-timeout",
            "1",
        ]
        self.process: subprocess.Popen | None = None
        collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
        subprocess.run(collect, cwd=ROOT, env=self.environment, check=True)
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        wait_for(self.port, "gunicorn")

    def children(self) -> list[int]:
        file = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        with contextlib.suppress(OSError):
            return [int(pid) for pid in file.read_text().split()]
        return []

    def kill_worker(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def kill_master(self) -> None:
        """Its workers see it within a second and end."""
        self.process.kill()
        self.process.wait()

    def keep(self) -> None:
        """Start it again if it has ended, as what runs the portal does."""
        if self.process.poll() is not None:
            self.start()

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class GivenUp(Exception):
    """A client was not served however often it tried."""


class Visitor:
    """A client of the web: a browser with its cookies, or a program with its key. It counts its requests,
    so that a blow can be dealt while one is under way."""

    lock = threading.Lock()
    under_way = tried = answered = 0

    def __init__(self, web: Web, headers: dict[str, str]) -> None:
        self.web, self.headers = web, headers

    def post(self, path: str, body: bytes, **headers: str) -> tuple[int, str, str]:
        """Status, address of a redirect, body. Raises OSError or HTTPException when the server dies."""
        connection = http.client.HTTPConnection("127.0.0.1", self.web.port, timeout=60)
        with Visitor.lock:
            Visitor.under_way += 1
            Visitor.tried += 1
        try:
            connection.request(
                "POST", path, body, {"Content-Type": MULTIPART_CONTENT, **self.headers, **headers}
            )
            answer = connection.getresponse()
            told = answer.status, answer.headers.get("Location", ""), answer.read().decode()
            Visitor.answered += 1
            return told
        finally:
            with Visitor.lock:
                Visitor.under_way -= 1
            connection.close()

    def insist(self, path: str, fields: dict, **headers: str) -> tuple[int, str, str]:
        """Post again until there is an answer. ``X_Crash_At`` goes along the first time only."""
        crash = {"X-Crash-At": headers.pop("X_Crash_At")} if headers.get("X_Crash_At") else {}
        headers.pop("X_Crash_At", None)
        body = encode_multipart(BOUNDARY, fields)
        for _ in range(1000):
            try:
                return self.post(path, body, **headers, **crash)
            except (OSError, http.client.HTTPException):
                crash = {}
                time.sleep(0.05)
        raise GivenUp(path)
