"""The bytes of a list: plain or in a zip, counted as they are read, never more than a bit at a time."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

#: FIDE's largest file, the XML of all players, has 0.86 GB unpacked.
MAX_UNPACKED = 4 << 30
MAX_LINE = 4096
MAX_DIRECTORY = 64 << 10
#: FIDE's lists pack some fifteen times
MAX_RATIO = 200
_SMALL = 1 << 20
_END, _END_BYTES, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65_535
_SUFFIXES = (".txt", ".xml", ".csv")


class BrokenSource(Exception):
    """The container cannot be read. Arguments: what is wrong, and the remedy."""


class _Counted(io.RawIOBase):
    """A stream that counts what is read through it."""

    def __init__(self, below: BinaryIO) -> None:
        self.below = below
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.below.seek(offset, whence)

    def tell(self) -> int:
        return self.below.tell()

    def readinto(self, buffer) -> int:
        data = self.below.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class Source:
    """A list file opened for one reading from its start.

    ``name`` is the name of the list itself (inside a zip: of the member); ``bytes_read`` counts
    bytes of ``file`` as it lies on disk, for showing progress. Raises BrokenSource.
    """

    def __init__(self, file: BinaryIO, name: str, *, max_unpacked: int = MAX_UNPACKED) -> None:
        self.name = name
        self.left = max_unpacked
        self._counted = _Counted(file)
        if file.read(4) == b"PK\x03\x04":
            self._bytes = self._member(file)
        else:
            file.seek(0)
            self._bytes = io.BufferedReader(self._counted, 1 << 16)
        self._ahead = b""

    @property
    def bytes_read(self) -> int:
        return self._counted.count

    def _member(self, file: BinaryIO) -> BinaryIO:
        _refuse_large_directory(file)
        try:
            archive = zipfile.ZipFile(self._counted)
            members = [m for m in archive.infolist() if m.filename.lower().endswith(_SUFFIXES)]
            if len(members) != 1:
                raise BrokenSource(
                    f"The zip holds {len(members)} lists.", "Pack one file .txt, .xml or .csv in it."
                )
            if members[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BrokenSource(
                    "The zip is packed in an unusual way.", "Pack it as zip programs usually do."
                )
            if members[0].file_size > max(_SMALL, MAX_RATIO * members[0].compress_size):
                raise BrokenSource(
                    f"The list is packed more than {MAX_RATIO} times, as no list of players is.",
                    "Download it again, or unpack it first.",
                )
            self.name = members[0].filename
            self._counted.count = 0
            return archive.open(members[0])
        except _BROKEN as error:
            raise _broken_zip() from error

    def read(self, size: int = 1 << 16) -> bytes:
        """The next bytes; nothing at the end. Raises BrokenSource also beyond the cap."""
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        return self._within_cap(self._call(self._bytes.read, size))

    def peek(self) -> bytes:
        """The first bytes, which stay to be read. To be called before anything is read."""
        if not self._ahead:
            self._ahead = self._within_cap(self._call(self._bytes.read, 4096))
        return self._ahead

    def lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Each line with its number, without its end; None instead of one longer than MAX_LINE."""
        number, rest, too_long = 0, b"", False
        while data := self.read():
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                number += 1
                yield number, None if too_long or len(line) > MAX_LINE else line.removesuffix(b"\r")
                too_long = False
            if len(rest) > MAX_LINE:
                rest, too_long = b"", True
        if rest or too_long:
            yield number + 1, None if too_long or len(rest) > MAX_LINE else rest.removesuffix(b"\r")

    def _within_cap(self, data: bytes) -> bytes:
        self.left -= len(data)
        if self.left < 0:
            raise BrokenSource("The unpacked list is too large.", "Import the list in parts.")
        return data

    def _call(self, read, size: int) -> bytes:
        try:
            return read(size)
        except _BROKEN as error:
            raise _broken_zip() from error


_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


def _broken_zip() -> BrokenSource:
    return BrokenSource(
        "The file cannot be unpacked: it is damaged, or has a password.",
        "Download it again, or unpack it first.",
    )


def _refuse_large_directory(file: BinaryIO) -> None:
    """zipfile reads the directory at once, whatever its size: a real one has a few hundred bytes."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END_BYTES - _LONGEST_COMMENT))
    tail = file.read(_END_BYTES + _LONGEST_COMMENT)
    file.seek(0)
    at = tail.rfind(_END)
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    if at < 0 or directory > MAX_DIRECTORY or b"PK\x06\x07" in tail:
        raise BrokenSource("The zip has no usable directory.", "Pack the list alone, as FIDE does.")
