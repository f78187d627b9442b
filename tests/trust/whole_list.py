"""Reads a whole list of players, as the worker does, for ``players.apart``."""

from __future__ import annotations

from typing import BinaryIO

from players.listformats.model import Faulty
from players.listformats.reading import PlayerList


def read(file: BinaryIO, *, name: str) -> dict:
    """How many players, how many faulty lines, and the faults that end the reading."""
    players = faulty = 0
    for record in PlayerList(file, name):
        if not isinstance(record, Faulty):
            players += 1
        elif record.fatal:
            return {"players": players, "faulty": faulty, "fatal": [str(fault) for fault in record.faults]}
        else:
            faulty += 1
    return {"players": players, "faulty": faulty, "fatal": []}
