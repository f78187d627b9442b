"""Corrections of published lists: opened, filled with items, computed, proposed and approved, or dropped.

What an item can be, and from which list on it counts, is decided here; nothing public changes before
``correction_publishing`` publishes the whole.
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players import audit
from ratinglists import basis, cascade, jobs, messages
from ratinglists.approving import PROPOSE, PUBLISH, require
from ratinglists.models import Correction, CorrectionItem, EventResult, Job, RatingList
from ratinglists.queries import of_standing
from tournaments.models import RatingSystem, Report, Tournament
from tournaments.transitions import NotAllowedNow, said

Kind = CorrectionItem.Kind
CORRECT = "ratinglists.correct_list"


def open_of(system: RatingSystem) -> Correction | None:
    """The correction of a system that is being prepared."""
    return system.corrections.filter(state=Correction.State.OPEN).first()


@transaction.atomic
def open_correction(system: RatingSystem, by, reason: str, remark: str = "") -> Correction:
    """Begin a correction of a system's lists; ``reason`` will stand on them. Raises NotAllowedNow."""
    require(by, CORRECT)
    reason = said(reason, "Say why the lists are corrected: it will stand on them.")
    system = RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
    if (other := open_of(system)) is not None:
        raise NotAllowedNow(f"{other} is being prepared: add to it, publish it or drop it first.")
    if not _lists(system).exists():
        raise NotAllowedNow(f"{system} has no computed list that could be corrected.")
    correction = Correction.objects.create(system=system, reason=reason, remark=remark.strip(), opened_by=by)
    audit.record("correction.opened", by, correction, reason)
    return correction


@transaction.atomic
def for_event(tournament: Tournament, by, reason: str) -> Correction:
    """The open correction of an event's system, or a new one. Raises NotAllowedNow."""
    require(by, CORRECT)
    system = RatingSystem.objects.select_for_update(no_key=True).get(pk=tournament.rating_system_id)
    return open_of(system) or open_correction(system, by, reason)


@transaction.atomic
def add_report(correction: Correction, report: Report, by, reason: str = "") -> CorrectionItem:
    """Let a counted event count by this corrected report. Raises NotAllowedNow."""
    held, event = _held(correction, by), report.tournament
    if report.state != Report.State.CORRECTION:
        raise NotAllowedNow(f"{report.filename} is {report.get_state_display()}: it corrects nothing.")
    waiting = (Tournament.State.REPORTED, Tournament.State.RETURNED, Tournament.State.ACCEPTED)
    if event.state in waiting:
        raise NotAllowedNow(f"A report of {event} still waits for a list: correct it after that.")
    return _add(held, Kind.REPORT, event, by, reason, _counted_in(held, event), report)


@transaction.atomic
def include(
    correction: Correction, tournament: Tournament, list_date: date, by, reason: str = ""
) -> CorrectionItem:
    """Let an event count in the list of a date that it missed, or that refused it. Raises NotAllowedNow."""
    held = _held(correction, by)
    listed = _lists(held.system).filter(period__list_date=list_date).select_related("period").first()
    if listed is None:
        raise NotAllowedNow(f"{held.system} has published no computed list of {list_date}.")
    regulation = tournament.regulation
    goes_on = regulation is not None and regulation.counts_finished_games
    if regulation is None:
        raise NotAllowedNow(f"{held.system} follows no regulation on {tournament.start}.")
    if tournament.start >= list_date or (tournament.end > listed.period.closes_on and not goes_on):
        raise NotAllowedNow(
            f"{tournament} was over on {tournament.end}; the period of the list of {list_date} closed on "
            f"{listed.period.closes_on}. Choose a later list."
        )
    dealt_with = of_standing(EventResult.objects.filter(tournament=tournament), "rating_list")
    if dealt_with.filter(rated=True).exists() and not goes_on:
        raise NotAllowedNow(f"A list has counted {tournament} already.")
    refused = tournament.state == Tournament.State.COUNTED and dealt_with.exists()
    if tournament.state != Tournament.State.ACCEPTED and not refused:
        raise NotAllowedNow(
            f"{tournament} is {tournament.get_state_display()}: its report has to be accepted before."
        )
    earliest = dealt_with.order_by("rating_list__period__list_date").first() if refused else None
    if earliest is not None and earliest.rating_list.list_date < list_date:
        raise NotAllowedNow(f"The list of {earliest.rating_list.list_date} refused it: include it there.")
    return _add(held, Kind.INCLUDE, tournament, by, reason, list_date)


@transaction.atomic
def exclude(correction: Correction, tournament: Tournament, by, reason: str = "") -> CorrectionItem:
    """Take an event out of the lists that counted it. Raises NotAllowedNow."""
    held = _held(correction, by)
    return _add(held, Kind.EXCLUDE, tournament, by, reason, _counted_in(held, tournament))


@transaction.atomic
def recount_persons(correction: Correction, list_date: date, by, reason: str = "") -> CorrectionItem:
    """Have the lists from this date on count for the persons as the register knows them now, and by the
    ratings that the reference system's lists give now. Raises NotAllowedNow."""
    held = _held(correction, by)
    if not _lists(held.system).filter(period__list_date=list_date).exists():
        raise NotAllowedNow(f"{held.system} has published no computed list of {list_date}.")
    if held.items.filter(kind=Kind.PERSONS).exists():
        raise NotAllowedNow("The persons are looked at anew already: remove that item for another date.")
    return _add(held, Kind.PERSONS, None, by, reason, list_date)


@transaction.atomic
def remove_item(item: CorrectionItem, by) -> None:
    """Take an item out of a correction that is being prepared. Raises NotAllowedNow."""
    held = _held(item.correction, by)
    audit.record("correction.item-removed", by, held, str(item))
    held.items.filter(pk=item.pk).delete()


