"""Archives and XML made to cost memory, time or secrets: generated, by families and sizes.

``every()`` makes them one by one; ``python tests/trust/bombs.py FOLDER`` writes them as files.
A bomb is for the door of reports (XLSX, text) or for that of lists of players (zip, XML).
"""

from __future__ import annotations

import gzip
import io
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.reports.xlsx_book import PARTS, book, row, sheet  # noqa: E402

MIB = 1 << 20
REPORT, LIST = "report", "list"
TABLE = row("no", "name", "r1") + row(1, "Alba", "2w1") + row(2, "Bruno", "")
SHEET, STRINGS, STYLES, WORKBOOK, RELATIONS = (
    "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml",
    "xl/styles.xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
)


@dataclass(frozen=True, slots=True)
class Bomb:
    """A file that must be refused; ``door`` is where it is sent to."""

    family: str
    name: str
    door: str
    content: bytes

    def __str__(self) -> str:
        return f"{self.door}: {self.family}, {self.name}"


# --- archives, byte by byte -----------------------------------------------------------------------


@dataclass(slots=True)
class Entry:
    """A part of an archive; what the directory says of it can be a lie."""

    name: bytes
    packed: bytes
    size: int
    crc: int = 0
    method: int = zipfile.ZIP_DEFLATED
    flags: int = 0
    extra: bytes = b""
    said_size: int | None = None
    said_packed: int | None = None
    local_size: int | None = None
    at: int | None = field(default=None)


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def entry(name: str, data: bytes | str, **lies) -> Entry:
    data = data.encode() if isinstance(data, str) else data
    return Entry(name.encode(), deflated(data), len(data), zlib.crc32(data), **lies)


@lru_cache(maxsize=64)
def blanks(size: int) -> tuple[bytes, int]:
    """So many blanks, packed, and their checksum."""
    packer, crc, left, block = zlib.compressobj(9, zlib.DEFLATED, -15), 0, size, b" " * MIB
    out = []
    while left:
        piece = block[: min(left, MIB)]
        out.append(packer.compress(piece))
        crc = zlib.crc32(piece, crc)
        left -= len(piece)
    return b"".join([*out, packer.flush()]), crc


def blank_entry(name: str, size: int, **lies) -> Entry:
    packed, crc = blanks(size)
    return Entry(name.encode(), packed, size, crc, **lies)


def archive(entries: list[Entry], comment: bytes = b"") -> bytes:
    """The file: local headers with their data, the directory, its end."""
    out, places = bytearray(), []
    for each in entries:
        places.append(len(out) if each.at is None else each.at)
        if each.at is not None:
            continue
        local = each.size if each.local_size is None else each.local_size
        out += struct.pack(
            "<4sHHHHHIIIHH", b"PK\x03\x04", 20, each.flags, each.method, 0, 33, each.crc,
            len(each.packed), local, len(each.name), 0,
        )  # fmt: skip
        out += each.name + each.packed
    begin = len(out)
    for each, place in zip(entries, places, strict=True):
        size = each.size if each.said_size is None else each.said_size
        packed = len(each.packed) if each.said_packed is None else each.said_packed
        out += struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, each.flags, each.method, 0, 33, each.crc,
            packed, size, len(each.name), len(each.extra), 0, 0, 0, 0, place,
        )  # fmt: skip
        out += each.name + each.extra
    number = min(len(entries), 0xFFFF)
    out += struct.pack(
        "<4sHHHHIIH", b"PK\x05\x06", 0, 0, number, number, len(out) - begin, begin, len(comment)
    )
    return bytes(out) + comment


def workbook(*more: Entry, without: str = "", rows: str = TABLE) -> bytes:
    """A good workbook with other parts, or with one in the place of its own."""
    parts = PARTS | {SHEET: sheet(rows)}
    return archive([*(entry(name, text) for name, text in parts.items() if name != without), *more])


# --- XML ------------------------------------------------------------------------------------------

