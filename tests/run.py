"""Runs the checks of the project, having set up what they need. Started by ./test.

  ./test             everything: style, imports, migrations, all tests on PostgreSQL, then on SQLite
  ./test fast        style, imports, migrations, help and the quick tests, on PostgreSQL only
  ./test style       style, imports, migrations and the help's links only
  ./test browser     the tests that drive Chromium, on both databases
  ./test chaos       kills, full disks, lost servers (docs/developers/chaos.md); --short: the part in ./test
  ./test trust       attacks and load, counted (docs/developers/trust.md); --short: small numbers
  ./test sqlite      the quick tests that depend on the database, on SQLite
  ./test ARGUMENTS   pytest with these arguments, on PostgreSQL

PostgreSQL is the server on 127.0.0.1:5432 when it lets postgres in without a password, else a private one
made from the installed programs. Redis is always a private one. What is missing is installed from Debian's
packages, which needs root. The last line says how many passed and failed; a skipped test counts as failed.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
PURE = ("regulations", "reports", "listformats", "help", "players/listformats")
INSTALLING = Lock()
CHROMIUM = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


class Tally:
    """What passed and failed so far, over single checks and whole runs of pytest."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.passed = self.failed = 0
        self.counts = ""
        self.folder, self.environment = folder, environment
        self.output: IO | None = None
        self.running: subprocess.Popen | None = None

    def check(self, title: str, *command: str, **environment: str) -> None:
        print(f"\n== {title}", file=self.output, flush=True)
        failed = self._run(command, environment) != 0
        self.passed += not failed
        self.failed += failed

    def pytest(self, title: str, *arguments: str, database: str, **environment: str) -> None:
        print(f"\n== {title}", file=self.output, flush=True)
        report = Path(tempfile.mkdtemp(dir=self.folder)) / "report.xml"
        command = [str(PYTHON), "-m", "pytest", "-q", "--durations=15", f"--junitxml={report}", *arguments]
        code = self._run(command, {"PORTAL_DATABASE_URL": database, **environment})
        passed, failed = _count(report)
        self.passed += passed
        self.failed += max(failed, int(code != 0))

    def _run(self, command: Sequence[str], environment: dict[str, str]) -> int:
        given, output = self.environment | environment, self.output
        with subprocess.Popen(command, cwd=ROOT, env=given, stdout=output, stderr=output) as self.running:
            try:
                return self.running.wait()
            except BaseException:
                self.running.kill()
                raise

    def beside(self, **parts: Callable[["Tally"], None]) -> None:
        """Parts that wait more than they work, at once; what each says is printed when all are over."""
        print(f"\n== {' beside '.join(parts)}: what they say follows", flush=True)
        tallies = [Tally(self.folder, self.environment) for _ in parts]
        with contextlib.ExitStack() as stack, ThreadPoolExecutor() as threads:
            for each in tallies:
                each.output = stack.enter_context(tempfile.TemporaryFile("w+", dir=self.folder))
            begun = [threads.submit(part, each) for part, each in zip(parts.values(), tallies, strict=True)]
            try:
                wait(begun)
            except BaseException:
                for each in tallies:
                    if each.running:
                        each.running.kill()
                raise
            for each, part in zip(tallies, begun, strict=True):
                each.output.seek(0)
                shutil.copyfileobj(each.output, sys.stdout)
                part.result()
                self.passed, self.failed = self.passed + each.passed, self.failed + each.failed
                self.counts += each.counts


def _count(report: Path) -> tuple[int, int]:
    if not report.exists():
        return 0, 1
    passed = failed = 0
    for case in ET.parse(report).iter("testcase"):
        bad = any(case.find(kind) is not None for kind in ("failure", "error", "skipped"))
        passed, failed = passed + (not bad), failed + bad
    return passed, failed


