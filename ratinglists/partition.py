"""A large period shared out among workers by tournament.

Each share is a row of the ledger: a worker that dies loses its lease, and another does the share again. Its
result, the sums of each player's games by event, goes into the archive under its own hash, with a hash of
what it was computed from. The job of the period waits for its shares, then folds the sums into the list.
Sums are integers by event, so that the number of shares makes no difference.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players import crashpoints, ledger
from players.queries import aliases
from ratinglists import archive, bulk_inputs, jobs
from ratinglists.bulk_inputs import BulkInputs
from ratinglists.computation import candidates_of, previous_list
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Job, Period, Share
from regulations import bulk
from regulations.bulk import Cells, Parts
from regulations.columns import Sums
from tournaments.queries import bare_event

_COLUMNS = ("games", "halves", "ratings", "gain")


def is_ready(held: Claim) -> bool:
    """Have the workers rated the events of a job? If not it is handed back, to be rung when they have.

    True also where nothing is shared out.
    """
    if settings.PORTAL_SHARES <= 1:
        return True
    shares = list(held.job.shares.all())
    if not shares:
        with transaction.atomic():
            held.fence()
            shares = Share.objects.bulk_create(
                Share(job=held.job, number=number, of=settings.PORTAL_SHARES)
                for number in range(settings.PORTAL_SHARES)
            )
            held.hand_back("Its events are being rated.")
            for share in shares:
                transaction.on_commit(lambda pk=share.pk: ring(pk), robust=True)
        return False
    if failed := [share for share in shares if share.state == Share.State.FAILED]:
        raise Refusal("; ".join(f"{share}: {share.message}" for share in failed))
    if all(share.state == Share.State.DONE for share in shares):
        return True
    held.hand_back("Its events are being rated.")
    return False


def ring(share_id: int) -> None:
    """Tell the workers of a share; failure is no harm."""
    from ratinglists.tasks import run_share

    if run_share.apply_async((share_id,)) is not None:
        Share.objects.filter(pk=share_id).update(rung_at=timezone.now())


def run(share_id: int) -> bool:
    """Do a share if it is free."""
    return ledger.run(Share, share_id, rate)


def sweep(now: datetime | None = None) -> list[int]:
    """Put back shares whose worker died, and ring for those that nobody has heard of."""
    return ledger.sweep(Share, ring, now)


def rate(held: Claim) -> None:
    """Add up the games of a share's events."""
    share: Share = held.job
    period = Period.objects.select_related("system").get(pk=share.job.period_id)
    counted = [each.tournament for each in candidates_of(period) if each.outcome == "counted"]
    mine, previous, one_person = counted[share.number :: share.of], previous_list(period), aliases()
    listed = bulk_inputs.read_list(previous, one_person)
    held.progress("reading the games", 0, len(mine))
    parts, cells, _ = bulk_inputs.read_events(period, mine, previous, listed, one_person)
    events, texts = [bare_event(each) for each in mine], [each.regulation for each in mine]
    held.progress("rating events", 0, len(mine))
    sums = bulk.ordinary_sums(parts, events, texts, bulk.played(cells))
    stored = archive.store(_packed(_mark(parts, cells), sums))
    crashpoints.here("share: its sums are written")
    with transaction.atomic():
        held.fence()
        Share.objects.filter(pk=share.pk).update(result_sha256=stored.sha256)
        held.finish(f"{len(mine)} events.")
        transaction.on_commit(lambda: _ring_when_last(share.job_id), robust=True)


def _ring_when_last(job_id: int) -> None:
    if not Share.objects.filter(job=job_id).exclude(state=Share.State.DONE).exists():
        jobs.ring(job_id)


def sums_of(job: Job, inputs: BulkInputs) -> Sums | None:
    """The sums of all events, put together from a job's shares; None where nothing was shared out.

    Whatever was rated from other games or ratings than those of ``inputs`` is rated again here.
    """
    shares = list(job.shares.filter(state=Share.State.DONE))
    if not shares:
        return None
    given, found = inputs.given, Sums.of(len(inputs.given.parts.event))
    for share in shares:
        places, parts, cells = _cut(given, share.number, share.of)
        sums = _unpacked(_mark(parts, cells), _stored(share.result_sha256), len(places))
        if sums is None:
            numbers = range(share.number, len(given.events), share.of)
            events, texts = [given.events[n] for n in numbers], [given.regulations[n] for n in numbers]
            sums = bulk.ordinary_sums(parts, events, texts, bulk.played(cells))
        for name in _COLUMNS:
            getattr(found, name)[places] = getattr(sums, name)
    return found


def _cut(given: bulk.Period, number: int, of: int) -> tuple[np.ndarray, Parts, Cells]:
    """Where a share's parts are among all, and its parts and games as its worker sees them."""
    parts, cells = given.parts, given.cells
    mine = parts.event % of == number
    places = np.flatnonzero(mine)
    fields = {name: getattr(parts, name)[places] for name in Parts.__slots__}
    fields["event"] = fields["event"] // of
    here = mine[cells.white]
    new = np.cumsum(mine, dtype=np.int32) - 1
    black = cells.black[here]
    cut = Cells(
        new[cells.white[here]],
        np.where(black >= 0, new[black], -1),
        cells.round[here],
        cells.result[here],
        {},
    )
    return places, Parts(**fields), cut


def _mark(parts: Parts, cells: Cells) -> bytes:
    """A hash of all that the sums depend on."""
    found = hashlib.sha256()
    for column in (parts.event, parts.player, parts.rating, parts.since, parts.standard):
        found.update(column.astype("<i8").tobytes())
    for column in (cells.white, cells.black, cells.result):
        found.update(column.astype("<i8").tobytes())
    return found.digest()


def _stored(sha256: str) -> bytes:
    """A share's result; nothing where it cannot be read whole (lost, or on another machine)."""
    if not archive.is_whole(sha256):
        return b""
    with archive.open_file(sha256) as file:
        return file.read()


def _packed(mark: bytes, sums: Sums) -> list[bytes]:
    return [mark, *(getattr(sums, name).astype("<i4").tobytes() for name in _COLUMNS)]


def _unpacked(mark: bytes, told: bytes, size: int) -> Sums | None:
    """The sums, if they were computed from what ``mark`` stands for."""
    if told[: len(mark)] != mark or len(told) != len(mark) + 4 * size * len(_COLUMNS):
        return None
    columns = np.frombuffer(told, "<i4", offset=len(mark)).reshape(len(_COLUMNS), size)
    return Sums(*(column.astype(np.int32) for column in columns))
