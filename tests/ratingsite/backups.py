"""A small portal to back up, its database emptied, and programs that restore into databases of their own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection

from players import audit, triggers
from players.models import PlayerImport
from ratingsite.backup import restoring, rows
from tests.factories import make_federation, make_player
from tests.programs import ROOT
from tests.ratinglists.conftest import NEXT, compute_next, open_system, publish_next

#: rows of these are added by a restoration
OWN = ("players_auditentry", "players_audithead")
AWKWARD = "Tab\tline\nback\\slash\r\\N, Ünïcode ♞ \x0b\x0c\x08"
PASSPHRASE = "a passphrase of the tests"


def build() -> None:
    """Two systems, a computed list published and one drafted, a list of players that waits, awkward texts."""
    make_federation("XAA")
    assert publish_next(open_system("rapid", 9100)).state == "done"
    compute_next(open_system("blitz", 9200))
    make_player(AWKWARD)
    make_player("Deleted, Later").delete()
    told = {"file_name": "list.csv", "size": 5, "sha256": "0" * 64, "format": "csv", "list_date": NEXT}
    waits = PlayerImport(kind="preview", **told)
    waits.file.save("list.csv", ContentFile(b"a,b\n1"), save=True)
    audit.seal()


def digests() -> dict[str, str]:
    """Of every table the SHA-256 of its rows' text, and the key that comes next."""
    with rows.snapshot():
        return {
            table.name: f"{hashlib.sha256(b''.join(rows.lines(table))).hexdigest()} {rows.next_key(table)}"
            for table in rows.tables()
            if table.name not in OWN
        }


def empty(folder: Path) -> None:
    """The database as after ``migrate``, and folders in which nothing is."""
    triggers.remove_all(connection)
    call_command("flush", interactive=False, verbosity=0)
    settings.PORTAL_ARCHIVE = str(folder / "archive")
    settings.PORTAL_SIGNING_KEY = str(folder / "signing-key.pem")
    settings.VAR_DIR = folder
    folder.mkdir(exist_ok=True)
    shutil.rmtree(settings.PORTAL_ARCHIVE, ignore_errors=True)


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def nothing(line: str) -> None:
    pass


def restore(path: Path, **more) -> restoring.Restored:
    return restoring.restore(path, say=nothing, **more)


def manage(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess:
    """``manage.py`` of a portal whose SQLite database and folders lie in ``folder``."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    own |= {"PORTAL_DEMO": "1", "PORTAL_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "ratingsite.settings"}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=own | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
