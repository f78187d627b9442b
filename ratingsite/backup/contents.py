"""What stands in a backup's tar: ``backup.json`` first, the members, ``manifest.json`` last."""

from __future__ import annotations

import hashlib
import json
import tarfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.migrations.loader import MigrationLoader

from ratingsite.backup import BackupError
from ratingsite.backup.rows import Table
from ratingsite.backup.streams import DAMAGED, Sink, Source

FORMAT = 1
HEAD, MANIFEST, KEY = "backup.json", "manifest.json", "signing-key.pem"
ROWS, ARCHIVE, LISTS = "database/", "archive/", "player-lists/"


@dataclass
class Head:
    """What has to be known before anything is restored."""

    software: str
    created_at: str
    database: str
    migrations: list[str]
    tables: dict[str, list[list[str]]]
    next_keys: dict[str, int]
    signing_key: bool
    format: int = FORMAT

    @classmethod
    def read(cls, data: bytes) -> Head:
        """Raises BackupError for a backup of a format that this version does not know."""
        try:
            said = json.loads(data)
            if said["format"] != FORMAT:
                raise BackupError(
                    f"The backup has format {said['format']}, this version reads format {FORMAT}:"
                    f" restore it with version {said['software']} of the portal."
                )
            return cls(**said)
        except (ValueError, KeyError, TypeError) as error:
            raise BackupError(DAMAGED) from error


def migrations_here() -> list[str]:
    """The migrations that this version of the portal has."""
    return sorted(".".join(key) for key in MigrationLoader(None).disk_migrations)


def described(tables: Iterable[Table]) -> dict[str, list[list[str]]]:
    """The columns of each table and their kinds."""
    return {table.name: table.described for table in tables}


@dataclass
class Manifest:
    """The SHA-256 of every member, and of each table its rows and the SHA-256 of their text."""

    members: dict[str, str] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)


def as_json(what: Head | Manifest) -> bytes:
    return json.dumps(asdict(what), sort_keys=True, indent=1).encode()


class Writer:
    """A tar written into a sink, its members noted in ``manifest``."""

    def __init__(self, sink: Sink) -> None:
        self._tar = tarfile.open(fileobj=sink, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115
        self.manifest = Manifest()

    def bytes(self, name: str, data: bytes) -> None:
        self.add(name, len(data), [data])

    def add(self, name: str, size: int, chunks: Iterable[bytes]) -> None:
        """Add a member of ``size`` bytes."""
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, int(time.time())
        pieces = _Pieces(chunks)
        self._tar.addfile(info, pieces)
        self.manifest.members[name] = pieces.sha256()

    def finish(self) -> None:
        self.bytes(MANIFEST, as_json(self.manifest))
        self._tar.close()


class _Pieces:
    """Pieces as a file that tarfile reads, summed. Reads them to their end, where a check may be."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._held, self._digest = iter(chunks), bytearray(), hashlib.sha256()

    def read(self, size: int) -> bytes:
        while len(self._held) < size and (chunk := next(self._chunks, None)) is not None:
            self._held += chunk
        taken = bytes(self._held[:size])
        del self._held[: len(taken)]
        self._digest.update(taken)
        return taken

    def sha256(self) -> str:
        for _ in self._chunks:
            raise BackupError("A file grew while it was read into the backup: make the backup again.")
        return self._digest.hexdigest()


class Member:
    """A member of a backup that is being read; ``sha256`` is of what was read so far."""

    def __init__(self, name: str, file) -> None:
        self.name, self._file, self._digest = name, file, hashlib.sha256()

    def chunks(self) -> Iterator[bytes]:
        while chunk := self._file.read(1 << 20):
            self._digest.update(chunk)
            yield chunk

    def read(self) -> bytes:
        return b"".join(self.chunks())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


def members(source: Source) -> Iterator[Member]:
    """The members in turn. Raises BackupError where the tar cannot be read."""
    try:
        with tarfile.open(fileobj=source, mode="r|") as tar:
            for info in tar:
                file = tar.extractfile(info) if info.isfile() else None
                if file is None:
                    raise BackupError(f"The backup holds {info.name!r}, which is no file of a backup.")
                yield Member(info.name, file)
    except tarfile.TarError as error:
        raise BackupError(DAMAGED) from error


def head_of(source: Source) -> Head:
    """The first member. Raises BackupError."""
    first = next(members(source), None)
    if first is None or first.name != HEAD:
        raise BackupError("The file is no backup of the portal, or damaged: it does not begin like one.")
    return Head.read(first.read())


class Held:
    """The manifest held against what was read: call ``note`` for each member, ``check`` at the end."""

    def __init__(self) -> None:
        self.found, self.manifest = Manifest(), None

    def note(self, member: Member) -> None:
        for _ in member.chunks():  # what nobody read yet
            pass
        self.found.members[member.name] = member.sha256

    def read(self, member: Member) -> None:
        try:
            self.manifest = Manifest(**json.loads(member.read()))
        except (ValueError, TypeError) as error:
            raise BackupError(DAMAGED) from error

    def rows(self, table: str, count: int) -> None:
        said = self.found.tables.setdefault(table, {"rows": 0})
        said["rows"] += count

    def check(self) -> Manifest:
        """Raises BackupError naming the first member or table that is not as the manifest says."""
        if self.manifest is None:
            raise BackupError(DAMAGED)
        for name in sorted(self.manifest.members.keys() | self.found.members.keys()):
            if self.manifest.members.get(name) != self.found.members.get(name):
                raise BackupError(f"{name} in the backup is not what its manifest says. {DAMAGED}")
        for name, said in self.manifest.tables.items():
            count = self.found.tables.get(name, {"rows": 0})["rows"]
            if said["rows"] != count:
                raise BackupError(
                    f"{name}: the manifest says {said['rows']} rows, the backup has {count}. {DAMAGED}"
                )
        return self.manifest
