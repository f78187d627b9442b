"""An hour of readers, arbiters, officers and a publication in the middle on the portal's own programs: no
error, 99 of 100 requests within a second, and never a mixture of two lists.

``./test trust`` gives it five minutes, ``--short`` one, ``TRUST_SECONDS=3600 ./test trust`` the hour.
"""

from __future__ import annotations

import os
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from ratingsite.launch.supervisor import Supervisor
from tests.programs import database_url
from tests.releases.fixtures import RELEASES, laid_out, program_of
from tests.servers import free_port
from tests.trust.counts import SHORT, counted
from tests.trust.load import Arbiter, Office, Reader, Told, Walker, percentile

pytestmark = [pytest.mark.trust, pytest.mark.once]

SECONDS = int(os.environ.get("TRUST_SECONDS") or (60 if SHORT else 300))
#: requests a second of the public, that docs/developers/performance.md states
RATE, READERS = int(os.environ.get("TRUST_RATE") or 8), 12
#: seconds from one event of an arbiter to his next
EVERY = 15
WARM = 10


def build(environment: dict[str, str]) -> dict:
    events = 8 + 4 * SECONDS // EVERY
    name = environment["PORTAL_DATABASE_URL"].rpartition("/")[2]
    address = environment["PORTAL_DATABASE_URL"].rpartition("/")[0]
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{environment["TEMPLATE"]}"')
    return program_of("tests.trust.load_world", environment, str(events))


@contextmanager
def portal(environment: dict[str, str], port: int) -> Iterator[dict[str, int]]:
    """Web server, worker, scheduler and sweep, as ./portal starts them. Yields their process groups."""
    from ratingsite.launch.__main__ import children

    programs = [each for each in children("127.0.0.1", port) if each.name != "broker"]
    for each in programs:
        each.environment = {**environment, **each.environment}
    log = Path(environment["PORTAL_VAR"]) / "log"
    log.mkdir()
    supervisor = Supervisor(programs, log, print)
    try:
        supervisor.start()
        _wait_until_ready(port)
        yield {each.name: each.process.pid for each in programs}
    finally:
        supervisor.stop(10)


def processor(group: int) -> float:
    """Seconds of processor time that a process group has used."""
    used = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            told = path.read_text().rpartition(") ")[2].split()
            if int(told[2]) == group:
                used += int(told[11]) + int(told[12])
    return used / os.sysconf("SC_CLK_TCK")


def _wait_until_ready(port: int) -> None:
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).read()
            return
        time.sleep(0.2)
    raise RuntimeError("The portal does not get ready.")


def published(environment: dict[str, str], world: dict) -> tuple[dict, set[str], list]:
    """Each published list of the system: hash -> (date, revision, player -> printed); hashes of files; jobs
    that failed."""
    with psycopg.connect(environment["PORTAL_DATABASE_URL"]) as database:
        lists = database.execute(
            "SELECT l.sha256, p.list_date::text, l.revision, r.player_id, r.rating FROM ratinglists_listrow r"
            " JOIN ratinglists_ratinglist l ON l.id = rating_list_id"
            " JOIN ratinglists_period p ON p.id = period_id"
            " WHERE p.system_id = %s AND l.state = 'published'",
            [world["system"]],
        ).fetchall()
        files = database.execute("SELECT sha256 FROM ratinglists_listfile").fetchall()
        failed = database.execute(
            "SELECT kind, message FROM ratinglists_job WHERE state = 'failed'"
        ).fetchall()
    found: dict = {}
    for digest, day, revision, player, rating in lists:
        found.setdefault(digest, (day, revision, {}))[2][player] = "" if rating is None else str(rating)
    return found, {row[0] for row in files}, failed


def mixtures(told: Told, lists: dict, files: set[str], active: dict[str, set[int]]) -> Iterator[str]:
    """What somebody saw that no published list says."""
    for digest, rows, whole in told.seen:
        if digest not in lists:
            yield f"a list {digest[:12]} that was never published"
            continue
        day, revision, ratings = lists[digest]
        other = {pk: shown for pk, shown in rows.items() if ratings.get(pk) != shown}
        if other:
            yield f"{len(other)} rows of another list on one of {day}, revision {revision}"
        if whole and rows.keys() != active[digest]:
            yield f"a cursor gave {len(rows)} of {len(active[digest])} players of {day}, revision {revision}"
    known = {(day, revision): ratings for day, revision, ratings in lists.values()}
    for player, day, revision, rating in told.ratings:
        of_day = [each for (at, number), each in known.items() if at == day and revision in (0, number)]
        if rating not in {ratings.get(player) for ratings in of_day}:
            yield f"player {player} has {rating} on the list of {day}, revision {revision}: no list says so"
    for digest in told.files:
        if digest not in files:
            yield f"a file {digest[:12]} that belongs to no list"


