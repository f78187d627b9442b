"""What ./test trust has shown, counted: a test says it, the run prints the table.

A test calls ``counted`` once it knows, before it asserts: what failed stands in the table, too.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

#: the part that ./test runs as well: the same trials, smaller numbers
SHORT = bool(os.environ.get("TRUST_SHORT"))


@dataclass(frozen=True, slots=True)
class Count:
    """A row of the table. ``failures``: how many of ``done`` did not go as they must."""

    name: str
    required: int
    done: int
    worst_seconds: float | None = None
    worst_mb: float | None = None
    failures: int = 0
    on: str = ""

    @property
    def shown(self) -> bool:
        return self.done >= self.required and not self.failures


def number(full: int, short: int) -> int:
    """How many this run has to do."""
    return short if SHORT else full


def counted(
    name: str,
    required: int,
    done: int,
    worst_seconds: float | None = None,
    worst_mb: float | None = None,
    failures: int = 0,
) -> None:
    """Put a row into the table. ``required`` is what this run has to do, ``worst_mb`` in millions of bytes."""
    row = Count(name, required, done, worst_seconds, worst_mb, failures, os.environ.get("TRUST_ON", ""))
    file = os.environ.get("TRUST_COUNTS")
    if file:
        with Path(file).open("a") as lines:
            lines.write(json.dumps(asdict(row)) + "\n")
    print("\n" + table([row]), flush=True)


def read(file: Path) -> list[Count]:
    """The rows that tests have put there."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [Count(**json.loads(line)) for line in lines]


def table(rows: list[Count]) -> str:
    """The rows for people."""
    head = ("shown", "on", "required", "done", "worst time", "worst memory", "failures")
    cells = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(head))]
    sides = (str.ljust, str.ljust, *(str.rjust,) * 5)
    padded = [
        "  ".join(pad(cell, width) for pad, cell, width in zip(sides, line, widths, strict=True))
        for line in cells
    ]
    return "\n".join(line.rstrip() for line in padded)


def _cells(row: Count) -> tuple[str, ...]:
    seconds = "" if row.worst_seconds is None else f"{row.worst_seconds:.2f} s"
    memory = "" if row.worst_mb is None else f"{row.worst_mb:.0f} MB"
    return (
        row.name,
        row.on,
        f"{row.required:,}",
        f"{row.done:,}",
        seconds,
        memory,
        f"{row.failures:,}",
    )
