"""A few of the bombs of ``./test trust``, one of each family; that suite has all of them."""

import itertools

import pytest

from players.listformats.first_look import look
from tests.trust import bombs
from tournaments import sent

FIRST = {family: next(iter(made())) for door, family, made in bombs._FAMILIES if door == bombs.REPORT}


@pytest.mark.parametrize("family", FIRST)
def test_a_report_of_each_family_is_refused(family):
    name, content = FIRST[family]
    report = sent.parse(content, "report")
    assert report.errors, name
    assert all(problem.remedy and problem.code != "too-costly" for problem in report.errors)
    assert report.players == ()


@pytest.mark.parametrize("made", [bombs._list_archives, bombs._list_documents])
def test_lists_are_refused_at_the_first_look(made, tmp_path):
    for name, content in itertools.islice(made(), 0, None, 5):
        place = tmp_path / "list"
        place.write_bytes(content)
        with place.open("rb") as file:
            found = look(file, name="list", single="")
        assert found["faults"], name
