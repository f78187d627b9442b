"""A page made of many reads that all see one moment: never one list in its head and the next one below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from psycopg import IsolationLevel

from players.prepared import held_connection


@contextmanager
def one_moment() -> Iterator[None]:
    """Every read within sees the database as the first one saw it; nobody is kept from writing. Within a
    transaction already: nothing, it is that one's business."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        # Said with BEGIN: one way to the database less. To a connection that stays: the transaction would put
        # another one in the place of one whose server has gone.
        held = held_connection()
        before, held.isolation_level = held.isolation_level, IsolationLevel.REPEATABLE_READ
        missing = None
        try:
            with transaction.atomic():
                try:
                    yield
                except Http404 as error:  # a rollback would make the connection forget what it has prepared
                    missing = error
        finally:
            if not held.closed:
                held.isolation_level = before
        if missing is not None:
            raise missing
    else:
        # PORTAL_DATABASE_URL's own setting takes the write lock at once, which a reader has no use for. It is
        # read when the connection is made: that must not come in between.
        connection.ensure_connection()
        mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode


def of_one_moment(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For a page that is not kept (``players.kept_pages``, whose pages are of one moment by themselves)."""

    @wraps(view)
    def answered(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        with one_moment():
            return view(request, *args, **kwargs)

    return answered
