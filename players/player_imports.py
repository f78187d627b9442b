"""Imports of player lists: asked for, tried without writing, applied in batches, stopped, dropped."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from players import access, audit, crashpoints, ledger
from players.apart.calling import Limits, Readers, Spent
from players.import_run import digest_of, take_turn
from players.ledger import Claim, Refusal
from players.listformats.model import Fault
from players.models import PlayerImport

IMPORT = "players.add_playerimport"
MAX_FILE = (1 << 31) - 1
#: an upload goes on for hours at most
KEPT_SECONDS = 86_400
#: the first look at a list, while the page waits
LOOK = Limits(memory=96 << 20, cpu=6, wall=20)
_readers = Readers("players.listformats.first_look")


class NotAList(Exception):
    """The file cannot be imported; ``faults`` say why."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults
        super().__init__(" ".join(str(fault) for fault in faults))


def waiting_files() -> list[str]:
    """Lists that somebody has put into the folder of lists on the server, by name."""
    storage = PlayerImport._meta.get_field("file").storage
    if not storage.exists(""):
        return []
    return sorted(name for name in storage.listdir("")[1] if not name.startswith("."))


# --- asking ---------------------------------------------------------------------------------------


def request_preview(
    file: File | str,
    *,
    file_name: str = "",
    single: str = "",
    list_date: date | None = None,
    federations: Sequence[str] = (),
    by=None,
) -> PlayerImport:
    """Have a list compared with the register. ``file`` is an upload, or a name in the storage.

    ``list_date`` None: as a single list's header says. Raises NotAList, Refusal (the date is not
    known, or another import is at work) and PermissionDenied; the file is then not kept.
    """
    _require(by)
    storage = PlayerImport._meta.get_field("file").storage
    uploaded = not isinstance(file, str)
    with file.open("rb") if uploaded else storage.open(file) as opened:
        begun = _first_look(opened, file_name or opened.name, single)
        list_date = list_date or (date.fromisoformat(begun["list_date"]) if begun["list_date"] else None)
        if list_date is None:
            raise Refusal("The list does not tell its date: give it.")
        if opened.size > MAX_FILE:
            raise Refusal("The file is larger than two gigabytes: send it zipped, as FIDE does.")
        opened.seek(0)
        sha256 = digest_of(opened)
        opened.seek(0)
        with transaction.atomic():
            _refuse_second(PlayerImport.Kind.PREVIEW)
            asked = PlayerImport(
                kind=PlayerImport.Kind.PREVIEW,
                file_name=(file_name or opened.name).rpartition("/")[2][-255:],
                size=opened.size,
                sha256=sha256,
                format=begun["format"],
                single=begun["single"],
                list_date=list_date,
                federations=sorted(set(federations)),
                requested_by=by,
            )
            if uploaded:
                asked.file.save(secrets.token_hex(16), file, save=False)  # no name of the sender's
            else:
                asked.file = file
            crashpoints.here("upload: a list is in its place, its row not written")
            asked.save()
            transaction.on_commit(lambda: ring(asked.pk), robust=True)
    return asked


def _first_look(file: File, name: str, single: str) -> dict:
    """What the list is, read apart and within limits; raises NotAList."""
    options = {"name": name, "single": single}
    try:
        found = _readers.read("players.listformats.first_look:look", file, LOOK, options).value
    except Spent as spent:
        remedy = "Download the list again, or export it anew."
        raise NotAList([Fault(None, None, "file", str(spent), remedy)]) from spent
    if found["faults"]:
        raise NotAList([Fault(*each) for each in found["faults"]])
    return found


def request_apply(preview: PlayerImport, by=None) -> PlayerImport:
    """Have a list whose dry run is over taken into the register. Raises Refusal, PermissionDenied."""
    _require(by)
    with transaction.atomic():
        preview = PlayerImport.objects.select_for_update().get(pk=preview.pk)
        if reason := why_not_apply(preview):
            raise Refusal(reason)
        _refuse_second(PlayerImport.Kind.APPLY)
        same = ("file", "file_name", "size", "sha256", "format", "single", "list_date", "federations")
        asked = PlayerImport.objects.create(
            kind=PlayerImport.Kind.APPLY,
            preview=preview,
            requested_by=by,
            **{name: getattr(preview, name) for name in same},
        )
        _record("asked", by, asked)
        transaction.on_commit(lambda: ring(asked.pk), robust=True)
    return asked


