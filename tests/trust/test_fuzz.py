"""Damaged files for every reader: none raises an error, takes two seconds or a hundred megabytes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trust import counts, fuzz

ROOT = Path(__file__).resolve().parents[2]
#: the machine's two processors
PARTS = 2


def test_a_number_names_a_mutant():
    one, two = fuzz.Fuzz(3), fuzz.Fuzz(3)
    assert [one.mutant(n) for n in range(200)] == [two.mutant(n) for n in reversed(range(200))][::-1]
    assert one.mutant(7) != fuzz.Fuzz(4).mutant(7)


def test_what_the_fuzzing_starts_from_is_sound():
    """Else every mutant would be refused for the same reason."""
    for kind, files in fuzz.Fuzz().sound.items():
        states = {fuzz.READERS[kind](content, name) for name, content in files}
        assert states <= {"taken", "sound"}, kind


@pytest.mark.trust
@pytest.mark.once
def test_damaged_files():
    count = counts.number(1_000_000, 8_000)
    command = [sys.executable, "-m", "tests.trust.fuzz", str(count), "--json"]
    running = [
        subprocess.Popen([*command, "--part", f"{part}/{PARTS}"], cwd=ROOT, stdout=subprocess.PIPE)
        for part in range(PARTS)
    ]
    told = [each.communicate()[0] for each in running]
    found = fuzz.merged([fuzz.Outcome(**json.loads(text)) for text in told])
    print(fuzz.told(found))
    failures = sum(map(len, found.errors.values())) + found.over
    counted = ("damaged files for the readers of reports and lists", count, found.done)
    counts.counted(*counted, found.worst_seconds, found.worst_mb, failures)
    assert found.done == count
    assert not found.errors, next(iter(found.errors))
    assert found.worst_seconds < fuzz.LIMIT_SECONDS
    assert found.worst_mb < fuzz.LIMIT_MB
