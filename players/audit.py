"""The audit log: what was done, by whom, when. Entries are only ever added.

``record`` writes an entry inside the transaction of the act. ``seal`` numbers the entries of committed
transactions and chains them: each entry's hash covers the entry and the hash before it, so that none can
be changed, taken out or put in unnoticed. ``verify`` goes over the chain again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db import connection, models, transaction
from django.utils import timezone

from players import crashpoints
from players.models import AuditEntry, AuditHead

log = logging.getLogger(__name__)

#: entries that one transaction seals
BATCH = 1000
#: the sweep seals every half minute; an entry that waits longer than this waits for nobody
SEALED_WITHIN = timedelta(minutes=15)


def record(act: str, by, subject: models.Model | None = None, text: str = "", **data) -> AuditEntry:
    """Note an act: call it inside the transaction that does it, or it raises TransactionManagementError.

    ``act`` is a short code such as ``list.published``; ``by`` the account, None for the portal itself;
    ``text`` says it in a sentence; ``data`` are JSON values that a later reader may need (no personal
    data beyond keys).
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(f"{act} is recorded outside the transaction of the act.")
    entry = AuditEntry.objects.create(
        act=act,
        actor=by,
        actor_name="" if by is None else by.get_username(),
        subject="" if subject is None else key_of(subject),
        text=text,
        data=data,
    )
    if not any(waiting is _seal_soon for _, waiting, *_ in connection.run_on_commit):
        transaction.on_commit(_seal_soon, robust=True)
    return entry


def key_of(row: models.Model) -> str:
    """How entries name what was acted on: ``players.player:12``."""
    return f"{row._meta.label_lower}:{row.pk}"


# --- the chain ------------------------------------------------------------------------------------


def canonical(entry: AuditEntry) -> bytes:
    """What an entry's hash covers, with its number: the same bytes on every machine and database."""
    parts = {
        "number": entry.number,
        "id": entry.pk,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "act": entry.act,
        "actor": entry.actor_id,
        "actor_name": entry.actor_name,
        "subject": entry.subject,
        "text": entry.text,
        "data": entry.data,
    }
    return json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def link(before: str, entry: AuditEntry) -> str:
    """The hash of a numbered entry: SHA-256 over the hash before it and the entry, in hexadecimal."""
    return hashlib.sha256(before.encode() + b"\n" + canonical(entry)).hexdigest()


def _seal_soon() -> None:
    # Whoever seals just now may have looked before this commit; then the sweep seals what is left.
    seal(wait=False)


def seal(*, wait: bool = True) -> int:
    """Number and chain the entries that are committed and not sealed, in the order of their ids.

    An entry whose transaction commits later comes later in the chain, whatever its id. One sealer works
    at a time, holding the row of the head; ``wait=False`` leaves the work to him. Returns how many.
    """
    sealed = 0
    while done := _seal_batch(wait):
        sealed += done
        if done < BATCH:
            break
    return sealed


@transaction.atomic
def _seal_batch(wait: bool) -> int:
    if not AuditEntry.objects.filter(number=None).exists():
        return 0
    AuditHead.objects.get_or_create(pk=AuditHead.ONLY)
    head = AuditHead.objects.select_for_update(skip_locked=not wait).filter(pk=AuditHead.ONLY).first()
    if head is None:
        return 0
    # Read after the lock: what the sealer before sealed is seen as sealed.
    entries = list(AuditEntry.objects.filter(number=None).order_by("pk")[:BATCH])
    for entry in entries:
        entry.number = head.number + 1
        head.number, head.sha256 = entry.number, link(head.sha256, entry)
        AuditEntry.objects.filter(pk=entry.pk).update(number=head.number, sha256=head.sha256)
    if entries:
        head.save(update_fields=["number", "sha256"])
    crashpoints.here("seal: before the commit")
    return len(entries)


def head() -> tuple[int, str]:
    """Number and hash of the last sealed entry; (0, "") before the first. Kept elsewhere, such as in a
    published manifest, it shows later whether the log still is the one that it was."""
    found = AuditHead.objects.filter(pk=AuditHead.ONLY).first()
    return (found.number, found.sha256) if found else (0, "")


def verify(
    anchors: Iterable[tuple[int, str]] = (), *, last: int | None = None, now: datetime | None = None
) -> list[str]:
    """Every fault of the log, each a sentence; none if the chain holds.

    ``anchors`` are heads kept elsewhere that the chain must pass through; ``last`` looks at the end
    of the chain only.
    """
    number, sha256 = head()
    begin = max(0, number - last) if last is not None else 0
    return [
        *_chain_faults(begin, number, sha256, dict(anchors)),
        *_faults_beyond(),
        *_unsealed_faults(now or timezone.now()),
    ]


def _chain_faults(begin: int, end: int, end_sha256: str, anchors: dict[int, str]) -> Iterable[str]:
    entries = AuditEntry.objects.filter(number__lte=end).order_by("number")  # sealers go on meanwhile
    before, expected = "", begin + 1
    if begin:
        entries = entries.filter(number__gte=begin)
    for entry in entries.iterator(chunk_size=2000):
        if entry.number == begin:
            before = entry.sha256
            continue
        if entry.number != expected:
            yield f"Entries {expected} to {entry.number - 1} are missing."
        if entry.sha256 != link(before, entry):
            yield (
                f"Entry {entry.number} (id {entry.pk}, {entry.at:%Y-%m-%d %H:%M}) does not follow from the "
                "one before it: one of the two was changed, put in or taken out."
            )
        if anchors.get(entry.number, entry.sha256) != entry.sha256:
            yield f"Entry {entry.number} has another hash than the one kept elsewhere."
        before, expected = entry.sha256, entry.number + 1
    if expected - 1 != end:
        yield f"The chain ends with entry {expected - 1}; its head says {end}."
    elif before != end_sha256:
        yield f"The last entry, {end}, has another hash than the head."
    if beyond := sorted(number for number in anchors if number >= expected):
        yield f"Entry {beyond[0]} was kept elsewhere and is missing."


def _faults_beyond() -> Iterable[str]:
    highest = AuditEntry.objects.aggregate(number=models.Max("number"))["number"] or 0
    number, _ = head()  # read last: whatever was sealed meanwhile has moved it
    if highest > number:
        yield f"Entry {highest} stands beyond the end of the chain, which is {number}."


def _unsealed_faults(now: datetime) -> Iterable[str]:
    waiting = AuditEntry.objects.filter(number=None, at__lt=now - SEALED_WITHIN).order_by("pk")
    if oldest := waiting.first():
        yield (
            f"{waiting.count()} entries wait for their seal, since {oldest.at:%Y-%m-%d %H:%M} (id "
            f"{oldest.pk}): is the sweep running? “manage.py audit seal” seals them."
        )
