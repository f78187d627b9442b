"""A database, a broker and the portal's programs, for one trial: started, watched, struck and ended."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import Error, connection, connections, transaction
from django.db.models import Model
from django.utils import timezone

from players.ledger import Work
from ratinglists import jobs
from ratinglists.models import Job, Period, Publication
from ratingsite.celery import app
from ratingsite.launch.supervisor import Child, Supervisor
from tests.chaos import oracle, scenario
from tests.chaos.oracle import Broken, hold
from tests.servers import PostgreSQL, Redis

ROOT = Path(__file__).resolve().parents[2]
SHORT = bool(os.environ.get("CHAOS_SHORT"))
WITHIN = 60  # seconds: by then every job has to be taken up again after a fault
PATIENCE = 300  # where many wait for two workers, and the machine may be busy


class City:
    """The servers of a run, the scenario as a template database, and what an undisturbed run makes of it."""

    def __init__(self, folder: Path, *, systems: int, periods: int, events: int) -> None:
        self.var = folder / "var"
        self.var.mkdir()
        folder.chmod(0o711)
        self.on_postgresql = connection.vendor == "postgresql"
        self.postgresql = PostgreSQL(folder, max_connections=300) if self.on_postgresql else None
        self.redis = Redis(folder, None if self.on_postgresql else self.var / "broker.sock")
        app.conf.broker_url = self.redis.url
        self.url = self.tablespace = ""
        self._fill(systems, periods, events)
        began = time.monotonic()
        self.fresh("calm")
        self.base = Publication.objects.count()
        self._empty_archive()
        self.expected = oracle.undisturbed()
        took = time.monotonic() - began
        print(f"{len(self.expected)} periods computed and published undisturbed in {took:.0f} s", flush=True)
        self._empty_archive()

    @property
    def systems(self) -> list[str]:
        periods = Period.objects.filter(pk__in=self.expected)
        return sorted(set(periods.values_list("system", flat=True)))

    def _fill(self, systems: int, periods: int, events: int) -> None:
        if self.on_postgresql:
            self._sql("CREATE DATABASE chaos_template")
        self.aim("chaos_template")
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            scenario.build(systems, periods, events)
        connection.close()

    def _sql(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"{self.postgresql.url}/postgres", autocommit=True) as server:
            server.execute(statement)

    def aim(self, name: str) -> None:
        """Have this process work on that database."""
        connections.close_all()
        login = connections.settings["default"]
        if self.on_postgresql:
            login |= {"NAME": name, "PORT": self.postgresql.port, "HOST": "127.0.0.1", "USER": "postgres"}
            self.url = f"{self.postgresql.url}/{name}"
        else:
            login["NAME"] = str(self.var / f"{name}.sqlite3")
            self.url = f"sqlite:///{login['NAME']}"
        # This thread's connection keeps its own reference to the dictionary in any case.
        connections["default"].settings_dict.update(login)

    def fresh(self, name: str) -> None:
        """A new copy of the scenario, and this process at work on it."""
        connections.close_all()
        name = f"chaos_{name}"
        if self.on_postgresql:
            self._sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            self._sql(f"CREATE DATABASE {name} TEMPLATE chaos_template{self.tablespace}")
        else:
            for old in self.var.glob(f"{name}.sqlite3*"):
                old.unlink()
            shutil.copy(self.var / "chaos_template.sqlite3", self.var / f"{name}.sqlite3")
        self.aim(name)

    def make_tablespace(self, folder: Path) -> None:
        """Have the next fresh databases lie in that folder."""
        self._sql(f"CREATE TABLESPACE chaos_small LOCATION '{folder}'")
        self.tablespace = " TABLESPACE chaos_small"

    def drop_tablespace(self) -> None:
        self.tablespace = ""
        self.fresh("trial")
        self._sql("DROP TABLESPACE chaos_small")

    def _empty_archive(self) -> None:
        settings.PORTAL_SIGNING_KEY = str(self.var / "signing-key.pem")
        Path(settings.PORTAL_SIGNING_KEY).unlink(missing_ok=True)
        settings.PORTAL_ARCHIVE = self.var / "archive"
        shutil.rmtree(settings.PORTAL_ARCHIVE, ignore_errors=True)

    def arena(self, **options) -> Arena:
        self._empty_archive()
        self.redis.thaw()
        self.redis.flush()
        self.fresh("trial")
        return Arena(self, **options)

    def close(self) -> None:
        connections.close_all()
        self.redis.stop()
        if self.postgresql:
            self.postgresql.stop(signal.SIGQUIT)


def stage_of(text: str) -> str:
    """A job's stage without the name of the file that it writes."""
    return "writing the files" if re.match(r"writing \S+\.\w+$", text) else text


