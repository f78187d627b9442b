"""An archive in a folder: where each thing lies in it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

MOST = 64 * 2**20  # a manifest is a few kilobytes; nothing reads more than this at once
_MANIFEST = re.compile(r"manifests/(\d{6,12})\.json", re.ASCII)


class Archive(Protocol):
    """What the checks ask of an archive. What is not there is None."""

    def numbers(self) -> list[int]: ...
    def manifest(self, number: int) -> bytes | None: ...
    def signature(self, number: int) -> bytes | None: ...
    def file(self, sha256: str) -> BinaryIO | None: ...


def manifest_path(number: int) -> str:
    return f"manifests/{number:06d}.json"


def signature_path(number: int) -> str:
    return f"manifests/{number:06d}.sig"


def key_path(key_id: str) -> str:
    return f"keys/{key_id}.pem"


def file_path(sha256: str) -> str:
    return f"files/{sha256}"


class Folder:
    """A downloaded archive. Links and special files in it count as not there: they lead elsewhere."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def paths(self) -> Iterator[str]:
        """Everything in the folder that is no folder, by its path in it."""
        for place, folders, files in os.walk(self.root):
            links = [name for name in folders if os.path.islink(os.path.join(place, name))]
            for name in (*files, *links):
                yield Path(place, name).relative_to(self.root).as_posix()

    def numbers(self) -> list[int]:
        found = (match and int(match[1]) for match in map(_MANIFEST.fullmatch, self.paths()))
        return sorted(number for number in found if number)

    def manifest(self, number: int) -> bytes | None:
        return self.read(manifest_path(number))

    def signature(self, number: int) -> bytes | None:
        return self.read(signature_path(number))

    def read(self, path: str) -> bytes | None:
        """A small file whole."""
        file = self.open(path)
        if file is None:
            return None
        with file:
            return file.read(MOST)

    def file(self, sha256: str) -> BinaryIO | None:
        return self.open(file_path(sha256))

    def open(self, path: str) -> BinaryIO | None:
        try:
            file = os.fdopen(os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError:
            return None
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
        return None
