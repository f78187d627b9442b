"""A backup made: one moment of the database, then the archive, which only grows and so has every file that
this moment names."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from players.models import PlayerImport
from ratinglists import archive
from ratinglists.software import VERSION
from ratingsite.backup import BackupError, contents, rows, streams

Say = Callable[[str], None]


def make(path: Path, *, passphrase: str | None = None, signing_key: bool = False, say: Say) -> int:
    """Write a backup into a new file, and read it back; returns its size in bytes.

    The portal may run. Raises BackupError, after which there is no such file.
    """
    if signing_key and passphrase is None:
        raise BackupError("The signing key goes into an encrypted backup only: give --passphrase-file.")
    if path.exists():
        raise BackupError(f"{path} is there already: choose another name, or move it away.")
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            sink = streams.Sink(file, passphrase)
            _write(contents.Writer(sink), signing_key, say)
            sink.finish()
            file.flush()
            os.fsync(file.fileno())
        say("reading it back")
        streams.check(part, passphrase)
        part.rename(path)
        archive.sync_folder(path.parent)
    except archive.Damaged as error:
        raise BackupError(f"{error} No backup was made.") from error
    except OSError as error:
        raise BackupError(f"The backup could not be written: {error}. Nothing was kept.") from error
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size


def _write(writer: contents.Writer, signing_key: bool, say: Say) -> None:
    known = rows.tables()
    with rows.snapshot():
        writer.bytes(contents.HEAD, contents.as_json(_head(known, signing_key)))
        if signing_key:
            writer.bytes(contents.KEY, Path(settings.PORTAL_SIGNING_KEY).read_bytes())
        for number, table in enumerate(known, start=1):
            say(f"tables: {number} of {len(known)}")
            _table(writer, table)
        uploads = sorted(set(PlayerImport.objects.values_list("file", flat=True)))
    _files(writer, uploads)
    for number, name in enumerate(archive.names(), start=1):
        if number % 1000 == 1:
            say(f"archive: file {number}")
        with (Path(settings.PORTAL_ARCHIVE) / name).open("rb") as file:
            writer.add(contents.ARCHIVE + name, _size(file), archive.checked(name, _chunks(file)))
    writer.finish()


def _head(known: list[rows.Table], signing_key: bool) -> contents.Head:
    applied = sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())
    here = contents.migrations_here()
    if set(here) - set(applied):
        raise BackupError("The database is not migrated to this version: run migrate first.")
    return contents.Head(
        software=VERSION,
        created_at=timezone.now().isoformat(timespec="seconds"),
        database=connection.vendor,
        migrations=here,
        tables=contents.described(known),
        next_keys={table.name: key for table in known if (key := rows.next_key(table))},
        signing_key=signing_key,
    )


def _table(writer: contents.Writer, table: rows.Table) -> None:
    digest, count = hashlib.sha256(), 0
    for number, part in enumerate(rows.lines(table), start=1):
        digest.update(part)
        count += part.count(b"\n")
        name = f"{contents.ROWS}{table.name}/{number:06}.copy.gz"
        writer.bytes(name, gzip.compress(part, compresslevel=3, mtime=0))
    writer.manifest.tables[table.name] = {"rows": count, "sha256": digest.hexdigest()}


def _files(writer: contents.Writer, names: list[str]) -> None:
    """Lists of players that wait to be imported; what was removed since is needed no more."""
    storage = PlayerImport._meta.get_field("file").storage
    for name in names:
        try:
            file = open(storage.path(name), "rb")  # noqa: SIM115 - closed below
        except FileNotFoundError:
            continue
        with file:
            writer.add(contents.LISTS + name, _size(file), _chunks(file))


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(1 << 20):
        yield chunk
