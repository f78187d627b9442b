"""A list computed once more, from the archive alone: no table of lists, events or games is read.

Each report is parsed again from the file that was sent, its games must be those of the snapshot, and the
calculator computes the list in a process of its own. What comes out must be the canonical list, byte by byte.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import IO

from django.conf import settings

from ratinglists import archive
from ratinglists.canonical_json import Reader, differing
from ratinglists.jobs import Refusal
from ratinglists.reported import Reported, compare
from ratinglists.snapshot import Snapshot
from regulations.lists import canonical_text, shown_bytes

Progress = Callable[[str, int, int], None]
#: so many players who played nothing are given to a calculator at once
SLICE = 20_000


class Different(Refusal):
    """The recomputation does not give the list that is to be proven."""


@dataclass(slots=True)
class _Request:
    """The request but for its players, as texts."""

    regulation: str
    list_date: str
    reference: bytes
    events: list[bytes] = field(default_factory=list)
    samples: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    playing: set[str] = field(default_factory=set)


def verify(snapshot: Snapshot, listed: str, progress: Progress) -> None:
    """Raise ``Different`` unless the snapshot gives the canonical list ``listed`` (its SHA-256, as it lies
    in the archive). The text names the first game or player that differs."""
    try:
        with again(snapshot, progress) as (digest, file):
            if digest != listed:
                raise Different(_difference(archive.read(listed), file))
    except (archive.Damaged, FileNotFoundError, ValueError) as error:
        raise Different(f"The recomputation from the reports cannot be done: {error}") from error


def _difference(listed: Iterable[bytes], again: IO[bytes]) -> str:
    again.seek(0)
    return "The recomputation from the reports gives another list: " + differing(
        json.loads(b"".join(listed)), json.load(again)
    )


@contextmanager
def again(snapshot: Snapshot, progress: Progress) -> Iterator[tuple[str, IO[bytes]]]:
    """The canonical list computed anew: its SHA-256, and its text in a file that is gone afterwards. Raises
    ``Different``, ``archive.Damaged`` and FileNotFoundError."""
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR, prefix="recompute-") as name:
        folder, digest = Path(name), hashlib.sha256()
        sources = json.loads(b"".join(archive.read(snapshot.sources)))
        if sources["request"] != snapshot.request:
            raise Different("The sources of the list belong to another request.")
        request = _read(sources, progress)
        with (folder / "list.json").open("w+b") as file:
            for piece in _compute(request, snapshot.request, folder, progress):
                digest.update(piece)
                file.write(piece)
            file.flush()
            yield digest.hexdigest(), file


# --- reading: the request, its events held against the reports ------------------------------------


def _read(sources: dict, progress: Progress) -> _Request:
    """The request's events, each checked against its report, and its samples. ``Different`` names the first
    game that is not the report's."""
    counted = [each for each in sources["tournaments"] if each["outcome"] == "counted"]
    owners = {event: each for each in counted for event in each["events"]}
    reader = Reader(archive.read(sources["request"]))
    request = _Request("", "", b"{}")
    reader.literal('{"as_given":true,"events":[')
    waiting: dict[str, tuple[Reported, list[dict]]] = {}
    done = 0
    for event in reader.array():
        owner = owners.pop(event["event"]["id"], None)
        if owner is None:
            raise Different(f"Event {event['event']['id']} of the computation belongs to no counted report.")
        if owner["id"] not in waiting:
            waiting[owner["id"]] = (Reported(owner), [])
        reported, parts = waiting[owner["id"]]
        parts.append(event)
        if len(parts) == len(owner["events"]):
            if found := next(compare(reported, parts), None):
                raise Different(found)
            del waiting[owner["id"]]
            done += 1
            progress("reading the reports again", done, len(counted))
        request.events.append(shown_bytes(event))
        request.playing.update(player["id"] for player in event["players"])
    if owners:
        name = next(iter(owners.values()))["name"]
        raise Different(f"{name} is counted, and the computation has no event of it.")
    reader.literal(',"list_date":')
    request.list_date = reader.value()
    reader.literal(',"previous":[')
    for _ in reader.array():
        pass
    reader.literal(',"reference_standard":')
    request.reference = shown_bytes(reader.value())
    reader.literal(',"regulation":')
    request.regulation = reader.value()
    reader.literal(',"samples":[')
    for sample in reader.array():
        request.samples[sample["player"]].append(shown_bytes(sample))
    reader.literal("}")
    reader.end()
    if request.list_date != sources["list_date"]:
        raise Different(f"The computation is of {request.list_date}, not of {sources['list_date']}.")
    return request


