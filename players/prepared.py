"""Querysets compiled once and asked again with other values: by PostgreSQL as prepared statements.

To put a query together and to plan it takes several times what it takes to answer one that is found by keys;
of a page made of ten such queries it was most of the time. What is asked stays written as a queryset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import psycopg
from django.db import connection, models
from django.db.models import QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.sql.compiler import SQLCompiler
from psycopg.sql import Literal
from psycopg.types.numeric import Int8

#: more keys than this in one value are asked for as usual; fewer are filled up with the last one to one of a
#: few numbers, each of which has its query
MOST_KEYS = 64
#: no database has a larger key
_LAST = 2**63 - 1
#: keys that stand for values while a query is compiled: none that a database ever gave
_FIRST = 8_000_000_000_000_000_000


class Prepared:
    """A function from keys to a queryset, called as that function and answering with the rows.

    A value is a key, or a sequence of keys for a lookup by ``__in``. The rows are instances (with
    ``select_related``, annotations and deferred fields, not prefetched ones) or those of ``values_list``.
    Whatever else the query holds is as it was when it was first asked: nothing of a day, of settings or rows.
    """

    def __init__(self, build: Callable[..., QuerySet]) -> None:
        self.build = build
        self.__doc__ = build.__doc__

    def __call__(self, *values: int | Sequence[int]) -> list:
        values = [
            value if isinstance(value, int) else [key for key in value if key <= _LAST] for value in values
        ]
        keys = [[value] if isinstance(value, int) else _filled(value) for value in values]
        if not all(0 < len(some) <= MOST_KEYS and some[0] <= _LAST for some in keys):
            return list(self.build(*values))
        shape = tuple(
            None if isinstance(value, int) else len(some) for value, some in zip(values, keys, strict=True)
        )
        made = _made()
        ready = made.get((self, shape))
        if ready is None:
            ready = made[(self, shape)] = _compiled(self.build, shape)
        return list(ready.rows(list(chain.from_iterable(keys))))


def _filled(keys: list[int]) -> list[int]:
    size = 1 << max(len(keys) - 1, 0).bit_length()
    return keys + keys[-1:] * (size - len(keys))


def prepared(build: Callable[..., QuerySet]) -> Prepared:
    return Prepared(build)


def attach(owner: models.Model, name: str, rows: list[models.Model]) -> None:
    """Rows of a reverse relation, as ``prefetch_related`` would have read them."""
    queryset = getattr(owner, name).get_queryset()
    queryset._result_cache, queryset._prefetch_done = rows, True
    owner.__dict__.setdefault("_prefetched_objects_cache", {})[name] = queryset


@dataclass(slots=True)
class _Ready:
    """A compiled query of the current connection; ``places``: of each parameter the key that it takes."""

    sql: str
    params: list
    places: list[tuple[int, int]]
    compiler: SQLCompiler
    converters: dict
    read: Callable[[Iterable], Iterator]

    def rows(self, keys: list[int]) -> Iterator:
        params = self.params.copy()
        for place, key in self.places:
            params[place] = keys[key]
        with _cursor() as cursor:
            cursor.execute(self.sql, params)
            found = cursor.fetchall()
        if self.converters:
            found = self.compiler.apply_converters(found, self.converters)
        return self.read(found)


def _made() -> dict[tuple, _Ready]:
    """What is made for the thread's own connection; ``connection`` itself stands for those of all threads,
    and what it kept of a thread that ended would keep its connection open."""
    if not hasattr(connection, "portal_prepared"):
        connection.portal_prepared = {}
    return connection.portal_prepared


def held_connection() -> psycopg.Connection:
    """PostgreSQL's connection; another one if its server has gone, as for a cursor of Django's."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    return connection.connection


def _cursor():
    """A cursor of Django's, which counts and logs; on PostgreSQL one that prepares what it is given."""
    if connection.vendor != "postgresql":
        return connection.cursor()
    held = held_connection()
    if not hasattr(held, "portal_direct"):
        with connection.wrap_database_errors:  # who asks next is to know that this connection failed
            held.portal_direct = _is_direct(held)
    if connection.queries_logged or not held.portal_direct:  # of what is prepared, psycopg tells no text
        return connection.cursor()
    return connection._prepare_cursor(_Preparing(held))


