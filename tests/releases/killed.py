"""``migrate`` killed wherever something lasting was just written, and at random; then run again.

    python -m tests.releases.killed TEMPLATE first | all

works on the database of PORTAL_DATABASE_URL, made anew from TEMPLATE each time (a release's, with migrations
of a release to come before it); prints a JSON object of counts, or says what is not as it would be without
the kill. first: killed behind the first write; all: behind each, five times at random, and a new database
killed at each step.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable

import django

READS = ("SELECT", "PRAGMA", "SHOW", "EXPLAIN", "SAVEPOINT", "RELEASE", "SET", "BEGIN")


def _forked(act: Callable[[], object], limit: float | None = None) -> tuple[int, object]:
    """Runs ``act`` in a process of its own, killed after ``limit`` seconds: its exit, what it returned."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(read)
        code = 1
        try:
            told = json.dumps(act()).encode()
            with os.fdopen(write, "wb") as pipe:
                pipe.write(told)
            code = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    if limit is not None:
        time.sleep(limit)
        os.kill(pid, signal.SIGKILL)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, json.loads(told) if status == 0 else None


def _migrate(stop: int = 0) -> int:
    """Migrates; kills itself behind the ``stop``-th lasting write. Returns how many there were."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.backends.base.base import BaseDatabaseWrapper

    written = 0

    def lasting() -> None:
        nonlocal written
        written += 1
        if written == stop:
            os.kill(os.getpid(), signal.SIGKILL)

    commit = BaseDatabaseWrapper._commit

    def committed(self) -> None:
        commit(self)
        lasting()

    def executed(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if not connection.in_atomic_block and not str(sql).lstrip().upper().startswith(READS):
            lasting()
        return answer

    BaseDatabaseWrapper._commit = committed
    with connection.execute_wrapper(executed):
        call_command("migrate", interactive=False, verbosity=0)
    return written


def _state() -> dict:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from players import triggers
    from tests.releases import databases

    executor = MigrationExecutor(connection)
    return {
        "schema": {" ".join(key): text for key, text in databases.schema().items()},
        "contents": databases.contents(),
        "left": len(executor.migration_plan(executor.loader.graph.leaf_nodes())),
        "missing": sorted(map(list, triggers.missing(connection))),
    }


def _whole(what: str, state: dict, wanted: dict) -> None:
    for name in ("schema", "contents"):
        keys = state[name].keys() | wanted[name].keys()
        if other := sorted(key for key in keys if state[name].get(key) != wanted[name].get(key)):
            raise SystemExit(f"{what}: {name} of {', '.join(other[:8])} is not as it should be.")
    if state["left"] or state["missing"]:
        raise SystemExit(f"{what}: not applied {state['left']}, triggers missing {state['missing']}.")


def _again(what: str) -> dict:
    status, _ = _forked(_migrate)
    if status:
        raise SystemExit(f"{what}: the next migrate fails (exit {status}).")
    return _forked(_state)[1]


def main(template: str, what: str) -> dict[str, int]:
    from tests.releases import databases

    databases.renew(template)
    begun = time.perf_counter()
    points = _forked(_migrate)[1]
    takes = time.perf_counter() - begun
    wanted = _forked(_state)[1]
    databases.renew("")
    _forked(_migrate)
    fresh = _forked(_state)[1]
    _whole("Upgraded, beside a new database", {**wanted, "contents": {}}, {**fresh, "contents": {}})
    tried = range(1, 2 if what == "first" else points + 1)
    for stop in tried:
        databases.renew(template)
        status, _ = _forked(lambda stop=stop: _migrate(stop))
        if status != -signal.SIGKILL:
            raise SystemExit(f"It was not killed at {stop}: exit {status}.")
        _whole(f"Killed behind write {stop}", _again(f"Killed behind write {stop}"), wanted)
    chance = random.Random(8)
    struck = 0
    for number in range({"first": 0, "all": 5}[what]):
        databases.renew(template)
        status, _ = _forked(_migrate, chance.uniform(0, takes))
        struck += status == -signal.SIGKILL
        _whole(f"Killed at random, {number}", _again(f"Killed at random, {number}"), wanted)
    return {"points": len(tried), "random": struck, "new": _step_by_step(fresh) if what == "all" else 0}


def _step_by_step(fresh: dict) -> int:
    """A new database whose every migrate is killed behind its first lasting write that goes on."""
    from tests.releases import databases

    databases.renew("")
    kills, reach, left = 0, 1, -1
    while True:
        status, _ = _forked(lambda reach=reach: _migrate(reach))
        if not status:
            break
        kills += 1
        if kills > 2000:
            raise SystemExit("Migrating step by step does not end.")
        now = _forked(_left)[1]
        reach, left = (1, now) if now and now != left else (reach + 1, now)
    state = _forked(_state)[1]
    _whole("A new database, step by step", {**state, "contents": {}}, {**fresh, "contents": {}})
    return kills


def _left() -> int:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    django.setup()
    from tests.releases import later

    later.put_in()
    print(json.dumps(main(*sys.argv[1:])))
