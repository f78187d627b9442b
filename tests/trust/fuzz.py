"""Damaged files for every reader, by the million: python -m tests.trust.fuzz 100000

--seed N gives others, --kind NAME one reader's only, --files FOLDER starts the reports from files of your
own as well, --at NUMBER reads one mutant again and writes it to the standard output. A number and a seed
name a mutant, whatever the machine. Prints what failed, the worst time and memory; ends with status 1 if an
input raised an error, took two seconds or a hundred megabytes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from players.listformats.model import Faulty
from players.listformats.reading import WRITERS, PlayerList
from ratinglists.formats.opening_csv import read_opening_csv
from tests.trust import mutants, samples
from tests.trust.measure import peak_mb
from tournaments import pasted, timecontrols
from tournaments.reports import formats
from tournaments.reports.model import ParsedReport
from tournaments.reports.typed_cells import parse_cell

LIMIT_SECONDS, LIMIT_MB = 2.0, 100.0
#: a hung reader is an error, not a run without end
HANGS_AFTER = 60
#: of a hundred inputs in a row so many are for each reader
SHARES = dict(
    zip(
        (
            "trf16",
            "trf26",
            "feda1031",
            "csv",
            "xlsx",
            "fide-txt",
            "fide-xml",
            "list-csv",
            "zip",
            "opening",
            "pasted",
            "clock",
            "cell",
        ),
        (14, 12, 12, 13, 11, 7, 7, 6, 4, 5, 3, 4, 2),
        strict=True,
    )
)
KINDS = [kind for kind, share in SHARES.items() for _ in range(share)]
#: the order in which the readers take turns
random.Random(1).shuffle(KINDS)


class Hung(Exception):
    """A reader did not come to an end."""


@dataclass
class Outcome:
    """What a part of a run found. Memory is what the process had at its peak above its start."""

    done: int = 0
    states: Counter[str] = field(default_factory=Counter)
    errors: dict[str, list[int]] = field(default_factory=dict)
    worst_seconds: float = 0.0
    slowest: int = -1
    worst_mb: float = 0.0
    largest: int = -1
    over: int = 0


class Fuzz:
    """The mutants of a seed."""

    def __init__(self, seed: int = 0, folder: Path | None = None) -> None:
        self.seed = seed
        self.sound: dict[str, list[tuple[str, bytes]]] = {**samples.reports()}
        lists = samples.lists()
        self.sound |= {"list-csv" if code == "csv" else code: files for code, files in lists.items()}
        self.sound["opening"] = samples.openings()
        self.sound["pasted"] = [("", text.encode()) for text in samples.PASTED]
        self.sound["clock"] = [("", text.encode()) for text in samples.CLOCKS]
        self.sound["cell"] = [("", text.encode()) for text in samples.CELLS]
        if folder:
            own = [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
            for name, content in own:
                self.sound[formats.recognise(content, name).code].append((name, content))

    def mutant(self, number: int) -> tuple[str, str, bytes]:
        """The reader, the file's name and the content of this number."""
        rng = random.Random(f"{self.seed} {number}")
        kind = KINDS[number % len(KINDS)]
        name, data = self._choose(rng, kind)
        _, other = self._choose(rng, kind if rng.random() < 0.8 else rng.choice(KINDS))
        return kind, name, mutants.mutate(rng, data, other)

    def _choose(self, rng: random.Random, kind: str) -> tuple[str, bytes]:
        """A sound file; the large one of a report format seldom."""
        files = self.sound[kind]
        if kind in formats_with_large and rng.random() < 0.97:
            files = files[:-1] or files
        return rng.choice(files)

    def run(self, numbers: range, kind: str = "") -> Outcome:
        """Read all of these mutants."""
        found = Outcome()
        idle = peak = peak_mb()
        signal.signal(signal.SIGALRM, _hung)
        for number in numbers:
            if kind and KINDS[number % len(KINDS)] != kind:
                continue
            what, name, data = self.mutant(number)
            seconds = self._timed(found, number, what, name, data)
            if seconds > found.worst_seconds:
                found.worst_seconds, found.slowest = seconds, number
            if (now := peak_mb()) > peak:
                peak, found.largest = now, number
            found.over += seconds > LIMIT_SECONDS
            found.done += 1
        found.worst_mb = peak - idle
        found.over += found.worst_mb > LIMIT_MB
        return found

    @staticmethod
    def _timed(found: Outcome, number: int, kind: str, name: str, data: bytes) -> float:
        """Seconds of processor time: that the machine is busy is no fault of the reader."""
        started = time.process_time()
        signal.alarm(HANGS_AFTER)
        try:
            found.states[f"{kind} {READERS[kind](data, name)}"] += 1
        except Exception:
            found.errors.setdefault(traceback.format_exc(), []).append(number)
        finally:
            signal.alarm(0)
        return time.process_time() - started


