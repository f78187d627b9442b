"""A whole period of FIDE's size: what computing its list costs, and against what.

Usage: python bench/period.py [--scale 0.01 0.1 1] [--elote PYTHON] [--parts PART …] [--json FILE]
PORTAL_DATABASE_URL names a PostgreSQL server (any database of it); the databases bench_period_... are made
and dropped. ``--elote`` is an interpreter that has the package elote (requirements-bench.txt).

Each part runs in a process of its own, whose peak of memory is its own. "cpu" is the processor time of that
process and of its PostgreSQL process together: what a busy machine does not change much.
prove    the proof of that draft: request and reports kept in an archive, the stored rows against the
         list's hash, the list by the calculator from the archive alone; by stage, with the peak of this
         process, of the largest calculator, and of all at once. ``--parts build whole prove`` does no more
copy     the bare cost: COPY of the games out, COPY of the finished list into the same table, commit
whole    the portal's computation: read, rate and make the list, check it, hash it, write it, commit
loop     the same formulas game by game in plain Python, without any database, on a sample of events
elote    elote's Elo competitors on the same games, in memory
verify   every event by ``Regulation.rate``, every player by ``next_list``: same bytes of the list, same
         figures of each player in each event
events   (scales up to 0.1) the portal's event by event way, database included
workers  (scales up to 0.1) 1, 2 and 4 Celery workers with as many shares, through the broker of
         PORTAL_REDIS_URL: same bytes
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def peak() -> int:
    """Peak of resident memory of this process so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Stages:
    """Seconds and peak memory by stage."""

    def __init__(self) -> None:
        self.rows: list[dict] = []

    @contextmanager
    def __call__(self, name: str):
        begun = now()
        yield
        self.add(name, since(begun))

    def add(self, name: str, spent: tuple[float, float], memory: int | None = None) -> None:
        """A stage that took so many seconds on the clock and of processors."""
        seconds, cpu = (round(each, 2) for each in spent)
        self.rows.append({"stage": name, "seconds": seconds, "cpu": cpu, "peak_mib": memory or peak()})

    def told(self) -> dict:
        """The stages and their sums."""
        seconds, cpu = (round(sum(row[name] for row in self.rows), 2) for name in ("seconds", "cpu"))
        return {"stages": self.rows, "seconds": seconds, "cpu": cpu, "peak_mib": peak()}


def server_cpu() -> float:
    """Processor seconds of this connection's PostgreSQL process, where it runs on this machine."""
    from django.db import connection

    if connection.vendor != "postgresql":  # SQLite's are those of this process
        return 0.0
    connection.ensure_connection()
    try:
        told = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text()
    except OSError:
        return 0.0
    user, system = told.rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def now() -> tuple[float, float]:
    """The clock, and the processor seconds so far of this process and its PostgreSQL process."""
    return time.perf_counter(), time.process_time() + server_cpu()


def since(begun: tuple[float, float]) -> tuple[float, float]:
    """Seconds on the clock and of processors since then."""
    clock, cpu = now()
    return clock - begun[0], cpu - begun[1]


def quiet(*_) -> None:
    """No progress."""


def the_period():
    from bench.period_data import LIST_DATE
    from ratinglists.models import Period

    return Period.objects.select_related("system").get(list_date=LIST_DATE)


# --- the parts ------------------------------------------------------------------------------------


def part_build(scale: float) -> dict:
    from django.core.management import call_command

    from bench import period_data

    call_command("migrate", verbosity=0)
    begun = time.perf_counter()
    return period_data.build(scale) | {"build_seconds": round(time.perf_counter() - begun, 1)}


def part_whole(scale: float) -> dict:
    from django.db import transaction

    from ratinglists import bulk_drafts, bulk_inputs

    stages, period = Stages(), the_period()
    with stages("read"):
        inputs = bulk_inputs.read(period, quiet)
    result = timed_compute(stages, inputs)
    with transaction.atomic():
        timed_write(stages, inputs, result)
        begun = now()
    stages.add("commit", since(begun))
    assert period.lists.get().report["explanations"] == bulk_drafts.ON_DEMAND
    special = {"players": len(result.outcome.result.players), "results": len(result.outcome.special)}
    return stages.told() | {"sha256": result.sha256, "special": special}