@transaction.atomic
def drop(correction: Correction, by, reason: str = "") -> None:
    """Give a correction up: its drafts go, its items and the reports stay on record. Raises NotAllowedNow."""
    held = _held(correction, by)
    running = held.jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if running.filter(kind=Job.Kind.PUBLISH_CORRECTION).exists():
        raise NotAllowedNow("It is being published: wait for the outcome.")
    cascade.clear(held)
    held.state, held.closed_at = Correction.State.DROPPED, timezone.now()
    held.save(update_fields=["state", "closed_at"])
    audit.record("correction.dropped", by, held, reason.strip())


# --- jobs, and two persons ------------------------------------------------------------------------


def request_correct(correction: Correction, by=None) -> Job:
    """Have a correction computed (again) in the background."""
    require(by, CORRECT)
    return jobs.request(Job.Kind.CORRECT, correction, by)[0]


def request_publish(correction: Correction, by=None) -> Job:
    """Have a correction published in the background."""
    require(by, PUBLISH)
    return jobs.request(Job.Kind.PUBLISH_CORRECTION, correction, by)[0]


@transaction.atomic
def propose(correction: Correction, by) -> None:
    """The first person of two: he has looked at the preview and proposes the whole for publication."""
    require(by, PROPOSE)
    held, drafts = _computed(correction)
    for draft in drafts:
        draft.proposed_by, draft.proposed_at = by, timezone.now()
        draft.approved_by = draft.approved_at = None
        draft.save(update_fields=["proposed_by", "proposed_at", "approved_by", "approved_at"])
    summary = cascade.summary(drafts)
    audit.record("correction.proposed", by, held, summary, lists=[d.sha256 for d in drafts])
    if not settings.PORTAL_ONE_PERSON:
        messages.correction_waits(held, drafts[0], summary)


@transaction.atomic
def approve(correction: Correction, by) -> None:
    """The second person: somebody else agrees that a proposed correction is published."""
    require(by, PUBLISH)
    held, drafts = _computed(correction)
    if any(draft.proposed_by_id is None for draft in drafts):
        raise NotAllowedNow("Nobody has proposed this correction yet.")
    if any(draft.proposed_by_id == by.pk for draft in drafts):
        raise NotAllowedNow("You proposed this correction: another person has to approve it.")
    for draft in drafts:
        draft.approved_by, draft.approved_at = by, timezone.now()
        draft.save(update_fields=["approved_by", "approved_at"])
    audit.record("correction.approved", by, held, lists=[d.sha256 for d in drafts])


def may_publish(correction: Correction, drafts: list[RatingList]) -> None:
    """Raises NotAllowedNow with the reason for which a correction cannot be published as it stands."""
    if correction.state != Correction.State.OPEN:
        raise NotAllowedNow(f"{correction} is {correction.get_state_display()}.")
    if not drafts:
        raise NotAllowedNow("The correction has no drafts: compute it; it may also be that no list changes.")
    if basis.is_stale(correction, drafts):
        raise NotAllowedNow(
            "Items, reports, lists or persons changed since the correction was computed. Compute it again."
        )
    if not all(draft.has_two_persons for draft in drafts) and not settings.PORTAL_ONE_PERSON:
        raise NotAllowedNow("One person proposes a correction and another approves it: still to be done.")


def _computed(correction: Correction) -> tuple[Correction, list[RatingList]]:
    """An open correction and its drafts, locked; raises NotAllowedNow if they do not hold any more."""
    held = cascade.locked(correction)
    drafts = cascade.drafts_of(held)
    if held.state != Correction.State.OPEN or not drafts:
        raise NotAllowedNow("Compute the correction first.")
    if basis.is_stale(held, drafts):
        raise NotAllowedNow("Something changed since the correction was computed. Compute it again.")
    return held, drafts


# --- items ------------------------------------------------------------------------------------------


def _held(correction: Correction, by) -> Correction:
    require(by, CORRECT)
    held = cascade.locked(correction)
    if held.state != Correction.State.OPEN:
        raise NotAllowedNow(f"{held} is {held.get_state_display()} and does not change.")
    return held


def _lists(system: RatingSystem):
    """The standing lists of a system that were computed here."""
    return of_standing(RatingList.objects.filter(period__system=system, is_opening=False))


def _counted_in(correction: Correction, tournament: Tournament) -> date:
    """The date of the first standing list that counts the event. Raises NotAllowedNow."""
    lists = _lists(correction.system).filter(events__tournament=tournament, events__part=1)
    for listed in lists.select_related("period").order_by("period__list_date"):
        told = {event["tournament"]: event["outcome"] for event in listed.report["events"]}
        if told.get(tournament.pk) == "counted":
            return listed.list_date
    raise NotAllowedNow(f"No published list counts {tournament}.")


def _add(
    held: Correction,
    kind: str,
    tournament: Tournament | None,
    by,
    reason: str,
    list_date: date,
    report: Report | None = None,
) -> CorrectionItem:
    if tournament is not None:
        if tournament.rating_system_id != held.system_id:
            raise NotAllowedNow(f"{tournament} is an event of {tournament.rating_system}, not {held.system}.")
        if (other := held.items.filter(tournament=tournament).first()) is not None:
            raise NotAllowedNow(f"This correction has {tournament} already ({other}): remove that first.")
    item = CorrectionItem.objects.create(
        correction=held,
        kind=kind,
        tournament=tournament,
        report=report,
        list_date=list_date,
        reason=reason.strip(),
    )
    audit.record("correction.item-added", by, held, str(item), kind=kind, list_date=str(list_date))
    return item
