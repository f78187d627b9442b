"""Secrets never reach a log, whatever goes wrong: known ones are set, faults of all sorts provoked."""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings as current
from django.db import connection
from django.test import Client, override_settings
from django.urls import path

from ratinglists import api_keys
from ratingsite.celery import app
from ratingsite.logs import JsonFormatter, LineFormatter
from tests.factories import make_federation, make_user
from tests.programs import ROOT

pytestmark = pytest.mark.django_db

SECRETS = {
    "PORTAL_SECRET_KEY": "kX0-3fJ9qLw7ZrT1yVb5NcMd8HgPsAoEiUu2_4tRlQxYzWvBn6mKj",
    "PORTAL_METRICS_TOKEN": "metrics-token-q8w7e6r5t4y3u2i1o0",
    "PORTAL_BACKUP_PASSPHRASE": "passphrase-of-backups-z9x8c7v6",
    "PORTAL_SMTP_PASSWORD": "smtp-password-m1n2b3v4c5",
    "PORTAL_DATABASE_URL": "postgresql://portal:database-password-p0o9i8@127.0.0.1:1/portal",
    "PORTAL_REDIS_URL": "redis://:redis-password-l5k4j3h2@127.0.0.1:1/0",
}
PARTS = [
    *(SECRETS[name] for name in list(SECRETS)[:4]),
    "database-password-p0o9i8",
    "redis-password-l5k4j3h2",
]
OTHERS = {
    "PORTAL_VAR": "{var}",
    "PORTAL_HOSTS": "ratings.example.org",
    "PORTAL_ORIGIN": "https://ratings.example.org",
    "PORTAL_TRUST_PROXY": "1",
    "PORTAL_SMTP_HOST": "127.0.0.1",
    "PORTAL_SMTP_USER": "portal",
    "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
}


def run(tmp_path, *command: str, **change: str) -> str:
    """All that a program prints, with every secret set."""
    key = tmp_path / "signing-key.pem"
    key.touch(mode=0o600)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    given = {
        name: value.replace("{var}", str(tmp_path)) for name, value in (OTHERS | SECRETS | change).items()
    }
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=kept | given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def clean(said: str, *more: str) -> None:
    for secret in (*PARTS, *more):
        assert secret not in said


RING = """
import django; django.setup()
from ratingsite.tasks import heartbeat
from ratinglists.tasks import run_job
heartbeat.delay(7); run_job.delay(3)
from django.core.mail import send_mail
from django.core.cache import caches
import logging
for what in (lambda: send_mail("a", "b", None, ["c@example.org"]), lambda: caches["shared"].get("x"),
             lambda: run_job.run(1)):
    try:
        what()
    except Exception:
        logging.getLogger("portal").exception("it failed")
print("over")
"""
COMMANDS = {
    "check": ("manage.py", "check", "--deploy"),
    "a database that is away": ("manage.py", "migrate"),
    "sweep": ("manage.py", "sweep"),
    "broker, mail and cache away": ("-c", RING),
    "web": ("-c", "import ratingsite.wsgi"),
    "an unknown command": ("manage.py", "nothing"),
}


@pytest.mark.once
@pytest.mark.parametrize("errors", ["", "1"])
@pytest.mark.parametrize("what", COMMANDS)
def test_programs(tmp_path, what, errors):
    said = run(tmp_path, *COMMANDS[what], PORTAL_LOG_ERRORS=errors)
    assert said.strip()
    clean(said)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORTAL_DATABASE_URL", "postgresql://portal:database-password-p0o9i8@127.0.0.1:port/portal"),
        ("PORTAL_DATABASE_URL", "mysql://portal:database-password-p0o9i8@127.0.0.1/portal"),
        ("PORTAL_DATABASE_URL", "postgresql://portal:database-password-p0o9i8@db.example.org/portal"),
        ("PORTAL_REDIS_URL", "redis://:redis-password-l5k4j3h2@broker.example.org:6379/0"),
        ("PORTAL_ORIGIN", "https://ann:database-password-p0o9i8@ratings.example.org"),
        ("PORTAL_ORIGIN", "ftp://ann:database-password-p0o9i8@ratings.example.org/x"),
        ("PORTAL_SECRET_KEY", "metrics-token-q8w7e6r5t4y3u2i1o0"),
        ("PORTAL_METRICS_NETWORKS", "metrics-token-q8w7e6r5t4y3u2i1o0"),
    ],
)
def test_settings_that_are_refused(tmp_path, name, value):
    said = run(tmp_path, "manage.py", "check", **{name: value})
    assert name in said or "E0" in said
    clean(said)


