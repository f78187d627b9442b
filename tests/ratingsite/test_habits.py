"""What stands beside the code fits the code."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from django.test import Client

from ratinglists.software import VERSION, software

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_one_version_everywhere():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert told["version"] == VERSION
    assert f"rating-portal {VERSION}," in software()
    assert f"Version {VERSION}" in Client().get("/status/").content.decode()
    assert f"version {VERSION}" in (ROOT / "CHANGELOG.md").read_text().replace("Version", "version")
    assert told["license"] == "GPL-3.0-or-later"
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text()


def test_every_setting_is_in_the_help():
    """As the code reads it, so the operator finds it."""
    text = (ROOT / "docs" / "operators" / "settings.md").read_text()
    read = set()
    for path in (ROOT / "ratingsite").rglob("*.py"):
        read |= set(re.findall(r'(?:env\.\w+|environ\.get)\("(PORTAL_\w+)"', path.read_text()))
    internal = {"PORTAL_LOCK_FD"}
    assert read - internal - set(re.findall(r"PORTAL_\w+", text)) == set()


def test_hooks_and_forms_can_be_read():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [each["repo"] for each in hooks] == ["local"], "nothing is fetched"
    for hook in hooks[0]["hooks"]:
        assert hook["language"] == "system"
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 4
    for path in forms:
        form = yaml.safe_load(path.read_text())
        assert path.name == "config.yml" or {"name", "description", "body"} <= set(form)


def test_every_requirement_is_locked_with_a_hash():
    for name in ("requirements", "requirements-dev"):
        lock = (ROOT / f"{name}.txt").read_text()
        entries = re.split(r"\n(?=\S)", lock.strip())
        assert all("--hash=sha256:" in entry for entry in entries)
        locked = {re.match(r"[\w.-]+", entry)[0].lower().replace("_", "-") for entry in entries}
        for line in (ROOT / f"{name}.in").read_text().splitlines():
            if wanted := re.match(r"[a-z][\w-]*", line, re.IGNORECASE):
                assert wanted[0].lower() in locked, f"{wanted[0]}: run ./lock"


def test_the_lock_says_what_it_needs():
    answer = subprocess.run(
        [ROOT / "lock"], env={"PATH": "/nonexistent:/bin"}, capture_output=True, text=True, timeout=30
    )
    assert answer.returncode == 1
    assert "needs uv" in answer.stderr
