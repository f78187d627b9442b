"""The table at the end of ./test trust."""

import pytest

from tests.trust import counts

pytestmark = pytest.mark.once


def test_a_count_reaches_the_table(tmp_path, monkeypatch):
    file = tmp_path / "counts"
    monkeypatch.setenv("TRUST_COUNTS", str(file))
    monkeypatch.setenv("TRUST_ON", "SQLite")
    counts.counted("fuzzed files", 1_000_000, 1_000_001, 1.5, 99.6)
    counts.counted("bombs", 200, 199, failures=2)
    rows = counts.read(file)
    assert [row.shown for row in rows] == [True, False]
    lines = counts.table(rows).splitlines()
    assert lines[1].split() == "fuzzed files SQLite 1,000,000 1,000,001 1.50 s 100 MB 0".split()
    assert lines[2].split() == "bombs SQLite 200 199 2".split()


def test_a_failure_is_not_shown_whatever_its_number():
    assert not counts.Count("kills", 300, 300, failures=1).shown
    assert counts.Count("kills", 300, 300).shown