def part_prove(scale: float) -> dict:
    """``proving.prove`` without a job."""
    from ratinglists import proving

    draft, stages = the_period().lists.select_related("period__system").get(), _ByStage()
    begun = now()
    with _Memory() as memory:
        kept = proving.keep(draft, stages.seen)
        proving.check(draft, kept, stages.seen)
    stages.seen("", 0, 0)
    seconds, cpu = since(begun)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "stages": stages.rows,
        "seconds": round(seconds, 2),
        "cpu": round(cpu + children.ru_utime + children.ru_stime, 2),
        "peak_mib": peak(),
        "calculator_peak_mib": memory.child,
        "together_mib": memory.together,
        "request": kept.request,
        "same_bytes": True,  # else ``check`` has raised
    }


class _Memory:
    """Resident memory of the calculators and of all at once, MiB, looked at five times a second. (What the
    system tells of a child counts its parent's memory before it began.)"""

    def __init__(self) -> None:
        self.child = self.together = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "_Memory":
        self._thread.start()
        return self

    def __exit__(self, *exc) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.2):
            children = [
                resident(int(pid))
                for task in Path("/proc/self/task").iterdir()
                for pid in (task / "children").read_text().split()
            ]
            self.child = max([self.child, *children])
            self.together = max(self.together, resident(os.getpid()) + sum(children))


