"""Old backups go, and nothing else does."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ratingsite.backup import BackupError, thinning
from ratingsite.backup.streams import MAGIC

pytestmark = pytest.mark.django_db(transaction=True)


def encrypted(path: Path, age: int) -> Path:
    return dated(path, age, MAGIC + os.urandom(40))


def dated(path: Path, age: int, data: bytes) -> Path:
    path.write_bytes(data)
    os.utime(path, ns=(10**18 - age, 10**18 - age))
    return path


def plain(path: Path, age: int) -> Path:
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("backup.json"))
    return dated(path, age, path.read_bytes())


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_last_written_stay(tmp_path):
    for age, name in enumerate(("new", "b", "z", "a")):
        (plain if age % 2 else encrypted)(tmp_path / f"{name}.backup", age)
    removed = thinning.thin(tmp_path / "new.backup", 2)
    assert [path.name for path in removed] == ["a.backup", "z.backup"]
    assert names(tmp_path) == {"new.backup", "b.backup"}


def test_the_new_one_stays_whatever_the_clock_said(tmp_path):
    encrypted(tmp_path / "new.backup", 9)
    encrypted(tmp_path / "of-tomorrow.backup", 0)
    thinning.thin(tmp_path / "new.backup", 1)
    assert names(tmp_path) == {"new.backup"}


def test_nothing_else_goes(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    kept = {
        encrypted(tmp_path / "new.backup", 0),
        encrypted(tmp_path / "of-another-suffix.tar", 5),
        encrypted(elsewhere / "old.backup", 5),
        dated(tmp_path / "notes.backup", 5, b"not a backup"),
        dated(tmp_path / "empty.backup", 5, b""),
        dated(tmp_path / "short.backup", 5, MAGIC[:9]),
    }
    (tmp_path / "link.backup").symlink_to(elsewhere / "old.backup")
    (tmp_path / "folder.backup").mkdir()
    assert thinning.thin(tmp_path / "new.backup", 1) == []
    assert all(path.exists() for path in kept | {tmp_path / "link.backup", tmp_path / "folder.backup"})


def test_one_that_cannot_be_removed_is_told(tmp_path, monkeypatch):
    encrypted(tmp_path / "new.backup", 0)
    encrypted(tmp_path / "old.backup", 1)

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(
        BackupError, match=r"new\.backup is whole, but .*old\.backup could not be removed: Perm"
    ):
        thinning.thin(tmp_path / "new.backup", 1)


@pytest.mark.parametrize("keep", ["0", "-1", "all", "²"])
def test_a_number_that_is_none(tmp_path, keep):
    with pytest.raises(CommandError, match="not a number of backups from 1 on"):
        call_command("backup", str(tmp_path / "new.backup"), "--keep", keep)


def test_a_backup_that_fails_removes_none(tmp_path):
    old = encrypted(tmp_path / "old.backup", 1)
    there = encrypted(tmp_path / "there.backup", 0)
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(there), "--keep", "1")
    assert old.exists()
