"""Damaged report files of every format, by the thousand: python tests/fuzz_reports.py 100000 [--seed N]

Takes files that the formats write, and those of a folder given by --files, changes bytes, lines, fields
and encodings, and reads the result as an upload is read. Prints unhandled errors (the file is kept), the
slowest files and the peak memory; ends with status 1 if there was an error or a file took over a second.
"""

from __future__ import annotations

import argparse
import heapq
import io
import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tournaments.reports import formats, text  # noqa: E402
from tournaments.reports.model import (  # noqa: E402
    Birth,
    ParsedReport,
    ReportedGame,
    ReportedPlayer,
    ReportedTeam,
    ReportedTotals,
)

LIMIT_SECONDS = 1.0
RESULTS = (("10", "1-0", 1), ("==", "1/2-1/2", Fraction(1, 2)), ("01", "0-1", 0), ("+-", "+/-", 1))
PIECES = [
    *(b" ", b"\t", b"\r", b"\n", b"\0", b"\x1a", b'"', b"'", b";", b",", b"|", b"#", b"=", b"-", b"+", b"*"),
    *(b"0000", b"9999", b"-1", b"1e9", b"NaN", b"1,5", b"1/0", b"=1+1", b"<!DOCTYPE a>", b"&a;", b"9" * 400),
    *(b"001 ", b"\n001    1 ", b"\n310 ", b"\n013 ", b"\n240 H   1", b"\n299 W  ", b"\n320  1.0  1.0   1"),
    *(b"\n330 +-   1   1   2", b"\n162  W 9.9", b"\n132 ", b"\nESP    1 ", b"1990/00/00", b"31/02/2026"),
    *(b"\xef\xbb\xbf", b"\xff", b"\xc3\xb1", b"\xe2\x80\xae", b"\xc2\xa0", b"\xc2\xbd", b"\xf1", b"\xd9\xa3"),
    *(b"\xcc\x81", b"\xcc\xa3\xcc\x81" * 400),
]


def sample(rng: random.Random, size: int, rounds: int, *, teams: bool, totals: bool = False) -> ParsedReport:
    """An invented event."""
    numbers = list(range(1, size + 1))
    names = ("Ibáñez, José", "Bruno, Luis", "Müller-Prueba, Żółć", "Duran, Jo", "Nadie, Ñ")
    points = dict.fromkeys(numbers, Fraction(0))
    games = []
    for round_ in range(1, rounds + 1):
        order = rng.sample(numbers, size)
        for white, black in zip(order[::2], order[1::2], strict=False):
            codes, result, worth = rng.choice(RESULTS)
            games.append(ReportedGame(round_, white, black, result, codes))
            points[white] += worth
            points[black] += 1 - worth
        if size % 2:
            games.append(ReportedGame(round_, order[-1], None, "bye-1/2", "H"))
            points[order[-1]] += Fraction(1, 2)
    players = tuple(
        ReportedPlayer(
            n,
            rng.choice(names) + str(n),
            rng.choice("mf"),
            rng.choice(["", "GM", "WFM"]),
            rng.choice([None, 1800 + n]),
            "ESP",
            str(2_200_000 + n),
            rng.choice([Birth(1990, 5, 17), Birth(1978), Birth()]),
            points[n],
            n,
            rng.choice(["", f"N-{n}"]),
            rng.choice([None, 1700 + n]),
        )
        for n in numbers
    )
    members = [tuple(numbers[at : at + 4]) for at in range(0, size, 4)] if teams else []
    start = date(2026, 3, 6)
    return ParsedReport(
        "trf16",
        "Open de Valdeprueba",
        "Valdeprueba",
        "ESP",
        start,
        start + timedelta(days=20),
        "Individual: Swiss-System",
        "Arbitro, Inventado",
        ("Uno, A",),
        "40/90+30/30+30",
        {round_: start + timedelta(days=round_) for round_ in range(1, rounds + 1)},
        players,
        () if totals else tuple(games),
        tuple(ReportedTeam(at, f"Club {at}", found) for at, found in enumerate(members, start=1)),
        tuple(ReportedTotals(n, points[n], rounds, 1800, n % 2 > 0) for n in numbers) if totals else (),
        rounds=0 if totals else rounds,
        rounds_announced=rounds,
    )


