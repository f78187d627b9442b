"""An unsafe production does not start, whichever program starts it, and all that is wrong is said at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import override_settings

from ratingsite.checks import check_demo_accounts

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "PORTAL_SECRET_KEY": "kX0-3fJ9qLw7ZrT1yVb5NcMd8HgPsAoEiUu2_4tRlQxYzWvBn6mKj",
    "PORTAL_HOSTS": "ratings.example.org",
    "PORTAL_ORIGIN": "https://ratings.example.org",
    "PORTAL_TRUST_PROXY": "1",
}
HTTP = {"PORTAL_ORIGIN": "http://ratings.example.org"}
UNSAFE = [
    ({"PORTAL_SECRET_KEY": ""}, "portal.E001", "PORTAL_SECRET_KEY"),
    ({"PORTAL_SECRET_KEY": "short-but-varied-0123456789"}, "portal.E002", "PORTAL_SECRET_KEY"),
    ({"PORTAL_SECRET_KEY": "ab" * 40}, "portal.E002", "PORTAL_SECRET_KEY"),
    (
        {"PORTAL_SECRET_KEY": "django-insecure-" + SAFE["PORTAL_SECRET_KEY"]},
        "portal.E002",
        "PORTAL_SECRET_KEY",
    ),
    ({"PORTAL_HOSTS": ""}, "portal.E003", "PORTAL_HOSTS"),
    ({"PORTAL_HOSTS": "ratings.example.org,*"}, "portal.E004", "PORTAL_HOSTS"),
    ({"PORTAL_ORIGIN": ""}, "portal.E005", "PORTAL_ORIGIN"),
    ({"PORTAL_ORIGIN": "ratings.example.org"}, "portal.E005", "PORTAL_ORIGIN"),
    (HTTP, "portal.E006", "PORTAL_ORIGIN"),
    ({"PORTAL_ALLOW_HTTP": "1"}, "portal.E007", "PORTAL_ALLOW_HTTP"),
    ({"PORTAL_SECOND_FACTOR": "optional"}, "portal.E016", "PORTAL_SECOND_FACTOR"),
    ({"PORTAL_SECURE_COOKIES": "0"}, "portal.E008", "PORTAL_SECURE_COOKIES"),
    ({"PORTAL_DEMO": "1", "PORTAL_DEBUG": "1", "PORTAL_HOSTS": ""}, "portal.E009", "PORTAL_DEBUG"),
    ({"PORTAL_DEMO": "1"}, "portal.E010", "PORTAL_HOSTS"),
    ({"PORTAL_DEBUG": "1"}, "portal.E010", "PORTAL_HOSTS"),
]


@pytest.fixture
def start(tmp_path):
    """Runs a program of the portal with exactly the given PORTAL_ variables, and a signing key."""
    key = tmp_path / "signing-key.pem"
    key.touch(mode=0o600)

    def run(variables: dict[str, str], *command: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
        environment |= {
            "PORTAL_VAR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
        } | variables
        command = [sys.executable, *(command or ("manage.py", "check"))]
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.mark.parametrize(("change", "code", "variable"), UNSAFE)
def test_each_unsafe_setting_is_refused_by_name(start, change, code, variable):
    result = start(SAFE | change)
    assert result.returncode == 1
    said = [line for line in result.stderr.splitlines() if code in line]
    assert len(said) == 1
    assert variable in said[0]


@pytest.mark.parametrize(
    ("mode", "code"), [(None, "portal.E013"), (0o640, "portal.E014"), (0o604, "portal.E014")]
)
def test_a_signing_key_that_is_missing_or_open_to_others_is_refused(start, tmp_path, mode, code):
    key = tmp_path / "signing-key.pem"
    if mode is None:
        key.unlink()
    else:
        key.chmod(mode)
    result = start(SAFE)
    assert result.returncode == 1
    said = [line for line in result.stderr.splitlines() if code in line]
    assert len(said) == 1
    assert str(key) in said[0]


def test_a_production_without_a_key_can_make_one(start, tmp_path):
    key = tmp_path / "signing-key.pem"
    key.unlink()
    made = start(SAFE, "manage.py", "signing_key", "make")
    assert made.returncode == 0, made.stderr
    assert key.stat().st_mode & 0o777 == 0o600
    assert start(SAFE).returncode == 0


def test_a_safe_production_passes_and_says_what_is_embedded(start):
    result = start(SAFE)
    assert result.returncode == 0, result.stderr
    assert "SQLite" in result.stderr
    assert "PORTAL_REDIS_URL" in result.stderr
    assert "W008" not in result.stderr


def test_a_federation_of_one_person_is_warned(start):
    result = start(SAFE | {"PORTAL_ONE_PERSON": "1"})
    assert result.returncode == 0
    assert "(portal.W008) One person alone can publish a list." in result.stderr


def test_http_passes_when_allowed_outright(start):
    result = start(SAFE | HTTP | {"PORTAL_ALLOW_HTTP": "1", "PORTAL_TRUST_PROXY": ""})
    assert result.returncode == 0, result.stderr


PROGRAMS = {
    "web": ("-m", "gunicorn", "ratingsite.wsgi", "--bind", "127.0.0.1:0", "--no-control-socket"),
    "worker": ("-m", "celery", "-A", "ratingsite", "worker", "--concurrency", "1"),
    "beat": ("-m", "celery", "-A", "ratingsite", "beat"),
    "sweep": ("manage.py", "sweep"),
    "portal": ("-m", "ratingsite.launch"),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_refuses_with_all_errors_at_once(start, program):
    result = start({"PORTAL_SECRET_KEY": "secret"}, *PROGRAMS[program])
    assert result.returncode not in (0, None)
    for variable in ("PORTAL_SECRET_KEY", "PORTAL_HOSTS", "PORTAL_ORIGIN"):
        assert variable in result.stderr


@pytest.mark.django_db
class TestDemoAccounts:
    @pytest.fixture(autouse=True)
    def production(self):
        with override_settings(PORTAL_PRODUCTION=True, PORTAL_DEMO_ACCOUNTS={"staff": "public"}):
            yield

    def codes(self) -> list[str]:
        return [message.id for message in check_demo_accounts(None, databases=["default"])]

    def test_refused_with_the_public_password(self):
        get_user_model().objects.create_user("staff", password="public")
        assert self.codes() == ["portal.E011"]

    def test_passes_with_a_changed_password_or_switched_off(self):
        user = get_user_model().objects.create_user("staff", password="changed")
        assert self.codes() == []
        user.set_password("public")
        user.is_active = False
        user.save()
        assert self.codes() == []
