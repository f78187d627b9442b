"""A page or an answer being made while a list is published shows the one list or the other, not both."""

from __future__ import annotations

import threading

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client

from ratinglists import profiles, revisions, services
from ratinglists.models import RatingList
from tests.factories import make_period, make_user
from tests.ratinglists.corrected import JULY, World, finished

GAMES = [(1, 2, 4, "0"), (1, 1, 3, "1"), (2, 2, 1, "0"), (2, 3, 4, "1")]


@pytest.fixture
def world(transactional_db, own_archive) -> World:
    made = World()
    made.play(JULY.replace(month=5), GAMES, name="Harbour Cup")
    finished(services.request_compute(make_period(made.system, JULY, JULY)))
    return made


def publish(world: World) -> None:
    """By somebody else, on a connection of his own."""
    told = []

    def act() -> None:
        try:
            told.append(finished(services.request_publish(world.system.periods.get(list_date=JULY))).state)
        finally:
            connection.close()

    thread = threading.Thread(target=act)
    thread.start()
    thread.join(60)
    assert told == ["done"]


@pytest.mark.parametrize("signed_in", [False, True])
def test_a_profile_is_of_one_moment(world, client, monkeypatch, signed_in):
    if signed_in:
        client.force_login(make_user("reader"))
    events_page, times = profiles.events_page, []

    def late(*given, **more):
        """Between the ratings, which were read, and the events, which were not."""
        if not times:
            times.append(publish(world))
        return events_page(*given, **more)

    monkeypatch.setattr(profiles, "events_page", late)
    path = f"/players/{world.players[0].pk}/"
    page = client.get(path).content.decode()
    assert times, "it was published meanwhile"
    assert "list of 1 April 2004" in page
    assert "/events/" not in page, "an event of the list that was not yet"
    caches["pages"].clear()
    page = client.get(path).content.decode()
    assert "list of 1 July 2004" in page
    assert "/events/" in page


def test_an_answer_to_a_program_is_of_one_moment(world, client, monkeypatch):
    mark, known = revisions.mark, []

    def late(rows):
        """Between the ratings, which were read, and what revisions changed of them."""
        lists = RatingList.objects.filter(state="published")
        known.append(lists.count())
        publish(world)
        known.append(lists.count())
        mark(rows)

    monkeypatch.setattr(revisions, "mark", late)
    path = f"/api/v1/players/{world.players[0].pk}"
    assert [each["list_date"] for each in client.get(path).json()["ratings"]] == ["2004-04-01"]
    assert known[0] == known[1] == RatingList.objects.filter(state="published").count() - 1
    monkeypatch.setattr(revisions, "mark", mark)
    assert [each["list_date"] for each in client.get(path).json()["ratings"]] == ["2004-07-01"]


@pytest.mark.parametrize("path", ["/players/", "/lists/{}/live/", "/"])
def test_a_reader_who_has_no_connection_yet_waits_for_no_writer(world, path):
    """A thread's first page, and each after its connection was closed: a new one has the writers' setting."""
    answers = []

    def read() -> None:
        try:
            for _ in "12":
                answers.append(Client().get(path.format(world.system.code)).status_code)
                connection.close()
        finally:
            connection.close()

    with transaction.atomic():  # SQLite: the write lock
        thread = threading.Thread(target=read)
        thread.start()
        thread.join(60)
    assert answers == [200, 200]
