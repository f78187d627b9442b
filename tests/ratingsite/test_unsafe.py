"""Insecure settings refuse to start, each with its number: web, worker and scheduler alike."""

from __future__ import annotations

import os
import runpy
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from ratingsite.celery import refuse_unsafe
from tests.programs import ROOT
from tests.ratingsite.test_checks import SAFE, UNSAFE, start  # noqa: F401 - a fixture

pytestmark = pytest.mark.once

BASE = SAFE | {
    "PORTAL_DATABASE_URL": "postgresql://portal:secret@127.0.0.1:1/portal",
    "PORTAL_REDIS_URL": "redis://127.0.0.1:1/0",
}
KEY = SAFE["PORTAL_SECRET_KEY"]
FAR = "db.example.org"
REFUSED = [
    ("E020", {"PORTAL_HOSTS": "ratings.example.org,.example.org"}),
    ("E021", {"PORTAL_HOSTS": "other.example.org"}),
    ("E022", {"PORTAL_ORIGIN": "https://ann:secret@ratings.example.org"}),
    ("E023", {"PORTAL_PROXIES": "2", "PORTAL_TRUST_PROXY": ""}),
    ("E024", {"PORTAL_DATABASE_URL": f"postgresql://portal@{FAR}/portal?sslmode=verify-full"}),
    ("E025", {"PORTAL_DATABASE_URL": f"postgresql://portal:secret@{FAR}/portal"}),
    ("E025", {"PORTAL_DATABASE_URL": f"postgresql://portal:secret@{FAR}/portal?sslmode=prefer"}),
    ("E025", {"PORTAL_DATABASE_URL": "postgresql://portal:secret@[2001:db8::5]/portal"}),
    ("E027", {"PORTAL_REDIS_URL": "redis://:secret@[2001:db8::5]:6379/0"}),
    ("E026", {"PORTAL_REDIS_URL": "rediss://broker.example.org:6379/0"}),
    ("E027", {"PORTAL_REDIS_URL": "redis://:secret@broker.example.org:6379/0"}),
    ("E028", {"PORTAL_SMTP_HOST": "mail.example.org", "PORTAL_SMTP_PLAIN": "1"}),
    ("E029", {"PORTAL_SMTP_HOST": "mail.example.org", "PORTAL_SMTP_USER": "portal"}),
    ("E030", {"PORTAL_METRICS_TOKEN": "short"}),
    ("E031", {"PORTAL_METRICS_NETWORKS": "0.0.0.0/0"}),
    ("E031", {"PORTAL_METRICS_NETWORKS": "8.0.0.0/8"}),
    ("E032", {"PORTAL_SESSION_MINUTES": "525600"}),
    ("E032", {"PORTAL_SESSION_MINUTES": "0"}),
    ("E033", {"PORTAL_HSTS_SECONDS": "0"}),
    ("E034", {"PORTAL_STATIC_ROOT": "{var}"}),
    ("E034", {"PORTAL_STATIC_ROOT": "{var}/open", "PORTAL_ARCHIVE": "{var}/open/archive"}),
    ("E036", {"PORTAL_STATIC_ROOT": str(ROOT)}),
    ("E037", {"PORTAL_METRICS_TOKEN": KEY}),
    ("E037", {"PORTAL_BACKUP_PASSPHRASE": KEY}),
    ("E038", {"PORTAL_BACKUP_PASSPHRASE": "easy"}),
    ("E040", {"PORTAL_LOG_LEVEL": "DEBUG"}),
]


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """What web, worker and scheduler say when they start with these variables; "" for one that starts."""
    (tmp_path / "signing-key.pem").touch(mode=0o600)

    def ask(change: dict[str, str]) -> list[str]:
        for name in [name for name in os.environ if name.startswith(("PORTAL_", "PROMETHEUS"))]:
            monkeypatch.delenv(name)
        for name, value in (BASE | {"PORTAL_VAR": str(tmp_path)} | change).items():
            monkeypatch.setenv(name, value.replace("{var}", str(tmp_path)))
        made = runpy.run_path(str(ROOT / "ratingsite/settings.py"))
        left_out = ("INSTALLED_APPS", "ROOT_URLCONF", "TEMPLATES", "LOGGING", "LOCALE_PATHS")
        given = {name: value for name, value in made.items() if name.isupper() and name not in left_out}
        with override_settings(**given), mock.patch("ratingsite.checks.check_demo_accounts"):
            return [_said(web), _said(refuse_unsafe)]

    return ask


def web() -> None:
    runpy.run_module("ratingsite.wsgi")


def _said(start) -> str:  # noqa: F811
    with mock.patch("django.setup"):
        try:
            start()
        except (SystemExit, ImproperlyConfigured) as refusal:
            return str(refusal)
    return ""


@pytest.mark.django_db
def test_a_safe_one_starts(refused):
    assert refused({}) == ["", ""]


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "change"), REFUSED)
def test_each_refuses_in_every_program(refused, code, change):
    for said in refused(change):
        lines = [line for line in said.splitlines() if f"portal.{code}:" in line]
        assert lines
        for line in lines:
            assert "PORTAL_" in line
            assert len(line.split(". ")) > 1  # what is wrong, and then what to do
        assert any(name in line for line in lines for name in (*change, "PORTAL_SECRET_KEY", "PORTAL_VAR"))


@pytest.mark.django_db
def test_folders_and_secrets_that_others_know(refused, tmp_path):
    tmp_path.chmod(0o777)
    (tmp_path / "secret-key").write_text(KEY)
    for said in refused({}):
        assert "portal.E035" in said
        assert "portal.E039" in said


def test_there_are_more_than_twenty_and_each_is_told_to_operators():
    numbers = (
        {code for code, _ in REFUSED}
        | {"E035", "E039"}
        | {code.removeprefix("portal.") for _, code, _ in UNSAFE}
    )
    assert len(REFUSED) + len(UNSAFE) > 35
    told = (ROOT / "docs/operators/settings.md").read_text()
    assert [code for code in sorted(numbers) if f"portal.{code}" not in told] == []


def test_a_production_on_two_machines_passes_the_deployment_check_without_a_warning(start):  # noqa: F811
    safe = BASE | {"PORTAL_METRICS_NETWORKS": "10.1.0.0/16", "PORTAL_SMTP_HOST": "mail.example.org"}
    safe |= {"PORTAL_DATABASE_URL": f"postgresql://portal:secret@{FAR}/portal?sslmode=verify-full"}
    safe |= {"PORTAL_REDIS_URL": "rediss://:secret@broker.example.org:6379/0"}
    safe["DJANGO_ALLOW_ASYNC_UNSAFE"] = ""  # set by the tests that drive a browser
    done = start(safe, "manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    assert "no issues (1 silenced)" in done.stdout
