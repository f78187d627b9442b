"""What uploads that died have left is removed, and nothing else."""

import os
import time

import pytest
from django.core.files.base import ContentFile

from players import player_imports
from players.models import PlayerImport

pytestmark = pytest.mark.django_db


def test_old_files_of_no_import_are_removed(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    kept = PlayerImport(file_name="list.csv", sha256="a" * 64, size=1, list_date="2026-10-01")
    kept.file.save("list", ContentFile(b"x"), save=False)
    kept.save()
    folder = tmp_path / "player-lists" / "uploads"
    by_hand = tmp_path / "player-lists" / "standard.txt"
    stray, young, half = folder / "stray", folder / "young", tmp_path / "tmpabc.upload.txt"
    old = time.time() - 2 * player_imports.KEPT_SECONDS
    for path in (stray, young, half, by_hand):
        path.write_bytes(b"x")
    for path in (stray, half, by_hand, folder / kept.file.name.rpartition("/")[2]):
        os.utime(path, (old, old))
    assert player_imports.tidy() == 2
    assert not stray.exists()
    assert not half.exists()
    assert young.exists()
    assert by_hand.exists()
    assert kept.file.storage.exists(kept.file.name)
