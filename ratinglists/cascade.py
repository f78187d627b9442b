"""The job that computes a correction: every list from the first concerned to the latest, in drafts."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.urls import reverse

from players import audit, crashpoints, outbox
from ratinglists import basis
from ratinglists.again import Again
from ratinglists.changes import between
from ratinglists.computation import Inputs, Progress, compute
from ratinglists.correction_changes import Changes
from ratinglists.drafts import write_draft
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Correction, RatingList
from ratinglists.pipeline import proven
from ratinglists.queries import of_standing
from ratinglists.sameness import same
from ratinglists.validation import read_back
from regulations.lists import digest
from tournaments.exact import signed
from tournaments.transitions import NotAllowedNow


def compute_correction(held: Claim) -> None:
    """Compute a correction's drafts. They are whole, and can be proposed, only when the last is written."""
    correction = Correction.objects.select_related("system").get(pk=held.job.correction_id)
    refuse_closed(correction)
    made_from = basis.of(correction)  # before all reads: what changes meanwhile makes the drafts stale
    items = list(correction.items.select_related("correction", "report__tournament__rating_system"))
    if not items:
        raise Refusal("The correction holds nothing yet: add what is to be corrected.")
    try:
        changes = Changes.of(items)
    except NotAllowedNow as error:
        raise Refusal(str(error)) from error
    with transaction.atomic():
        held.fence()
        locked(correction)
        refuse_closed(correction)
        clear(correction)
    lists = list(
        of_standing(RatingList.objects.filter(period__system=correction.system))
        .select_related("period__system")
        .order_by("period__list_date")
    )
    try:
        _compute(held, correction, lists, changes)
    except Refusal:
        with transaction.atomic():
            held.fence()
            locked(correction)
            clear(correction)
        raise
    with transaction.atomic():
        held.fence()
        locked(correction)
        refuse_closed(correction)
        drafts = drafts_of(correction)
        for draft in drafts:
            draft.report["fingerprint"] = made_from
            draft.save(update_fields=["report"])
        told = summary(drafts)
        outbox.tell_staff(
            f"correction-computed:{correction.pk}:{made_from}",
            "ratinglists.propose_list",
            f"{correction} is computed",
            f"{told}. Look at the preview; then one person proposes it, and another approves it.",
            reverse("admin:ratinglists_correction_change", args=[correction.pk]),
        )
        audit.record("correction.computed", held.job.requested_by, correction, told, basis=made_from)
        crashpoints.here("correct: before the commit")
        held.finish(told)


def _compute(held: Claim, correction: Correction, lists: list[RatingList], changes: Changes) -> None:
    """Write the drafts, one after the other: each list goes on from the one before it."""
    known = [listed.pk for listed in lists if listed.list_date < changes.first]
    concerned = lists[len(known) :]
    for number, listed in enumerate(concerned, start=1):
        draft = _again(held, correction, Again(listed, known, changes), f"{number} of {len(concerned)}: ")
        known.append(listed.pk if draft is None else draft.pk)


def _again(held: Claim, correction: Correction, again: Again, where: str) -> RatingList | None:
    """The draft of a list's next revision; None if nothing of it changes."""

    def progress(stage: str, done: int, total: int) -> None:
        held.progress(f"{where}{stage}"[:80], done, total)

    listed = again.listed
    if listed.is_opening:
        raise Refusal(f"{listed} was brought in, not computed: it cannot be corrected.")
    inputs = again.inputs(progress)
    if not again.touched and _stands(listed, inputs, progress):
        return None
    result = proven(inputs, again.due(), progress)
    progress("writing the draft", 0, len(result.players))
    with transaction.atomic():
        held.fence()
        draft = write_draft(inputs, result, listed, correction)
        if not again.touched and same(draft, listed):
            draft.delete()
            return None
        read_back(draft, result)
        draft.report["changed"] = _figures(listed, draft, progress)
        draft.save(update_fields=["report"])
        crashpoints.here("correct: a draft is written")
        return draft


def _stands(listed: RatingList, inputs: Inputs, progress: Progress) -> bool:
    """Does a list come out of the same input with the same bytes? They were proven when it was computed."""
    if inputs.sha256 != listed.input_sha256:
        return False
    return listed.sha256 == digest(inputs.regulation, inputs.given, compute(inputs, progress))


def _figures(listed: RatingList, draft: RatingList, progress: Progress) -> dict:
    """How many stand otherwise on the draft, and the largest change of a rating (the first of its size)."""
    progress("comparing with the list before", 0, 1)
    players, largest = 0, 0
    for each in between(listed, draft):
        players += 1
        largest = max(largest, each.points or 0, key=abs)
    return {"players": players, "largest": largest}


def refuse_closed(correction: Correction) -> None:
    """Raises Refusal if the correction is not being prepared any more."""
    correction.refresh_from_db(fields=["state"])
    if correction.state != Correction.State.OPEN:
        raise Refusal(f"{correction} is {correction.get_state_display()} and does not change.")


def locked(correction: Correction) -> Correction:
    """The correction, locked together with its drafts: these first, as a publication does, so that no two
    wait for each other."""
    drafts = RatingList.objects.select_for_update().filter(
        correction=correction, state=RatingList.State.DRAFT
    )
    list(drafts.order_by("pk").values_list("pk"))
    return Correction.objects.select_for_update().get(pk=correction.pk)


def drafts_of(correction: Correction) -> list[RatingList]:
    """The drafts of a correction, the earliest list first."""
    drafts = correction.lists.filter(state=RatingList.State.DRAFT).select_related("period__system")
    return list(drafts.order_by("period__list_date"))


def clear(correction: Correction) -> None:
    """Delete the drafts of a correction, the latest first, since each names the one before it."""
    for draft in reversed(drafts_of(correction)):
        draft.delete()


def summary(drafts: Iterable[RatingList]) -> str:
    """What the drafts change, in a line such as "37 players, 4 lists, largest −11"."""
    drafts = list(drafts)
    if not drafts:
        return "No list changes."
    people: set[int] = set()
    for draft in drafts:
        people |= {each.row.person for each in between(revised(draft), draft)}
    largest = max((draft.report["changed"]["largest"] for draft in drafts), key=abs)
    told = signed(largest)
    return f"{_number(len(people), 'player')}, {_number(len(drafts), 'list')}, largest {told}"


def revised(draft: RatingList) -> RatingList:
    """The list that a draft of a correction would replace."""
    lists = draft.period.lists.filter(state=RatingList.State.PUBLISHED, revision__lt=draft.revision)
    return lists.order_by("-revision").first()


def _number(many: int, what: str) -> str:
    return f"{many} {what}{'' if many == 1 else 's'}"
