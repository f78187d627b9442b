"""The city of the chaos suite, started once a run."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

#: the trials of the short part; CHAOS_SHORT=2 has all, with small numbers
OF_SHORT = (
    "test_every_point_is_struck",
    "test_killed_at_every_point_of_a_job",
    "test_killed_at_random_times",
    "test_without_the_sweep_a_killed_job_is_lost",
    "test_a_hundred_publishers",
    "test_two_systems_publish_at_once",
    "test_postgresql_restarted_at_work",
    "test_no_request_is_lost_with_redis",
    "test_the_archive_is_full",
    "test_a_long_transaction_holds_up_nobody",
    "test_without_passing_over_locked_rows_the_sweep_waits",
)
SIZE = {"systems": 8, "periods": 4, "events": 12}
NOTES: list[str] = []


def pytest_collection_modifyitems(config, items) -> None:
    if os.environ.get("CHAOS_SHORT") != "1":
        return
    left = [item for item in items if "chaos" in item.keywords and item.name not in OF_SHORT]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]
    NOTES.append(f"the short part: {len(items)} trials; {len(left)} more run in ./test chaos")


@pytest.fixture(scope="session")
def city(django_db_blocker):
    from tests.chaos.arena import SHORT, City

    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    place = os.getcwd()
    with django_db_blocker.unblock():
        city = City(folder, **({"systems": 4, "periods": 2, "events": 4} if SHORT else SIZE))
        try:
            yield city
        finally:
            city.close()
            os.chdir(place)
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def note(request):
    """Lines for the end of the run."""
    return lambda text: NOTES.append(f"{request.node.name}: {text}")


def pytest_terminal_summary(terminalreporter) -> None:
    if NOTES:
        terminalreporter.section("chaos")
        for text in NOTES:
            terminalreporter.write_line(text)
