"""The beginning of a list, read for ``players.apart``: what format it has, whether it can be read at all."""

from __future__ import annotations

from typing import BinaryIO

from players.listformats.model import Faulty
from players.listformats.reading import PlayerList


def look(file: BinaryIO, *, name: str, single: str) -> dict:
    """Format, kind of rating and date (YYYY-MM-DD) of a list, and the faults that keep it from being read."""
    listed = PlayerList(file, name, single=single)
    first = next(iter(listed), None)
    fatal = isinstance(first, Faulty) and first.fatal
    return {
        "format": listed.format,
        "single": listed.single,
        "list_date": listed.list_date.isoformat() if listed.list_date else None,
        "faults": [list(fault) for fault in first.faults] if fatal else [],
    }
