"""A backup restored: checked whole first, then everything in one transaction that ends only after the lists
were computed again."""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from django.db import Error, connection, transaction

from players import audit, crashpoints, triggers
from ratinglists import archive, recompute, selfcheck
from ratinglists.jobs import Refusal
from ratinglists.models import Publication, RatingList
from ratinglists.snapshot import Snapshot
from ratingsite.backup import BackupError, contents, rows, streams, target

Say = Callable[[str], None]


@dataclass(slots=True)
class Restored:
    """What was restored and proven."""

    head: contents.Head
    rows: int = 0
    files: int = 0
    publications: int = 0
    recomputed: int = 0
    brought_in: int = 0
    audit_head: str = ""
    signing_key: bytes = field(default=b"", repr=False)


def check(path: Path, *, passphrase: str | None = None) -> contents.Head:
    """Read a backup whole and hold each member against the manifest; changes nothing. Raises BackupError."""
    streams.check(path, passphrase)
    with streams.Source(path, passphrase) as source:
        head, held = None, contents.Held()
        for member in contents.members(source):
            if member.name == contents.MANIFEST:
                held.read(member)
                continue
            if head is None:
                head = contents.Head.read(member.read())
            elif table := _table_of(member.name):
                held.rows(table, gzip.decompress(member.read()).count(b"\n"))
            held.note(member)
        source.drain()
        held.check()
    assert head is not None  # the manifest names it
    return head


def restore(path: Path, *, passphrase: str | None = None, recomputed: bool = True, say: Say) -> Restored:
    """Restore a backup into an empty database and an empty archive. The portal must not run.

    Raises BackupError, after which database and folders are as empty as before. ``recomputed``: compute
    every list again from the archive before anything counts.
    """
    with streams.Source(path, passphrase) as source:
        head = contents.head_of(source)
    target.check_fits(head)
    target.check_empty()
    say("reading the backup")
    streams.check(path, passphrase)
    token = secrets.token_hex(16)
    try:
        target.make_tables()
        target.set_mark(token)
    except (Error, OSError) as error:
        raise BackupError(
            f"The tables cannot be made: {error}. Nothing was restored: name a new database."
        ) from error
    try:
        with transaction.atomic():
            done = _within(path, passphrase, head, token, recomputed, say)
            if done.signing_key:
                target.keep_signing_key(done.signing_key)
            os.sync()
            crashpoints.here("restore: before the commit")
    except (Error, archive.Damaged, OSError, ValueError) as error:
        target.clear()
        raise BackupError(f"The backup cannot be restored: {error}. Nothing was changed.") from error
    except BaseException:
        target.clear()
        raise
    crashpoints.here("restore: committed")
    target.mark().unlink()
    return done


def _within(
    path: Path, passphrase: str | None, head: contents.Head, token: str, recomputed: bool, say: Say
) -> Restored:
    target.lock()
    target.check_nobody_wrote()
    known = {table.name: table for table in rows.tables()}
    done = Restored(head)
    triggers.remove_all(connection)
    with connection.cursor() as cursor:
        for name in target.FILLED:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")  # noqa: S608
    with streams.Source(path, passphrase) as source:
        manifest = _members(source, known, done, say)
    for name, key in head.next_keys.items():
        rows.set_next_key(known[name], key)
    connection.check_constraints()
    triggers.install_all(connection)
    _same_rows(known, manifest, same_kind=head.database == connection.vendor, say=say)
    crashpoints.here("restore: the rows are in")
    audit.record(
        target.ACT,
        None,
        text=f"The backup of {head.created_at} was restored.",
        mark=token,
        made=head.created_at,
    )
    _prove(done, recomputed, say)
    return done


def _members(source: streams.Source, known: dict, done: Restored, say: Say) -> contents.Manifest:
    """Take each member in, its hash held against the manifest at the end."""
    held = contents.Held()
    with closing(contents.members(source)) as found:
        for member in found:
            name = member.name
            if name == contents.MANIFEST:
                held.read(member)
                continue
            if table := _table_of(name):
                count = rows.load(known[table], gzip.decompress(member.read()))
                held.rows(table, count)
                done.rows += count
            elif name.startswith(contents.ARCHIVE):
                archive.adopt(name.removeprefix(contents.ARCHIVE), member.chunks())
                done.files += 1
                crashpoints.here("restore: a file is in the archive")
            elif name.startswith(contents.LISTS):
                target.keep_player_list(name.removeprefix(contents.LISTS), member.chunks())
            elif name == contents.KEY:
                done.signing_key = member.read()
                target.check_signing_key(done.signing_key)
            if (done.rows + done.files) % 997 == 0:
                say(f"{done.rows} rows, {done.files} files")
            held.note(member)
    source.drain()
    return held.check()


def _table_of(name: str) -> str | None:
    return name.split("/")[1] if name.startswith(contents.ROWS) else None


def _same_rows(known: dict, manifest: contents.Manifest, *, same_kind: bool, say: Say) -> None:
    """Hold the rows now in the database against the backup. The text of JSON is each database's own, so
    between different ones only the numbers of rows are compared."""
    for number, (name, said) in enumerate(sorted(manifest.tables.items()), start=1):
        say(f"comparing tables: {number} of {len(manifest.tables)}")
        digest, count = hashlib.sha256(), 0
        for part in rows.lines(known[name]):
            digest.update(part)
            count += part.count(b"\n")
        if count != said["rows"] or (same_kind and digest.hexdigest() != said["sha256"]):
            raise BackupError(f"{name} is not in the database as it is in the backup. Nothing was changed.")


def _prove(done: Restored, recomputed: bool, say: Say) -> None:
    """The audit log's chain, the publications' chain with files and rows, and every list computed again."""
    if faults := audit.verify([]):
        raise BackupError(_told("The audit log of the backup does not hold", faults))
    found = selfcheck.check((), say)[1]
    if found:
        raise BackupError(_told("The publications of the backup are not as they were published", found))
    done.publications = Publication.objects.count()
    done.audit_head = ":".join(map(str, audit.head()))
    lists = RatingList.objects.select_related("period__system").order_by("pk") if recomputed else ()
    for listed in lists:
        if listed.awaits_proof or not listed.report.get("sources"):
            done.brought_in += 1
            continue
        say(f"computing again: {listed}")
        try:
            with recompute.again(Snapshot(listed.input_sha256, listed.report["sources"]), _quiet) as (
                digest,
                _,
            ):
                if digest != listed.sha256:
                    raise BackupError(f"{listed} computed again is another list. Nothing was changed.")
        except Refusal as error:
            raise BackupError(f"{listed} cannot be computed again: {error} Nothing was changed.") from error
        done.recomputed += 1


def _told(what: str, faults: list) -> str:
    lines = "".join(f"\n  {fault}" for fault in faults[:20])
    return f"{what}; nothing was changed. Faults: {len(faults)}.{lines}"


def _quiet(*_: object) -> None:
    pass
