"""The parts of an XLSX file, read within bounds: an upload may be a bomb.

openpyxl writes our files, but it does not read those of others: it parses styles, names, links and
formats that no report needs, yields a million rows for one far cell, and no limit can be given to it.
Here the directory is measured first: how many parts, how large unpacked, how tightly packed, and whether each
lies in a place of its own. Then at most four are unpacked, each no further than its limit whatever the
directory says, and a document type (the way to entity bombs and to files elsewhere) is refused.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Callable
from xml.parsers import expat

from tournaments.reports.text import MAX_BYTES

MAX_ENTRIES = 1000
MAX_PART = 8 << 20
#: "<" in all parts that are read: at two or three for a cell, more than the largest table has
MAX_TAGS = 400_000
#: of all parts together, as the directory says, and as they are unpacked
MAX_WHOLE = 64 << 20
MAX_READ = 12 << 20
#: empty cells pack a hundred times smaller; deflate ends at 1032
MAX_RATIO = 400
_SMALL = 1 << 20
_LOCAL_HEADER = 30
#: a tag with the text behind it; the longest cell of a spreadsheet has 32,767 letters
MAX_PIECE = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DIRECTORY_ENTRY = b"PK\x01\x02"

Attributes = dict[str, str]


class XlsxError(Exception):
    """The file cannot be read: a code of ``problems.REMEDIES`` and a message for the arbiter."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Package:
    """An open XLSX file. Raises XlsxError, also from every method, and nothing else."""

    def __init__(self, content: bytes) -> None:
        if len(content) > MAX_BYTES:
            raise XlsxError("too-big", f"The file has {len(content)} bytes; at most {MAX_BYTES} are read.")
        if content.startswith(b"\xd0\xcf\x11\xe0"):
            raise XlsxError("xlsx-not", "The file is an old XLS workbook, or one with a password.")
        if content.count(_DIRECTORY_ENTRY) > MAX_ENTRIES:
            raise XlsxError("xlsx-too-big", f"The file holds more than {MAX_ENTRIES} parts.")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except MemoryError:
            raise
        except Exception as error:  # zipfile has no one class for what damaged archives do to it
            raise XlsxError("xlsx-damaged", "The file is a damaged archive.") from error
        self._entries = {info.filename.lower(): info for info in self._archive.infolist()}
        self._measure()
        self._tags = self._read = 0

    def _measure(self) -> None:
        """What the directory says, before anything is unpacked."""
        found = self._archive.infolist()
        if len(self._entries) < len(found):
            raise XlsxError("xlsx-damaged", "Two parts of the file have the same name.")
        for info in found:
            if not _is_plain(info.orig_filename):
                raise XlsxError("xlsx-damaged", f"A part has the name {info.orig_filename[:60]!r}.")
            if info.file_size > _SMALL and info.file_size > MAX_RATIO * info.compress_size:
                text = f"A part of the file is packed {info.file_size // max(1, info.compress_size)} times."
                raise XlsxError("xlsx-too-big", text)
        if (whole := sum(info.file_size for info in found)) > MAX_WHOLE:
            raise XlsxError("xlsx-too-big", f"The file has {whole} bytes unpacked.")
        end = self._archive.start_dir
        for info in sorted(found, key=lambda info: info.header_offset, reverse=True):
            if info.header_offset + _LOCAL_HEADER + info.compress_size > end:
                raise XlsxError("xlsx-damaged", "Parts of the file lie in each other.")
            end = info.header_offset

    def has(self, name: str) -> bool:
        return name.lower() in self._entries

    def read(self, name: str) -> bytes:
        """The unpacked part; its size is limited whatever the archive says."""
        info = self._entries.get(name.lower())
        if info is None:
            raise XlsxError("xlsx-damaged", f"The part {name[:80]} is missing.")
        if info.compress_type not in _METHODS or info.flag_bits & 1:
            raise XlsxError("xlsx-damaged", "The file is packed or locked in a way that is not read.")
        if info.file_size > MAX_PART:
            raise XlsxError("xlsx-too-big", f"A part of the file has {info.file_size} bytes unpacked.")
        try:
            with self._archive.open(info) as part:
                data = part.read(MAX_PART + 1)
        except MemoryError:
            raise
        except Exception as error:  # as above, with zlib's
            raise XlsxError("xlsx-damaged", f"The part {name[:80]} is damaged.") from error
        if len(data) > MAX_PART:
            raise XlsxError("xlsx-too-big", "A part of the file is larger than the archive says.")
        self._read += len(data)
        if self._read > MAX_READ:
            raise XlsxError("xlsx-too-big", f"The workbook has more than {MAX_READ} bytes unpacked.")
        self._tags += data.count(b"<")
        if self._tags > MAX_TAGS:
            raise XlsxError("xlsx-too-big", f"The workbook holds more than {MAX_TAGS} elements.")
        if any(len(piece) > MAX_PIECE for piece in data.split(b"<")):
            raise XlsxError("xlsx-too-big", f"A tag or text of the workbook has more than {MAX_PIECE} bytes.")
        return data

    def scan(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Call the functions for each element of a part, with names that have lost their prefix."""
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse
        parser.StartElementHandler = lambda tag, attributes: start(tag.rpartition(":")[2], attributes)
        if end is not None:
            parser.EndElementHandler = lambda tag: end(tag.rpartition(":")[2])
        if text is not None:
            parser.CharacterDataHandler = text
        try:
            parser.Parse(self.read(name), True)
        except expat.ExpatError as error:
            raise XlsxError("xlsx-damaged", f"The part {name[:80]} is damaged.") from error

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """The parts that a part refers to, by identifier: last word of the type, and name. What lies
        outside the file is left out."""
        folder, base = posixpath.split(name)
        found: dict[str, tuple[str, str]] = {}

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "Relationship" and attributes.get("TargetMode", "") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
                kind = attributes.get("Type", "").rpartition("/")[2]
                found[attributes.get("Id", "")] = kind, target.lstrip("/")

        rels = posixpath.join(folder, "_rels", f"{base}.rels")
        if self.has(rels):
            self.scan(rels, start)
        return found


def _is_plain(name: str) -> bool:
    """A name as office programs give them; nothing that leads out of the file, or is read in two ways."""
    return (
        name.isprintable()
        and not name.startswith("/")
        and not {"\\", '"', "'", ":"} & set(name)
        and not {"..", "."} & set(name.split("/"))
    )


def _refuse(*_: object) -> None:
    raise XlsxError("xlsx-damaged", "The file declares a document type, which no workbook does.")
