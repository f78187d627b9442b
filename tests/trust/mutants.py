"""Sound files damaged: bytes, lines, fields, encodings, parts of archives, and pieces of their structure.

Every change takes the randomness that it is given and nothing else, so that a number names a mutant.
"""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

from tests.trust.samples import packed
from tournaments.reports import text

PIECES = [
    *(b" ", b"\t", b"\r", b"\n", b"\0", b"\x1a", b'"', b"'", b";", b",", b"|", b"#", b"=", b"-", b"+", b"*"),
    *(b"0000", b"9999", b"-1", b"1e9", b"NaN", b"1,5", b"1/0", b"=1+1", b"<!DOCTYPE a>", b"&a;", b"9" * 400),
    *(b"001 ", b"\n001    1 ", b"\n310 ", b"\n013 ", b"\n240 H   1", b"\n299 W  ", b"\n320  1.0  1.0   1"),
    *(b"\n330 +-   1   1   2", b"\n162  W 9.9", b"\n132 ", b"\nESP    1 ", b"1990/00/00", b"31/02/2026"),
    *(b"\xef\xbb\xbf", b"\xff", b"\xc3\xb1", b"\xe2\x80\xae", b"\xc2\xa0", b"\xc2\xbd", b"\xf1", b"\xd9\xa3"),
    *(b"\xcc\x81", b"\xcc\xa3\xcc\x81" * 400),
]


def mutate(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """A few random changes; ``other`` is a file to take lines and pieces from."""
    if data.startswith(b"PK") and rng.random() < 0.7:
        return _in_archive(rng, data)
    if rng.random() < 0.5:
        return structured(rng, data, other)[: text.MAX_BYTES + 1]
    for _ in range(rng.choice((1, 1, 2, 3, 6, 12))):
        data = rng.choice(CHANGES)(rng, data, other)
    return data[: text.MAX_BYTES + 1]


def _in_archive(rng: random.Random, data: bytes) -> bytes:
    """One member of a ZIP file changed, the archive sound."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members = {name: old.read(name) for name in old.namelist()}
    chosen = rng.choice(list(members))
    if rng.random() < 0.5:
        members[chosen] = structured(rng, members[chosen], b"")
    else:
        for _ in range(rng.choice((1, 2, 5))):
            members[chosen] = rng.choice(CHANGES)(rng, members[chosen], b"")
    members[chosen] = members[chosen][: 4 << 20]
    return packed(members)


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
    if rng.random() < 0.98:
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

# --- pieces of the structure ------------------------------------------------------------------------

#: what can stand in a field and should not, or stands on an edge
VALUES = (
    *(b"", b" ", b"0", b"1", b"-1", b"00", b"0000", b"9999", b"10000", b"2147483648", b"9" * 19, b"1e9"),
    *(b"1.5", b"1,5", b"NaN", b"inf", b"-0", b"1/2", b"\xc2\xbd", b"=", b"+", b"-", b"H", b"F", b"U", b"Z"),
    *(
        b"W",
        b"B",
        b"w",
        b"b",
        b"0000 - -",
        b"0000 - Z",
        b"1 w 1",
        b"12w1",
        b"ESP",
        b"XXX",
        b"ABCD",
        b"m",
        b"w",
    ),
    *(
        b"1990",
        b"1990/02/30",
        b"1990-05-17",
        b"0000/00/00",
        b"2026/03/06",
        b"99/99/99",
        b"GM",
        b"true",
        b"\0",
    ),
    *(
        b"=1+1",
        b"@SUM(A1)",
        b"\xe2\x80\xae",
        b"\xff\xfe",
        b"&amp;",
        b"&#0;",
        b"&#x110000;",
        b"<![CDATA[",
        b"]]>",
    ),
    *(
        b"A" * 121,
        b"A" * 600,
        b"\xf0\x9f\x90\xb4",
        b"\xd9\xa3",
        b"\xc2\xb2",
        b"\xcc\x81" * 40,
        b"001",
        b"132",
    ),
)
_XML = re.compile(rb"<[^<>]*>|[^<>]+|[<>]")
_ATTRIBUTE = re.compile(rb"\s[\w:]+=\"[^\"]*\"")
_TABLE = re.compile(rb"[^;,\t\r\n]+|[;,\t]|\r?\n|\r")
_COLUMNS = re.compile(rb"[^\s]+|[ \t]+|\r?\n|\r")


def structured(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Tags, cells or words of fixed columns changed as such, the rest as it was."""
    pieces, others = parts(data), parts(other) or [b"1"]
    if not pieces:
        return rng.choice(VALUES)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(pieces))
        rng.choice(PIECEWISE)(rng, pieces, at, others)
        if not pieces:
            break
    return b"".join(pieces)


def parts(data: bytes) -> list[bytes]:
    """The pieces that a reader would take apart: tags and texts, cells, or words and the blanks between."""
    start = data[:400].lstrip(b"\xef\xbb\xbf \r\n")
    if start.startswith(b"<"):
        return _XML.findall(data)
    first = max(data[:2000].split(b"\n"), key=lambda line: sum(map(line.count, (b",", b";", b"\t"))))
    return (_TABLE if sum(map(first.count, (b",", b";", b"\t"))) > 3 else _COLUMNS).findall(data)


def _put(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    pieces[at] = rng.choice(VALUES)


def _fit(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    """Another value in the same width: no column moves."""
    width = len(pieces[at])
    value = rng.choice(VALUES)[:width]
    pieces[at] = value.ljust(width) if rng.random() < 0.5 else value.rjust(width)


def _foreign(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    pieces[at] = rng.choice(others)


def _swap(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    to = rng.randrange(len(pieces))
    pieces[at], pieces[to] = pieces[to], pieces[at]


def _same(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    """What stands elsewhere stands here, too: a number given twice, a player against himself."""
    pieces[at] = rng.choice(pieces)


def _drop(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    del pieces[at : at + rng.choice((1, 1, 2, 5))]


def _again(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    run = pieces[at : at + rng.choice((1, 2, 4, 8))]
    pieces[at:at] = run * (rng.choice((1, 1, 2, 20)) if rng.random() < 0.98 else 2000)


def _count(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    """A number a little or very different."""
    numbers = [place for place in range(at, min(len(pieces), at + 40)) if pieces[place].isdigit()]
    if numbers and len(pieces[numbers[0]]) < 19:
        value = int(pieces[numbers[0]])
        changed = rng.choice((value + 1, value - 1, -value, value * 10, value // 10, 0))
        pieces[numbers[0]] = str(changed).encode()


def _attributes(rng: random.Random, pieces: list[bytes], at: int, others: list[bytes]) -> None:
    """An attribute of a tag lost, doubled, or with another value; elsewhere another value."""
    found = _ATTRIBUTE.findall(pieces[at])
    if not found:
        return _put(rng, pieces, at, others)
    chosen = rng.choice(found)
    name = chosen.partition(b"=")[0]
    changed = rng.choice((b"", chosen + chosen, name + b'="' + rng.choice(VALUES) + b'"', b' r="XFD1048576"'))
    pieces[at] = pieces[at].replace(chosen, changed, 1)
    return None


Change = Callable[[random.Random, list[bytes], int, list[bytes]], None]
PIECEWISE: tuple[Change, ...] = (
    _put,
    _put,
    _fit,
    _fit,
    _foreign,
    _swap,
    _same,
    _drop,
    _again,
    _count,
    _attributes,
)
