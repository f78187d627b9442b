"""What travels through the queue: ids, and nothing else, whoever wrote it there."""

from __future__ import annotations

import inspect
import pickle

import pytest

from ratingsite.celery import app, refuse_others

app.autodiscover_tasks(force=True)
OURS = sorted(name for name in app.tasks if not name.startswith("celery."))


def test_the_tasks_of_the_portal_are_all_here():
    known = {"ratinglists.run_job", "ratinglists.run_share", "players.run_import", "ratingsite.heartbeat"}
    assert known <= set(OURS)
    assert len(OURS) >= 9


@pytest.mark.parametrize("name", OURS)
def test_every_argument_is_an_id(name):
    signature = inspect.signature(app.tasks[name].run, eval_str=True)
    for parameter in signature.parameters.values():
        assert parameter.annotation is int, f"{name}: {parameter}"
        assert parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        assert type(parameter.default) is int or parameter.default is parameter.empty


BAD = ["1", "1; DROP TABLE x", 1.0, True, None, [1], {"pk": 1}, -1, 1 << 63, b"1", pickle.dumps(1)]


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize("name", OURS)
def test_whatever_else_comes_does_nothing(name, value, monkeypatch):
    task = app.tasks[name]
    monkeypatch.setattr(type(task), "run", lambda self, *args: pytest.fail("it ran"))
    for given in ({"args": (value,)}, {"kwargs": {"pk": value}}):
        with pytest.raises(TypeError, match="takes ids only"):
            task(*given.get("args", ()), **given.get("kwargs", {}))
        with pytest.raises(TypeError, match="takes ids only"):
            task.apply_async(**given)


def test_ids_pass():
    refuse_others("a", (0, 1, (1 << 63) - 1), {"pk": 5})


def test_only_json_is_taken():
    assert set(app.conf.accept_content) == {"json"}
    assert app.conf.task_serializer == "json"
    assert set(app.conf.result_accept_content) == {"json"}
