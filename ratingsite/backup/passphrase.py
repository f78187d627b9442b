"""Where a backup's passphrase comes from; never from the command line, which others can read."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path

from ratingsite.backup import BackupError

VARIABLE = "PORTAL_BACKUP_PASSPHRASE"
LEAST = 12


def add_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help=f"the first line is the passphrase (or set {VARIABLE}); without one nothing is encrypted",
    )


def given(file: Path | None) -> str | None:
    """The passphrase, None if there is none. Raises BackupError."""
    if file is None:
        passphrase = os.environ.get(VARIABLE)
        if not passphrase:
            return None
    else:
        try:
            passphrase = file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        except (OSError, UnicodeDecodeError) as error:
            raise BackupError(f"The passphrase cannot be read from {file}: {error}.") from error
    if len(passphrase) < LEAST:
        raise BackupError(f"The passphrase has fewer than {LEAST} characters: take a longer one.")
    return passphrase
