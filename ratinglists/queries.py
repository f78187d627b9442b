"""Reads of lists: what is in force, what a player's record holds, what a computation starts from."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ratinglists import standpoint
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from ratinglists.persons import records, rows_by_person
from regulations.model import Totals
from tournaments.models import RatingSystem, Tournament
from tournaments.ratings import RatingFacts


def of_standing(rows: QuerySet, path: str = "") -> QuerySet:
    """Those of ``rows`` that belong, by ``path``, to a published list that no revision replaces."""
    prefix = f"{path}__" if path else ""
    newer = RatingList.objects.filter(
        period=OuterRef(f"{prefix}period"),
        state=RatingList.State.PUBLISHED,
        revision__gt=OuterRef(f"{prefix}revision"),
    )
    return rows.filter(~Exists(newer), **{f"{prefix}state": RatingList.State.PUBLISHED})


def published(system: RatingSystem):
    """A system's published lists, newest first, of each period the latest revision first; from a
    standpoint within the system, the lists known there, one a period."""
    point, lists = standpoint.current(), RatingList.objects.select_related("period__system").defer("report")
    if point is not None and point.system == system.pk:
        return lists.filter(pk__in=point.lists)
    return lists.filter(period__system=system, state=RatingList.State.PUBLISHED)


def lists_known_to(listed: RatingList) -> dict[date, int]:
    """The lists of the system before this one by date, each in the revision that stood when it was
    published; of a draft those that stand now, and the other drafts of its correction."""
    lists = RatingList.objects.filter(
        period__system=listed.period.system_id, period__list_date__lt=listed.period.list_date
    )
    state = Q(state=RatingList.State.PUBLISHED)
    if listed.publication_id is not None:
        state &= Q(publication__lte=listed.publication_id)
    elif listed.correction_id is not None:
        state |= Q(correction=listed.correction_id)
    return dict(lists.filter(state).order_by("revision").values_list("period__list_date", "pk"))


def list_in_force(system: RatingSystem, on: date) -> RatingList | None:
    """The list that holds on a day: the newest published one dated on or before it."""
    return published(system).filter(period__list_date__lte=on).first()


def latest_list(system: RatingSystem, before: date | None = None) -> RatingList | None:
    lists = published(system)
    return (lists.filter(period__list_date__lt=before) if before else lists).first()


def _rows(rating_list: RatingList | None, known: dict[int, int]) -> dict[int, ListRow]:
    """The rows of persons on a list, by player; ``known`` has every record of each."""
    if rating_list is None:
        return {}
    rows = ListRow.objects.filter(rating_list=rating_list, player_id__in=known).defer("steps")
    return rows_by_person(rows, known)


def totals_of(row: ListRow | None) -> Totals | None:
    """All finished games of a player with a provisional rating, as his list row keeps them."""
    if row is None or row.totals is None:
        return None
    return Totals(
        Fraction(row.totals["points"]),
        row.totals["games"],
        row.totals["rated_games"],
        Fraction(row.totals["rated_average"]),
    )


def lists_that_counted(tournament: Tournament) -> tuple[date, ...]:
    """The dates of the published lists that dealt with a tournament, oldest first."""
    events = of_standing(EventResult.objects.filter(tournament=tournament), "rating_list")
    return tuple(sorted(set(events.values_list("rating_list__period__list_date", flat=True))))


def facts_in_force(
    system: RatingSystem, player_ids: Iterable[int], on: date, before: date | None = None
) -> dict[int, RatingFacts]:
    """What the list in force on a day says of players (the lookup that ``tournaments`` asks for).

    A player unrated then and rated on a later published list comes with his present rating and
    ``rated_since_event`` (2004 10.4, 2022 7.24). ``before`` shows it as it was when the list of that
    date was computed: no list from then on is known.
    """
    ids = list(player_ids)
    own = records(ids)
    in_force, latest = list_in_force(system, on), latest_list(system, before)
    rows = _rows(in_force, own)
    newer = latest is not None and (in_force is None or latest.list_date > in_force.list_date)
    later = _rows(latest, own) if newer else {}
    standard = _rows(list_in_force(system.reference, on), own) if system.reference_id else {}
    earlier = PlayerResult.objects.filter(player_id__in=own, met_rated=True, event__tournament__start__lt=on)
    point = standpoint.current()
    if point is not None and point.system == system.pk:
        earlier = earlier.filter(event__rating_list__in=point.lists)
    else:
        standing = of_standing(RatingList.objects.filter(period__system=system))
        earlier = earlier.filter(event__rating_list__in=standing)
    if before is not None:  # an earlier event of the very list was known to it
        earlier = earlier.filter(event__rating_list__period__list_date__lte=before)
    known = {own[pk] for pk in earlier.values_list("player_id", flat=True)}
    facts = {}
    for pk in ids:
        row = rows.get(pk)
        rating = row.rating if row else None
        since = None
        if rating is None and (new := later.get(pk)) is not None and new.rating is not None:
            row, rating, since = new, new.rating, True
        facts[pk] = RatingFacts(
            rating=rating,
            career_games=row.career_games if row else None,
            reached_k10=row.reached_k10 if row and rating is not None else None,
            first_event=pk not in known,
            standard_rating=standard[pk].rating if pk in standard else None,
            rated_since_event=bool(since),
            list_date=in_force.list_date if in_force else None,
            highest_rating=row.highest_rating if row else None,
            provisional=row is not None and row.status == ListRow.Status.PROVISIONAL,
            totals=totals_of(row),
        )
    return facts


def closing_days_of(system: RatingSystem) -> dict[date, date]:
    """The closing day of each period without a published list, by the date of the list."""
    waiting = system.periods.exclude(lists__state=RatingList.State.PUBLISHED)
    return dict(waiting.order_by().values_list("list_date", "closes_on"))


def proposed_period(
    system: RatingSystem, list_date: date | None = None, *, after: date | None = None
) -> tuple[date | None, date | None]:
    """List date and closing date of a system's next period by its regulation; None where it follows none.

    The next after ``after``: if not given, after the latest period, or after today where there is
    none; ``list_date`` overrides it.
    """
    if list_date is None:
        if after is None:
            latest = system.periods.order_by("-list_date").first()
            after = latest.list_date if latest else timezone.localdate()
        regulation = system.regulation_on(after)
        if regulation is None:
            return None, None
        list_date = regulation.next_list_date(after)
    regulation = system.regulation_on(list_date)
    return list_date, regulation and regulation.closing_date(list_date)