_LAUGHS = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
_BY_PARAMETERS = '<!ENTITY % p0 "lol">' + "".join(
    f"<!ENTITY % p{n} '{f'&#37;p{n - 1};' * 10}'>" for n in range(1, 12)
)
#: by family: a document type, and what stands in the text
DOCUMENT_TYPES = {
    "entities in entities": (f"[{_LAUGHS}]", "&l11;"),
    "parameter entities": (f"[{_BY_PARAMETERS}%p11;]", ""),
    "quadratic blow-up": (f'[<!ENTITY a "{"a" * 50_000}">]', "&a;" * 50_000),
    "a file of the server": ('[<!ENTITY e SYSTEM "file:///etc/passwd">]', "&e;"),
    "an address outside": ('[<!ENTITY e SYSTEM "http://127.0.0.1:9/x">]', "&e;"),
    "a parameter entity outside": ('[<!ENTITY % e SYSTEM "file:///etc/hostname">%e;]', ""),
    "SYSTEM": ('SYSTEM "file:///dev/zero"', ""),
    "PUBLIC": ('PUBLIC "-//A//B//EN" "http://127.0.0.1:9/x.dtd"', ""),
    "an empty one": ("[]", ""),
    "default attributes": (
        f"[<!ATTLIST row {''.join(f'a{n} CDATA {chr(34)}x{chr(34)} ' for n in range(2000))}>]",
        "",
    ),
    "itself": ('[<!ENTITY a "&b;"><!ENTITY b "&a;">]', "&a;"),
}


def with_type(root: str, kind: str, inside: str = "") -> str:
    declared, text = DOCUMENT_TYPES[kind]
    return f"<!DOCTYPE {root} {declared}><{root}>{inside}<a>{text}</a></{root}>"


#: encodings in which a document type might be overlooked
ENCODINGS = {
    "UTF-16 little": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16 big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 unmarked": lambda text: text.encode("utf-16-le"),
    "UTF-7": lambda text: b'<?xml version="1.0" encoding="UTF-7"?>' + text.encode("utf-7"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "EBCDIC": lambda text: f'<?xml version="1.0" encoding="cp037"?>{text}'.encode("cp037"),
    "unknown": lambda text: f'<?xml version="1.0" encoding="x-none"?>{text}'.encode(),
    "Latin-1": lambda text: f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}'.encode("latin-1"),
}


# --- the families ---------------------------------------------------------------------------------


def every() -> Iterator[Bomb]:
    """All bombs; no two are alike."""
    for door, family, made in _FAMILIES:
        for name, content in made():
            yield Bomb(family, name, door, content)


def _packed_tightly() -> Iterator[tuple[str, bytes]]:
    for size in (9, 16, 64, 200):
        for part in (SHEET, STRINGS, STYLES, WORKBOOK, RELATIONS):
            yield f"{size} MiB in {part}", workbook(blank_entry(part, size * MIB), without=part)
    for size in (100, 300, 600):
        yield f"{size} MiB beside the workbook", workbook(blank_entry("xl/media/image1.png", size * MIB))
    for count in (8, 20):
        parts = [blank_entry(f"xl/media/{n}.bin", 15 * MIB) for n in range(count)]
        yield f"{count} times 15 MiB", workbook(*parts)


def _many() -> Iterator[tuple[str, bytes]]:
    for count in (1001, 3000, 8000):
        yield f"{count} parts", workbook(*(Entry(b"%d" % n, b"", 0, method=0) for n in range(count)))
    yield "a directory of signatures", workbook() + b"PK\x01\x02" * 2000
    yield "nothing else", b"PK\x03\x04" + b"PK\x01\x02" * 100_000


def _lying() -> Iterator[tuple[str, bytes]]:
    for size in (9, 64):
        big = {"name": SHEET, "size": size * MIB}
        for told in (0, 100, 1 << 20):
            yield (
                f"{size} MiB as {told} in the directory",
                workbook(blank_entry(**big, said_size=told), without=SHEET),
            )
        yield (
            f"{size} MiB as 100 everywhere",
            workbook(blank_entry(**big, said_size=100, local_size=100), without=SHEET),
        )
    yield "little as 4 GiB", workbook(entry(SHEET, "<a/>", said_size=0xFFFFFFFE), without=SHEET)
    yield "packed as 4 GiB", workbook(entry(SHEET, "<a/>", said_packed=0xFFFFFFFE), without=SHEET)
    yield "packed as nothing", workbook(entry(SHEET, sheet(TABLE), said_packed=0), without=SHEET)
    sheet_ = sheet(TABLE).encode()
    yield (
        "a wrong checksum",
        workbook(Entry(SHEET.encode(), deflated(sheet_), len(sheet_), 12345), without=SHEET),
    )


