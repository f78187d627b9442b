"""How long something takes and how much memory the process needs for it; what the database holds."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection

from django.apps import apps
from django.db import connection

MB_LIMIT, SECONDS_LIMIT = 100.0, 2.0


def peak_mb() -> float:
    """The largest memory of this process so far, in millions of bytes."""
    with open("/proc/self/status", "rb", buffering=0) as status:
        text = status.read(4096)
    return int(text.partition(b"VmHWM:")[2].split(None, 1)[0]) * 1024 / 1e6


def timed(action: Callable, times: int = 4):
    """What the action gives, and its shortest seconds: a slow one is tried again, as a busy machine is no
    fault of the code."""
    shortest = result = None
    for _ in range(times):
        started = time.perf_counter()
        result = action()
        seconds = time.perf_counter() - started
        shortest = seconds if shortest is None else min(shortest, seconds)
        if shortest < SECONDS_LIMIT:
            break
    return result, shortest


def tables(without: Collection[str] = ()) -> list[str]:
    """The tables of the portal's models."""
    models = apps.get_models(include_auto_created=True)
    names = {model._meta.db_table for model in models if model._meta.managed}
    return sorted(names - set(without))


def row_counts() -> dict[str, int]:
    """How many rows each table has."""
    parts = (f"SELECT '{name}', COUNT(*) FROM {connection.ops.quote_name(name)}" for name in tables())
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        return dict(cursor.fetchall())


def more(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """The tables that have not as many rows as before, and how many more they have."""
    return {name: after[name] - count for name, count in before.items() if after[name] != count}


def contents(without: Collection[str] = ()) -> dict[str, str]:
    """A hash of every row of each table."""
    found = {}
    with connection.cursor() as cursor:
        for name in tables(without):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows = sorted(repr(tuple(map(_plain, row))) for row in cursor.fetchall())
            found[name] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The tables whose content is another."""
    return [name for name, value in before.items() if after[name] != value]


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value
