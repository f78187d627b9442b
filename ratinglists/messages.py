"""What staff are told of periods and lists, in words. Each is written in the transaction that causes it."""

from __future__ import annotations

from collections import Counter
from datetime import date

from django.db.models import F
from django.db.models.functions import Abs
from django.urls import reverse

from players.models import OutboxMessage
from players.outbox import tell_staff
from ratinglists.computation import OUTCOMES
from ratinglists.models import Correction, Job, Period, RatingList
from tournaments.exact import signed

COMPUTE, PROPOSE, PUBLISH = (
    "ratinglists.compute_period",
    "ratinglists.propose_list",
    "ratinglists.publish_list",
)


def _page(period: Period) -> str:
    return reverse("admin:ratinglists_period_change", args=[period.pk])


def draft_computed(draft: RatingList, replaced: RatingList | None = None) -> OutboxMessage:
    """A draft is there, with its counts. The same list computed again is told once, unless the draft that
    it ``replaced`` was proposed: then somebody has to propose and approve it anew."""
    period = draft.period
    lost = replaced is not None and replaced.proposed_by is not None
    key = f"draft:{draft.pk}" if lost else f"draft:{period.pk}:{draft.sha256}"
    text = f"The draft of {period} is computed.\n\n{summary(draft)}"
    if draft.awaits_proof:
        text += "\n\nIt is proven next, from its reports; after that it can be proposed."
    if lost:
        again = f" and {replaced.approved_by} approved" if replaced.approved_by else ""
        text += (
            f"\n\nIt replaces the draft that {replaced.proposed_by} proposed{again}: this one has to be "
            "proposed and approved anew."
        )
    subject = f"{period}: draft computed" + (", approval is needed again" if lost else "")
    return tell_staff(key, PROPOSE, subject, text, _page(period))


def summary(draft: RatingList) -> str:
    """Events by outcome, players and the largest change of a draft, in two lines; of a list brought in
    from elsewhere its players."""
    if draft.is_opening:
        return f"Brought in from elsewhere. Players: {draft.rows.count()}."
    events = Counter(event["outcome"] for event in draft.report["events"])
    counts = ", ".join(f"{events[outcome]} {outcome}" for outcome in OUTCOMES)
    changed = draft.rows.exclude(change=None).annotate(size=Abs(F("change")))
    largest = changed.order_by("-size", "pk").first()
    told = f"{signed(largest.change)} ({largest.name})" if largest else "none"
    return f"Tournaments: {counts}.\nPlayers: {draft.rows.count()}. Largest change: {told}."


def waits_for_second(draft: RatingList) -> OutboxMessage:
    """A first person has proposed a draft; another is asked to look."""
    text = (
        f"{draft.proposed_by} proposes the draft of {draft.period} for publication. Another person has to "
        f"look at it and approve it.\n\n{summary(draft)}"
    )
    key = f"second:{draft.pk}:{draft.proposed_by_id}"
    return tell_staff(key, PUBLISH, f"{draft.period}: waits for a second person", text, _page(draft.period))


def correction_waits(correction: Correction, draft: RatingList, summary: str) -> OutboxMessage:
    """A first person has proposed a correction, of which ``draft`` is one list; another is asked to look."""
    text = (
        f"{draft.proposed_by} proposes {correction} for publication: {summary}. Another person has to "
        f"look at it and approve it.\n\nReason: {correction.reason}"
    )
    page = reverse("admin:ratinglists_correction_change", args=[correction.pk])
    key = f"second:{draft.pk}:{draft.proposed_by_id}"
    return tell_staff(key, PUBLISH, f"{correction}: waits for a second person", text, page)


def published(listed: RatingList) -> OutboxMessage:
    """A list appeared; every list does once."""
    page = reverse("list", args=[listed.period.system_id, listed.list_date])
    who = f"by {listed.published_by}" if listed.published_by else "by the portal, on its day"
    if listed.is_opening:
        who += ", brought in from elsewhere"
    return tell_staff(f"published:{listed.pk}", COMPUTE, f"{listed}: published", f"Published {who}.", page)


def job_failed(job: Job) -> OutboxMessage:
    """A job has failed for good: nobody tries it again by himself."""
    what = job.get_kind_display()
    text = f"“{what}” failed for {job.subject}: {job.message}"
    link = _page(job.period) if job.period else ""
    return tell_staff(f"failed:{job.pk}", COMPUTE, f"{job.subject}: “{what}” failed", text, link)


def not_published(period: Period, today: date, why: str) -> OutboxMessage:
    """A list does not appear on its day: told once a day, until it does."""
    text = f"The list of {period} should be in force since {period.list_date} and is not published.\n\n{why}"
    key = f"late:{period.pk}:{today}"
    return tell_staff(key, PUBLISH, f"{period}: not published", text, _page(period))


def no_regulation(system, after: date, today: date) -> OutboxMessage:
    """A system follows no regulation, so its next period cannot be opened: told once a day."""
    text = (
        f"The period of {system} that follows {after} cannot be opened: the system follows no regulation "
        "then. Add one to the system."
    )
    link = reverse("admin:tournaments_ratingsystem_change", args=[system.pk])
    return tell_staff(f"calendar:{system.pk}:{today}", COMPUTE, f"{system}: no regulation", text, link)
