"""The portal's own archive as ``verifier`` reads one, and written out into a folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from ratinglists import archive
from ratinglists.models import Publication
from verifier import form
from verifier.chain import read_chain
from verifier.folder import file_path, key_path, manifest_path, signature_path


class PortalArchive:
    """Publications by the rows of the database, their manifests and files by the archive."""

    def __init__(self) -> None:
        self.rows = {row.number: row for row in Publication.objects.all()}

    def numbers(self) -> list[int]:
        return sorted(self.rows)

    def manifest(self, number: int) -> bytes | None:
        file = self.file(self.rows[number].manifest_sha256)
        if file is None:
            return None
        with file:
            return file.read()

    def signature(self, number: int) -> bytes | None:
        try:
            return bytes.fromhex(self.rows[number].signature) or None
        except ValueError:
            return None

    def file(self, sha256: str) -> BinaryIO | None:
        try:
            return archive.open_file(sha256)
        except OSError:
            return None


def export(folder: Path, since: int, progress: Callable[[str], None]) -> tuple[int, int]:
    """Write every manifest, signature and key, and the files of the publications from ``since`` on.

    What is there already is left, so that a later call adds what is new. Returns how many publications
    and files there are now. Raises FileNotFoundError naming what the portal's archive lacks.
    """
    own = PortalArchive()
    for name in ("manifests", "keys", "files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    chain = read_chain(own)
    for number in own.numbers():
        body, signature = own.manifest(number), own.signature(number)
        if body is None or signature is None:
            raise FileNotFoundError(f"publication {number} has no manifest or no signature: manage.py verify")
        _write(folder / manifest_path(number), body)
        _write(folder / signature_path(number), signature)
    for public in chain.keys:
        _write(folder / key_path(form.key_id(public)), form.key_file(public))
    hashes = sorted(files_since(chain.manifests, since))
    for done, sha256 in enumerate(hashes, start=1):
        target = folder / file_path(sha256)
        if not target.exists():
            progress(f"{done} of {len(hashes)} files")
            _copy(sha256, target)
    return len(chain.manifests), len(hashes)


def files_since(manifests: dict[int, dict], since: int) -> Iterator[str]:
    """The files of publications from a number on, each once."""
    return iter({e["sha256"] for n, each in manifests.items() if n >= since for e in form.files_of(each)})


def _write(target: Path, data: bytes) -> None:
    new = target.with_suffix(".new")
    new.write_bytes(data)
    os.replace(new, target)


def _copy(sha256: str, target: Path) -> None:
    new = target.with_suffix(".new")
    with archive.open_file(sha256) as source, new.open("wb") as copy:
        shutil.copyfileobj(source, copy, 2**20)
    os.replace(new, target)
