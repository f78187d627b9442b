"""Whatever a test has a parser or a table say of a report: the page finds the template of each text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.languages import found_again
from tournaments.reports.boards import Fault
from tournaments.reports.model import Problem

TEXTS = {Problem: ("message", "remedy"), Fault: ("message", "remedy")}
#: what the properties' files are made of may be any word: a player's name after his number, a quoted cell
_NAMED = re.compile(r"\(\d+ .*\)|‘.*’|“.*”|'.*'", re.DOTALL)
#: keys of columns that the files have in English, and a name of the properties' files
FREE = {"start", "end", "round", "birth", "members", "xml", "workbook"}


@pytest.fixture(autouse=True, scope="module")
def every_finding_is_found_again() -> Iterator[None]:
    with found_again(TEXTS, FREE, _NAMED):
        yield
