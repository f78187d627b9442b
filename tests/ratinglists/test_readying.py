"""Whoever publishes leaves ready what the first reader would wait for."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratinglists import corrections, differing, figures, readying
from tests.ratinglists.corrected import JULY, World, computed, published
from tests.ratinglists.test_corrections import GAMES, MAY, RIGHT

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(settings, tmp_path, monkeypatch, django_capture_on_commit_callbacks) -> World:
    """A list and its revision, published as by a worker: what waits for a commit follows it."""
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    settings.VAR_DIR = tmp_path
    with django_capture_on_commit_callbacks(execute=True):
        world = World()
        event = world.play(MAY, GAMES)
        world.publish(JULY)
        correction = world.correction()
        corrections.add_report(correction, world.report(event, RIGHT), world.staff)
        assert computed(correction).state == "done"
        assert published(correction).state == "done"
    figures._kept.clear()  # another process
    return world


def test_nobody_waits_for_figures_or_for_what_a_revision_changed(corrected):
    new = corrected.listed(JULY)
    old = new.period.lists.get(revision=1)
    with CaptureQueriesContext(connection) as asked:
        made = figures.of_list(new)
        differ = differing.records(old, new)
    assert not asked.captured_queries
    assert made[figures.WORLD].rated == 3
    assert differ == sorted(corrected.players[place].pk for place in (1, 3))


def test_what_cannot_be_made_ready_stops_no_publication(
    settings, tmp_path, monkeypatch, django_capture_on_commit_callbacks, caplog
):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(readying.figures, "of_lists", lambda lists: 1 / 0)
    with django_capture_on_commit_callbacks(execute=True):
        world = World()
        world.play(MAY, GAMES)
        world.publish(JULY)
    assert world.listed(JULY).state == "published"
    assert "ZeroDivisionError" in caplog.text
