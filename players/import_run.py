"""The work of an import: a turn of it, batch by batch, from where the last one ended."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from players.import_batches import Outcome, take_batch
from players.ledger import Claim, Refusal
from players.listformats.model import Fault, Faulty, ListedPlayer
from players.listformats.reading import PlayerList
from players.models import PlayerImport

#: lines of a transaction; SQLite took at most 999 values in a statement for long
BATCH = 900
#: after so long an import lets other work have its turn and goes on from where it was
TURN_SECONDS = 240
MAX_FAULTS, MAX_CHANGES = 500, 200
_COUNTERS = ("created", "changed", "unchanged", "passed_over")


#: FIDE's own lists have a handful; a file of nothing else would be read for hours
MAX_FAULTY = 20_000


def digest_of(opened: BinaryIO) -> str:
    """SHA-256 of a file from where it stands, in hexadecimal."""
    digest = hashlib.sha256()
    while data := opened.read(1 << 20):
        digest.update(data)
    return digest.hexdigest()


def take_turn(held: Claim) -> bool:
    """Work on an import until it is over (True) or its turn is (False). Raises Refusal."""
    job = held.job
    deadline = time.monotonic() + TURN_SECONDS
    tally = _Tally(job)
    with _opened(job) as file:
        if digest_of(file) != job.sha256:
            raise Refusal("The file has changed since it was looked at: bring it in again.")
        file.seek(0)
        listed = PlayerList(file, job.file_name, single=job.single)
        batch: list[ListedPlayer | Faulty] = []
        position = 0
        for position, record in enumerate(_judged(listed), 1):
            if position <= job.position:
                continue
            batch.append(record)
            if len(batch) >= BATCH:
                _store(held, tally, batch, position, listed.bytes_read)
                batch = []
                if tally.counts["faulty"] > MAX_FAULTY:
                    raise Refusal(
                        f"More than {MAX_FAULTY} of the first {position} lines have faults: this is hardly a "
                        "list of players. Look at the faults, correct the file and bring it in again."
                    )
                if time.monotonic() > deadline:
                    return False
        _store(held, tally, batch, position, job.size, finish=True)
    return True


def _store(
    held: Claim,
    tally: _Tally,
    batch: list[ListedPlayer | Faulty],
    position: int,
    bytes_read: int,
    *,
    finish: bool = False,
) -> None:
    """One batch and the position behind it, in one transaction."""
    job = held.job
    with transaction.atomic():
        held.fence()
        outcome = take_batch(
            [record for record in batch if isinstance(record, ListedPlayer)],
            federations=job.federations,
            list_date=job.list_date,
            apply=job.kind == PlayerImport.Kind.APPLY,
        )
        tally.add(batch, outcome)
        held.progress(
            f"{position} lines read, kilobytes",
            bytes_read >> 10,
            job.size >> 10,
            position=position,
            attempts=0,
            **tally.fields(),
        )
        if finish:
            held.finish("")
    job.attempts = 0


def _opened(job: PlayerImport):
    try:
        return job.file.storage.open(job.file.name, "rb")
    except FileNotFoundError:
        raise Refusal("The file is not there any more: bring it in again.") from None


def _judged(listed: PlayerList) -> Iterator[ListedPlayer | Faulty]:
    """The records, those that the register cannot take as faults."""
    seen, this_year = _Seen(), timezone.localdate().year
    for row in listed:
        if isinstance(row, Faulty):
            yield row
        elif row.birth_year and row.birth_year > this_year:
            yield _refused(row, "birth_year", f"{row.birth_year} lies in the future.", "Correct the year.")
        elif seen.add(int(row.number)):
            yield row
        else:
            message = f"The number {row.number} stands in an earlier line already."
            yield _refused(row, "fide_id", message, "Leave one line of each player.")


def _refused(row: ListedPlayer, field: str, message: str, remedy: str) -> Faulty:
    return Faulty((Fault(row.line, None, field, message, remedy),))


class _Seen:
    """The numbers met so far, as bits in pages: FIDE's come in blocks, so few pages are touched."""

    PAGE = 1 << 16

    def __init__(self) -> None:
        self.pages: dict[int, bytearray] = {}

    def add(self, number: int) -> bool:
        """Note a number. False if it was there."""
        page, place = divmod(number, self.PAGE)
        bits = self.pages.get(page)
        if bits is None:
            bits = self.pages[page] = bytearray(self.PAGE // 8)
        mask = 1 << (place & 7)
        if bits[place >> 3] & mask:
            return False
        bits[place >> 3] |= mask
        return True


class _Tally:
    """The counts and first examples of an import, which a later turn goes on with."""

    def __init__(self, job: PlayerImport) -> None:
        self.counts = {name: getattr(job, name) for name in (*_COUNTERS, "faulty", "fault_count")}
        self.faults, self.changes = list(job.faults), list(job.changes)
        self.new_federations = set(job.new_federations)
        self.broken = job.broken

    def add(self, batch: Sequence[ListedPlayer | Faulty], outcome: Outcome) -> None:
        for name in _COUNTERS:
            self.counts[name] += getattr(outcome, name)
        for record in batch:
            if isinstance(record, Faulty):
                self._add_faults(record)
        for row in outcome.stateless:
            message = f"{row.name} is not on the register, and the line names no federation."
            self._add_faults(_refused(row, "federation", message, "Write the three-letter code."))
        for change in outcome.changes[: MAX_CHANGES - len(self.changes)]:
            self.changes.append(asdict(change))
        self.new_federations |= outcome.new_federations

    def _add_faults(self, record: Faulty) -> None:
        self.counts["faulty"] += 1
        self.counts["fault_count"] += len(record.faults)
        self.broken |= record.fatal
        for fault in record.faults[: max(0, MAX_FAULTS - len(self.faults))]:
            self.faults.append([_storable(part) for part in fault])

    def fields(self) -> dict:
        """The columns of the row."""
        return {
            **self.counts,
            "broken": self.broken,
            "faults": self.faults,
            "changes": self.changes,
            "new_federations": sorted(self.new_federations),
        }


def _storable(part: str | int | None) -> str | int | None:
    """PostgreSQL takes no NUL, not even escaped in JSON, and no half of a surrogate pair."""
    return part.encode("utf-8", "replace").decode().replace("\0", "�") if isinstance(part, str) else part
