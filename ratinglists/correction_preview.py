"""What a computed correction would change, for those who prepare and publish it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ratinglists import basis, cascade, revisions
from ratinglists.approving import lacking
from ratinglists.differences import Difference
from ratinglists.models import Correction, CorrectionItem, Job, ListRow, PlayerResult, RatingList
from ratinglists.persons import records
from ratinglists.queries import of_standing
from tournaments.models import RatingSystem, Report, Tournament

#: how many players of a list the preview shows; its own page and CSV show all
SHOWN = 50


@dataclass(frozen=True, slots=True)
class ListChange:
    """A list that gets a new revision: who stands otherwise on it, the largest change first."""

    old: RatingList
    draft: RatingList
    players: list[Difference]
    people: int
    largest: int


@dataclass(frozen=True, slots=True)
class Dependent:
    """A list of another system that used ratings which the correction changes."""

    listed: RatingList
    players: int


@dataclass(frozen=True, slots=True)
class Preview:
    summary: str
    lists: list[ListChange]
    dependents: list[Dependent]
    stale: bool
    proposed_by: object
    approved_by: object
    lacking: str


def of(correction: Correction) -> Preview | None:
    """The preview of a correction that is computed; None if there are no drafts."""
    drafts = cascade.drafts_of(correction)
    if not drafts:
        return None
    changes = [_change(draft) for draft in drafts]
    return Preview(
        cascade.summary(drafts),
        changes,
        dependents(correction.system, changes),
        basis.is_stale(correction, drafts),
        drafts[0].proposed_by,
        drafts[0].approved_by,
        lacking(drafts[0]),
    )


def _change(draft: RatingList) -> ListChange:
    old = cascade.revised(draft)
    found = revisions.changed(old, draft)
    largest = max((each.points or 0 for each in found), key=abs, default=0)
    return ListChange(old, draft, found[:SHOWN], len(found), largest)


def dependents(system: RatingSystem, changes: list[ListChange]) -> list[Dependent]:
    """The standing lists of systems that refer to this one in which somebody counted with a rating of a
    list that changes: who has no rating there plays with the one that he has here."""
    others = RatingSystem.objects.filter(reference=system)
    if not others:
        return []
    days = sorted(
        of_standing(RatingList.objects.filter(period__system=system)).values_list(
            "period__list_date", flat=True
        )
    )
    found: dict[int, set[int]] = {}
    for each in changes:
        begin = each.draft.period.list_date
        end = next((day for day in days if day > begin), date.max)
        people = records(_otherwise(each))
        results = PlayerResult.objects.filter(
            player__in=people,
            rating__isnull=True,
            event__rating_list__period__system__in=others,
            event__tournament__start__gte=begin,
            event__tournament__start__lt=end,
        )
        results = of_standing(results, "event__rating_list").order_by()
        for listed, player in results.values_list("event__rating_list", "player"):
            found.setdefault(listed, set()).add(people[player])
    lists = RatingList.objects.filter(pk__in=found).select_related("period__system")
    lists = lists.order_by("period__system__name", "period__list_date")
    return [Dependent(listed, len(found[listed.pk])) for listed in lists]


def _otherwise(change: ListChange) -> set[int]:
    """Whose rating changes on a list."""
    new = ListRow.objects.filter(rating_list=change.draft).order_by().values_list("player_id", "rating")
    old = dict(ListRow.objects.filter(rating_list=change.old).order_by().values_list("player_id", "rating"))
    return {player for player, rating in new.iterator(chunk_size=2000) if old.get(player) != rating}


def items_of(correction: Correction) -> list[CorrectionItem]:
    items = correction.items.select_related("tournament", "report", "correction")
    return list(items.defer("report__content"))


def reports_waiting(system: RatingSystem) -> list[Report]:
    """Corrected reports of the system's events that no correction has taken up."""
    reports = Report.objects.filter(tournament__rating_system=system, state=Report.State.CORRECTION)
    taken = CorrectionItem.objects.exclude(correction__state=Correction.State.DROPPED)
    reports = reports.exclude(correction_items__in=taken)
    return list(reports.select_related("tournament", "submitted_by").defer("content"))


def late_events(correction: Correction) -> list[tuple[Tournament, list[date]]]:
    """Accepted events that were over before a published list, each with the lists that it missed; not
    those that the correction has already."""
    events = correction.system.tournaments.filter(state=Tournament.State.ACCEPTED)
    events = events.exclude(correction_items__correction=correction).order_by("start", "pk")
    found = [(event, missed(event)) for event in events]
    return [(event, days) for event, days in found if days]


def is_counted(tournament: Tournament) -> bool:
    """Does a standing list rate the event?"""
    return of_standing(tournament.results.filter(rated=True), "rating_list").exists()


def missed(tournament: Tournament) -> list[date]:
    """The lists that closed after the event, oldest first, if none of them counts it and one could."""
    accepted = tournament.state == Tournament.State.ACCEPTED
    if not accepted and (tournament.state != Tournament.State.COUNTED or is_counted(tournament)):
        return []
    lists = of_standing(RatingList.objects.filter(period__system=tournament.rating_system, is_opening=False))
    regulation = tournament.regulation
    over = {"period__list_date__gt": tournament.start}
    if regulation is None or not regulation.counts_finished_games:
        over["period__closes_on__gte"] = tournament.end
    days = lists.filter(**over).order_by("period__list_date")
    return list(days.values_list("period__list_date", flat=True))


def lists_for(system: RatingSystem) -> list[date]:
    """The dates of the lists that can be corrected, newest first."""
    lists = of_standing(RatingList.objects.filter(period__system=system, is_opening=False))
    return list(lists.order_by("-period__list_date").values_list("period__list_date", flat=True))


def job_of(correction: Correction) -> Job | None:
    return correction.jobs.first()
