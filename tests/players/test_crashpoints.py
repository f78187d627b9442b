"""A process dies at the named point it is told, at the pass it is told, and nowhere else."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
from players import crashpoints
for turn in range(3):
    crashpoints.here("publish: a file is written")
    print(turn, flush=True)
crashpoints.here("publish: before the commit")
print("end", flush=True)
"""


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("publish: a file is written", ""),
        ("publish: a file is written:3", "0 1"),
        ("publish: before the commit", "0 1 2"),
        ("publish", "0 1 2 end"),
        ("", "0 1 2 end"),
    ],
)
def test_death_at_a_point(at, said):
    program = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env={"PORTAL_CRASH_AT": at}, capture_output=True, text=True
    )
    assert " ".join(program.stdout.split()) == said
    assert program.returncode == (0 if said.endswith("end") else -signal.SIGKILL)
