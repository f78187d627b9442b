"""What ./portal does to data before it starts."""

import logging

import pytest

from ratingsite.launch import preparation
from ratingsite.launch.preparation import Refusal


@pytest.fixture
def loads(monkeypatch, settings, tmp_path) -> list[str]:
    settings.VAR_DIR = tmp_path
    calls: list[str] = []
    monkeypatch.setattr(preparation, "call_command", lambda name, **_: calls.append(name))
    return calls


@pytest.mark.django_db
def test_demo_data_goes_into_an_empty_database_only(loads, django_user_model):
    assert preparation.load_demo(print)
    assert loads == ["load_demo"]
    django_user_model.objects.create_user("own")
    assert not preparation.load_demo(print)
    assert loads == ["load_demo"]


@pytest.mark.django_db
def test_a_load_that_broke_off_is_noticed_at_the_next_start(loads, monkeypatch):
    def broken(*_, **__) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation, "call_command", broken)
    with pytest.raises(KeyboardInterrupt):
        preparation.load_demo(print)
    with pytest.raises(Refusal, match="--reset"):
        preparation.load_demo(print)


@pytest.mark.django_db
def test_the_broker_that_does_not_run_yet_is_missed_only_afterwards(loads, monkeypatch, caplog):
    bell = logging.getLogger("ratingsite.celery")
    monkeypatch.setattr(preparation, "call_command", lambda *_, **__: bell.warning("while loading"))
    assert preparation.load_demo(print)
    bell.warning("later")
    assert [record.message for record in caplog.records if record.name == bell.name] == ["later"]


def sqlite(path) -> dict:
    return {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}}


def test_reset_removes_the_file_and_its_companions(settings, monkeypatch, tmp_path):
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"p.sqlite3{suffix}").touch()
    monkeypatch.setattr(preparation.settings, "DATABASES", sqlite(tmp_path / "p.sqlite3"))
    settings.VAR_DIR = tmp_path
    settings.PORTAL_PRODUCTION = True
    with pytest.raises(Refusal, match="production"):
        preparation.reset()
    assert (tmp_path / "p.sqlite3").exists()
    settings.PORTAL_PRODUCTION = False
    preparation.reset()
    assert list(tmp_path.iterdir()) == []


def test_reset_leaves_postgresql_alone(monkeypatch):
    postgres = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "ratings"}}
    monkeypatch.setattr(preparation.settings, "DATABASES", postgres)
    with pytest.raises(Refusal, match="dropdb ratings"):
        preparation.reset()