class Arena:
    """The programs at work on a fresh copy of the scenario. A context manager.

    ``lease`` and ``every`` are the seconds of a lease and between two sweeps: short ones by default, so that
    hundreds of recoveries fit into minutes; ``test_real_times`` uses those of real use. ``without`` names
    guards (``guards.py``), "sweep" the sweep itself.
    """

    def __init__(
        self,
        city: City,
        *,
        lease: int = 3,
        every: float = 1,
        without: str = "",
        concurrency: int = 2,
        schedulers: int = 1,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.city = city
        self.sweeps = 0 if "sweep" in without.split() else schedulers
        self.armed, self.events = city.var / "armed", []
        shutil.rmtree(self.armed, ignore_errors=True)
        self.armed.mkdir()
        self.environment = {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DATABASE_URL": city.url,
            "PORTAL_REDIS_URL": city.redis.url if city.on_postgresql else "",
            "PORTAL_VAR": str(city.var),
            "PORTAL_ARCHIVE": str(settings.PORTAL_ARCHIVE),
            "PORTAL_SIGNING_KEY": settings.PORTAL_SIGNING_KEY,
            "PORTAL_DEMO": "1",
            "PORTAL_ONE_PERSON": "1",
            "PORTAL_LEASE_SECONDS": str(lease),
            "CHAOS_SOCKET": str(city.var / "told"),
            "CHAOS_ARMED": str(self.armed),
            "CHAOS_WITHOUT": " ".join(name for name in without.split() if name != "sweep"),
            "REMAP_SIGTERM": "SIGQUIT",
            **(environment or {}),
        }
        worker = self.command("worker", "--concurrency", str(concurrency), "--loglevel", "INFO")
        sweep = self.command("manage", "sweep", "--loop", "--every", str(every))
        children = [Child("worker", [*worker, "--without-gossip", "--without-mingle"], self.environment)]
        children += [Child(f"sweep{n}", sweep, self.environment) for n in range(self.sweeps)]
        self.said: list[str] = []
        self.supervisor = Supervisor(children, city.var / "log", self.said.append, pause=0.5)
        self.where: dict[int, dict] = {}
        self.struck: dict[int, tuple[float, int]] = {}
        self.taken_up: list[float] = []
        self.on_begin: dict[int, Callable[[dict], None]] = {}
        self.on_stage: dict[int, Callable[[dict], None]] = {}
        self.seen: list[str] = []
        self.looks = 0
        self._done = threading.Event()

    stage_of = staticmethod(stage_of)

    @staticmethod
    def command(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "tests.chaos.program", *arguments]

    def __enter__(self) -> Arena:
        place = self.city.var / "told"
        place.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(place))
        self._socket.settimeout(0.2)
        self._threads = [threading.Thread(target=each) for each in (self._listen, self._keep, self._read)]
        os.chdir(ROOT)
        for thread in self._threads:
            thread.start()
        try:
            self.until(lambda: self.told("ready"), "the worker starts", 90)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.city.redis.thaw()
        self._done.set()
        for thread in self._threads:
            thread.join()
        self._socket.close()
        connections.close_all()

    # --- what goes on beside the trial ------------------------------------------------------------

    def _keep(self) -> None:
        """The supervisor: its thread starts the programs and has to outlive them."""
        self.supervisor.start()
        while not self._done.wait(0.1):
            self.supervisor.tick()
        self.supervisor.stop(0)

    def _listen(self) -> None:
        while not self._done.is_set():
            try:
                event = json.loads(self._socket.recv(65536))
            except TimeoutError:
                continue
            event["heard"] = time.monotonic()
            self.events.append(event)
            if event["kind"] in ("begin", "stage") and "job" in event:  # no share of one
                self.where[event["pid"]] = event
                self._note_death_and_life(event)
                for listener in (self.on_begin if event["kind"] == "begin" else self.on_stage,):
                    if call := listener.get(event["job"]):
                        call(event)
            elif event["kind"] == "swept":
                for job in event["rung"]:
                    if struck := self.struck.pop(job, None):
                        self.taken_up.append(event["heard"] - struck[0])
            elif event["kind"] == "end":
                self.where.pop(event["pid"], None)

    def _note_death_and_life(self, event: dict) -> None:
        """How long a job lay after its worker died: until the sweep rings for it, or another one is at it."""
        job = event["job"]
        if event["kind"] == "stage" and job in self.struck:
            since, pid = self.struck[job]
            if pid != event["pid"]:
                self.taken_up.append(event["heard"] - since)
                del self.struck[job]
        elif event.get("order"):  # it will die at once
            self.struck.setdefault(job, (event["heard"], event["pid"]))

    def times(self) -> str:
        """Raises Broken where a job lay for more than a minute."""
        times = sorted(self.taken_up) or [0]
        middle, longest = times[len(times) // 2], times[-1]
        hold(longest <= WITHIN, f"a job lay for {longest:.1f} s after the death of its worker")
        return f"{len(times)} times given to the next worker, after {middle:.1f} s, {longest:.1f} s at most"

    def _read(self) -> None:
        """A visitor, who never may see anything but whole lists, and never fewer than before."""
        most = 0
        while not self._done.wait(0.2):
            try:
                count = oracle.look(self.city.expected, self.city.base, self.looks)
                hold(count >= most, f"a visitor saw {most} lists, and then {count}")
                most, self.looks = count, self.looks + 1
            except Broken as broken:
                self.seen.append(str(broken))
            except Error:  # the database is away
                connection.close()
        connections.close_all()

    # --- waiting ----------------------------------------------------------------------------------

    def told(self, kind: str, **fields) -> list[dict]:
        wanted = {"kind": kind, **fields}.items()
        return [event for event in list(self.events) if wanted <= _plain(event).items()]

    def until(self, condition: Callable[[], object], what: str, seconds: float = WITHIN):
        """What the condition gives once it is true. Raises Broken after that time."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if found := condition():
                    return found
            except Error:
                connection.close()
            if time.monotonic() > deadline:
                tails = "\n".join(self.supervisor.tail(child, 8) for child in self.supervisor.children)
                raise Broken(f"not within {seconds} s: {what}\n{tails}")
            time.sleep(0.05)

    # --- work -------------------------------------------------------------------------------------

    def periods(self, system: str) -> list[Period]:
        found = Period.objects.filter(system=system, pk__in=self.city.expected)
        return list(found.order_by("list_date"))

    def ask(self, kind: str, subject: Model, before: Callable[[Job], None] | None = None, **order) -> Job:
        """Ask for a job on a period, a correction or a system; ``order`` tells its first worker where to die
        (``at``) or to wait (``wait``).

        ``before`` is called with the job before a worker can hear of it.
        """
        with transaction.atomic():
            job = jobs.request(kind, subject)[0]
            if before:
                before(job)
            if order:
                (self.armed / str(job.pk)).write_text(json.dumps(order))
        return job

    def waits(self, job: Job) -> dict:
        """What the worker tells that waits where the job's order says."""
        return self.until(lambda: self.told("waits", job=job.pk), f"{job} at its point")[0]

    def go(self, job: Job) -> None:
        """Let the worker go on that waits."""
        (self.armed / f"{job.pk}.held").unlink(missing_ok=True)

    def passed(self, job: Job) -> dict[str, int]:
        """The crash points that a job passed, and how often."""

        def ends() -> list[dict]:
            # A message that came twice ends without having done anything.
            return [e["passed"] for e in self.told("end", job=job.pk) if "claim: taken" in e["passed"]]

        return self.until(ends, f"the end of {job}")[0]

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """One of the programs to its end."""
        variables = {**os.environ, **self.environment, **environment}
        return subprocess.run(self.command(*arguments), env=variables, capture_output=True, text=True)

    def finish(self, job: Work, seconds: float = WITHIN, *, refused: bool = False) -> Work:
        """The job when it is done. Raises Broken when it failed, or is not closed within that time."""

        def closed() -> bool:
            job.refresh_from_db()
            return not job.is_open

        self.until(closed, f"the end of job {job.pk}, {job}", seconds)
        hold(refused or job.state == "done", f"{job}: {job.state}, {job.message}")
        return job

    def do(self, kind: str, subject: Model, **order: str) -> Job:
        return self.finish(self.ask(kind, subject, **order), PATIENCE)

    def killed(self, kind: str, subject: Model, point: str) -> Job:
        """A job whose worker died at a point; nobody has taken it up yet where there is no sweep."""
        job = self.ask(kind, subject, at=point)
        pid = self.until(lambda: self.told("begin", job=job.pk, order=point), f"{job} begins")[0]["pid"]
        self.until(lambda: not Path(f"/proc/{pid}").exists(), f"{job} dies at {point}")
        return job

    def take_up(self, job: Work) -> Work:
        """Sweep once the lease of a dead worker is over, and have the job done; it took two attempts."""

        def lease_over() -> bool:
            job.refresh_from_db()
            return job.lease_until is not None and job.lease_until < timezone.now()

        self.until(lease_over, f"the lease of {job} is over")
        self.run("manage", "sweep")
        self.finish(job)
        hold(job.attempts == 2, f"{job} took {job.attempts} attempts")
        return job

    # --- blows ------------------------------------------------------------------------------------

    def child(self, name: str) -> Child:
        return next(child for child in self.supervisor.children if child.name == name)

    def stop_worker(self) -> None:
        """End the worker by force, and do not start it again."""
        worker = self.child("worker")
        self.supervisor.children.remove(worker)
        worker.signal(signal.SIGKILL)
        worker.process.wait()
        worker.process = None
        self._resting = worker

    def start_worker(self) -> None:
        self._resting.next_start = 0
        self.supervisor.children.append(self._resting)

    def strike(self, pid: int, whole: bool = False) -> str:
        """SIGKILL to a worker's child, or to the whole worker; returns where it was."""
        at = self.where.get(pid)
        now = time.monotonic()
        hit = [e["job"] for e in list(self.where.values())] if whole else [at["job"]] if at else []
        try:
            if whole:
                self.child("worker").failures = 0
                os.killpg(os.getpgid(pid), signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return ""
        for job in hit:
            self.struck.setdefault(job, (now, pid))
        if whole:
            self.where.clear()
        else:
            self.where.pop(pid, None)
        return stage_of(at.get("stage", "claiming")) if at else "between two jobs"

    def check(self, done: list[Period], *, further: int = 0, refusals: str = "") -> None:
        """Raises Broken where anything is not as an undisturbed run leaves it; ``further`` publications are
        corrections and changes of the key."""
        oracle.check(self.city.expected, done, self.city.base, further=further, refusals=refusals)
        hold(not self.seen, "; ".join(self.seen[:3]))
        hold(self.looks, "the visitor saw nothing at all")


def _plain(event: dict) -> dict:
    return {name: value for name, value in event.items() if not isinstance(value, (dict, list))}


def stages_of(arena: Arena, job: Job) -> dict[str, float]:
    """How many seconds an undisturbed job spent in each stage."""
    pid = arena.told("stage", job=job.pk)[0]["pid"]
    told = [e for e in arena.events if e.get("job") == job.pk and e["pid"] == pid]
    told = [e for e in told if e["kind"] in ("begin", "stage", "end")]
    spent: dict[str, float] = defaultdict(float)
    for event, following in pairwise(told):
        spent[stage_of(event.get("stage", "claiming"))] += following["at"] - event["at"]
    return dict(spent)


def in_parallel(work: Callable[[list], None], parts: list[list]) -> None:
    """``work`` on each part in a thread of its own; raises the first error of any."""
    errors = []

    def run(part: list) -> None:
        try:
            work(part)
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@contextlib.contextmanager
def broken():
    """The trial inside must fail: it runs without its guard."""
    try:
        yield
    except Broken as found:
        print(f"without its guard: {str(found).splitlines()[0][:160]}")
    else:
        raise AssertionError("without its guard the trial passes: it shows nothing")
