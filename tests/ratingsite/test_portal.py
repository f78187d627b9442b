"""./portal on a copy of the project: first start, second start, refusals, and an end without a rest."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
APART = ("tests", "var", "docs", "bench", "__pycache__", ".git", ".venv*", ".*_cache", ".hypothesis")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("portal") / "copy"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*APART))
    return folder


@pytest.fixture
def copy(folder):
    """The project's copy, used by one test after the other; what a failed one left running is ended."""
    yield folder
    for pid in processes(folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def processes(folder: Path) -> list[int]:
    """Every process that was started from that folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Portal:
    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.port, self.folder = free_port(), folder
        self.output = folder / f"output-{self.port}.txt"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                ["./portal", "--port", str(self.port), *arguments],
                cwd=folder,
                env=environment | variables,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_ready(self, seconds: float = 170) -> None:
        deadline = time.monotonic() + seconds
        while "Ctrl-C ends it" not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)

    def get(self, path: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def end(self, number: int = signal.SIGTERM, seconds: float = 20) -> list[int]:
        """Sends the signal; returns the processes that are left after that time at most."""
        self.process.send_signal(number)
        self.process.wait(seconds)
        deadline = time.monotonic() + 10
        while (left := processes(self.folder)) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left


def test_first_start_opens_within_three_minutes_and_ends_cleanly(copy):
    portal = Portal(copy)
    portal.wait_ready(180)
    assert f"http://127.0.0.1:{portal.port}/" in portal.said
    for password in ("staff-demo", "approver-demo", "arbiter-demo"):
        assert password in portal.said
    assert portal.get("/accounts/login/")[0] == 200
    assert json.loads(portal.get("/healthz/queue")[1])["database"] == "ok"
    status, style = portal.get("/static/admin/css/base.css")
    assert status == 200
    assert style
    second = Portal(copy)
    assert second.process.wait(30) == 1
    assert f"http://127.0.0.1:{portal.port}/" in second.said
    assert portal.end(signal.SIGINT) == []
    var = copy / "var"
    at_the_top = (var, *var.iterdir())
    assert [path for path in at_the_top if path.lstat().st_mode & 0o077] == [], "for its own user only"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_later_starts_are_quick_keep_the_data_and_end_cleanly(copy, number):
    if not (copy / "var" / "portal.sqlite3").exists():  # the first test ran in another process
        first = Portal(copy)
        first.wait_ready()
        assert first.end() == []
    portal = Portal(copy)
    portal.wait_ready(40)
    assert "Loading" not in portal.said
    assert "Installing" not in portal.said
    assert portal.end(number) == []


def test_a_killed_worker_comes_back(copy):
    portal = Portal(copy)
    portal.wait_ready()
    worker = next(pid for pid in processes(copy) if b"celery\0-A\0ratingsite\0worker" in cmdline(pid))
    os.kill(os.getpgid(worker), signal.SIGKILL)
    deadline = time.monotonic() + 30
    while "worker ended" not in portal.said and time.monotonic() < deadline:
        time.sleep(0.1)
    while not any(b"celery\0-A\0ratingsite\0worker" in cmdline(pid) for pid in processes(copy)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert portal.end() == []


def cmdline(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


REFUSALS = {
    "outside address": (["--host", "0.0.0.0"], {}, "PORTAL_SECRET_KEY"),
    "database away": ([], {"PORTAL_DATABASE_URL": "postgresql://a@127.0.0.1:1/x"}, "PORTAL_DATABASE_URL"),
    "redis away": ([], {"PORTAL_REDIS_URL": "redis://127.0.0.1:1/0"}, "PORTAL_REDIS_URL"),
    "wrong database": ([], {"PORTAL_DATABASE_URL": "mysql://a/x"}, "PORTAL_DATABASE_URL"),
    "unsafe production": ([], {"PORTAL_SECRET_KEY": "x"}, "PORTAL_HOSTS"),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_refusals_name_the_remedy_and_leave_nothing(copy, reason):
    arguments, variables, remedy = REFUSALS[reason]
    portal = Portal(copy, *arguments, **variables)
    assert portal.process.wait(60) == 1
    assert remedy in portal.said
    assert "Traceback" not in portal.said
    assert processes(copy) == []


def test_a_busy_port_is_refused(copy):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        portal = Portal(copy, "--port", str(busy.getsockname()[1]))
        assert portal.process.wait(60) == 1
    assert "--port" in portal.said


def test_on_postgresql_and_redis(copy, private_redis):
    """PostgreSQL, where the missing database is made, and a Redis instead of the embedded broker."""
    import psycopg

    given = os.environ.get("PORTAL_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/portal_run")
    server, _, name = given.rpartition("/")
    url = f"{server}/{name}_portal"
    portal = Portal(copy, "--no-demo", PORTAL_DATABASE_URL=url, PORTAL_REDIS_URL=private_redis.url)
    try:
        portal.wait_ready(60)
        assert not any(b"valkey-server" in cmdline(pid) for pid in processes(copy))
        assert json.loads(portal.get("/healthz/queue")[1])["heartbeat_age_seconds"] is not None
    finally:
        left = portal.end()
        with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
            admin.execute(f'DROP DATABASE IF EXISTS "{name}_portal" WITH (FORCE)')
    assert left == []
