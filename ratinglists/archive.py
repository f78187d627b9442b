"""Files kept under the SHA-256 of their content, for ever: a name can never mean other bytes.

A file is written beside its place, flushed to the disk and then renamed, so that it is there whole or not
at all; writing the same content again changes nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from players import crashpoints


@dataclass(frozen=True, slots=True)
class Stored:
    sha256: str
    size: int


def path_of(sha256: str) -> Path:
    """Where the file of this content lies."""
    return Path(settings.PORTAL_ARCHIVE) / sha256[:2] / sha256[2:]


def store(chunks: Iterable[bytes]) -> Stored:
    """Keep a file; it is on the disk when this returns. Raises OSError (disk full) and leaves nothing."""
    root = Path(settings.PORTAL_ARCHIVE)
    root.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=root, prefix="new-")
    try:
        digest, size = hashlib.sha256(), 0
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
                crashpoints.here("archive: a part is written")
            file.flush()
            os.fsync(file.fileno())
        stored = Stored(digest.hexdigest(), size)
        target = path_of(stored.sha256)
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            os.chmod(name, 0o444)
            crashpoints.here("archive: before the rename")
            os.replace(name, target)
            crashpoints.here("archive: renamed, the folder not flushed")
            _sync_folder(target.parent)
            _sync_folder(root)
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


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_file(sha256: str) -> BinaryIO:
    """The file of this content. Raises FileNotFoundError."""
    return path_of(sha256).open("rb")


def is_whole(sha256: str) -> bool:
    """Is the file there with the content that its name says?"""
    try:
        with open_file(sha256) as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except FileNotFoundError:
        return False