@pytest.fixture
def written(settings):
    """What goes into the log of a production, as lines and as JSON."""
    settings.PORTAL_LOG_ERRORS = False
    out, handlers = io.StringIO(), []
    for formatter in (JsonFormatter, LineFormatter):
        handler = logging.StreamHandler(out)
        handler.setFormatter(formatter())
        handlers.append(handler)
        logging.getLogger().addHandler(handler)
    yield out
    for handler in handlers:
        logging.getLogger().removeHandler(handler)


def _fault(request):
    held = (request.COOKIES, request.headers.get("Authorization"), current.SECRET_KEY, dict(request.POST))
    raise RuntimeError(f"{held}")


def _query(request):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s FROM nowhere", [request.POST.get("password", "")])


urlpatterns = [path("fault", _fault), path("query", _query)]


@override_settings(ROOT_URLCONF=__name__)
def test_requests(written, settings):
    settings.SECRET_KEY = SECRETS["PORTAL_SECRET_KEY"]
    client = Client(raise_request_exception=False)
    client.force_login(make_user("ann"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.cookies[settings.CSRF_COOKIE_NAME] = csrf = "csrfsecretA1B2C3D4E5F6G7H8I9J0K1L2"
    typed = "a-password-that-was-typed"
    headers = {"authorization": "Bearer rp_0123456789_abcdefghijklmnop"}
    for where in ("/fault", "/query", "/fault?password=a-password-that-was-typed"):
        answer = client.post(where, {"password": typed, "token": typed}, headers=headers)
        assert answer.status_code == 500
        clean(answer.content.decode(), session, csrf, typed)
    said = written.getvalue()
    assert "RuntimeError" in said
    clean(said, session, csrf, typed, "abcdefghijklmnop")


def test_keys_and_passwords(written, client):
    make_federation("XAA")
    chief = make_user("chief", is_superuser=True)
    from django.utils import timezone

    from players.models import Federation

    _, text = api_keys.make(
        chief,
        name="a program",
        federation=Federation.objects.get(pk="XAA"),
        user=chief,
        scopes=["reports"],
        expires_at=timezone.now() + timezone.timedelta(days=3),
    )
    for given in (text, text[:-1], f"{text}x"):
        client.get("/api/v1/federations", headers={"authorization": f"Bearer {given}"})
    client.post("/accounts/login/", {"username": "chief", "password": "a-password-that-was-typed"})
    client.get("/metrics", headers={"authorization": f"Bearer {SECRETS['PORTAL_METRICS_TOKEN']}"})
    clean(written.getvalue(), text, text[12:40], "a-password-that-was-typed")


def test_tasks_that_fail(written):
    app.autodiscover_tasks(force=True)
    task = app.tasks["ratinglists.run_job"]
    result = task.apply(args=("secret-of-a-forger",), throw=False)
    assert result.failed()
    assert "secret-of-a-forger" not in written.getvalue()


def test_no_line_of_the_code_logs_a_setting():
    """Nothing passes a secret's name to a logger."""
    bad = re.compile(r"log(?:ger)?\.\w+\([^)]*(?:SECRET_KEY|PASSWORD|PASSPHRASE|_TOKEN|BROKER_URL|DATABASES)")
    found = [
        str(each.relative_to(ROOT))
        for app_ in ("players", "tournaments", "ratinglists", "ratingsite")
        for each in (ROOT / app_).rglob("*.py")
        if bad.search(each.read_text())
    ]
    assert found == []