def _overlapping() -> Iterator[tuple[str, bytes]]:
    for count in (2, 10, 250, 900):
        same = [blank_entry(f"xl/media/{n}", MIB, at=0) for n in range(count)]
        yield f"{count} names for one part", archive([blank_entry("[Content_Types].xml", MIB), *same])
    for count in (2, 20, 200):
        yield f"{count} parts that quote each other", _quoted(count)
    whole = bytearray(workbook())
    at = whole.rfind(b"PK\x01\x02")
    struct.pack_into("<I", whole, at + 42, 1)
    yield "a part that begins within another", bytes(whole)
    whole = bytearray(workbook())
    at = whole.rfind(b"PK\x01\x02")
    struct.pack_into("<I", whole, at + 42, len(whole) - 60)
    yield "a part within the directory", bytes(whole)


def _quoted(count: int) -> bytes:
    """Each part's data is a stored block that holds the next part's header, and then the next part's data:
    the kernel is unpacked once for every name."""
    kernel, crc = blanks(MIB)
    names = [f"xl/media/{n:04d}".encode() for n in range(count)]
    out = kernel
    size, found = MIB, []
    for name in reversed(names):
        header = struct.pack(
            "<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 33, crc, len(out), size & 0xFFFFFFFF, len(name), 0
        )
        found.append((name, len(out), size))
        header += name
        block = struct.pack("<BHH", 0, len(header), len(header) ^ 0xFFFF)
        out = (block if name is not names[0] else b"") + header + out
        size += len(header)
    entries, place, whole = [], 0, len(out)
    for name, packed, size in reversed(found):
        place = whole - packed - 30 - len(name)
        entries.append(Entry(name, b"", size, crc, said_packed=packed, at=place))
    directory = archive(entries)[0:]
    end = len(out)
    shifted = bytearray(out + directory)
    at = shifted.rfind(b"PK\x05\x06")
    struct.pack_into("<I", shifted, at + 16, end)
    return bytes(shifted)


def _names() -> Iterator[tuple[str, bytes]]:
    table = sheet(TABLE)
    for count in (2, 3, 50):
        yield f"a sheet {count} times", workbook(*(entry(SHEET, table) for _ in range(count - 1)))
    yield "a sheet in other letters", workbook(entry(SHEET.upper(), table))
    for name in (
        "../../etc/cron.d/x", "/etc/passwd", "xl\\worksheets\\sheet9.xml", "xl/./sheet9.xml", 'xl/"x".xml',
        "xl/'x'.xml", "C:/x.xml", "xl/\u202elmx.teehs", "xl/x\x07.xml", "xl/a\0b.xml",
    ):  # fmt: skip
        yield f"a part named {name!r}", workbook(entry(name, "<a/>", flags=0x800))


def _zip64() -> Iterator[tuple[str, bytes]]:
    for size in (1 << 33, 1 << 40, (1 << 63) - 1):
        extra = struct.pack("<HHQ", 1, 8, size)
        yield (
            f"{size} bytes",
            workbook(entry(SHEET, sheet(TABLE), said_size=0xFFFFFFFF, extra=extra), without=SHEET),
        )
    yield (
        "a broken field",
        workbook(
            entry(SHEET, sheet(TABLE), said_size=0xFFFFFFFF, extra=b"\x01\x00\x20\x00abc"), without=SHEET
        ),
    )
    good = bytearray(workbook())
    struct.pack_into("<I", good, len(good) - 10, 0xFFFFFFFF)
    yield "a directory at 4 GiB", bytes(good)


def _nested() -> Iterator[tuple[str, bytes]]:
    inner = archive([blank_entry("0", 64 * MIB)])
    for depth in range(2, 7):
        inner = archive(
            [Entry(b"%d.zip" % n, inner, len(inner), zlib.crc32(inner), method=0) for n in range(4)]
        )
        if len(inner) < MIB:
            yield f"{depth} deep, four of each", inner
    same = workbook()
    for depth in (1, 3, 6):
        for _ in range(depth):
            same = archive([Entry(b"r/r.zip", same, len(same), zlib.crc32(same), method=0)])
        yield f"itself, {depth} deep", same
    inner = workbook()
    yield (
        "a workbook as a workbook's sheet",
        workbook(Entry(SHEET.encode(), inner, len(inner), zlib.crc32(inner), method=0), without=SHEET),
    )