def _active(environment: dict[str, str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    with psycopg.connect(environment["PORTAL_DATABASE_URL"]) as database:
        for digest, player in database.execute(
            "SELECT l.sha256, player_id FROM ratinglists_listrow"
            " JOIN ratinglists_ratinglist l ON l.id = rating_list_id"
            " WHERE status IN ('active', 'provisional')"
        ):
            found.setdefault(digest, set()).add(player)
    return found


def at_once(told: Told, works: Iterable[tuple[Callable, tuple]], limit: float) -> None:
    """Each work, with what it is given, in a thread; what breaks one off is a fault."""

    def guarded(work, given) -> None:
        try:
            work(*given)
        except Exception as error:
            told.fault(f"{work}: {error!r}")

    threads = [threading.Thread(target=guarded, args=each, daemon=True) for each in works]
    for each in threads:
        each.start()
    for each in threads:
        each.join(timeout=limit)


def readers(port: int, world: dict, told: Told, until: float, first: int = 0) -> list[tuple[Callable, tuple]]:
    seeds = range(first, first + READERS)
    return [(Reader(port, told, world, seed).run, (RATE / READERS, until)) for seed in seeds]


def warm(port: int, world: dict, told: Told) -> None:
    """Readers for some seconds, whose times do not count: each process compiles its templates once."""
    at_once(told, readers(port, world, told, time.monotonic() + WARM, first=1000), WARM + 120)


def drive(port: int, world: dict, told: Told, seconds: float) -> float:
    """Everybody at work for so long. Returns how long it took."""
    begun, until = time.monotonic(), time.monotonic() + seconds
    names = [name for name in world["sessions"] if name.startswith("load-")]
    arbiters = [(Arbiter(port, told, world, name).run, (EVERY, until)) for name in names]
    office = (Office(port, told, world).run, (seconds, until))
    walker = (Walker(port, told, world).run, (1.0, until))
    at_once(told, [*readers(port, world, told, until), *arbiters, office, walker], seconds + 120)
    return time.monotonic() - begun


def test_an_hour_of_everybody_at_once(tmp_path):
    from django.conf import settings

    assert settings.CELERY_BROKER_URL.startswith("redis://"), "needs PORTAL_REDIS_URL"
    server = database_url()
    assert server.startswith("postgresql"), "needs PORTAL_DATABASE_URL of PostgreSQL"
    port = free_port()
    with laid_out(RELEASES[-1], tmp_path, server) as kept:
        environment = kept | {
            "PORTAL_REDIS_URL": settings.CELERY_BROKER_URL,
            "PORTAL_LOG_LEVEL": "WARNING",
            "PORTAL_API_PER_MINUTE": "0",
        }
        world = build(environment)
        told, before_all = Told(), Told()
        with portal(environment, port) as groups:
            warm(port, world, before_all)
            before = processor(groups["web"])
            took = drive(port, world, told, SECONDS)
            used = processor(groups["web"]) - before
        lists, files, failed = published(environment, world)
        mixed = list(mixtures(told, lists, files, _active(environment)))
        logged = [path for path in (tmp_path / "log").glob("*.log") if b"Traceback" in path.read_bytes()]
    every = [seconds for own in told.seconds.values() for seconds in own]
    late = percentile(every, 0.99)
    for kind, own in sorted(told.seconds.items()):
        shown = [f"{1000 * percentile(own, share):.0f}" for share in (0.5, 0.95, 0.99, 1)]
        print(f"{kind:18} {len(own):6}  ms: " + " ".join(shown))
    print(
        dict(told.statuses),
        dict(told.acts),
        f"{len(every) / took:.1f} requests a second, load {os.getloadavg()}",
    )
    print(f"processor time of the web server: {1000 * used / len(every):.0f} ms a request")
    for fault in [*told.faults, *mixed][:20]:
        print("  ", fault)
    bad = sum(number for status, number in told.statuses.items() if status == 0 or status >= 500)
    counted(
        f"requests in {SECONDS} s of mixed load", RATE * SECONDS * 9 // 10, len(every), late, failures=bad
    )
    counted(
        "answers held against the lists", 3 * SECONDS, len(told.seen) + len(told.ratings), failures=len(mixed)
    )
    assert told.faults + before_all.faults == []
    assert mixed == []
    assert failed == []
    assert logged == []
    assert told.acts["lists published"] == told.acts["revisions published"] == 1
    assert told.acts["reports sent"] >= SECONDS // EVERY
    assert {revision for day, revision, _ in lists.values() if day == world["day"]} == {1, 2}
    # A minute on a machine that tests keep busy says nothing of the time.
    assert SHORT or late < 1.0


def test_a_mixture_is_told():
    """The control: rows, cursors, profiles and files that no published list explains."""
    lists = {
        "a" * 64: ("2026-11-01", 1, {1: "1800", 2: "1700"}),
        "b" * 64: ("2026-11-01", 2, {1: "1810", 2: "1700"}),
    }
    active = {"a" * 64: {1, 2}, "b" * 64: {1, 2}}
    whole = Told(
        seen=[("a" * 64, {1: "1800", 2: "1700"}, True), ("b" * 64, {1: "1810"}, False)],
        ratings=[(1, "2026-11-01", 0, "1800"), (1, "2026-11-01", 2, "1810")],
    )
    whole.files["f"] = 3
    assert list(mixtures(whole, lists, {"f"}, active)) == []
    mixed = Told(
        seen=[
            ("a" * 64, {1: "1810", 2: "1700"}, False),
            ("b" * 64, {1: "1810"}, True),
            ("c" * 64, {}, False),
        ],
        ratings=[(1, "2026-11-01", 1, "1810"), (2, "2026-11-01", 0, "1650")],
    )
    mixed.files["g"] = 1
    assert len(list(mixtures(mixed, lists, {"f"}, active))) == 6