def _is_direct(held: psycopg.Connection) -> bool:
    """Is the other end PostgreSQL itself? A pooler, which gives the next query to another server that has
    prepared nothing, tells another number of the process than the server does."""
    return held.execute("SELECT pg_backend_pid()").fetchone()[0] == held.info.backend_pid


class _Preparing(psycopg.Cursor):
    def execute(self, query: str, params: Sequence[int]) -> _Preparing:
        # All of one type: numbers of other sizes would be statements of their own, and mixed ones many.
        keys = [Int8(key) for key in params]
        # Django says None, for nothing at all. It stays so for other queries: else the texts of the last
        # hundred would be kept to be counted, and with them whatever files they store.
        self.connection.prepare_threshold = 0
        try:
            return super().execute(query, keys, prepare=True)
        finally:
            self.connection.prepare_threshold = None


def _compiled(build: Callable[..., QuerySet], shape: tuple[int | None, ...]) -> _Ready:
    stands, values = {}, []
    for size in shape:
        some = [_FIRST + len(stands) + n for n in range(size or 1)]
        stands |= {stand: len(stands) + n for n, stand in enumerate(some)}
        values.append(some[0] if size is None else some)
    queryset = build(*values)
    if queryset._prefetch_related_lookups or queryset._known_related_objects:
        raise ValueError(f"{build.__name__}: a prepared query reads no other rows beside its own.")
    compiler = queryset.query.get_compiler(using=connection.alias)
    sql, params = compiler.as_sql()
    places = [(place, stands[param]) for place, param in enumerate(params) if _stands(param, stands)]
    if {key for _, key in places} != set(stands.values()):
        raise ValueError(f"{build.__name__}: not every value is a parameter of the query.")
    if connection.vendor == "postgresql":
        sql, params, places = _with_literals(sql, params, dict(places))
    columns = [column for column, *_ in compiler.select[: compiler.col_count]]
    return _Ready(
        sql, list(params), places, compiler, compiler.get_converters(columns), _reader(queryset, compiler)
    )


def _with_literals(sql: str, params: Sequence, places: dict[int, int]) -> tuple[str, list, list]:
    """The constants put into the text: who plans it once for all keys is to know how rare they are."""
    held, number, kept = held_connection(), count(), []

    def written(found: re.Match) -> str:
        if found[0] == "%%":
            return "%%"
        place = next(number)
        if place not in places:
            return Literal(params[place]).as_string(held).replace("%", "%%")
        kept.append(places[place])
        return "%s"

    sql = re.sub("%[%s]", written, sql)
    return sql, [None] * len(kept), list(enumerate(kept))


def _stands(param: Any, stands: dict[int, int]) -> bool:
    return isinstance(param, int) and param in stands


def _reader(queryset: QuerySet, compiler: SQLCompiler) -> Callable[[Iterable], Iterator]:
    kind = queryset._iterable_class
    if kind is FlatValuesListIterable:
        return lambda found: (row[0] for row in found)
    if kind is ValuesListIterable:
        return lambda found: map(tuple, found)
    if kind is not ModelIterable:
        raise ValueError(f"A prepared query gives no {kind.__name__}.")
    select, klass = compiler.select, compiler.klass_info
    own, model = klass["select_fields"], klass["model"]
    begin, end = own[0], own[-1] + 1
    names = [column.target.attname for column, *_ in select[begin:end]]
    related = get_related_populators(klass, select, connection.alias)
    added = list((compiler.annotation_col_map or {}).items())

    def instances(found: Iterable) -> Iterator[models.Model]:
        for row in found:
            one = model.from_db(connection.alias, names, row[begin:end])
            for populator in related:
                populator.populate(row, one)
            for name, place in added:
                setattr(one, name, row[place])
            yield one

    return instances
