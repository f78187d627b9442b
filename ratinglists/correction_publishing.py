"""The job that publishes a correction: files first, then everything in one transaction."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from players import audit, crashpoints
from ratinglists import cascade
from ratinglists.corrections import may_publish
from ratinglists.jobs import Claim, Refusal
from ratinglists.models import Correction, CorrectionItem, RatingList
from ratinglists.publishing import flip, write_files
from tournaments.correcting import note, put_in_place
from tournaments.models import RatingSystem, Tournament
from tournaments.reporting import mark_counted
from tournaments.transitions import NotAllowedNow

Kind = CorrectionItem.Kind


def publish_correction(held: Claim) -> None:
    """Publish every draft of a correction as the next revision of its list, and let its reports stand."""
    correction = Correction.objects.select_related("system").get(pk=held.job.correction_id)
    drafts = cascade.drafts_of(correction)
    try:
        may_publish(correction, drafts)
        files = write_files(drafts, held.progress)
        with transaction.atomic():
            _publish(held, correction, drafts, files)
    except NotAllowedNow as error:
        raise Refusal(str(error)) from error


def _publish(held: Claim, correction: Correction, drafts: list[RatingList], files) -> None:
    # The lists before anything else: the triggers of their rows wait for these locks.
    keys = [draft.pk for draft in drafts]
    correction = cascade.locked(correction)
    held.fence()
    items = list(correction.items.order_by("tournament_id", "pk"))
    events = [item.tournament_id for item in items if item.tournament_id]
    list(Tournament.objects.select_for_update().filter(pk__in=events).order_by("pk").values_list("pk"))
    # No other list of the system comes out between this look and the commit.
    RatingSystem.objects.select_for_update(no_key=True).get(pk=correction.system_id)
    drafts = cascade.drafts_of(correction)
    if [draft.pk for draft in drafts] != keys:
        raise Refusal("The correction was computed again meanwhile. Publish the new drafts.")
    may_publish(correction, drafts)
    for item in items:
        _apply(item, held.job.requested_by)
    crashpoints.here("publish-correction: the reports are in place")
    told = cascade.summary(drafts)
    made = flip(drafts, files, held.job.requested_by, correction.reason)
    correction.state, correction.closed_at = Correction.State.PUBLISHED, made.published_at
    correction.save(update_fields=["state", "closed_at"])
    audit.record("correction.published", held.job.requested_by, correction, told, reason=correction.reason)
    crashpoints.here("publish-correction: before the commit")
    held.finish(f"Published: {told}.")


def _apply(item: CorrectionItem, by) -> None:
    """What the item means for the event itself, which the next lists read."""
    if item.kind == Kind.REPORT:
        put_in_place(item.report, by, item.list_date)
    elif item.kind == Kind.INCLUDE:
        _include(item, by)
    elif item.kind == Kind.EXCLUDE:
        note(item.tournament, by, item.list_date, "then taken out by a correction")


def _include(item: CorrectionItem, by) -> None:
    event = item.tournament
    if event.state == Tournament.State.ACCEPTED:
        # What came later than the list counts as if it had come on the last day before it.
        late = event.games.filter(counted_on__isnull=True, finished_on__gte=item.list_date)
        late.update(finished_on=item.list_date - timedelta(days=1))
        mark_counted([event.pk], item.list_date)
        event.refresh_from_db()
    note(event, by, item.list_date, "by a correction")
