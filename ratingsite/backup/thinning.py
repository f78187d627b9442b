"""Old backups removed once a new one is whole, so that a nightly backup does not fill its disk."""

from __future__ import annotations

from pathlib import Path

from ratingsite.backup import BackupError
from ratingsite.backup.contents import HEAD
from ratingsite.backup.streams import MAGIC

#: how a tar begins whose first member is a backup's head
_PLAIN = HEAD.encode() + b"\0"


def thin(newest: Path, keep: int) -> list[Path]:
    """Remove the backups beside ``newest`` but for the ``keep`` last written, itself among them; returns what
    was removed, oldest first.

    Beside it: files of its folder with its suffix that begin as a backup does. Everything else stays.
    Raises BackupError where one cannot be removed.
    """
    times = {path: path.stat().st_mtime_ns for path in newest.parent.glob("*") if _is_another(path, newest)}
    old = sorted(times, key=lambda path: (-times[path], path.name))[keep - 1 :][::-1]
    for path in old:
        try:
            path.unlink()
        except OSError as error:
            raise BackupError(
                f"{newest} is whole, but {path} could not be removed: {error.strerror}."
            ) from error
    return old


def _is_another(path: Path, newest: Path) -> bool:
    if path.suffix != newest.suffix or path.name == newest.name or path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)).startswith((MAGIC, _PLAIN))
    except OSError:
        return False
