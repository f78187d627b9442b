"""PORTAL_ variables become settings, or an error that names the variable."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from ratingsite import environment as env


def test_database_forms(monkeypatch):
    monkeypatch.setenv("X", "postgresql://ann:p%40ss@db.example.org:5433/ratings?sslmode=require")
    read = env.database("X", Path("unused"))
    assert (read["USER"], read["PASSWORD"], read["HOST"], read["PORT"]) == (
        "ann",
        "p@ss",
        "db.example.org",
        5433,
    )
    assert read["NAME"] == "ratings"
    assert read["OPTIONS"]["sslmode"] == "require"
    monkeypatch.setenv("X", "sqlite:////srv/portal.sqlite3")
    assert env.database("X", Path("unused"))["NAME"] == "/srv/portal.sqlite3"
    monkeypatch.setenv("X", "sqlite:///here.sqlite3")
    assert env.database("X", Path("unused"))["NAME"] == str(Path("here.sqlite3").absolute())
    monkeypatch.delenv("X")
    assert env.database("X", Path("/var/p.sqlite3"))["NAME"] == "/var/p.sqlite3"


@pytest.mark.parametrize(
    "url", ["mysql://a/b", "postgresql://host", "sqlite://", "ratings", "postgresql://h:x/db"]
)
def test_impossible_databases_are_named(monkeypatch, url):
    monkeypatch.setenv("PORTAL_DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured, match="PORTAL_DATABASE_URL"):
        env.database("PORTAL_DATABASE_URL", Path("unused"))


@pytest.mark.parametrize(
    ("value", "flag"), [("1", True), ("yes", True), ("0", False), ("FALSE", False), ("", False)]
)
def test_flags(monkeypatch, value, flag):
    monkeypatch.setenv("X", value)
    assert env.flag("X") is flag


def test_unclear_flag_and_number_are_refused(monkeypatch):
    monkeypatch.setenv("PORTAL_DEBUG", "maybe")
    with pytest.raises(ImproperlyConfigured, match="PORTAL_DEBUG"):
        env.flag("PORTAL_DEBUG")
    with pytest.raises(ImproperlyConfigured, match="PORTAL_DEBUG"):
        env.number("PORTAL_DEBUG", 5)


def test_kept_secret_is_long_stays_and_is_private(tmp_path):
    path = tmp_path / "secret"
    first = env.kept_secret(path)
    assert len(first) >= 50
    assert env.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_broker_socket_stays_within_what_an_address_holds(tmp_path):
    assert env.embedded_broker_socket(Path("/srv/var")) == Path("/srv/var/broker.sock")
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    short = env.embedded_broker_socket(deep)
    assert len(str(short)) <= env.SOCKET_PATH_LIMIT
    assert short != env.embedded_broker_socket(deep / "other")
