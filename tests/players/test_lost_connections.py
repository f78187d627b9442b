"""The database's server starts anew between two requests: the next one asks by another connection."""

from __future__ import annotations

import gc
import threading
import weakref

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection, connections

from players.models import Player
from players.one_moment import one_moment
from players.prepared import Prepared
from tests.factories import make_player

pytestmark = pytest.mark.django_db(transaction=True)


def server_gone() -> None:
    """PostgreSQL ends this connection, of which it tells nobody; SQLite has no server."""
    connection.ensure_connection()
    if connection.vendor != "postgresql":
        return
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [connection.connection.info.backend_pid])


@pytest.fixture
def named():
    return Prepared(lambda pk: Player.objects.filter(pk=pk).values_list("name", flat=True))


@pytest.mark.parametrize("asked_before", [True, False])
@pytest.mark.parametrize("of_one_moment", [True, False])
def test_the_next_request_answers(named, asked_before, of_one_moment):
    one = make_player("Here, Hana")
    if asked_before:
        assert named(one.pk) == ["Here, Hana"]
    else:
        connection.close()
    server_gone()
    close_old_connections()
    if of_one_moment:
        with one_moment():
            assert named(one.pk) == ["Here, Hana"]
    else:
        assert named(one.pk) == ["Here, Hana"]


def test_after_an_error_the_next_request_answers(named):
    """The server goes within a request: before the first prepared query of a connection."""
    one = make_player("Here, Hana")
    connection.close()
    connection.ensure_connection()
    connection.health_check_done = True
    server_gone()
    if connection.vendor == "postgresql":
        with pytest.raises(OperationalError):
            named(one.pk)
    close_old_connections()
    assert named(one.pk) == ["Here, Hana"]


def test_a_page_on_another_connection_is_of_one_moment_too():
    server_gone()
    close_old_connections()
    make = threading.Thread(target=lambda: (make_player(), connection.close()))
    with one_moment():
        before = Player.objects.count()
        make.start()
        make.join(60)
        assert Player.objects.count() == before == 0
    assert Player.objects.count() == 1


def test_nothing_keeps_the_connection_of_a_thread_that_ended(named):
    own = []

    def ask() -> None:
        named(1)
        own.append(weakref.ref(connections["default"]))
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(60)
    del thread
    gc.collect()
    assert own[0]() is None