def _packed_otherwise() -> Iterator[tuple[str, bytes]]:
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield f"method {method}", book(TABLE, method=method)
    for method in (1, 6, 9, 98, 99):
        yield f"method {method}", workbook(entry(SHEET, sheet(TABLE), method=method), without=SHEET)
    yield "locked", workbook(entry(SHEET, sheet(TABLE), flags=1), without=SHEET)
    for name, packed in (
        ("gzip of a table", b"no,name,r1\n1,A,2w1\n"),
        ("gzip of XML", sheet(TABLE).encode()),
    ):
        yield name, gzip.compress(packed, mtime=0)
    yield "gzip of 64 MiB", gzip.compress(b" " * (64 * MIB), mtime=0)
    compressed = gzip.compress(sheet(TABLE).encode(), mtime=0)
    yield (
        "gzip as a sheet",
        workbook(
            Entry(SHEET.encode(), compressed, len(compressed), zlib.crc32(compressed), method=0),
            without=SHEET,
        ),
    )


def _documents() -> Iterator[tuple[str, bytes]]:
    for kind in DOCUMENT_TYPES:
        for part, root in (
            (SHEET, "worksheet"),
            (STRINGS, "sst"),
            (STYLES, "styleSheet"),
            (WORKBOOK, "workbook"),
        ):
            inside = f"<sheetData>{TABLE}</sheetData>" if part == SHEET else ""
            yield f"{kind} in {part}", workbook(entry(part, with_type(root, kind, inside)), without=part)
    for name, encode in ENCODINGS.items():
        text = with_type("worksheet", "entities in entities", f"<sheetData>{TABLE}</sheetData>")
        yield f"a sheet in {name}", workbook(entry(SHEET, encode(text)), without=SHEET)


def _elements() -> Iterator[tuple[str, bytes]]:
    for number in (450_000, 1_000_000):
        yield f"{number} empty rows", _sheet("<row/>" * number)
        yield f"{number} empty cells", _sheet(f"<row>{'<c/>' * number}</row>")
        yield f"{number} texts", workbook(entry(STRINGS, f"<sst>{'<si/>' * number}</sst>"))
        yield (
            f"{number} formats",
            workbook(entry(STYLES, f"<s><cellXfs>{'<xf/>' * number}</cellXfs></s>"), without=STYLES),
        )
    for depth in (100_000, 190_000, 399_000, 500_000):
        yield f"{depth} deep", _sheet("<a>" * depth)
        if depth < 200_000:
            yield f"{depth} deep and closed", _sheet("<a>" * depth + "</a>" * depth, "")
    for size in (1, 4, 7):
        yield f"an attribute of {size} MiB", _sheet(f'<row a="{"x" * (size * MIB)}"/>', "")
        yield f"a name of {size} MiB", _sheet(f"<{'x' * (size * MIB)}/>", "")
        yield f"a comment of {size} MiB", _sheet(f"<!--{'x' * (size * MIB)}", "")
        yield f"a cell of {size} MiB", _sheet(row("x" * (size * MIB)))
    for number in (50_000, 300_000):
        named = "".join(f' a{n}="x"' for n in range(number))
        yield f"{number} attributes", _sheet(f"<row{named}/>", "")
        yield f"{number} attributes of one name", _sheet("<row" + ' a="x"' * number + "/>", "")
    text = f"<sst><si><t>{'x' * 1000}</t></si></sst>"
    for number in (2_000, 40_000):
        cells = '<c t="s"><v>0</v></c>' * 20
        yield (
            f"a long text {20 * number} times",
            workbook(entry(STRINGS, text), rows=TABLE + f"<row>{cells}</row>" * number),
        )
    yield "rows at the end of the world", _sheet('<row r="1048577"/>')
    yield "a row of 10 to the 30", _sheet(f'<row r="{10**30}"/>')


def _sheet(rows: str, table: str = TABLE) -> bytes:
    return workbook(rows=table + rows)


