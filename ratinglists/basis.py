"""What a correction was computed from, in one hash: another hash means that it must be computed again."""

from __future__ import annotations

import hashlib

from ratinglists.computation import canonical
from ratinglists.models import Correction, RatingList
from ratinglists.persons import mark
from ratinglists.queries import of_standing
from tournaments.models import RatingSystem, Report


def of(correction: Correction) -> str:
    """SHA-256 of the items with their reports, the reports and states of their events, the standing lists
    of the system and of its reference, and which records are one person."""
    items = []
    for item in correction.items.select_related("tournament", "report").order_by("pk"):
        told = [item.pk, item.kind, item.list_date, item.tournament_id, item.reason]
        if item.tournament is not None:
            reports = item.tournament.reports.exclude(state=Report.State.CORRECTION).order_by("pk")
            told += [item.tournament.state, [list(row) for row in reports.values_list("pk", "state")]]
        if item.report is not None:
            told += [item.report_id, item.report.state, item.report.sha256]
        items.append(told)
    system = correction.system
    lists = [_standing(system), _standing(system.reference) if system.reference_id else []]
    return hashlib.sha256(canonical([correction.reason, items, lists, mark()]).encode()).hexdigest()


def _standing(system: RatingSystem) -> list[int]:
    lists = of_standing(RatingList.objects.filter(period__system=system))
    return list(lists.order_by("pk").values_list("pk", flat=True))


def is_stale(correction: Correction, drafts: list[RatingList]) -> bool:
    """Would these drafts of the correction be computed otherwise by now, or were they never finished?"""
    now = of(correction)
    return any(draft.report["fingerprint"] != now for draft in drafts)