def resident(pid: int) -> int:
    """Resident memory of a process now, MiB; 0 when it is gone."""
    try:
        told = Path(f"/proc/{pid}/statm").read_text()
    except OSError:
        return 0
    return int(told.split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


class _ByStage(Stages):
    """The time between the first words of a stage and those of the next."""

    def __init__(self) -> None:
        super().__init__()
        self._stage, self._begun = "", now()

    def seen(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            if self._stage:
                self.add(self._stage, since(self._begun))
            self._stage, self._begun = stage, now()


def timed_compute(stages: Stages, inputs):
    """``bulk_drafts.compute``, its steps timed."""
    from ratinglists import bulk_drafts
    from regulations import bulk, lists

    real = {name: getattr(module, name) for module, name in ((bulk, "compute"), (lists, "sha256_of"))}
    times = {}

    def clocked(name):
        def call(*args):
            begun = now()
            try:
                return real[name](*args)
            finally:
                times[name] = since(begun), peak()

        return call

    bulk.compute, lists.sha256_of = clocked("compute"), clocked("sha256_of")
    begun = now()
    result = bulk_drafts.compute(inputs, quiet)
    total = since(begun)
    bulk.compute, lists.sha256_of = real["compute"], real["sha256_of"]
    stages.add("rate and fold", *times["compute"])
    stages.add("check", rest(total, [spent for spent, _ in times.values()]), times["sha256_of"][1])
    stages.add("hash", *times["sha256_of"])
    return result


def timed_write(stages: Stages, inputs, result) -> None:
    """``bulk_drafts.write_draft``, the list and the events timed apart."""
    from ratinglists import bulk_drafts, rowio

    real, times = rowio.write, []

    def clocked(*args):
        begun = now()
        count = real(*args)
        times.append((args[0], since(begun), count))
        return count

    rowio.write = clocked
    begun = now()
    bulk_drafts.write_draft(inputs, result)
    total = since(begun)
    rowio.write = real
    for table, spent, count in times:
        stages.add(f"write {table.split('_')[1]} ({count})", spent)
    stages.add("write the rest", rest(total, [spent for _, spent, _ in times]))


def rest(total: tuple[float, float], parts) -> tuple[float, float]:
    """What is left of a time when its parts are taken off."""
    return total[0] - sum(spent[0] for spent in parts), total[1] - sum(spent[1] for spent in parts)


def part_copy(scale: float) -> dict:
    """COPY the games out and the finished list in, nothing else."""
    from django.db import connection, transaction

    from ratinglists.bulk_drafts import ROW_FIELDS
    from ratinglists.models import RatingList

    draft = the_period().lists.get()
    names = ", ".join(ROW_FIELDS)
    with tempfile.NamedTemporaryFile(dir=os.environ.get("PORTAL_VAR")) as file:
        with connection.cursor() as cursor:
            select = f"SELECT {names} FROM ratinglists_listrow WHERE rating_list_id = {draft.pk}"
            with cursor.copy(f"COPY ({select}) TO STDOUT") as copy:
                for block in copy:
                    file.write(block)
        file.flush()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in ("playerresult", "pooledsample", "eventresult", "listrow"):
                where = f"rating_list_id = {draft.pk}"
                if table == "playerresult":
                    where = f"event_id IN (SELECT id FROM ratinglists_eventresult WHERE {where})"
                cursor.execute(f"DELETE FROM ratinglists_{table} WHERE {where}")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ratinglists_listrow")
        stages, games, rows = Stages(), 0, 0
        with stages("games out"), connection.cursor() as cursor:
            select = "SELECT tournament_id, round, white_id, black_id, result FROM tournaments_game"
            with cursor.copy(f"COPY ({select}) TO STDOUT") as copy:
                for block in copy:
                    games += bytes(block).count(b"\n")
        file.seek(0)
        with stages("list in, with commit"), transaction.atomic(), connection.cursor() as cursor:
            with cursor.copy(f"COPY ratinglists_listrow ({names}) FROM STDIN") as copy:
                while block := file.read(1 << 20):
                    copy.write(block)
            rows = cursor.rowcount
    RatingList.objects.filter(pk=draft.pk).delete()
    return stages.told() | {"games": games, "rows": rows}


def whole_events(inputs, numbers):
    """These events with all their players and games, as the event by event way has them."""
    import numpy as np

    from regulations import bulk

    given = inputs.given
    parts, cells = given.parts, given.cells
    of_cell = parts.event[cells.white]
    order = np.argsort(of_cell, kind="stable")
    limits = np.searchsorted(of_cell[order], np.arange(len(given.events) + 1))
    own_limits = np.searchsorted(parts.event, np.arange(len(given.events) + 1))
    already: set[int] = set()
    met = bulk.met_rated(parts, bulk.played(cells))
    for number in numbers:
        mine = np.arange(own_limits[number], own_limits[number + 1])
        here = order[limits[number] : limits[number + 1]]
        yield mine, bulk._event(given, given.events[number], here, mine, already)
        already.update(parts.player[mine[met[mine]]].tolist())


def part_loop(scale: float) -> dict:
    """Rating events game by game; the same games by columns beside it."""
    from ratinglists import bulk_inputs
    from regulations import bulk

    inputs = bulk_inputs.read(the_period(), quiet)
    given = inputs.given
    numbers = range(0, len(given.events), max(1, len(given.events) // 300))
    events = [event for _, event in whole_events(inputs, numbers)]
    begun = time.process_time()
    for event in events:
        given.regulation.rate(event)
    loop = time.process_time() - begun
    games = sum(len(event.games) for event in events)
    over = bulk.played(given.cells)
    begun = time.process_time()
    bulk.ordinary_sums(given.parts, given.events, given.regulations, over)
    by_columns = time.process_time() - begun
    return {
        "sample_games": games,
        "loop_us_per_game": round(1e6 * loop / games, 2),
        "columns_us_per_game": round(1e6 * by_columns / len(over.white), 3),
    }


def part_elote(scale: float, python: str) -> dict:
    """The same games, as lines of white, black and result, to elote in its own interpreter."""
    from ratinglists import bulk_inputs
    from regulations import bulk

    inputs = bulk_inputs.read(the_period(), quiet)
    parts, games = inputs.given.parts, bulk.played(inputs.given.cells)
    count = min(len(games.white), 200_000)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for white, black, result in zip(
            games.white[:count].tolist(),
            games.black[:count].tolist(),
            games.result[:count].tolist(),
            strict=True,
        ):
            one, other = parts.player[white], parts.player[black]
            file.write(
                f"{one} {max(1400, parts.rating[white])} {other} {max(1400, parts.rating[black])} {result}\n"
            )
        file.flush()
        run = [python, str(ROOT / "bench" / "elote_loop.py"), file.name]
        told = subprocess.run(run, check=True, capture_output=True, text=True)
    return json.loads(told.stdout)


def part_verify(scale: float) -> dict:
    """Every player the event by event way, against the columns."""
    from collections import Counter, defaultdict
    from dataclasses import replace
    from fractions import Fraction

    from ratinglists import bulk_drafts, bulk_inputs
    from ratinglists.computation import players_of
    from regulations import lists
    from regulations.model import ListInput, RatedEvent

    begun = time.perf_counter()
    inputs = bulk_inputs.read(the_period(), quiet)
    result = bulk_drafts.compute(inputs, quiet)
    given, outcome = inputs.given, result.outcome
    rated, games, wrong = [], Counter(), []
    for mine, event in whole_events(inputs, range(len(given.events))):
        found = given.regulation.rate(event)
        for player in found.players:
            games[player.id] += player.games
        rated.append((mine, event, found))
    light, by_player = [], defaultdict(list)
    for number, (mine, event, found) in enumerate(rated):
        rated[number] = None
        if any(player.games != games[player.id] for player in found.players):
            people = tuple(replace(p, games_in_period=games[p.id]) for p in event.players)
            event = replace(event, players=people)
            found = given.regulation.rate(event)
        players = {player.id: player for player in found.players}
        for at in mine.tolist():
            told = players[str(given.parts.player[at])]
            if at in outcome.special:
                same = outcome.special[at] == told
            else:
                sums, k = outcome.sums, int(outcome.k[at])
                gain, score = Fraction(int(sums.gain[at]), 100), Fraction(int(sums.halves[at]), 2)
                rc = Fraction(int(sums.ratings[at]), told.games) if told.games else None
                same = (told.status, told.games, told.score, told.rc, told.expected, told.k, told.change) == (
                    "rated", int(sums.games[at]), score, rc, score - gain, k, k * gain
                )  # fmt: skip
            if not same:
                wrong.append(f"{event.id}: {told.id}")
            kept = told if told.status == "unrated" else replace(told, counted=(), uncounted=(), steps=())
            by_player[told.id].append((number, kept))
        light.append((event, replace(found, players=())))
    texts = []
    ids = sorted({*given.players.tolist(), *map(int, by_player)})
    for begin in range(0, len(ids), 100_000):
        some = ids[begin : begin + 100_000]
        own: dict[int, list] = defaultdict(list)
        for pk in some:
            for number, kept in by_player.pop(str(pk), ()):
                own[number].append(kept)
        events = tuple(
            RatedEvent(light[number][0], replace(light[number][1], players=tuple(own[number])))
            for number in sorted(own)
        )
        listed = []
        for first in range(0, len(some), 2000):
            listed += players_of(inputs.previous, (), only=set(some[first : first + 2000]))
        made = given.regulation.next_list(ListInput(given.list_date, tuple(listed), (), events))
        texts += [(row.id, lists.row_text(row)) for row in made.players]
    texts.sort()
    samples = outcome.result.samples
    pieces = lists.canonical_of_texts(
        inputs.regulation.code,
        given.list_date.isoformat(),
        (text for _, text in texts),
        map(lists.sample_text, samples),
    )
    sha256 = lists.sha256_of(pieces)
    return {
        "seconds": round(time.perf_counter() - begun, 1),
        "peak_mib": peak(),
        "parts": len(given.parts.event),
        "parts_wrong": len(wrong),
        "players": len(texts),
        "same_bytes": sha256 == result.sha256,
    }


def part_events(scale: float) -> dict:
    """The event by event way, database included."""
    from django.db import transaction

    from ratinglists.computation import compute, read_inputs
    from ratinglists.drafts import write_draft

    stages, period = Stages(), the_period()
    with stages("read and rate"):
        inputs = read_inputs(period, quiet)
    with stages("make and check the list"):
        result = compute(inputs, quiet)
    with stages("write, with commit"), transaction.atomic():
        draft = write_draft(inputs, result)
    return stages.told() | {"sha256": draft.sha256}


def part_workers(scale: float) -> dict:
    """The period through Celery, its events in as many shares as there are workers: 1, 2 and 4 of these."""
    from django.conf import settings

    from ratinglists import services
    from ratinglists.models import Job

    settings.PORTAL_EXPLAIN_AT_ONCE = 0
    found, period = {}, the_period()
    for count in (1, 2, 4):
        environment = os.environ | {"PORTAL_EXPLAIN_AT_ONCE": "0", "PORTAL_SHARES": str(count)}
        environment |= {"DJANGO_SETTINGS_MODULE": "ratingsite.settings", "REMAP_SIGTERM": "SIGQUIT"}
        run = [sys.executable, "-m", "celery", "-A", "ratingsite", "worker", "--concurrency", "1"]
        run += ["--without-gossip", "--without-mingle", "--hostname"]
        workers = [
            subprocess.Popen([*run, f"bench{n}@%h"], cwd=ROOT, env=environment, stdout=sys.stderr)
            for n in range(count)
        ]
        begun = time.perf_counter()
        try:
            job = services.request_compute(period)
            while job.state not in (Job.State.DONE, Job.State.FAILED):
                time.sleep(0.5)
                job.refresh_from_db()
                if time.perf_counter() - begun > 900:
                    raise TimeoutError(f"{job}: {job.state} {job.stage}")
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
        draft = period.lists.get()
        found[count] = {
            "seconds_with_start": round(time.perf_counter() - begun, 1),
            "sha256": draft.sha256,
            "columns": draft.report["columns"],
            "rows_md5": rows_md5(draft.pk),
            "shares": job.shares.count(),
        }
    keys = ("sha256", "columns", "rows_md5")
    same = all(each[key] == found[1][key] for each in found.values() for key in keys)
    period.lists.all().delete()
    return {"workers": found, "same_bytes": same}


def rows_md5(draft: int) -> str:
    """Of all that the draft's tables hold, keys of rows apart."""
    from django.db import connection

    from ratinglists.bulk_drafts import RESULT_FIELDS, ROW_FIELDS

    rows = ", ".join(name for name in ROW_FIELDS if name != "rating_list_id")
    results = ", ".join(f"r.{name}" for name in RESULT_FIELDS if name != "event_id")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT md5(string_agg(t, '|' ORDER BY t)) FROM ("
            f"SELECT ROW({rows})::text AS t FROM ratinglists_listrow WHERE rating_list_id = {draft} "
            "UNION ALL "
            f"SELECT ROW(e.tournament_id, {results}, r.performance)::text FROM ratinglists_playerresult r "
            f"JOIN ratinglists_eventresult e ON e.id = r.event_id WHERE e.rating_list_id = {draft}) AS told"
        )
        return cursor.fetchone()[0]


# --- running them ---------------------------------------------------------------------------------


def one_scale(scale: float, args, server: str) -> dict:
    import psycopg

    name = f"bench_period_{str(scale).replace('.', '_')}"
    if "build" in args.parts:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name}")
            connection.execute(f"CREATE DATABASE {name}")
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    found: dict = {"scale": scale}
    try:
        for part in args.parts:
            if (part == "elote" and not args.elote) or (part in ("events", "workers") and scale > 0.1):
                continue
            found[part] = child(part, scale, url, args)
            print(f"{scale}: {part}: {json.dumps(found[part])}", file=sys.stderr, flush=True)
    finally:
        if not args.keep:
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    return found


def child(part: str, scale: float, url: str, args) -> dict:
    with tempfile.TemporaryDirectory() as var:
        environment = os.environ | {"PORTAL_DATABASE_URL": url, "PORTAL_DEBUG": "1", "PORTAL_VAR": var}
        run = [sys.executable, __file__, "--part", part, "--scale", str(scale), "--elote", args.elote or ""]
        told = subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(told.stdout)


def report(found: list[dict]) -> str:
    """The results as a table in Markdown."""
    lines = ["| | " + " | ".join(f"scale {each['scale']}" for each in found) + " |"]
    lines.append("| --- |" + " ---: |" * len(found))

    def row(name: str, value) -> None:
        cells = []
        for each in found:
            try:
                cells.append(str(value(each)))
            except KeyError:
                cells.append("–")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")

    def per_game(each: dict) -> float:
        return 1e6 * each["whole"]["cpu"] / each["build"]["games"]

    for name in ("players", "active", "tournaments", "entries", "games"):
        row(name, lambda each, name=name: f"{each['build'][name]:,}")
    row("bare COPY, s (cpu)", lambda each: both(each["copy"]))
    for stage in found[0].get("copy", {}).get("stages", ()):
        row(f"– {stage['stage']}", lambda each, s=stage["stage"]: of_stage(each["copy"], s))
    row("whole computation, s (cpu)", lambda each: both(each["whole"]))
    for stage in found[0].get("whole", {}).get("stages", ()):
        name = stage["stage"].split(" (")[0]
        row(f"– {name}", lambda each, s=name: of_stage(each["whole"], s))
    for name in ("seconds", "cpu"):
        row(
            f"whole / bare COPY, by {name}",
            lambda each, name=name: round(each["whole"][name] / each["copy"][name], 2),
        )
    row("peak memory, MiB", lambda each: each["whole"]["peak_mib"])
    row("proof, s (cpu)", lambda each: both(each["prove"]))
    for stage in found[0].get("prove", {}).get("stages", ()):
        row(f"– {stage['stage']}", lambda each, s=stage["stage"]: of_stage(each["prove"], s))
    row("proof, peak memory, MiB", lambda each: each["prove"]["peak_mib"])
    row("– of its largest calculator", lambda each: each["prove"]["calculator_peak_mib"])
    row("– of all at once", lambda each: each["prove"]["together_mib"])
    row("whole, µs of processors per game", lambda each: round(per_game(each), 1))
    row("rating by columns, µs per game", lambda each: each["loop"]["columns_us_per_game"])
    row("plain loop, µs per game", lambda each: each["loop"]["loop_us_per_game"])
    row("elote, µs per game", lambda each: each["elote"]["us_per_game"])
    row(
        "elote / rating by columns",
        lambda each: round(each["elote"]["us_per_game"] / each["loop"]["columns_us_per_game"], 1),
    )
    row("elote / whole computation", lambda each: round(each["elote"]["us_per_game"] / per_game(each), 2))
    row("players whose row differs", lambda each: 0 if each["verify"]["same_bytes"] else "some")
    row("results of players in events that differ", lambda each: each["verify"]["parts_wrong"])
    row("event by event with the database, s (cpu)", lambda each: both(each["events"]))
    row("– peak memory, MiB", lambda each: each["events"]["peak_mib"])
    row("– same SHA-256 of the list", lambda each: each["events"]["sha256"] == each["whole"]["sha256"])
    return "\n".join(lines)


def both(row: dict) -> str:
    """Seconds on the clock, and of processors."""
    return f"{row['seconds']} ({row['cpu']})"


def of_stage(part: dict, name: str) -> str:
    """The times of a stage."""
    return next(both(row) for row in part["stages"] if row["stage"].split(" (")[0] == name.split(" (")[0])


PARTS = ("build", "whole", "prove", "copy", "loop", "elote", "verify", "events", "workers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, nargs="+", default=[0.01, 0.1, 1])
    parser.add_argument("--elote", default="")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--keep", action="store_true", help="leave the databases (for more --parts later)")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        import django

        os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
        django.setup()
        make = globals()[f"part_{args.part}"]
        extra = (args.elote,) if args.part == "elote" else ()
        print(json.dumps(make(args.scale[0], *extra)))
        return
    server = os.environ.get("PORTAL_DATABASE_URL", "")
    if not server.startswith("postgres"):
        parser.error("PORTAL_DATABASE_URL has to name a PostgreSQL server.")
    found = [one_scale(scale, args, server) for scale in args.scale]
    if args.json:
        args.json.write_text(json.dumps({"machine": platform.platform(), "scales": found}, indent=1))
    print(report(found))


if __name__ == "__main__":
    main()
