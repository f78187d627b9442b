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
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from ratinglists import archive
from ratinglists.canonical_json import Reader, differing_texts
from ratinglists.jobs import Refusal
from ratinglists.reported import Reported, compare
from ratinglists.slices import Slices
from ratinglists.snapshot import Snapshot
from regulations import bulk
from regulations.lists import canonical_text
from regulations.registry import get

Progress = Callable[[str, int, int], None]


class Different(Refusal):
    """The recomputation does not give the list that is to be proven."""


@dataclass(slots=True)
class _Request:
    """The request but for its events and players."""

    regulation: str = ""
    list_date: str = ""
    reference: Any = None
    samples: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


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
    return "The recomputation from the reports gives another list: " + differing_texts(
        listed, iter(lambda: again.read(1 << 20), b"")
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
        # Texts that rate game by game let those who played be computed apart.
        apart = bulk.applies([get(each["code"]) for each in sources["regulations"]])
        with Slices(folder, apart=apart) as slices, (folder / "list.json").open("w+b") as file:
            request = _read(sources, slices, progress)
            for piece in _compute(request, snapshot.request, slices, progress):
                digest.update(piece)
                file.write(piece)
            file.flush()
            yield digest.hexdigest(), file


# --- reading: the request, its events held against the reports ------------------------------------


def _read(sources: dict, slices: Slices, progress: Progress) -> _Request:
    """Share the request's events out, each checked against its report; the rest but for the players.
    ``Different`` names the first game that is not the report's."""
    counted = [each for each in sources["tournaments"] if each["outcome"] == "counted"]
    owners = {event: each for each in counted for event in each["events"]}
    reader = Reader(archive.read(sources["request"]))
    request = _Request()
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
        slices.event(event)
    if owners:
        name = next(iter(owners.values()))["name"]
        raise Different(f"{name} is counted, and the computation has no event of it.")
    reader.literal(',"list_date":')
    request.list_date = reader.value()
    reader.literal(',"previous":[')
    for _ in reader.array():
        pass
    reader.literal(',"reference_standard":')
    request.reference = reader.value()
    reader.literal(',"regulation":')
    request.regulation = reader.value()
    reader.literal(',"samples":[')
    for sample in reader.array():
        request.samples[sample["player"]].append(sample)
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


# --- computing, slice by slice --------------------------------------------------------------------


def _compute(request: _Request, sha256: str, slices: Slices, progress: Progress) -> Iterator[bytes]:
    """The canonical list in pieces."""
    for player in _players(sha256):
        slices.player(player, request.samples.pop(player["id"], ()))
    for player, samples in request.samples.items():
        slices.samples(player, samples)
    answers = []
    for path in slices.requests(request.regulation, request.list_date, request.reference):
        progress("computing again from the reports", len(answers), len(slices))
        answers.append(_calculator(path))
    progress("computing again from the reports", len(answers), len(slices))

    def own(part: str, key: str) -> Iterator[dict]:
        found = (_part(slices, number, path, part, key) for number, path in enumerate(answers))
        return heapq.merge(*found, key=itemgetter(key))

    yield from canonical_text(
        request.regulation, request.list_date, own("players", "id"), own("samples", "player")
    )


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


def _part(slices: Slices, number: int, answer: Path, wanted: str, key: str) -> Iterator[dict]:
    """The rows or the samples of a canonical list in a file, of the players who belong to it."""
    return (each for each in _all(answer, wanted) if slices.has(number, each[key]))


def _all(answer: Path, wanted: str) -> Iterator[dict]:
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