def why_not_apply(preview: PlayerImport) -> str:
    """The reason for which an import cannot be applied, or nothing."""
    if preview.kind != PlayerImport.Kind.PREVIEW:
        return "Only a dry run can be applied."
    if preview.state != PlayerImport.State.DONE:
        return "The dry run is not over."
    if preview.broken:
        return "The file could not be read to its end: bring in a whole one."
    if preview.applied.exclude(state=PlayerImport.State.FAILED).exists():
        return "This dry run has been applied."
    return ""


def stop(running: PlayerImport, by=None) -> None:
    """End an import that waits or runs. What it has written stays, and can be taken up by a new one."""
    _require(by)
    with transaction.atomic():
        stopped = PlayerImport.objects.filter(pk=running.pk, state__in=["queued", "running"]).update(
            state=PlayerImport.State.FAILED,
            token="",
            lease_until=None,
            finished_at=timezone.now(),
            message=f"Stopped{f' by {by}' if by else ''}.",
        )
        if stopped:
            _record("stopped", by, running)


def drop(done: PlayerImport, by=None) -> None:
    """Forget an import, and delete its uploaded file when no other needs it."""
    name, storage = done.file.name, done.file.storage
    with transaction.atomic():
        _record("dropped", by, done)
        done.delete()
        shared = PlayerImport.objects.filter(file=name).exists()
    if not shared and name.startswith("uploads/"):
        storage.delete(name)


def _require(by) -> None:
    if by is not None:
        access.require(by, IMPORT)


def _refuse_second(kind: str) -> None:
    open_ones = PlayerImport.objects.filter(kind=kind, state__in=["queued", "running"])
    if (other := open_ones.first()) is not None:
        raise Refusal(f"The {other} is at work: wait for its end or stop it.")


def _record(what: str, by, job: PlayerImport) -> None:
    """A dry run changes nothing and is no act."""
    if job.kind == PlayerImport.Kind.APPLY:
        counts = {name: getattr(job, name) for name in ("created", "changed", "unchanged", "faulty")}
        audit.record(f"import.{what}", by, job, job.file_name, sha256=job.sha256, **counts)


@receiver(ledger.closed, sender=PlayerImport)
def _closed(job: PlayerImport, **_) -> None:
    job.refresh_from_db(fields=["created", "changed", "unchanged", "faulty"])
    _record(job.state, None, job)


# --- the ledger -----------------------------------------------------------------------------------


def ring(pk: int) -> None:
    """Tell the workers of an import. Failure is no harm: the sweep rings again."""
    from players.tasks import run_import

    if run_import.apply_async((pk,)) is not None:
        PlayerImport.objects.filter(pk=pk).update(rung_at=timezone.now())


def sweep(now: datetime | None = None) -> list[int]:
    """Put back imports whose worker died, and ring for those that wait. Returns those rung."""
    return ledger.sweep(PlayerImport, lambda pk: ring(pk), now)


def tidy(now: float | None = None) -> int:
    """Remove uploads of a day ago or more that belong to no import, and what was being sent when a process
    died; returns how many files. ``now`` in seconds since 1970."""
    storage, before = PlayerImport._meta.get_field("file").storage, (now or time.time()) - KEPT_SECONDS
    kept = set(PlayerImport.objects.values_list("file", flat=True))
    lists = Path(storage.location)
    left = [path for path in lists.glob("uploads/*") if f"uploads/{path.name}" not in kept]
    left += Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*.upload*")
    removed = 0
    for path in left:
        with contextlib.suppress(FileNotFoundError):  # its process has removed it meanwhile
            if path.is_file() and path.stat().st_mtime < before:
                path.unlink()
                removed += 1
    return removed


def run(pk: int) -> bool:
    """Do an import, or a turn of it, if it is free (called by the worker)."""
    return ledger.run(PlayerImport, pk, _turn)


def _turn(held: Claim) -> None:
    if not take_turn(held):
        held.hand_back()
        ring(held.job.pk)
