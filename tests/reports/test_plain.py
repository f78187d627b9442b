"""A report goes through plain JSON values and comes back equal, whatever its format."""

import json
from datetime import date

import pytest

from tests.trust import samples
from tournaments import sent
from tournaments.reports import formats
from tournaments.reports.plain import as_plain, report_of

FILES = [file for files in samples.reports().values() for file in files]


@pytest.mark.parametrize(("name", "content"), FILES)
def test_there_and_back(name, content):
    report = formats.parse(content, name, date(2026, 3, 6))
    again = report_of(json.loads(json.dumps(as_plain(report))))
    assert again == report
    assert (again.format, again.problems) == (report.format, report.problems)
    assert [g.line for g in again.games] == [g.line for g in report.games]


def test_read_apart_like_here():
    for name, content in FILES[::5]:
        report = sent.parse(content, name, date(2026, 3, 6))
        assert report == formats.parse(content, name, date(2026, 3, 6))


@pytest.mark.parametrize("value", [None, [], ["trf16"], [1] * 18, "report"])
def test_other_values_are_refused(value):
    with pytest.raises((ValueError, TypeError)):
        report_of(value)


def test_what_is_too_dear_is_a_problem_of_the_report(monkeypatch):
    monkeypatch.setattr(sent, "LIMITS", sent.Limits(memory=1 << 16, cpu=1, wall=5))
    (problem,) = sent.parse(b"001    1 name " * 60_000).problems
    assert problem.code == "too-costly"
    assert "memory" in problem.message
    assert problem.remedy


def test_what_is_too_long_is_not_read_at_all():
    assert [p.code for p in sent.parse(b"0" * ((1 << 20) + 1)).problems] == ["too-big"]
