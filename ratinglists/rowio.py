"""Many rows at once out of and into the database: COPY on PostgreSQL, plain cursors on SQLite.

SQL texts come from the code alone; numbers and dates are written into them, never what people typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from django.db import DatabaseError, connection
from psycopg.pq import ExecStatus

#: rows that one statement writes: the triggers of a statement keep them all
WRITTEN_AT_ONCE = 50_000
READ_AT_ONCE = 50_000


def columns(expressions: Sequence[str], rest: str) -> list[np.ndarray]:
    """Columns of integers: ``SELECT expressions rest``, none of them null."""
    if connection.vendor == "postgresql":
        return _binary(expressions, rest)
    pieces = []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(expressions)} {rest}")
        while rows := cursor.fetchmany(READ_AT_ONCE):
            pieces.append(np.array(rows, np.int64))
    if not pieces:
        return [np.zeros(0, np.int64) for _ in expressions]
    return list(np.concatenate(pieces).T.copy())


def _binary(expressions: Sequence[str], rest: str) -> list[np.ndarray]:
    """PostgreSQL's binary COPY: for each row the number of fields, and each field behind its length."""
    cast = ", ".join(f"CAST({each} AS bigint)" for each in expressions)
    names = [f"c{number}" for number in range(len(expressions))]
    fields = [("fields", ">i2")]
    for name in names:
        fields += [(f"length of {name}", ">i4"), (name, ">i8")]
    kind, header, held = np.dtype(fields), 19, bytearray()
    pieces: list[list[np.ndarray]] = [[] for _ in names]

    def take(count: int) -> None:
        rows = np.frombuffer(bytes(held[: count * kind.itemsize]), kind)
        for name, piece in zip(names, pieces, strict=True):
            piece.append(rows[name].astype(np.int64))
        del held[: count * kind.itemsize]

    for block in copied(f"COPY (SELECT {cast} {rest}) TO STDOUT BINARY"):
        held += block
        if header and len(held) >= header:
            del held[:header]
            header = 0
        if not header and len(held) > 64 * READ_AT_ONCE:
            take(len(held) // kind.itemsize - 1)
    take((len(held) - 2) // kind.itemsize)  # what ends it is a row of -1 fields
    return [np.concatenate(piece) for piece in pieces]


def copied(statement: str) -> Iterator[memoryview]:
    """What a COPY … TO STDOUT sends, row by row. Below psycopg's cursors, whose look at the connection
    for each row costs more than the row."""
    with connection.cursor() as cursor:  # in Django's transaction, errors as Django has them
        lower = cursor.connection.pgconn
        opened = lower.exec_(statement.encode())
        if opened.status != ExecStatus.COPY_OUT:
            raise DatabaseError(opened.error_message.decode(errors="replace"))
        while True:
            size, block = lower.get_copy_data(0)
            if size < 0:
                break
            yield block
        failed = size == -2
        while (result := lower.get_result()) is not None:
            failed |= result.status == ExecStatus.FATAL_ERROR
        if failed:
            raise DatabaseError(lower.error_message.decode(errors="replace"))


_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def field(text: str) -> str | None:
    """A field of COPY's text form."""
    if "\\" not in text:
        return text
    return None if text == r"\N" else _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text)


def texts(select: str) -> Iterator[tuple[str | None, ...]]:
    """The rows of a query, every value as text."""
    if connection.vendor == "postgresql":
        for block in copied(f"COPY ({select}) TO STDOUT"):
            line = str(block, "utf-8").removesuffix("\n")
            fields = line.split("\t")
            yield tuple(map(field, fields)) if "\\" in line else tuple(fields)
        return
    with connection.cursor() as cursor:
        cursor.execute(select)
        while rows := cursor.fetchmany(READ_AT_ONCE):
            for row in rows:
                yield tuple(None if value is None else str(value) for value in row)


def write(table: str, names: Sequence[str], rows: Iterable[tuple]) -> int:
    """Insert rows; returns how many. JSON comes as text."""
    rows, total = iter(rows), 0
    with connection.cursor() as cursor:
        while some := list(islice(rows, WRITTEN_AT_ONCE)):
            total += len(some)
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy:
                    for row in some:
                        copy.write_row(row)
            else:
                marks = ", ".join(["%s"] * len(names))
                cursor.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", some)
    return total


def analyse(*tables: str) -> None:
    """Have the planner look at tables that were just filled: until it does so by itself, pages that join
    them are read in the wrong order (20 ms instead of 1 for the events of a profile at FIDE's size)."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA analysis_limit = 1000")
        for table in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")


def numbers(ids: Iterable[int]) -> str:
    """Keys as SQL's list of them, ``(1,2,3)``; ``(0)`` for none, as no row has that key."""
    return f"({','.join(str(int(each)) for each in ids) or '0'})"


def year_of(column: str) -> str:
    """The year of a date as an integer, 0 for none."""
    if connection.vendor == "postgresql":
        return f"COALESCE(EXTRACT(YEAR FROM {column}), 0)"
    return f"COALESCE(CAST(strftime('%Y', {column}) AS INTEGER), 0)"