def _texts() -> Iterator[tuple[str, bytes]]:
    full = MIB - 100
    head = b"no,name,r1\n"
    yield from {
        "NUL": b"\0" * full,
        "one line": b"x" * full,
        "quotes": head + b'"' * full,
        "commas": head + b"," * full,
        "a row of many cells": head + b"1" + b",x" * (full // 2),
        "rows": head + b"1,A,H\n" * (full // 6),
        "accents": head + b"1," + b"\xcc\xa3\xcc\x81" * (full // 4) + b",H\n",
        "players of one number": b"001    1      " + b"A" * 60 + b"\n" + b"001    1 x\n" * (full // 12),
        "tags": b"".join(b"%03d \n" % (n % 1000) for n in range(full // 5)),
        "carriage returns": b"\r" * full,
        "UTF-16": "\ufeff012 Open\n".encode("utf-16-le") * 1000,
        "bidirectional": head + "1,\u202eA\u2066B,H\n2,\ufeffC\x1b[31m,H\n".encode(),
        "digits": head + b"9" * full,
        "half of a surrogate": head + b"1,\xed\xa0\x80,2w1\n2,B,\n",
        "PDF": b"%PDF-1.7" + b"x" * 1000,
        "old workbook": b"\xd0\xcf\x11\xe0" + b"\0" * full,
    }.items()


# --- lists of players -----------------------------------------------------------------------------

_PLAYER = "<player><fideid>100</fideid><name>Normal, Nora</name></player>"


def _list_archives() -> Iterator[tuple[str, bytes]]:
    for size in (64, 256, 512):
        yield f"{size} MiB of blanks", archive([blank_entry("list.txt", size * MIB)])
        yield f"{size} MiB of blanks as XML", archive([blank_entry("list.xml", size * MIB)])
    yield "64 MiB told as 100", archive([blank_entry("list.txt", 64 * MIB, said_size=100)])
    yield "little told as 4 GiB", archive([entry("list.xml", "<playerslist/>", said_size=0xFFFFFFFE)])
    for count in (2, 100, 2000):
        yield f"{count} lists", archive([entry(f"{n}.txt", "x") for n in range(count)])
        yield (
            f"{count} names for one list",
            archive(
                [blank_entry("0.txt", MIB), *(blank_entry(f"{n + 1}.txt", MIB, at=0) for n in range(count))]
            ),
        )
    inner = archive([blank_entry("list.txt", 64 * MIB)])
    for depth in (1, 3):
        for _ in range(depth):
            inner = archive([Entry(b"list.zip", inner, len(inner), zlib.crc32(inner), method=0)])
        yield f"{depth} archives in each other", inner
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as packed:
            packed.writestr("list.txt", "x" * 1000)
        yield f"method {method}", out.getvalue()
    yield "locked", archive([entry("list.txt", "x" * 100, flags=1)])
    yield "gzip", gzip.compress(f"<playerslist>{_PLAYER}</playerslist>".encode(), mtime=0)
    yield "a list that is an archive", archive([entry("list.xml", archive([blank_entry("a", MIB)]))])


def _list_documents() -> Iterator[tuple[str, bytes]]:
    for kind in DOCUMENT_TYPES:
        yield kind, with_type("playerslist", kind, _PLAYER).encode()
    for name, encode in ENCODINGS.items():
        yield f"in {name}", encode(with_type("playerslist", "entities in entities", _PLAYER))
    packed = with_type("playerslist", "quadratic blow-up", _PLAYER)
    yield "quadratic blow-up, zipped", archive([entry("list.xml", packed)])
    for depth in (9, 1000, 300_000):
        yield f"{depth} deep", f"<playerslist>{'<a>' * depth}".encode()
    for size in (2, 16):
        yield f"an attribute of {size} MiB", f'<playerslist><player a="{"x" * (size * MIB)}"/>'.encode()
        yield f"a comment of {size} MiB", f"<playerslist><!--{'x' * (size * MIB)}".encode()
        yield f"a name of {size} MiB", f"<playerslist><{'x' * (size * MIB)}".encode()
        yield f"an instruction of {size} MiB", f"<playerslist><?x {'x' * (size * MIB)}".encode()
    yield "another document", b"<html><body/></html>"
    yield "cut off", f"<playerslist>{_PLAYER}<player>".encode()


_FAMILIES = (
    (REPORT, "packed tightly", _packed_tightly),
    (REPORT, "many parts", _many),
    (REPORT, "sizes that lie", _lying),
    (REPORT, "parts that overlap", _overlapping),
    (REPORT, "names", _names),
    (REPORT, "zip64", _zip64),
    (REPORT, "archives in archives", _nested),
    (REPORT, "packed otherwise", _packed_otherwise),
    (REPORT, "document types", _documents),
    (REPORT, "elements", _elements),
    (REPORT, "texts", _texts),
    (LIST, "archives", _list_archives),
    (LIST, "documents", _list_documents),
)


def main(folder: str) -> None:
    """Write every bomb as a file."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for number, bomb in enumerate(every(), 1):
        (place / f"{number:03d}-{bomb.door}.bin").write_bytes(bomb.content)
        print(f"{number:03d} {len(bomb.content):>9} {bomb}")


if __name__ == "__main__":
    main(*sys.argv[1:])
