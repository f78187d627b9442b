"""A backup restored is the portal that was backed up, and a backup that is not whole changes nothing."""

from __future__ import annotations

import io
import shutil
import tarfile
import threading
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction

from players import audit, triggers
from players.models import Federation, Player, PlayerImport
from ratinglists import archive, selfcheck
from ratinglists.models import ListRow, RatingList
from ratingsite.backup import BackupError, contents, making, restoring, rows, target
from ratingsite.backup.streams import Sink, Source
from tests.factories import make_federation, make_player
from tests.ratingsite.backups import (
    AWKWARD,
    OWN,
    PASSPHRASE,
    build,
    digests,
    empty,
    files_in,
    manage,
    nothing,
    restore,
)

#: the backups of one portal, made when the first test asks for them
MADE: dict[str, Path] = {}


@pytest.fixture
def portal(transactional_db, settings, tmp_path, monkeypatch) -> Path:
    """A portal with publications; a folder for what the test makes of it."""
    first = tmp_path / "first"
    settings.PORTAL_ARCHIVE, settings.VAR_DIR = str(first / "archive"), first
    settings.PORTAL_SIGNING_KEY = str(first / "signing-key.pem")
    first.mkdir()
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    build()
    return tmp_path


@pytest.fixture
def backups(request, transactional_db, settings, tmp_path, tmp_path_factory) -> Path:
    """A folder with ``plain.backup`` and ``encrypted.backup``, and an empty portal in ``second``."""
    settings.PORTAL_ARCHIVE, settings.VAR_DIR, settings.PORTAL_SIGNING_KEY = None, None, None
    if not MADE:
        folder, own = request.getfixturevalue("portal"), tmp_path_factory.mktemp("backups")
        MADE["plain"] = make(folder).rename(own / "plain.backup")
        encrypted = make(folder, passphrase=PASSPHRASE, signing_key=True)
        MADE["encrypted"] = encrypted.rename(own / "encrypted.backup")
    for path in MADE.values():
        shutil.copy(path, tmp_path)
    empty(tmp_path / "second")
    return tmp_path


def make(folder: Path, **more) -> Path:
    path = folder / f"{'encrypted' if more else 'plain'}.backup"
    making.make(path, say=nothing, **more)
    return path


def nothing_there(folder: Path) -> None:
    """The database holds nobody's rows and the folders no file."""
    assert target._filled_tables() == []
    assert files_in(folder) == []


def test_what_is_restored_is_what_was_backed_up(portal):
    before, kept = digests(), list(archive.names())
    number, head = audit.head()
    path = make(portal, passphrase=PASSPHRASE, signing_key=True)
    key = (portal / "first" / "signing-key.pem").read_bytes()
    empty(portal / "second")
    done = restore(path, passphrase=PASSPHRASE)
    assert digests() == before
    assert list(archive.names()) == kept
    assert (done.recomputed, done.publications) == (2, 3)
    assert done.files == len(kept)
    assert (portal / "second" / "signing-key.pem").read_bytes() == key
    assert (portal / "second" / "signing-key.pem").stat().st_mode & 0o077 == 0
    assert PlayerImport.objects.get().file.read() == b"a,b\n1"
    assert Player.objects.filter(name=AWKWARD).exists()
    assert selfcheck.check((), nothing)[1] == []
    audit.seal()
    assert audit.verify([(number, head)]) == []
    assert audit.head()[0] == number + 1, "the restoration is an act"
    assert not target.mark().exists()
    with pytest.raises(Exception, match="never changes"), transaction.atomic():
        ListRow.objects.filter(rating_list__state="published").update(rating=1)


def test_the_nightly_backup_keeps_the_last_ones(portal, capsys):
    for night in ("1", "2", "3"):
        call_command("backup", str(portal / f"{night}.backup"), "--keep", "2")
    assert sorted(path.name for path in portal.glob("*.backup")) == ["2.backup", "3.backup"]
    assert f"Removed: {portal / '1.backup'}" in capsys.readouterr().out


