"""A request shared out into several, each of as many players as a calculator takes at once.

Who played nothing depends on nobody else. Whoever played depends on his events: where their texts rate game
by game, on his games and opponents alone, so that those who play are shared out too; else all of them stay
together. Every player's row is taken from the one request that he belongs to.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from regulations.cutting import cut_to, goes_by_game
from regulations.lists import shown_bytes

#: so many players who played nothing are given to a calculator at once
PLAYERS = 20_000
#: after so many games those who play for the first time belong to the next request
GAMES = 30_000


class Slices:
    """Requests being written in a folder. First all events are added, then the players, then the samples."""

    def __init__(self, folder: Path, *, apart: bool) -> None:
        self._folder, self._apart = folder, apart
        self._owner: dict[str, int] = {}
        self._games = self._idle = 0
        self._files: list[dict[str, IO[bytes]]] = []
        self._open = ExitStack()

    def __enter__(self) -> Slices:
        self._next()
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

    def _next(self) -> None:
        number = len(self._files)
        paths = {name: self._folder / f"{name}-{number}" for name in ("events", "previous", "samples")}
        self._files.append({name: self._open.enter_context(p.open("w+b")) for name, p in paths.items()})

    def _put(self, number: int, name: str, value: Any) -> None:
        self._files[number][name].write(b"," + shown_bytes(value))

    def event(self, entry: dict[str, Any]) -> None:
        """Add an event of the request."""
        if self._apart and self._games >= GAMES:
            self._next()
            self._games = 0
        self._games += len(entry["games"])
        owners: dict[int, set[str]] = {}
        for player in entry["players"]:
            number = self._owner.setdefault(player["id"], len(self._files) - 1)
            owners.setdefault(number, set()).add(player["id"])
        whole = len(owners) == 1 or not goes_by_game(entry)
        for number, own in owners.items():
            self._put(number, "events", entry if whole else cut_to(entry, own))

    def player(self, entry: dict[str, Any], samples: Iterable[Any]) -> None:
        """Add a player of the list before, with what is pooled of him."""
        number = self._owner.get(entry["id"])
        if number is None:
            if self._idle == PLAYERS:
                self._next()
                self._idle = 0
            self._idle += 1
            number = len(self._files) - 1
        self._put(number, "previous", entry)
        self.samples(entry["id"], samples, number)

    def samples(self, player: str, samples: Iterable[Any], number: int | None = None) -> None:
        """Add what is pooled of a player whom the list before does not name."""
        if number is None:
            number = self._owner.get(player, len(self._files) - 1)
        for each in samples:
            self._put(number, "samples", each)

    def requests(self, regulation: str, list_date: str, reference: Any) -> Iterator[Path]:
        """The file of each request, in the order of their numbers; written when it is asked for."""
        for number, files in enumerate(self._files):
            path = self._folder / f"request-{number}.json"
            with path.open("wb") as file:
                file.write(b'{"as_given":true,"events":[')
                _pour(files["events"], file)
                file.write(b'],"list_date":' + shown_bytes(list_date) + b',"previous":[')
                _pour(files["previous"], file)
                file.write(b'],"reference_standard":' + shown_bytes(reference))
                file.write(b',"regulation":' + shown_bytes(regulation) + b',"samples":[')
                _pour(files["samples"], file)
                file.write(b"]}")
            yield path

    def __len__(self) -> int:
        return len(self._files)

    def has(self, number: int, player: str) -> bool:
        """Does a player's row come from this request?"""
        return self._owner.get(player, number) == number


def _pour(source: IO[bytes], target: IO[bytes]) -> None:
    """All of it but the comma in front; the disk is free for others then."""
    source.seek(1)
    shutil.copyfileobj(source, target, 1 << 20)
    source.truncate(0)
