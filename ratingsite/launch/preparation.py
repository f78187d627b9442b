"""What must be true before the processes start: services reached, database migrated, files collected."""

import hashlib
import logging
import os
import socket
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.checks import run_checks
from django.core.management import call_command, get_commands


class Refusal(Exception):
    """The portal cannot start; the text says why and what to do."""


def check_settings() -> list[str]:
    """Runs all system checks but the database's; returns warnings. Raises Refusal with all errors."""
    return _sorted_out(run_checks())


def check_database() -> list[str]:
    """Runs all system checks on the migrated database. Raises Refusal with all errors."""
    return _sorted_out(run_checks(databases=["default"]))


def _sorted_out(messages: list) -> list[str]:
    def line(message) -> str:
        return f"  {message.msg} {message.hint or ''}".rstrip()

    errors = [line(message) for message in messages if message.is_serious() and not message.is_silenced()]
    if errors:
        raise Refusal("The portal does not start like this:\n" + "\n".join(errors))
    return [line(message) for message in messages if not message.is_silenced()]


def check_port(host: str, port: int) -> None:
    """Raises Refusal when another program listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        hint = f"Choose another port, for instance --port {port + 1}."
        raise Refusal(f"{host}:{port} cannot be used ({error.strerror}). {hint}") from error


def prepare_database() -> None:
    """Makes the PostgreSQL database when it is missing. Raises Refusal when the server is not reached."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        Path(database["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        return
    import psycopg
    from psycopg import sql

    place = {"host": database["HOST"], "port": database["PORT"], "user": database["USER"]}
    login = {**place, "password": database["PASSWORD"], **database["OPTIONS"]}
    login = {key: value for key, value in login.items() if value not in ("", None)}
    server = f"{database['HOST'] or 'local socket'}:{database['PORT'] or 5432}"
    where = f"{database['USER']}@{server}/{database['NAME']}"
    try:
        psycopg.connect(dbname=database["NAME"], **login).close()
        return
    except psycopg.OperationalError as error:
        missing = f'database "{database["NAME"]}" does not exist' in str(error)
        if not missing:
            raise Refusal(
                f"PostgreSQL ({where}) is not reached: {error}\nCheck PORTAL_DATABASE_URL."
            ) from error
    try:
        with psycopg.connect(dbname="postgres", autocommit=True, **login) as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database["NAME"])))
    except psycopg.Error as error:
        raise Refusal(f"The database ({where}) is missing and cannot be made: {error}") from error


def check_broker() -> None:
    """Raises Refusal when PORTAL_REDIS_URL names a server that does not answer within five seconds."""
    if settings.PORTAL_EMBEDDED_BROKER:
        return
    import redis

    try:
        redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=5, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise Refusal(f"Redis is not reached: {error}\nCheck PORTAL_REDIS_URL.") from error


def migrate() -> None:
    """Brings the database to this version, and the groups to the rights that it knows."""
    call_command("migrate", interactive=False, verbosity=0)
    with open(os.devnull, "w") as nowhere:
        call_command("roles", stdout=nowhere)


def load_demo(say) -> bool:
    """Loads the demonstration into an empty database; returns whether it is there.

    A load that was broken off is noticed at the next start, which raises Refusal.
    """
    broken = settings.VAR_DIR / "demo-incomplete"
    if broken.exists():
        raise Refusal("The last load of the demo data was broken off. Start afresh with: ./portal --reset")
    if _has_data():
        return demo_accounts_exist()
    if "load_demo" not in get_commands():
        say("There is no demo data to load yet (manage.py load_demo is missing): the portal starts empty.")
        return False
    say("Loading the demo federation …")
    broken.touch()
    with _no_broker_yet():
        call_command("load_demo", verbosity=0)
    broken.unlink()
    return True


@contextmanager
def _no_broker_yet():
    """The demonstration loads before the broker is started: a bell that nobody hears is no warning here."""
    bell = logging.getLogger("ratingsite.celery")
    level = bell.level
    bell.setLevel(logging.ERROR)
    try:
        yield
    finally:
        bell.setLevel(level)


def _has_data() -> bool:
    return get_user_model().objects.exists() or apps.get_model("players", "Player").objects.exists()


def demo_accounts_exist() -> bool:
    names = list(settings.PORTAL_DEMO_ACCOUNTS)
    return get_user_model().objects.filter(username__in=names, is_active=True).count() == len(names)


def collect_static() -> None:
    """Collects the static files when one of them has changed since the last time."""
    parts = [
        f"{path} {Path(storage.path(path)).stat().st_mtime_ns}"
        for finder in get_finders()
        for path, storage in finder.list([])
    ]
    digest = hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()
    stamp = settings.STATIC_ROOT / ".collected"
    if stamp.exists() and stamp.read_text() == digest:
        return
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(digest)


def clear_metrics() -> None:
    """Forget what the web processes of the last start counted."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        for path in Path(folder).glob("*.db"):
            path.unlink()


def reset() -> None:
    """Removes the SQLite database and what was derived from it. Raises Refusal for any other database."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        name = quote(database["NAME"])
        raise Refusal(
            f"--reset removes SQLite databases only. Drop the PostgreSQL database yourself: dropdb {name}"
        )
    if settings.PORTAL_PRODUCTION:
        raise Refusal("--reset is for the demonstration: it removes nothing in production.")
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{database['NAME']}{suffix}").unlink(missing_ok=True)
    for name in ("demo-incomplete", "beat-schedule"):
        (settings.VAR_DIR / name).unlink(missing_ok=True)
