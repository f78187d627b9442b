"""Tables as text that both databases write and read: lines as of PostgreSQL's COPY, one spelling for each
kind of value.

Times are in UTC with six digits of a second, decimals have their column's places, bytes are ``\\x`` and
hexadecimal, truth is ``t`` or ``f``. JSON stays as its database spells it. SQL texts come from models alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, models, transaction

from ratinglists import rowio

#: of no use after a restoration: sign-ins and failed ones, mail with links, and the last sign of life
LEFT_OUT = (
    "django_session",
    "usersessions_usersession",
    "accounts_failures",
    "accounts_mail",
    "ratingsite_heartbeat",
)
#: a part of a table in the backup, in bytes before it is packed
PART = 4 << 20

_KINDS = {
    "AutoField": "integer",
    "BigAutoField": "integer",
    "IntegerField": "integer",
    "BigIntegerField": "integer",
    "SmallIntegerField": "integer",
    "PositiveIntegerField": "integer",
    "PositiveBigIntegerField": "integer",
    "PositiveSmallIntegerField": "integer",
    "BooleanField": "boolean",
    "CharField": "text",
    "TextField": "text",
    "SlugField": "text",
    "EmailField": "text",
    "FileField": "text",
    "JSONField": "json",
    "BinaryField": "bytes",
    "DateField": "date",
    "TimeField": "time",
    "DateTimeField": "moment",
}


def kind_of(field: models.Field) -> str:
    """What a column holds. Raises NotImplementedError for what no backup knows yet."""
    if field.is_relation:
        return kind_of(field.target_field)
    if isinstance(field, models.DecimalField):
        return f"decimal {field.decimal_places}"
    if kind := _KINDS.get(field.get_internal_type()):
        return kind
    raise NotImplementedError(
        f"{field} ({field.get_internal_type()}): say in {__name__} how it is backed up."
    )


@dataclass(frozen=True)
class Table:
    """A table, its columns with their kinds, and its key."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: str
    numbered: bool

    @property
    def described(self) -> list[list[str]]:
        return [list(column) for column in self.columns]


def tables() -> list[Table]:
    """Every table that is backed up, by name."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        if meta.managed and not meta.proxy and meta.db_table not in LEFT_OUT:
            columns = tuple((field.column, kind_of(field)) for field in meta.local_concrete_fields)
            numbered = isinstance(meta.pk, models.AutoField | models.BigAutoField)
            found.append(Table(meta.db_table, columns, meta.pk.column, numbered))
    return sorted(found, key=lambda table: table.name)


@contextmanager
def snapshot() -> Iterator[None]:
    """All reads within see one moment, and keep nobody from writing."""
    if connection.in_atomic_block:
        raise transaction.TransactionManagementError("A snapshot is a transaction of its own.")
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    # Django's own transactions on SQLite take the write lock at once (PORTAL_DATABASE_URL's setting).
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _quoted(*names: str) -> str:
    return ", ".join(connection.ops.quote_name(name) for name in names)


# --- out --------------------------------------------------------------------------------------------


def lines(table: Table) -> Iterator[bytes]:
    """The rows in the order of their keys, in pieces that end with a line."""
    postgresql = connection.vendor == "postgresql"
    spell = _postgresql if postgresql else _sqlite
    chosen = ", ".join(spell(_quoted(name), kind) for name, kind in table.columns)
    select = f"SELECT {chosen} FROM {_quoted(table.name)} ORDER BY {_quoted(table.key)}"
    held = bytearray()
    for line in _copied(select) if postgresql else _written(select):
        held += line
        if len(held) >= PART:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def _copied(select: str) -> Iterator[memoryview]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('datestyle', 'ISO', true), set_config('bytea_output', 'hex', true)")
    return rowio.copied(f"COPY ({select}) TO STDOUT")


def _postgresql(column: str, kind: str) -> str:
    if kind == "moment":
        return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')"
    return column


def _sqlite(column: str, kind: str) -> str:
    if kind == "boolean":
        return f"CASE WHEN {column} THEN 't' WHEN NOT {column} THEN 'f' END"
    if kind == "moment":
        return f"{column} || CASE WHEN length({column}) = 19 THEN '.000000+00' ELSE '+00' END"
    if kind == "bytes":
        return f"CASE WHEN {column} IS NOT NULL THEN '\\x' || lower(hex({column})) END"
    if kind.startswith("decimal"):
        return f"CASE WHEN {column} IS NOT NULL THEN printf('%.{kind.split()[1]}f', {column}) END"
    return f"CAST({column} AS TEXT)"


_ESCAPES = {"\\": r"\\", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v"}
_SPECIAL = re.compile(r"[\\\x08\f\n\r\t\v]")


def _written(select: str) -> Iterator[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(select)
        while rows := cursor.fetchmany(1000):
            for row in rows:
                yield "\t".join([_escaped(value) for value in row]).encode() + b"\n"


def _escaped(value: str | None) -> str:
    if value is None:
        return r"\N"
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], value) if _SPECIAL.search(value) else value


# --- in ---------------------------------------------------------------------------------------------


def load(table: Table, part: bytes) -> int:
    """Insert rows as ``lines`` has them; returns how many. Triggers are the caller's business."""
    names = _quoted(*(name for name, _ in table.columns))
    into = f"{_quoted(table.name)} ({names})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                copy.write(part)
            return part.count(b"\n")
        read = [_READ.get(kind.split()[0], str) for _, kind in table.columns]
        rows = [
            [
                None if (value := rowio.field(text)) is None else make(value)
                for make, text in zip(read, line.split("\t"), strict=True)
            ]
            for line in part.decode().split("\n")[:-1]
        ]
        marks = ", ".join(["%s"] * len(read))
        cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)
        return len(rows)


#: kind -> what SQLite is given, as Django stores it
_READ: dict[str, Callable[[str], object]] = {
    "integer": int,
    "boolean": "t".__eq__,
    "bytes": lambda text: bytes.fromhex(text[2:]),
    "moment": lambda text: text.removesuffix("+00").removesuffix(".000000"),
}


# --- the next keys ----------------------------------------------------------------------------------


def next_key(table: Table) -> int | None:
    """The key that the next row gets, so that those of deleted rows are not given again."""
    if not table.numbered:
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [_quoted(table.name), table.key])
            cursor.execute(
                f"SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM {cursor.fetchone()[0]}"
            )
            return cursor.fetchone()[0]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table.name])
        found = cursor.fetchone()
        return found[0] + 1 if found else 1


def set_next_key(table: Table, key: int) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = [_quoted(table.name), table.key]
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s, false)", [*sequence, key])
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table.name])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table.name, key - 1])