def debian(*packages: str) -> None:
    """Installs Debian packages. Raises SystemExit naming them where that cannot be done."""
    names = " ".join(packages)
    if os.getuid() or not shutil.which("apt-get"):
        raise SystemExit(f"The tests need {names}. Install it, for instance: sudo apt-get install {names}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    with INSTALLING:
        print(f"Installing {names} …", flush=True)
        for command in (["apt-get", "update", "-q"], install):
            if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode:
                raise SystemExit(f"This failed: {' '.join(command)}")


@contextlib.contextmanager
def postgresql(folder: Path):
    """Address of a PostgreSQL server as postgresql://user@host:port, ended afterwards if it is private."""
    import psycopg

    address = "postgresql://postgres@127.0.0.1:5432"
    try:
        psycopg.connect(f"{address}/postgres", connect_timeout=3).close()
    except psycopg.OperationalError:
        with _private_postgresql(folder) as address:
            yield address
    else:
        yield address


@contextlib.contextmanager
def _private_postgresql(folder: Path):
    import servers

    if servers.postgresql_programs() is None:
        debian("postgresql")
    print("Starting a private PostgreSQL …", flush=True)
    server = servers.PostgreSQL(folder)
    try:
        yield server.url
    finally:
        server.stop()


def drop_databases(address: str, prefix: str) -> None:
    """Drops what a broken-off run left."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        pattern = prefix.replace("_", r"\_") + "%"
        for (name,) in server.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern]
        ).fetchall():
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@contextlib.contextmanager
def redis(folder: Path):
    """Address of a private Redis server: the machine's program, or the one of the embedded broker."""
    import servers

    server = servers.Redis(folder)
    try:
        yield server.url
    finally:
        server.stop()


def chromium() -> str:
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if not found:
        debian("chromium")
        found = shutil.which("chromium")
    return found


def style(tally: Tally) -> None:
    tools = PYTHON.parent
    tally.check("ruff check", str(tools / "ruff"), "check", ".")
    tally.check("ruff format", str(tools / "ruff"), "format", "--check", ".")
    tally.check("imports", str(tools / "lint-imports"), "--no-cache")
    tally.check("help", str(tools / "mkdocs"), "build", "--site-dir", str(tally.folder / "help"))
    migrations = ("makemigrations", "--check", "--dry-run", "--skip-checks")
    tally.check("migrations", str(PYTHON), "manage.py", *migrations, PORTAL_DEBUG="1")


def chaos(tally: Tally, short: bool) -> None:
    """The suite brings its own servers; the addresses only say which kind."""
    import servers

    if servers.postgresql_programs() is None:
        debian("postgresql")
    nowhere, size = "postgresql://postgres@127.0.0.1:1/chaos", {"CHAOS_SHORT": "1"} if short else {}
    tally.pytest("chaos on PostgreSQL and Redis", "-m", "chaos", "tests/chaos", database=nowhere, **size)
    if not short:
        marks = ("-m", "chaos and not postgresql", "tests/chaos")
        file = f"sqlite:///{tally.folder}/chaos.sqlite3"
        tally.pytest("chaos on SQLite and the embedded broker", *marks, database=file)


def trust(tally: Tally, short: bool) -> None:
    """Attacks and load on servers of their own; what was counted stands at the end."""
    sys.path.insert(0, str(ROOT))
    import servers

    from tests.trust import counts

    if servers.postgresql_programs() is None:
        debian("postgresql")
    if not shutil.which("soffice"):
        debian("libreoffice-calc-nogui")
    folder = tally.folder / "trust"
    folder.mkdir()
    folder.chmod(0o711)
    tally.folder.chmod(0o711)
    shown = folder / "counts"
    with contextlib.ExitStack() as stack:
        server, broker = servers.PostgreSQL(folder, max_connections=300), servers.Redis(folder)
        stack.callback(server.stop)
        stack.callback(broker.stop)
        given = {"CHROMIUM": chromium(), "PORTAL_REDIS_URL": broker.url, "TRUST_COUNTS": str(shown)}
        if short:
            given["TRUST_SHORT"] = "1"
        where = ("--nomigrations", "tests/trust")
        given["TRUST_ON"] = "PostgreSQL"
        tally.pytest("trust on PostgreSQL", "-m", "trust", *where, database=f"{server.url}/trust", **given)
        if not short:
            given["TRUST_ON"] = "SQLite"
            file = f"sqlite:///{folder}/trust.sqlite3"
            tally.pytest("trust on SQLite", "-m", "trust and not once", *where, database=file, **given)
    rows = counts.read(shown)
    tally.counts = counts.table(rows)
    tally.failed += sum(not row.shown for row in rows)


def run(arguments: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="portal-test-run-"))
    prefix = f"portal_run_{os.getpid()}"
    what = arguments[0] if arguments else "all"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    environment["PORTAL_VAR"] = str(folder / "var")
    # Some hundred programs are started: each would compile all that it imports once more.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    tally = Tally(folder, environment)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        if what in ("all", "fast", "style"):
            style(tally)
        if what == "chaos":
            chaos(tally, short="--short" in arguments)
        elif what == "trust":
            trust(tally, short="--short" in arguments)
        elif what != "style":
            environment["CHROMIUM"] = chromium()
            address = stack.enter_context(postgresql(folder))
            stack.callback(drop_databases, address, f"test_{prefix}")
            stack.callback(drop_databases, address, prefix)
            environment["PORTAL_REDIS_URL"] = stack.enter_context(redis(folder))
            server, file = f"{address}/{prefix}", f"sqlite:///{folder}/portal.sqlite3"
            quick = ("-m", "not browser and not slow and not chaos and not trust")
            parallel = ("-n", "2")
            # What starts programs shares them within a file; the quick runs have tried the migrations. The
            # longest files stand first (conftest.py).
            by_file = (*parallel, "--dist", "loadfile", "--no-loadscope-reorder", "--nomigrations")
            on_sqlite = ["-m", f"{quick[1]} and not once", *(f"--ignore=tests/{name}" for name in PURE)]
            if what in ("all", "fast"):
                tally.pytest("tests on PostgreSQL", *quick, *parallel, database=server)
            if what == "all":
                tally.pytest(
                    "whole programs and browser on PostgreSQL",
                    "-m",
                    "(slow or browser) and not chaos and not trust",
                    *by_file,
                    database=server,
                )
            if what in ("all", "sqlite"):
                tally.pytest("tests on SQLite", *parallel, *on_sqlite, database=file)
            if what == "all":
                tally.beside(chaos=partial(chaos, short=True), trust=partial(trust, short=True))
            browser = (*by_file, "tests/browser")
            if what == "browser":
                tally.pytest("browser on PostgreSQL", "-m", "browser", *browser, database=server)
            if what in ("all", "browser"):
                tally.pytest("browser on SQLite", "-m", "browser and not once", *browser, database=file)
            if what not in ("all", "fast", "sqlite", "browser"):
                tally.pytest("pytest", *arguments, database=server)
    if tally.counts:
        print(f"\n{tally.counts}", flush=True)
    print(f"\n{tally.passed} passed, {tally.failed} failed", flush=True)
    return int(tally.failed > 0)


def main() -> None:
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return
    sys.path.insert(0, str(ROOT / "ratingsite" / "launch"))
    import bootstrap

    bootstrap.end_on_signals()
    if Path(sys.prefix) != ROOT / ".venv":
        locks = (ROOT / "requirements.txt", ROOT / "requirements-dev.txt")
        bootstrap.make_environment(ROOT / ".venv", *locks)
        os.execv(PYTHON, [str(PYTHON), __file__, *arguments])
    sys.exit(run(arguments))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
