"""Invented lists of players for tests."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile

from players import player_imports
from players.listformats.model import ListedPlayer, ListRating
from players.listformats.reading import WRITERS
from players.models import PlayerImport


def listed(number: int | str, name: str = "", **fields) -> ListedPlayer:
    """A line of a combined list: a man of XAA born 1990, rated 1800 in standard chess."""
    unrated = ListRating(None, 0, None)
    given = {
        "federation": "XAA",
        "sex": "m",
        "standard": ListRating(1800, 4, 20),
        "rapid": unrated,
        "blitz": unrated,
        "birth_year": 1990,
        "active": True,
        **fields,
    }
    return ListedPlayer(0, str(number), name or f"Invented, N{number}", **given)


def upload(rows, form: str = "fide-txt", name: str = "players.txt") -> SimpleUploadedFile:
    """``rows`` as a file of a format, or the bytes given."""
    data = rows if isinstance(rows, bytes) else b"".join(WRITERS[form](rows))
    return SimpleUploadedFile(name, data)


def preview(rows, form: str = "fide-txt", **options) -> PlayerImport:
    """The dry run of a list, done."""
    options.setdefault("list_date", "2026-10-01")
    asked = player_imports.request_preview(upload(rows, form), **options)
    return done(asked)


def done(asked: PlayerImport) -> PlayerImport:
    while asked.is_open:
        assert player_imports.run(asked.pk)
        asked.refresh_from_db()
    return asked


def take(rows, form: str = "fide-txt", **options) -> PlayerImport:
    """A list taken into the register, by way of its dry run."""
    return done(player_imports.request_apply(preview(rows, form, **options)))
