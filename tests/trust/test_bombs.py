"""Every bomb is refused with a remedy, in under 2 seconds and 100 MB, by what the readers check.

The limits of the child process are there for the bomb that nobody has thought of.
"""

from __future__ import annotations

import io
from collections import Counter

import pytest

from players.apart.calling import Limits, Readers
from tests.trust import bombs
from tests.trust.counts import counted
from tournaments import sent
from tournaments.reports.plain import report_of

pytestmark = [pytest.mark.trust, pytest.mark.once]

MOST_MEMORY, MOST_SECONDS, LEAST = 100 * 10**6, 2.0, 200
_lists = Readers("tests.trust.whole_list")
LIMITS = Limits(memory=256 << 20, cpu=20, wall=60)


def refusal(bomb: bombs.Bomb):
    """What the reader took, and the remedies with which the file was refused."""
    if bomb.door == bombs.REPORT:
        answer = sent._readers.read(
            "tournaments.reports.reader:read", bomb.content, LIMITS, {"filename": "report", "on": None}
        )
        return answer, [problem.remedy for problem in report_of(answer.value).errors]
    answer = _lists.read("tests.trust.whole_list:read", io.BytesIO(bomb.content), LIMITS, {"name": "list"})
    return answer, answer.value["fatal"]


def test_every_bomb_is_refused_quickly_and_in_little_memory():
    seen, failed, families = set(), [], Counter()
    slowest = largest = 0
    for bomb in bombs.every():
        assert bomb.content not in seen, bomb
        seen.add(bomb.content)
        answer, remedies = refusal(bomb)
        families[bomb.door, bomb.family] += 1
        slowest, largest = max(slowest, answer.cpu), max(largest, answer.peak)
        if not remedies or not all(remedies) or answer.peak > MOST_MEMORY or answer.cpu > MOST_SECONDS:
            failed.append((str(bomb), remedies[:2], answer.peak // 10**6, round(answer.cpu, 2)))
    print(f"\n{len(seen)} bombs; slowest {slowest:.2f} s, largest {largest // 10**6} MB; {dict(families)}")
    counted("archive and XML bombs refused", LEAST, len(seen), slowest, largest / 1e6, len(failed))
    assert not failed, failed
    assert len(seen) >= LEAST
