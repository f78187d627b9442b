"""Keeps the demonstration as this release makes it, in both databases, for the tests of later releases.

    PORTAL_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres python tests/releases/make.py

Run it once a release, with the release's own code; it writes tests/releases/VERSION/ (some 1 MB) and refuses
to overwrite it. The address names a server on which a database of its own can be made and dropped.
``portal.sql.xz`` is for psql of PostgreSQL 15 and later; ``portal.sqlite3.xz`` holds the same rows,
``archive.tar.xz`` the files of both.
"""

from __future__ import annotations

import io
import lzma
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
DATABASE = "portal_release_fixture"
#: lines of pg_dump that name its version, or that only the newest psql knows
NOISE = re.compile(
    r"^(-- Dumped .*|\\(un)?restrict .*|SET (transaction_timeout|default_table_access_method) .*)\n", re.M
)


def main() -> None:
    import psycopg

    from ratinglists.software import VERSION

    folder = Path(__file__).parent / VERSION
    if folder.exists():
        raise SystemExit(f"{folder} is there: a release is kept once.")
    server = os.environ.get("PORTAL_DATABASE_URL", "")
    if not server.startswith("postgres"):
        raise SystemExit("PORTAL_DATABASE_URL has to name a PostgreSQL server.")
    with psycopg.connect(server, autocommit=True) as connection, tempfile.TemporaryDirectory() as name:
        work = Path(name)
        _child(work / "var", "", "build", str(work / "portal.backup"))
        try:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {DATABASE}")
            url = urlsplit(server)._replace(path=f"/{DATABASE}").geturl()
            _child(work / "other", url, "restore", str(work / "portal.backup"))
            dump = _dump(url)
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        folder.mkdir()
        _pack(folder / "portal.sql.xz", dump)
        _pack(folder / "portal.sqlite3.xz", _sqlite(work))
        _pack(folder / "archive.tar.xz", _archive(work / "var" / "archive"))
    for path in sorted(folder.iterdir()):
        print(path, path.stat().st_size)


def _child(var: Path, url: str, *part: str) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    own |= {"PORTAL_DEMO": "1", "PORTAL_VAR": str(var), "PORTAL_DATABASE_URL": url}
    subprocess.run([sys.executable, __file__, *part], env=own, check=True)


def _pack(path: Path, data: bytes) -> None:
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def _dump(url: str) -> bytes:
    command = ["pg_dump", "--no-owner", "--no-privileges", "--no-comments", url]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.sub(r"\n{3,}", "\n\n", NOISE.sub("", text)).encode()


def _sqlite(work: Path) -> bytes:
    target = work / "kept.sqlite3"
    with sqlite3.connect(work / "var" / "portal.sqlite3") as connection, sqlite3.connect(target) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    return target.read_bytes()


def _archive(folder: Path) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                told = tarfile.TarInfo(path.relative_to(folder).as_posix())
                told.size = path.stat().st_size
                tar.addfile(told, io.BytesIO(path.read_bytes()))
    return held.getvalue()


# --- within the portal ------------------------------------------------------------------------------


def build(backup: str) -> None:
    """The demonstration, with what it leaves to its visitors: a revision, a complaint, a draft."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("load_demo")
    _more()
    call_command("audit", "verify")
    call_command("backup", backup)


def _more() -> None:
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from players import services as register
    from players.models import Player
    from ratinglists import api_keys, complaints, corrections, services
    from ratinglists.models import RatingList
    from tests.players.lists import listed as line
    from tests.players.lists import preview
    from tournaments import drafting
    from tournaments.models import RatingSystem, Tournament

    def finished(job) -> None:
        services.run_job(job.pk)
        job.refresh_from_db()
        if job.state != "done":
            raise RuntimeError(job.message)

    staff, approver = (get_user_model().objects.get(username=name) for name in ("staff", "approver"))
    rapid = RatingSystem.objects.get(code="rapid")
    counted = RatingList.objects.filter(period__system=rapid, state="published").order_by("period__list_date")
    event = counted[2].events.order_by("pk").first().tournament
    correction = corrections.open_correction(rapid, staff, "Reported twice")
    corrections.exclude(correction, event, staff, "the same event as the one before")
    finished(corrections.request_correct(correction, staff))
    correction.refresh_from_db()
    corrections.propose(correction, staff)
    corrections.approve(correction, approver)
    finished(corrections.request_publish(correction, approver))
    newest = counted.last().events.order_by("pk").first().tournament
    complaints.open_case(
        newest, newest.entries.first().player, "game", "It was a draw.", name="Zora Sender",
        email="zora@example.org", round=1,
    )  # fmt: skip
    arbiter = get_user_model().objects.get(username="arbiter")
    drafting.autosave(
        Tournament.objects.get(name__startswith="Practice 1"), arbiter, "1", [["1", "1", "2"]], ""
    )
    api_keys.make(
        staff, name="A program", federation=rapid.federation, user=staff, scopes=["reports"],
        expires_at=timezone.now() + timedelta(300),
    )  # fmt: skip
    double = register.add_player(name="Double, Dora", federation=rapid.federation)
    register.merge(double, Player.objects.order_by("pk").first(), staff, "One person.")
    preview([line(101, "Normal, Nora"), line(103, birth_year=2099)])


def restore(backup: str) -> None:
    from django.core.management import call_command

    call_command("restore", backup)


if __name__ == "__main__":
    if sys.argv[1:]:
        import django

        os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
        django.setup()
        {"build": build, "restore": restore}[sys.argv[1]](*sys.argv[2:])
    else:
        main()
