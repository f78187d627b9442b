"""The proof of a draft that was computed by columns, a job of its own after the computation.

What the list depends on is read once more, event by event, and kept as its request, with the reports it
came from; from these alone the calculator computes the list in processes of its own. Only the same bytes
prove the draft: until then its ``input_sha256`` is empty, and it can be neither proposed nor published.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from players import crashpoints
from ratinglists import archive, bulk_inputs, jobs, recompute, request_by_events, snapshot, validation
from ratinglists.approving import STALE
from ratinglists.canonical import canonical_chunks
from ratinglists.computation import Progress, fingerprint, is_stale
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Period, RatingList
from ratinglists.publishing import CHANGED
from ratinglists.snapshot import Snapshot

READ_OTHERWISE = (
    "The register or the games have changed since the draft was computed: compute the period again. {}"
)


class Outdated(Refusal):
    """The draft was right when it was computed."""


#: so often at most a stage shows how far it is
SHOWN = 200


def prove(held: Claim) -> None:
    """Prove a period's draft. A worker that takes the job up again goes on from the snapshot, once that is
    kept."""
    period = Period.objects.select_related("system").get(pk=held.job.period_id)
    draft = _draft_of(period)
    if draft is None:
        raise Refusal(f"{period} has no draft: compute it first.")
    if not draft.awaits_proof:
        held.finish("The draft is proven already.")
        return
    try:
        _prove(held, draft)
    except Refusal as refusal:
        if _write(held, draft, _outdates if isinstance(refusal, Outdated) else _forgets):
            raise


def _prove(held: Claim, draft: RatingList) -> None:
    progress = _now_and_then(held.progress)
    if "kept" not in draft.report:
        kept = keep(draft, progress)
        if not _write(held, draft, _keeps, kept):
            return
    kept = Snapshot(**draft.report["kept"])
    crashpoints.here("prove: the snapshot is kept")
    check(draft, kept, progress)
    crashpoints.here("prove: the list is proven")
    _write(held, draft, _proves, kept)


def _write(held: Claim, draft: RatingList, does: Callable[..., None], kept: Snapshot | None = None) -> bool:
    """Write a step of the proof into the draft, unless it was computed again meanwhile: then another one
    is proven, and this job is over or waits."""
    with transaction.atomic():
        held.fence()
        locked = RatingList.objects.select_for_update().filter(pk=draft.pk, state=RatingList.State.DRAFT)
        found = locked.first()
        if found is None:
            _over(held)
            return False
        does(held, found, kept)
        draft.report = found.report
    return True


def _forgets(held: Claim, draft: RatingList, kept: None) -> None:
    """What the snapshot had wrong may be put right: the next proof reads anew."""
    draft.report.pop("kept", None)
    draft.save(update_fields=["report"])


def _outdates(held: Claim, draft: RatingList, kept: None) -> None:
    """No reports give this draft now: it is stale, and the calendar computes it again by itself."""
    draft.report["fingerprint"] = ""
    _forgets(held, draft, kept)


def _keeps(held: Claim, draft: RatingList, kept: Snapshot) -> None:
    draft.report["kept"] = {"request": kept.request, "sources": kept.sources}
    draft.save(update_fields=["report"])


def _proves(held: Claim, draft: RatingList, kept: Snapshot) -> None:
    del draft.report["kept"]
    draft.input_sha256, draft.report["sources"] = kept.request, kept.sources
    draft.save(update_fields=["input_sha256", "report"])
    held.finish("Proven: computed again from its reports, the draft is the same byte by byte.")
    crashpoints.here("prove: before the commit")


def _over(held: Claim) -> None:
    """The draft is gone. Who asks for a job holds its period: he saw this one open, or asks for another."""
    period = Period.objects.select_for_update(no_key=True).get(pk=held.job.period_id)
    draft = _draft_of(period)
    if draft is not None and draft.awaits_proof:
        held.hand_back("The draft was computed again.")
        transaction.on_commit(lambda: jobs.ring(held.job.pk), robust=True)
    else:
        held.finish("The draft was computed again: there is nothing to prove.")


def keep(draft: RatingList, progress: Progress) -> Snapshot:
    """Write the request and the sources of a draft into the archive. Raises Refusal if its period would be
    computed from other reports by now, or a report is not accounted for."""
    if is_stale(draft):
        raise Refusal(STALE)
    due = validation.due_reports(draft.period)
    with request_by_events.read(draft, progress) as (inputs, pieces):
        if draft.report["fingerprint"] != fingerprint(inputs.previous, inputs.candidates, inputs.persons):
            raise Refusal(STALE)
        validation.check_accounted(inputs, due)
        return snapshot.keep(inputs, progress, pieces)


def check(draft: RatingList, kept: Snapshot, progress: Progress) -> None:
    """Raise Refusal, naming what differs, unless the stored rows are the list that was computed, and the
    snapshot alone gives it too."""
    progress("reading the draft", 0, 1)
    if archive.store_packed(canonical_chunks(draft)).sha256 != draft.sha256:
        raise Refusal(CHANGED.format(draft))
    progress("reading the draft", 1, 1)
    try:
        recompute.verify(kept, draft.sha256, progress)
    except recompute.Different as different:
        if bulk_inputs.read(draft.period, progress).columns != draft.report["columns"]:
            raise Outdated(READ_OTHERWISE.format(different)) from different
        raise


def _draft_of(period: Period) -> RatingList | None:
    own = period.lists.filter(state=RatingList.State.DRAFT, correction__isnull=True)
    return own.select_related("period__system").first()


def _now_and_then(progress: Progress) -> Progress:
    """Not every one of ten thousand events needs a write of the job's row."""
    shown: dict[str, int] = {}

    def told(stage: str, done: int, total: int) -> None:
        part = done * SHOWN // total if total else 0
        if shown.get(stage) != part:
            shown[stage] = part
            progress(stage, done, total)

    return told
