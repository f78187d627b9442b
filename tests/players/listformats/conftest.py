"""Whatever a test has the reading of a list of players say is found again by the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from players.listformats.model import Fault
from tests.languages import found_again

#: titles of columns
FREE = {"name", "federation", "sex", "title"}


@pytest.fixture(autouse=True, scope="module")
def every_fault_is_found_again() -> Iterator[None]:
    with found_again({Fault: ("message", "remedy")}, FREE):
        yield
