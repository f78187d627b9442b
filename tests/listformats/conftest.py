"""Whatever a test has the reading of an opening list or of players say is found again by the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from players.listformats.model import Fault
from ratinglists.formats.opening_csv import COLUMNS, OpeningProblem
from tests.languages import found_again


@pytest.fixture(autouse=True, scope="module")
def every_fault_is_found_again() -> Iterator[None]:
    texts = ("message", "remedy")
    with found_again({Fault: texts, OpeningProblem: texts}, set(COLUMNS)):
        yield
