"""No test may be skipped or expected to fail: each such outcome turns the run into a failure."""

import copy
import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

# A busy machine is no fault of the code: no test is a matter of seconds.
hypothesis_settings.register_profile("portal", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("portal")

# Tests survive kills, not power cuts: nothing has to be on the disk, fifty times a publication.
os.fsync = lambda handle: None

SKIPPED = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SKIPPED] = []


def _note(config: pytest.Config, report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped or hasattr(report, "wasxfail"):
        config.stash[SKIPPED].append(report.nodeid)


class SkipWatch:
    """Sees reports of this process and, under xdist, those of its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        _note(self.config, report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        _note(self.config, report)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.pluginmanager.register(SkipWatch(session.config), "portal-skip-watch")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if session.config.stash[SKIPPED] and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    for nodeid in config.stash[SKIPPED]:
        terminalreporter.write_line(f"FAILED {nodeid}: no test may be skipped or expected to fail", red=True)


#: files whose few tests are the longest: begun last, they would keep one process busy and the other waiting
LONGEST = ("test_axe.py", "test_whole_path.py")
#: the only folders in which ./test looks for tests with a browser
WITH_BROWSER = {"browser", "trust"}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONGEST)
    astray = [
        each.nodeid
        for each in items
        if each.get_closest_marker("browser") and each.path.parent.name not in WITH_BROWSER
    ]
    if astray:
        raise pytest.UsageError(f"Tests with a browser belong in tests/browser: {astray}")


@pytest.fixture
def worker(transactional_db) -> Iterator["Worker"]:  # noqa: F821
    """A real worker, running, on the test's database; `worker.kill()` and `worker.start()` at will."""
    from tests.programs import Worker

    running = Worker()
    try:
        running.start()
        yield running
    finally:
        running.kill()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup) -> None:
    """Transactional tests leave little in the tables: TRUNCATE, which makes new files for each and its index,
    takes ten times as long to empty them as DELETE. Like it, this waits for whoever is still writing."""
    from django.db import connection

    truncate = connection.ops.sql_flush

    def flush(style, tables, *, reset_sequences=False, allow_cascade=False):
        if reset_sequences or not tables:
            return truncate(style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade)
        names = [f'"{name}"' for name in tables]
        return [f"LOCK TABLE {', '.join(names)}; " + "; ".join(f"DELETE FROM {name}" for name in names)]

    if connection.vendor == "postgresql":
        connection.ops.sql_flush = flush


@pytest.fixture
def transactional_db(transactional_db) -> Iterator[None]:
    """A database in which transactions really commit; emptied afterwards past the triggers.

    Emptying sends ``post_migrate``, which puts the triggers back.
    """
    from django.db import connection

    from players import triggers

    assert not connection.in_atomic_block, "a module with module_db has no transactional tests"
    yield
    triggers.remove_all(connection)


@pytest.fixture(scope="module")
def module_db(django_db_setup, django_db_blocker) -> Iterator[Callable[[Callable], object]]:
    """Runs what makes a world for all tests of a module, in a transaction around them: each test goes back to
    the world as it was made. Tests take a copy of its objects. Not for modules with transactional tests."""
    from django.db import transaction

    block = transaction.atomic()
    block._from_testcase = True  # as Django marks its own, for what asks to be outermost

    def made(build: Callable):
        with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
            patch.setattr("ratinglists.jobs.ring", lambda job: None)
            patch.setattr("ratinglists.recompute._calculator", _calculated_here)
            return build()

    made(block.__enter__)
    yield made
    made(lambda: transaction.set_rollback(True))
    made(lambda: block.__exit__(None, None, None))


@pytest.fixture(scope="module")
def made_world(request, module_db):
    """What the module's ``make_world`` makes."""
    return module_db(request.module.make_world)


@pytest.fixture
def world(made_world, db):
    return copy.deepcopy(made_world)


def _calculated_here(file):
    from regulations import cli

    answer = file.with_name(file.name.replace("request", "answer"))
    answer.write_bytes(cli.run(["list", str(file), "--canonical"]))
    return answer


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request leaves its language to the thread: the next test begins in English whoever asked before."""
    from django.conf import settings
    from django.utils import translation

    yield
    if settings.configured:
        translation.deactivate()


#: where the calculator runs in a process of its own, as it does in the portal
OWN_PROCESS = ("test_recompute", "test_determinism", "test_period_command")


@pytest.fixture(autouse=True)
def calculator_at_hand(request, monkeypatch) -> None:
    """Each computation asks the calculator once more in a process of its own, half a second to start:
    tests of other things ask it in theirs."""
    if request.module.__name__.rpartition(".")[2] in OWN_PROCESS or "db" not in " ".join(
        request.fixturenames
    ):
        return
    monkeypatch.setattr("ratinglists.recompute._calculator", _calculated_here)
