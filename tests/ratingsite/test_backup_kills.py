"""A restoration killed at any of its points leaves nothing that looks whole, and can be begun anew."""

from __future__ import annotations

import signal
import sqlite3

import pytest

from tests.ratingsite.backups import manage


@pytest.fixture(scope="module")
def backup(tmp_path_factory):
    """Of a portal of its own, without a publication's cost: accounts, groups, an archive's file."""
    folder = tmp_path_factory.mktemp("backups")
    first = folder / "first"
    for command in (("migrate", "-v0"), ("roles",)):
        answer = manage(first, *command)
        assert answer.returncode == 0, answer.stderr
    script = "from ratinglists import archive; archive.store([b'one']); archive.store_packed([b'two' * 999])"
    assert manage(first, "shell", "-v0", "-c", script).returncode == 0
    answer = manage(first, "backup", str(folder / "a.backup"))
    assert answer.returncode == 0, answer.stderr
    return folder / "a.backup"


def groups(folder) -> int:
    with sqlite3.connect(folder / "portal.sqlite3") as database:
        return database.execute("SELECT COUNT(*) FROM auth_group").fetchone()[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "point",
    [
        "restore: a file is in the archive",
        "restore: the rows are in",
        "restore: before the commit",
        "restore: committed",
    ],
)
@pytest.mark.once
def test_killed(backup, tmp_path, point):
    first, other = backup.parent / "first", tmp_path / "other"
    answer = manage(other, "restore", str(backup), PORTAL_CRASH_AT=point)
    assert answer.returncode == -signal.SIGKILL
    committed = point == "restore: committed"
    assert (groups(other) > 0) == committed
    answer = manage(other, "check")
    assert answer.returncode == 1
    assert "portal.E015" in answer.stderr
    answer = manage(other, "restore", str(backup))
    if committed:
        assert "done already" in answer.stderr
    else:
        assert answer.returncode == 0, answer.stderr
    assert groups(other) == groups(first) > 0
    assert manage(other, "check").returncode == 0
    kept = [
        path.relative_to(folder / "archive")
        for folder in (first, other)
        for path in sorted((folder / "archive").rglob("*"))
        if path.is_file()
    ]
    assert kept[: len(kept) // 2] == kept[len(kept) // 2 :] != []
