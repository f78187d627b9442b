"""Files kept under the SHA-256 of their content, for ever: a name can never mean other bytes.

A file is written beside its place, flushed to the disk and then renamed, so that it is there whole or not
at all; writing the same content again changes nothing. Large texts are kept packed (gzip): the name is
that of the content, whatever the packing.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import re
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from players import crashpoints


@dataclass(frozen=True, slots=True)
class Stored:
    sha256: str
    size: int


class Damaged(Exception):
    """A file of the archive is not what its name says."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"The archive's file {sha256} is damaged: restore it from a backup.")


def path_of(sha256: str) -> Path:
    """Where the file of this content lies, if it is not packed."""
    return Path(settings.PORTAL_ARCHIVE) / sha256[:2] / sha256[2:]


def packed_path_of(sha256: str) -> Path:
    """Where the packed file of this content lies."""
    return path_of(f"{sha256}.gz")


def store(chunks: Iterable[bytes]) -> Stored:
    """Keep a file; it is on the disk when this returns. Raises OSError (disk full) and leaves nothing."""
    return _store(chunks, packed=False)


def store_packed(chunks: Iterable[bytes]) -> Stored:
    """The same, packed on the disk; hash and size are those of the content."""
    return _store(chunks, packed=True)


def _store(chunks: Iterable[bytes], *, packed: bool) -> Stored:
    root = Path(settings.PORTAL_ARCHIVE)
    root.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=root, prefix="new-")
    try:
        digest, size = hashlib.sha256(), 0
        packer = zlib.compressobj(1, wbits=31) if packed else None  # wbits 31: gzip, without name and time
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(packer.compress(chunk) if packer else chunk)
                crashpoints.here("archive: a part is written")
            file.write(packer.flush() if packer else b"")
            file.flush()
            os.fsync(file.fileno())
        stored = Stored(digest.hexdigest(), size)
        target = (packed_path_of if packed else path_of)(stored.sha256)
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            os.chmod(name, 0o444)
            crashpoints.here("archive: before the rename")
            os.replace(name, target)
            crashpoints.here("archive: renamed, the folder not flushed")
            sync_folder(target.parent)
            sync_folder(root)
        return stored
    finally:
        if os.path.exists(name):
            os.unlink(name)


def tidy() -> int:
    """Remove what workers that died left half written, a day old or more; returns how many files."""
    root, removed = Path(settings.PORTAL_ARCHIVE), 0
    for left in root.glob("new-*"):
        with contextlib.suppress(FileNotFoundError):  # renamed meanwhile
            if time.time() - left.stat().st_mtime > 86_400:
                left.unlink()
                removed += 1
    return removed


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_file(sha256: str) -> BinaryIO:
    """The file of this content, unpacked. Raises FileNotFoundError."""
    try:
        return path_of(sha256).open("rb")
    except FileNotFoundError:
        return gzip.open(packed_path_of(sha256), "rb")


def read(sha256: str, size: int = 1 << 20) -> Iterator[bytes]:
    """The content in pieces, for whoever compares it with its name at the end: raises Damaged if it is
    another, FileNotFoundError."""
    digest = hashlib.sha256()
    try:
        with open_file(sha256) as file:
            while piece := file.read(size):
                digest.update(piece)
                yield piece
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Damaged(sha256) from error
    if digest.hexdigest() != sha256:
        raise Damaged(sha256)


def is_whole(sha256: str) -> bool:
    """Is the file there with the content that its name says?"""
    try:
        for _ in read(sha256):
            pass
    except (FileNotFoundError, Damaged):
        return False
    return True


# --- whole archives, for backups --------------------------------------------------------------------

_NAME = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}(\.gz)?")


def names() -> Iterator[str]:
    """The files of the archive as they lie on the disk: ``ab/cdef…``, packed ones with ``.gz``; in order."""
    root = Path(settings.PORTAL_ARCHIVE)
    for folder in sorted(root.glob("[0-9a-f][0-9a-f]")):
        for path in sorted(folder.iterdir()):
            if _NAME.fullmatch(name := f"{folder.name}/{path.name}"):
                yield name


def checked(name: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a file of that name, handed on as they lie on the disk; at the end raises Damaged if
    their content is not what the name says."""
    packed, sha256 = name.endswith(".gz"), name.replace("/", "").removesuffix(".gz")
    digest, unpacker = hashlib.sha256(), zlib.decompressobj(wbits=31)
    for chunk in chunks:
        try:
            digest.update(unpacker.decompress(chunk) if packed else chunk)
        except zlib.error as error:
            raise Damaged(sha256) from error
        yield chunk
    if digest.hexdigest() != sha256 or (packed and not unpacker.eof):
        raise Damaged(sha256)


def adopt(name: str, chunks: Iterable[bytes]) -> None:
    """Keep a file of another archive under its name. It is on the disk only after ``os.sync``. Raises
    Damaged, and ValueError if the name is none of an archive."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an archive's file.")
    target = Path(settings.PORTAL_ARCHIVE) / name
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f"new-{target.name}")
    try:
        with new.open("wb") as file:
            for chunk in checked(name, chunks):
                file.write(chunk)
        new.chmod(0o444)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def clear() -> None:
    """Remove every file: of a restoration that failed."""
    root = Path(settings.PORTAL_ARCHIVE)
    for folder in root.glob("[0-9a-f][0-9a-f]"):
        shutil.rmtree(folder)
