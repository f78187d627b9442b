"""Whatever a test has the intake of reports or a check of a registration say is found again by the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from regulations.model import Finding
from tests.factories import make_user
from tests.languages import found_again
from tournaments import goingon
from tournaments.issues import Issue

TEXTS = {Issue: ("message", "remedy"), goingon.Fault: ("message", "remedy"), Finding: ("message",)}
#: what staff typed when they returned a report
_TYPED = re.compile(r" and returned: ")


@pytest.fixture(autouse=True, scope="module")
def every_finding_is_found_again() -> Iterator[None]:
    with found_again(TEXTS, named=_TYPED):
        yield


@pytest.fixture
def officer():
    rights = ("view_tournament", "register_tournament", "accept_report", "grant_waiver")
    return make_user("officer", *[f"tournaments.{right}" for right in rights], is_staff=True)