def test_keys_of_deleted_rows_are_not_given_again(portal):
    last = make_player("Deleted, Too").pk
    Player.objects.filter(pk=last).delete()
    path = make(portal)
    empty(portal / "second")
    restore(path, recomputed=False)
    assert make_player("New, Nadia").pk == last + 1


@pytest.mark.once
def test_through_the_other_database_and_back(portal):
    """Into an SQLite file by the command, from there into a backup, and that into this database."""
    before = digests()
    path = make(portal)
    other = portal / "other"
    answer = manage(other, "restore", str(path))
    assert answer.returncode == 0, answer.stderr
    assert "computed again to the same bytes: 2" in answer.stdout
    answer = manage(other, "backup", str(portal / "again.backup"))
    assert answer.returncode == 0, answer.stderr
    empty(portal / "second")
    done = restore(portal / "again.backup")
    assert done.head.database == "sqlite"
    assert digests() == before


def test_the_backup_is_of_one_moment_and_nobody_waits(portal, monkeypatch):
    """Somebody writes while it is made: into the register, and none of it is in the backup."""
    read, wrote = rows.lines, []

    def write() -> None:
        try:
            make_federation("XZZ", "Late Isles")
            wrote.append(True)
        finally:
            connection.close()

    def lines(table):
        if not wrote:
            other = threading.Thread(target=write)
            other.start()
            other.join(10)
            assert wrote, "the writer waits for the backup"
        return read(table)

    monkeypatch.setattr(rows, "lines", lines)
    path = make(portal)
    assert Federation.objects.filter(code="XZZ").exists()
    monkeypatch.undo()
    empty(portal / "second")
    restore(path, recomputed=False)
    assert not Federation.objects.filter(code="XZZ").exists()