def _players(sha256: str) -> Iterator[dict]:
    """The players of the list before, as the request has them."""
    reader = Reader(archive.read(sha256))
    reader.literal('{"as_given":true,"events":[')
    for _ in reader.array():
        pass
    reader.literal(',"list_date":')
    reader.value()
    reader.literal(',"previous":[')
    return reader.array()


# --- computing: those who played together, the others by slices -----------------------------------


def _compute(request: _Request, sha256: str, folder: Path, progress: Progress) -> Iterator[bytes]:
    """The canonical list in pieces. Who played nothing depends on nobody else, so that a list of any size
    needs the memory of its events only."""
    written: list[Path] = []
    playing: list[bytes] = []
    rest: dict[str, bytes] = {}

    def put(players: Iterable[bytes], samples: Iterable[bytes], events: list[bytes]) -> None:
        written.append(folder / f"request-{len(written)}.json")
        _write_request(written[-1], request, players, samples, events)

    for player in _players(sha256):
        if player["id"] in request.playing:
            playing.append(shown_bytes(player))
            continue
        rest[player["id"]] = shown_bytes(player)
        if len(rest) == SLICE:
            put(rest.values(), [each for name in rest for each in request.samples.pop(name, ())], [])
            rest = {}
    put([*playing, *rest.values()], chain.from_iterable(request.samples.values()), request.events)
    answers = []
    for done, path in enumerate(written):
        progress("computing again from the reports", done, len(written))
        answers.append(_calculator(path))
    progress("computing again from the reports", len(written), len(written))
    rows = heapq.merge(*(_part(path, "players") for path in answers), key=itemgetter("id"))
    samples = heapq.merge(*(_part(path, "samples") for path in answers), key=itemgetter("player"))
    yield from canonical_text(request.regulation, request.list_date, rows, samples)


def _write_request(
    path: Path,
    request: _Request,
    players: Iterable[bytes],
    samples: Iterable[bytes],
    events: Iterable[bytes],
) -> None:
    with path.open("wb") as file:
        file.write(b'{"as_given":true,"events":[')
        file.writelines(_commas(events))
        file.write(b'],"list_date":' + shown_bytes(request.list_date) + b',"previous":[')
        file.writelines(_commas(players))
        file.write(b'],"reference_standard":' + request.reference)
        file.write(b',"regulation":' + shown_bytes(request.regulation) + b',"samples":[')
        file.writelines(_commas(samples))
        file.write(b"]}")


def _commas(texts: Iterable[bytes]) -> Iterator[bytes]:
    for place, text in enumerate(texts):
        yield b"," + text if place else text


def _calculator(request: Path) -> Path:
    """``python -m regulations list FILE --canonical`` in a process that knows no database."""
    answer = request.with_name(request.name.replace("request", "answer"))
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_", "DJANGO_"))
    }
    command = [sys.executable, "-m", "regulations", "list", str(request), "--canonical"]
    with answer.open("wb") as file:
        done = subprocess.run(
            command, stdout=file, stderr=subprocess.PIPE, cwd=settings.BASE_DIR, env=environment, check=False
        )
    if done.returncode == 2:
        errors = json.loads(answer.read_bytes())["errors"]
        told = "; ".join(f"{each['path']}: {each['message']}" for each in errors[:5])
        raise Different(f"The calculator does not take what was computed from: {told}")
    if done.returncode:
        raise RuntimeError(f"the calculator ended with {done.returncode}: {done.stderr[-2000:].decode()}")
    request.unlink()
    return answer


def _part(answer: Path, wanted: str) -> Iterator[dict]:
    """The rows or the samples of a canonical list in a file."""
    with answer.open("rb") as file:
        reader = Reader(iter(lambda: file.read(1 << 20), b""))
        reader.literal('{"list_date":')
        reader.value()
        reader.literal(',"players":[')
        if wanted == "players":
            yield from reader.array()
            return
        for _ in reader.array():
            pass
        reader.literal(',"regulation":')
        reader.value()
        reader.literal(',"samples":[')
        yield from reader.array()
