"""What a worker takes off the queue: the portal's own calls, and nothing else."""

from __future__ import annotations

import base64
import json
from types import SimpleNamespace

import pytest
from kombu import Connection

from ratinglists.tasks import run_job
from ratingsite import broker
from ratingsite.celery import app
from tests.trust import forged

pytestmark = pytest.mark.once


def message(raw: bytes) -> SimpleNamespace:
    """A message as the worker has it."""
    told = json.loads(raw)
    broker.check_envelope(told)
    return SimpleNamespace(
        headers=told["headers"],
        content_type=told.get("content-type"),
        content_encoding=told.get("content-encoding"),
        body=base64.b64decode(told["body"]),
    )


@pytest.fixture(scope="module")
def tasks():
    app.loader.import_default_modules()
    return app


def fits(raw: bytes, tasks) -> bool:
    try:
        broker.check_call(message(raw), tasks)
    except broker.Misfit:
        return False
    return True


@pytest.mark.parametrize("task", forged.TASKS)
def test_a_call_with_an_id_is_taken(task, tasks):
    assert fits(forged.call(task, 7), tasks)


@pytest.mark.parametrize("task", forged.WITHOUT_ARGUMENTS)
def test_what_the_scheduler_asks_for_is_taken(task, tasks):
    assert fits(forged.call(task), tasks)
    assert fits(forged.call(task, headers={"expires": "2026-10-01T00:00:00+00:00"}), tasks)


def test_what_the_portal_sends_is_taken(tasks):
    """As Celery writes it with our settings."""
    with Connection("memory://") as connection:
        queue = connection.SimpleQueue("celery")
        run_job.apply_async((7,), producer=connection.Producer())
        sent = queue.get(timeout=5)
    broker.check_envelope({**sent._raw, "properties": sent.properties})
    broker.check_call(sent, tasks)


@pytest.mark.parametrize(
    "group",
    [forged._of_other_types, forged._of_wrong_headers, forged._of_wrong_bodies, forged._of_no_envelope],
)
def test_no_forged_message_is_taken(group, tasks, tmp_path):
    """But those whose only fault is what they say of themselves."""
    argument = tmp_path / "canary" if group in (forged._of_other_types, forged._of_no_envelope) else 1
    made = group(argument, 1) if group is forged._of_other_types else group(argument)
    taken = []
    for what, raw in made:
        try:
            if fits(raw, tasks):
                taken.append(what)
        except (ValueError, RecursionError):  # no JSON: the channel drops it
            continue
    harmless = (
        "over",
        "another host",
        "another exchange",
        "words for",
        "keeps",
        "stamped",
        "replacing",
        "reply",
        "priority",
    )
    assert [what for what in taken if not any(word in what for word in harmless)] == []
