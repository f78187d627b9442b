"""Into what a backup is restored: an empty database, an empty archive, and a mark while it is not done."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from players.models import AuditEntry
from ratinglists import archive
from ratingsite.backup import BackupError, contents, rows

#: what a migration fills by itself; the backup's rows take their place
FILLED = ("auth_permission", "django_content_type")
ACT = "backup.restored"


def mark() -> Path:
    """A file that lies in the archive from before the first change until after the last."""
    return Path(settings.PORTAL_ARCHIVE) / "restoration-unfinished"


def set_mark(token: str) -> None:
    """Have the mark on the disk."""
    mark().parent.mkdir(parents=True, exist_ok=True)
    mark().write_text(token)
    archive.sync_folder(mark().parent)


def player_lists() -> Path:
    return Path(settings.VAR_DIR) / "player-lists"


def check_fits(head: contents.Head) -> None:
    """Raises BackupError unless the backup was made with this version's tables."""
    remedy = f"Restore it with version {head.software} of the portal, then upgrade."
    here = contents.migrations_here()
    if head.migrations != here:
        different = sorted(set(head.migrations) ^ set(here))
        raise BackupError(
            f"The backup was made with other migrations ({', '.join(different[:5])}"
            f"{' …' if len(different) > 5 else ''} on one side only). {remedy}"
        )
    tables = contents.described(rows.tables())
    for name in sorted(head.tables.keys() | tables.keys()):
        if head.tables.get(name) != tables.get(name):
            raise BackupError(f"The backup was made with other columns of {name}. {remedy}")


def check_empty() -> None:
    """Raises BackupError, with the remedy, unless database and folders are empty. What a broken
    restoration left behind is removed."""
    unfinished = mark().exists()
    filled = _filled_tables()
    if unfinished and filled and AuditEntry.objects.filter(act=ACT, data__mark=mark().read_text()).exists():
        mark().unlink()
        raise BackupError("This restoration was done already but for removing its mark, which is done now.")
    if filled:
        raise BackupError(
            f"The database is not empty ({', '.join(filled[:5])}{' …' if len(filled) > 5 else ''} have rows):"
            " restore into a new one, named by PORTAL_DATABASE_URL."
        )
    if unfinished:
        clear()
    if next(archive.names(), None):
        raise BackupError(
            f"The archive {settings.PORTAL_ARCHIVE} is not empty: name a new folder by PORTAL_ARCHIVE, or"
            " move its files away."
        )
    if player_lists().exists() and any(path.is_file() for path in player_lists().rglob("*")):
        raise BackupError(f"{player_lists()} is not empty: move its files away, or set PORTAL_VAR.")


def _filled_tables() -> list[str]:
    """The tables that hold rows of somebody's. Raises BackupError for a database at another state."""
    present = set(connection.introspection.table_names())
    applied = {".".join(key) for key in MigrationRecorder(connection).applied_migrations()}
    if not applied:
        if present:
            others = ", ".join(sorted(present)[:5])
            raise BackupError(f"The database holds tables of others ({others}): restore into a new one.")
        return []
    if set(contents.migrations_here()) - applied:
        raise BackupError("The database is of another version: restore into a new one.")
    found = []
    with connection.cursor() as cursor:
        for table in rows.tables():
            if table.name not in FILLED:
                cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table.name)} LIMIT 1")  # noqa: S608
                if cursor.fetchone():
                    found.append(table.name)
    return found


def check_nobody_wrote() -> None:
    """Raises BackupError if the database was filled since ``check_empty``; call it under ``lock``."""
    if _filled_tables():
        raise BackupError("Somebody writes into the database: end the portal, and restore into a new one.")


def make_tables() -> None:
    """Migrate a bare database; nothing to do for one that is migrated."""
    call_command("migrate", interactive=False, verbosity=0)


def lock() -> None:
    """Keep everybody else out until the transaction ends; a portal that still runs waits."""
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(table.name) for table in rows.tables())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")


def keep_player_list(name: str, chunks) -> None:
    target = (player_lists() / name).resolve()
    if not target.is_relative_to(player_lists().resolve()):
        raise BackupError(f"The backup holds a file outside its folder: {name!r}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        file.writelines(chunks)


def check_signing_key(data: bytes) -> None:
    """Raises BackupError if another key lies where the backup's should go: none is ever overwritten."""
    path = Path(settings.PORTAL_SIGNING_KEY)
    if path.exists() and path.read_bytes() != data:
        raise BackupError(f"There is another signing key at {path} than the backup's: move that away.")


def keep_signing_key(data: bytes) -> None:
    path = Path(settings.PORTAL_SIGNING_KEY)
    if path.exists():  # the same (``check_signing_key``): of a restoration that was broken off
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(data)


def clear() -> None:
    """Remove the files of a restoration that failed; a signing key stays."""
    archive.clear()
    for path in player_lists().rglob("*"):
        if path.is_file():
            path.unlink()
    mark().unlink()