def seeds(rng: random.Random, folder: Path | None) -> list[tuple[str, bytes]]:
    """File names and contents: every format's own, then those of the folder."""
    found = []
    events = [
        sample(rng, 8, 3, teams=False),
        sample(rng, 13, 4, teams=True),
        sample(rng, 7, 5, teams=False, totals=True),
        sample(rng, 60, 9, teams=False),
    ]
    for each in formats.FORMATS:
        for event in events:
            try:
                found.append((f"report{each.suffix}", each.write(event)))
            except (ValueError, KeyError, TypeError) as refusal:
                print(f"{each.code} does not write a sample: {refusal}")
    if folder:
        found += [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return found


def mutate(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """A few random changes."""
    if data.startswith(b"PK") and rng.random() < 0.7:
        return _in_archive(rng, data)
    for _ in range(rng.choice((1, 1, 2, 3, 6, 12))):
        data = rng.choice(CHANGES)(rng, data, other)
    return data[: text.MAX_BYTES + 1]


def _in_archive(rng: random.Random, data: bytes) -> bytes:
    """One member of a ZIP file changed, the archive sound."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name == chosen:
                for _ in range(rng.choice((1, 2, 5))):
                    content = rng.choice(CHANGES)(rng, content, b"")
            new.writestr(name, content[: 4 << 20])
    return made.getvalue()


def _flip(rng: random.Random, data: bytes, other: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(rng.choice((1, 1, 3, 10))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _insert(rng: random.Random, data: bytes, other: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(PIECES) * rng.choice((1, 1, 1, 2, 50)) + data[at:]


def _overwrite(rng: random.Random, data: bytes, other: bytes) -> bytes:
    at, piece = rng.randint(0, len(data)), rng.choice(PIECES)
    return data[:at] + piece + data[at + len(piece) :]


def _delete(rng: random.Random, data: bytes, other: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.choice((1, 1, 2, 10, 100)) :]


def _cut(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _lines(rng: random.Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        lines.insert(to, lines[at])
    elif kind == 1:
        del lines[at]
    elif kind == 2:
        lines[at] = lines[at][: rng.randint(0, len(lines[at]))]
    elif kind == 3:
        lines[at], lines[to] = lines[to], lines[at]
    elif kind == 4:
        lines[at] += b" " + lines[to]
    else:
        foreign = other.split(b"\n")
        lines.insert(at, rng.choice(foreign))
    return b"\n".join(lines)


def _fields(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Two pieces of equal length change places."""
    size = rng.randint(1, 12)
    if len(data) < 3 * size:
        return data
    one, two = sorted((rng.randrange(len(data) - size), rng.randrange(len(data) - size)))
    if two < one + size:
        return data
    first, second = data[one : one + size], data[two : two + size]
    return data[:one] + second + data[one + size : two] + first + data[two + size :]


def _huge(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """A line made very long, or repeated very often; seldom, since it is slow by nature."""
    if rng.random() < 0.9:
        return _insert(rng, data, other)
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    times = rng.choice((10, 100, 1000, 10_000))
    room = max(1, text.MAX_BYTES // max(1, len(lines[at]) + 1))
    end = b"\n" if rng.random() < 0.5 else b""
    lines[at] = (lines[at] + end) * min(times, room)
    return b"\n".join(lines)


def _encoding(rng: random.Random, data: bytes, other: bytes) -> bytes:
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = data.decode("latin-1")
    kind = rng.randrange(6)
    if kind < 4:
        code = ("utf-16", "cp1252", "utf-8-sig", "latin-1")[kind]
        return decoded.encode(code, errors="replace")
    return data.replace(b"\r\n", b"\r" if kind == 4 else b"\n")


CHANGES = (_flip, _flip, _insert, _insert, _overwrite, _delete, _lines, _lines, _lines, _fields)
CHANGES += (_cut, _huge, _encoding)


def check(name: str, data: bytes) -> ParsedReport:
    """Read a file as an upload is read, and write what is sound in its format."""
    parsed = formats.parse(data, name, date(2026, 3, 6))
    for problem in parsed.problems:
        if not (problem.message and problem.remedy and problem.severity in ("error", "warning")):
            raise ValueError(f"an empty problem: {problem}")
    if parsed.ok:
        formats.by_code(parsed.format).write(parsed)
    return parsed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=Path)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    found = seeds(rng, options.files)
    kept = Path(tempfile.mkdtemp(prefix="fuzz-reports-"))
    errors: Counter[str] = Counter()
    slowest: list[tuple[float, int, str]] = []
    states: Counter[str] = Counter()
    for at in range(options.count):
        (name, data), (_, other) = rng.choice(found), rng.choice(found)
        mutant = mutate(rng, data, other)
        started = time.process_time()
        try:
            parsed = check(name, mutant)
            states[f"{parsed.format} {'taken' if parsed.ok else 'refused'}"] += 1
        except Exception:
            where = traceback.format_exc()
            if where not in errors:
                (kept / f"error-{at}-{name}").write_bytes(mutant)
                print(where)
            errors[where] += 1
        seconds = time.process_time() - started
        if len(slowest) < 10 or seconds > slowest[0][0]:
            (heapq.heappush if len(slowest) < 10 else heapq.heappushpop)(slowest, (seconds, at, name))
            if seconds > LIMIT_SECONDS / 2:
                (kept / f"slow-{at}-{name}").write_bytes(mutant)
    print(f"{options.count} files, seed {options.seed}: {sum(errors.values())} unhandled errors")
    print(", ".join(f"{state} {count}" for state, count in sorted(states.items())))
    worst = (f"{seconds:.3f} s (no. {at}, {name})" for seconds, at, name in sorted(slowest, reverse=True))
    print("slowest:", ", ".join(worst))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB; files in {kept}")
    return 1 if errors or (slowest and max(slowest)[0] > LIMIT_SECONDS) else 0


if __name__ == "__main__":
    sys.exit(main())
