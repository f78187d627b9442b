"""The city of the chaos suite, started once a run."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

# Too long for the short part; CHAOS_SHORT=2 has them all the same, with small numbers.
LONG = ["test_real_times.py", "test_other_points.py", "test_calendar.py", "test_frozen.py"]
collect_ignore = LONG if os.environ.get("CHAOS_SHORT") == "1" else []
SIZE = {"systems": 8, "periods": 4, "events": 12}
NOTES: list[str] = []


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