def test_a_byte_changed_or_cut_off_changes_nothing(backups):
    path = backups / "plain.backup"
    whole = path.read_bytes()
    step = len(whole) // 60
    for place in [0, 100, 130, 520, len(whole) - 70, len(whole) - 1, *range(step, len(whole), step)]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BackupError, match=r"damaged|begin|made with other"):
            restore(path)
        with pytest.raises(BackupError, match=r"damaged|begin|not what its manifest"):
            restoring.check(path)
    for length in (0, 1, 511, 512, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(BackupError, match=r"damaged|begin|made with other"):
            restore(path)
    nothing_there(backups / "second")
    path.write_bytes(whole)
    restoring.check(path)
    assert restore(path).publications == 3, "the control"


def test_a_member_exchanged_is_found_though_the_sum_is_right(backups):
    """Whoever writes the whole file anew has to write the manifest anew as well."""
    path = backups / "plain.backup"
    forged = backups / "forged.backup"
    with Source(path, None) as source, forged.open("wb") as file:
        sink = Sink(file, None)
        with tarfile.open(fileobj=sink, mode="w") as out:
            for member in contents.members(source):
                data = member.read()
                if member.name.startswith("archive/"):
                    data, changed = data[:-1] + b"?", member.name
                info = tarfile.TarInfo(member.name)
                info.size = len(data)
                out.addfile(info, io.BytesIO(data))
        sink.finish()
    with pytest.raises(BackupError, match=r"is damaged|not what its manifest"):
        restore(forged)
    with pytest.raises(BackupError, match="not what its manifest"):
        restoring.check(forged)
    assert changed
    nothing_there(backups / "second")


def test_passphrases(backups, tmp_path, monkeypatch):
    path = backups / "encrypted.backup"
    assert b"Invented" not in path.read_bytes()
    plain = backups / "plain.backup"
    for wrong, of, told in (
        ("another passphrase", path, "passphrase is not that"),
        (None, path, "is encrypted"),
        (PASSPHRASE, plain, "is not encrypted"),
    ):
        with pytest.raises(BackupError, match=told):
            restore(of, passphrase=wrong)
    nothing_there(backups / "second")
    short = tmp_path / "short"
    short.write_text("short\n")
    with pytest.raises(CommandError, match="fewer than 12"):
        call_command("restore", str(path), passphrase_file=short)
    with pytest.raises(CommandError, match="encrypted backup only"):
        call_command("backup", str(tmp_path / "x"), with_signing_key=True)
    monkeypatch.setenv("PORTAL_BACKUP_PASSPHRASE", PASSPHRASE)
    call_command("restore", str(path), check=True)
    assert MADE["encrypted"].stat().st_mode & 0o077 == 0


def test_no_signing_key_is_overwritten(backups):
    key = backups / "second" / "signing-key.pem"
    key.write_bytes(b"another key")
    with pytest.raises(BackupError, match="another signing key"):
        restore(backups / "encrypted.backup", passphrase=PASSPHRASE)
    assert files_in(backups / "second") == [key]
    assert key.read_bytes() == b"another key"


def test_another_version_is_refused(backups, monkeypatch):
    path = backups / "plain.backup"
    here = contents.migrations_here()
    monkeypatch.setattr(contents, "migrations_here", lambda: [*here, "players.0009_later"])
    with pytest.raises(BackupError, match=r"other migrations \(players.0009_later.*Restore it with version"):
        restore(path)
    monkeypatch.undo()
    monkeypatch.setattr(rows, "kind_of", lambda field: "text")
    with pytest.raises(BackupError, match="other columns of account_emailaddress"):
        restore(path)
    monkeypatch.undo()
    monkeypatch.setattr(contents, "FORMAT", 2)
    with pytest.raises(BackupError, match="format 1, this version reads format 2"):
        restore(path)
    nothing_there(backups / "second")


def test_only_into_what_is_empty(portal):
    path = make(portal)
    with pytest.raises(BackupError, match="database is not empty"):
        restore(path)
    with pytest.raises(BackupError, match="there already"):
        making.make(path, say=nothing)
    empty(portal / "second")
    kept = archive.store([b"somebody's file"])
    with pytest.raises(BackupError, match=r"archive .* is not empty"):
        restore(path)
    assert archive.is_whole(kept.sha256), "and is left alone"


@pytest.mark.parametrize("change", ["UPDATE ratinglists_listrow SET rating = rating + 1", "archive"])
def test_what_does_not_hold_is_not_restored(portal, change):
    """A backup of a portal that a superuser has changed: the proof fails, and nothing is left behind."""
    if change == "archive":
        listed = RatingList.objects.filter(is_opening=False).first()
        archive.path_of(listed.sha256).unlink(missing_ok=True)
        archive.packed_path_of(listed.sha256).unlink(missing_ok=True)
    else:
        triggers.remove_all(connection)
        with connection.cursor() as cursor:
            cursor.execute(f"{change} WHERE rating IS NOT NULL")
    path = make(portal)
    empty(portal / "second")
    with pytest.raises(BackupError, match="not as they were published"):
        restore(path)
    nothing_there(portal / "second")


def test_a_full_disk_leaves_nothing(backups, monkeypatch):
    path = backups / "plain.backup"
    adopt, count = archive.adopt, []

    def full(name, chunks):
        count.append(name)
        if len(count) == 5:
            raise OSError(28, "No space left on device")
        adopt(name, chunks)

    monkeypatch.setattr(archive, "adopt", full)
    with pytest.raises(BackupError, match="No space left"):
        restore(path)
    nothing_there(backups / "second")
    monkeypatch.undo()
    assert restore(path).recomputed == 2


def test_a_disk_without_room_for_the_tables(backups, monkeypatch):
    full = mock.Mock(side_effect=OperationalError("database or disk is full"))
    monkeypatch.setattr(target, "make_tables", full)
    with pytest.raises(BackupError, match=r"disk is full\. Nothing was restored"):
        restore(backups / "plain.backup")
    assert not target.mark().exists()


def test_a_damaged_archive_makes_no_backup(portal):
    name = next(archive.names())
    file = Path(portal / "first" / "archive" / name)
    file.chmod(0o600)
    file.write_bytes(b"something else")
    with pytest.raises(BackupError, match="is damaged"):
        make(portal)
    assert not list(portal.glob("*.backup*"))


def test_every_column_is_known():
    """A new kind of column is a decision: NotImplementedError says where to take it."""
    known = {table.name for table in rows.tables()}
    assert {*OWN, "auth_user", "ratinglists_listrow", "tournaments_report"} <= known
    assert not known & set(rows.LEFT_OUT)