formats_with_large = {each.code for each in formats.FORMATS}


def _hung(*_: object) -> None:
    raise Hung


# --- readers ----------------------------------------------------------------------------------------


def read_report(data: bytes, name: str) -> ParsedReport:
    """A file read as an upload is read, and written in its format if it is sound."""
    parsed = formats.parse(data, name, date(2026, 3, 6))
    for problem in parsed.problems:
        if not (problem.message and problem.remedy and problem.severity in ("error", "warning")):
            raise ValueError(f"an empty problem: {problem}")
    if parsed.ok:
        formats.by_code(parsed.format).write(parsed)
    return parsed


def _report(data: bytes, name: str) -> str:
    return "taken" if read_report(data, name).ok else "refused"


def _list(data: bytes, name: str) -> str:
    listed = PlayerList(io.BytesIO(data), name, single="", max_unpacked=64 << 20)
    sound, faults = [], 0
    for row in listed:
        if not isinstance(row, Faulty):
            sound.append(row)
            continue
        faults += 1
        for fault in row.faults:
            if not (fault.field and fault.message and fault.remedy):
                raise ValueError(f"an empty fault: {fault}")
    for write in WRITERS.values():
        for _ in write(sound):
            pass
    return "with faults" if faults else "sound"


def _opening(data: bytes, name: str) -> str:
    _, problems = read_opening_csv(data)
    for problem in problems:
        if not (problem.field and problem.message and problem.remedy):
            raise ValueError(f"an empty problem: {problem}")
    return "refused" if problems else "taken"


def _pasted(data: bytes, name: str) -> str:
    rows = pasted.parse_lines(data.decode(errors="replace"))
    merged, _ = pasted.merge([["1", "2200001", "Ibáñez, José"], ["3", "", "Bruno"]], rows)
    if any(len(row) != 3 for row in merged):
        raise ValueError("a row has not three cells")
    return "taken" if rows else "empty"


def _clock(data: bytes, name: str) -> str:
    text = data.decode(errors="replace")
    timecontrols.read_code(text)
    parsed = timecontrols.parse(text)
    if parsed.clock is None:
        if not parsed.faults or not all(parsed.messages()):
            raise ValueError("refused without a reason")
        return "refused"
    timecontrols.words(parsed.clock)
    timecontrols.same_clock(text, parsed.clock)
    timecontrols.read_code(timecontrols.code(parsed.clock))
    return "taken"


def _cell(data: bytes, name: str) -> str:
    try:
        parse_cell(data.decode(errors="replace"))
    except ValueError as refusal:
        if not str(refusal):
            raise
        return "refused"
    return "taken"


READERS = {
    **dict.fromkeys(formats_with_large, _report),
    **dict.fromkeys(("fide-txt", "fide-xml", "list-csv", "zip"), _list),
    "opening": _opening,
    "pasted": _pasted,
    "clock": _clock,
    "cell": _cell,
}


def merged(outcomes: list[Outcome]) -> Outcome:
    """The outcomes of several parts as one."""
    whole = Outcome()
    for each in outcomes:
        whole.done += each.done
        whole.over += each.over
        whole.states.update(each.states)
        for text, numbers in each.errors.items():
            whole.errors.setdefault(text, []).extend(numbers)
        if each.worst_seconds > whole.worst_seconds:
            whole.worst_seconds, whole.slowest = each.worst_seconds, each.slowest
        if each.worst_mb > whole.worst_mb:
            whole.worst_mb, whole.largest = each.worst_mb, each.largest
    return whole


def told(found: Outcome) -> str:
    """For people."""
    lines = [text + f"in {len(numbers)} inputs, as {numbers[:5]}" for text, numbers in found.errors.items()]
    lines.append(", ".join(f"{state} {count}" for state, count in sorted(found.states.items())))
    errors = sum(map(len, found.errors.values()))
    lines.append(
        f"{found.done} inputs, {errors} errors, slowest {found.worst_seconds:.2f} s "
        f"(no. {found.slowest}), most memory {found.worst_mb:.0f} MB (no. {found.largest})"
    )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=SHARES, default="")
    parser.add_argument("--files", type=Path)
    parser.add_argument("--at", type=int)
    parser.add_argument("--part", default="0/1", help="K/N: the K-th of N parts, from 0")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    fuzz = Fuzz(options.seed, options.files)
    if options.at is not None:
        kind, name, data = fuzz.mutant(options.at)
        sys.stdout.buffer.write(data)
        print(f"{kind} {name}:", READERS[kind](data, name), file=sys.stderr)
        return 0
    part, parts = map(int, options.part.split("/"))
    found = fuzz.run(range(options.count * part // parts, options.count * (part + 1) // parts), options.kind)
    print(json.dumps(vars(found)) if options.json else told(found))
    return int(bool(found.errors or found.over))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    sys.exit(main())
