"""Live ratings: what the reports accepted so far would make of their players, by the real computation.

Unofficial, and nothing counts with them. The next list is computed with the accepted events that it would
count, from it the list after with those that come later, and so on, for the players of these events only:
a player's row depends on nobody whom he has not met in one of them. A row stands while its base is the
newest list; publishing another makes it disappear at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Abs
from django.utils import timezone

from players import crashpoints
from players.models import IdentityChange, Player
from ratinglists import jobs
from ratinglists.computation import (
    BATCH,
    Progress,
    _rate,
    candidates_of,
    players_of,
    reference_of,
    regulation_of,
    samples_of,
)
from ratinglists.jobs import Claim
from ratinglists.listing import by_text
from ratinglists.models import Job, ListRow, LiveRating, Period, RatingList
from ratinglists.persons import mark
from ratinglists.queries import facts_in_force, latest_list, proposed_period
from regulations import model as rules
from regulations.lists import met_rated
from tournaments.exact import to_decimal
from tournaments.models import Entry, RatingSystem, Report, Tournament
from tournaments.ratings import RatingFacts, looked_up_by

#: more lists than any text lets pass between the end of an event and its list
MOST_LISTS = 60


def accepted(system: RatingSystem):
    """The accepted reports of a system that no list has counted yet."""
    return Report.objects.filter(
        tournament__rating_system=system,
        tournament__state=Tournament.State.ACCEPTED,
        state=Report.State.ACCEPTED,
    )


def ask(system: RatingSystem) -> Job | None:
    """Have a system's live ratings computed again, inside the transaction that gives reason for it; None
    where there are none and nothing to make any of. One job waits, however often this is called."""
    if not (accepted(system).exists() or LiveRating.objects.filter(system=system).exists()):
        return None
    return jobs.request(Job.Kind.LIVE, system)[0]


def is_pending(system: RatingSystem) -> bool:
    """Has a job that computes them been asked for and not ended yet?"""
    return Job.objects.filter(
        kind=Job.Kind.LIVE, system=system, state__in=[Job.State.QUEUED, Job.State.RUNNING]
    ).exists()


def compute_live(held: Claim) -> None:
    """The job: compute a system's live ratings and replace the old ones in one transaction, then close it.

    What is accepted, returned, merged or published meanwhile sends it back into the queue: whoever did
    that found this job standing and asked for no other.
    """
    system = RatingSystem.objects.get(pk=held.job.system_id)
    seen = _mark(system)
    rows = list(live_ratings(system, held.progress))
    crashpoints.here("live: computed")
    with transaction.atomic():
        held.fence()
        LiveRating.objects.filter(system=system).delete()
        LiveRating.objects.bulk_create(rows, batch_size=BATCH)
        crashpoints.here("live: before the commit")
    # Apart, since the rows above wait for players whom somebody may hold who waits for the system.
    with transaction.atomic():
        # The lock that jobs.request takes: either its cause is seen below, or it finds this job done.
        RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
        held.fence()
        if _mark(system) == seen:
            held.finish(f"{len(rows)} players.")
        else:
            held.hand_back("Reports, players or lists changed meanwhile; computed again.")
            transaction.on_commit(lambda: jobs.ring(held.job.pk), robust=True)


def sweep() -> None:
    """Ask for those that are older than the last merge or split: who did it died before asking."""
    found = IdentityChange.objects.aggregate(done=Max("at"), undone=Max("undone_at"))
    if times := [each for each in found.values() if each is not None]:
        for system in RatingSystem.objects.filter(live_ratings__computed_at__lt=max(times)).distinct():
            ask(system)


def _mark(system: RatingSystem) -> tuple:
    """Changes with everything that asks for live ratings."""
    latest = latest_list(system)
    return (latest and latest.pk, mark(), *accepted(system).order_by("pk").values_list("pk", flat=True))


# --- looking ahead -----------------------------------------------------------------------------------


def periods_ahead(system: RatingSystem) -> Iterator[Period]:
    """The periods after the newest list: those opened, then, not saved, those of the calendar."""
    latest = latest_list(system)
    after = latest.list_date if latest else None
    opened = system.periods.exclude(lists__state=RatingList.State.PUBLISHED).order_by("list_date")
    for period in opened.filter(list_date__gt=after) if after else opened:
        yield period
        after = period.list_date
    while after is not None:
        after, closes = proposed_period(system, after=after)
        if after is not None:
            yield Period(system=system, list_date=after, closes_on=closes)


@dataclass(slots=True)
class Ahead:
    """A list as far as the players of accepted events are concerned: the newest published, or one to come.

    ``players`` are as the next list will read them; ``met`` has the start of each one's earliest event
    (of those looked at) against somebody rated, ``played`` those of this list's events.
    """

    list_date: date | None
    players: dict[int, rules.ListPlayer]
    samples: tuple[rules.Sample, ...]
    met: dict[int, date] = field(default_factory=dict)
    rows: dict[int, rules.ListRow] = field(default_factory=dict)
    played: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Lookahead:
    """The lists to come that are computed so far, and the ratings as they will be under them."""

    system: RatingSystem
    lists: list[Ahead] = field(default_factory=list)

    def facts(self, system, player_ids, on: date, before: date | None = None) -> dict[int, RatingFacts]:
        """As ``queries.facts_in_force`` will answer when these lists are published."""
        facts = facts_in_force(system, player_ids, on, before)
        if system.pk != self.system.pk or not self.lists:
            return facts
        in_force = next((each for each in reversed(self.lists) if each.list_date <= on), None)
        return {pk: _seen_from(pk, fact, in_force, self.lists[-1], on) for pk, fact in facts.items()}


def _seen_from(pk: int, fact: RatingFacts, in_force: Ahead | None, newest: Ahead, on: date) -> RatingFacts:
    if pk in newest.met and newest.met[pk] < on:
        fact = replace(fact, first_event=False)
    if in_force is not None:
        fact = replace(fact, list_date=in_force.list_date)
        if pk in in_force.players:
            fact = _as_listed(fact, in_force.players[pk], since=False)
    unrated = fact.rating is None or fact.rated_since_event
    if unrated and newest is not in_force and pk in newest.players and newest.players[pk].rating is not None:
        fact = _as_listed(fact, newest.players[pk], since=True)
    return fact


def _as_listed(fact: RatingFacts, player: rules.ListPlayer, since: bool) -> RatingFacts:
    return replace(
        fact,
        rating=player.rating,
        career_games=player.career_games,
        reached_k10=player.reached_k10 if player.rating is not None else None,
        rated_since_event=since,
        highest_rating=player.highest_rating,
        provisional=player.provisional,
        totals=player.totals,
    )


def lists_ahead(system: RatingSystem, progress: Progress) -> Iterator[Ahead]:
    """The newest published list, then those to come until every accepted event is counted (or comes too
    late for all of them)."""
    waiting = set(accepted(system).values_list("tournament", flat=True))
    people = sorted(set(Entry.objects.filter(tournament__in=waiting).values_list("player", flat=True)))
    newest, known = _published(latest_list(system), people), Lookahead(system)
    yield newest
    for period in islice(periods_ahead(system), MOST_LISTS if waiting else 0):
        candidates = [c for c in candidates_of(period) if c.tournament.pk in waiting]
        counted = [c.tournament for c in candidates if c.outcome == "counted"]
        waiting -= {c.tournament.pk for c in candidates if c.outcome != "deferred"}
        with looked_up_by(known.facts):
            parts = _rate(counted, period.list_date - timedelta(days=1), progress)
        newest = _next(period, newest, parts)
        known.lists.append(newest)
        yield newest
        if not waiting:
            return


def _published(latest: RatingList | None, people: list[int]) -> Ahead:
    """The newest published list's part of these players, who may be many: SQLite bounds a query."""
    players: dict[int, rules.ListPlayer] = {}
    samples: list[rules.Sample] = []
    for begin in range(0, len(people), BATCH):
        some = set(people[begin : begin + BATCH])
        players |= {int(player.id): player for player in players_of(latest, (), only=some)}
        samples += samples_of(latest, some)
    return Ahead(latest and latest.list_date, players, tuple(samples))


def _next(period: Period, before: Ahead, parts) -> Ahead:
    """The list of a period from the one before it."""
    newcomers = {int(player.id): player for player in players_of(None, parts)}
    players = newcomers | before.players
    given = rules.ListInput(
        list_date=period.list_date,
        previous=tuple(players[pk] for pk in sorted(players)),
        samples=tuple(sorted(before.samples, key=lambda s: (int(s.player), s.list_date, s.event))),
        events=tuple(rules.RatedEvent(part.event, result) for _, _, part, result in parts),
        reference_standard=reference_of(period, parts),
    )
    made = regulation_of(period).next_list(given)
    ahead = Ahead(period.list_date, {}, made.samples, dict(before.met))
    ahead.rows = {int(row.id): row for row in made.players}
    ahead.players = {pk: _carried(players[pk], row) for pk, row in ahead.rows.items() if pk in players}
    for tournament, _, part, _ in parts:
        ahead.played |= {int(player.id) for player in part.event.players}
        for pk in map(int, met_rated(part.event)):
            ahead.met[pk] = min(ahead.met.get(pk, tournament.start), tournament.start)
    return ahead


def _carried(player: rules.ListPlayer, row: rules.ListRow) -> rules.ListPlayer:
    """A player as the list after this row reads him."""
    printed = [each for each in (player.highest_rating, row.rating) if each is not None]
    return replace(
        player,
        rating=row.rating,
        career_games=row.career_games,
        reached_k10=row.reached_k10,
        games_by_period=row.games_by_period,
        inactive_lists=row.inactive_lists,
        highest_rating=max(printed, default=None),
        provisional=row.status == ListRow.Status.PROVISIONAL,
        totals=row.totals,
    )


def live_ratings(system: RatingSystem, progress: Progress) -> Iterator[LiveRating]:
    """The rows of a system, not saved: one for each player whom an accepted event gives something."""
    base, now = latest_list(system), timezone.now()
    found: dict[int, LiveRating] = {}
    before: dict[int, rules.ListPlayer] | None = None
    for ahead in lists_ahead(system, progress):
        before = ahead.players if before is None else before
        for pk in sorted(ahead.played):
            row = ahead.rows[pk]
            live = found.setdefault(pk, LiveRating(system=system, player_id=pk, base=base, computed_at=now))
            live.rating_before = before[pk].rating if pk in before else None
            live.list_date, live.rating = ahead.list_date, row.rating
            live.games += row.games
            if row.change is not None:
                live.change = (live.change or Fraction(0)) + row.change
    for live in found.values():
        live.change = to_decimal(live.change)
        if live.games or live.rating != live.rating_before:
            yield live


# --- for the pages -------------------------------------------------------------------------------------


def shown(system: RatingSystem) -> QuerySet[LiveRating]:
    """The live ratings to be shown: none of them, once a newer list than they start from is published."""
    latest = latest_list(system)
    rows = LiveRating.objects.filter(system=system, base=latest) if latest else LiveRating.objects.none()
    return rows.select_related("player__federation", "system", "base__period")


def some(player: str) -> Exists:
    """Has the player at this path of another query any, standing or not?"""
    return Exists(LiveRating.objects.filter(player=OuterRef(player)))


def of_player(player: Player) -> list[LiveRating]:
    """A player's live ratings in every system, in one query: ``shown`` for all systems at once; none where
    ``has_live`` of the player says that there are none."""
    if not getattr(player, "has_live", True):
        return []
    newest = RatingList.objects.filter(period__system=OuterRef("system"), state=RatingList.State.PUBLISHED)
    newest = newest.order_by("-period__list_date", "-revision").values("pk")[:1]
    own = LiveRating.objects.filter(player=player, base=Subquery(newest))
    return list(own.select_related("system", "base__period").order_by("system__name"))


def of_tournament(tournament: Tournament) -> list[LiveRating]:
    """Those of the players of an accepted event, which no list has counted yet; best first."""
    if tournament.state != Tournament.State.ACCEPTED:
        return []
    entered = Entry.objects.filter(tournament=tournament).values("player")
    return list(shown(tournament.rating_system).filter(player__in=entered))


def largest_changes(system: RatingSystem, text: str = "", federation: str = "") -> QuerySet[LiveRating]:
    """The live ratings of a system, the largest change from the list first, first ratings last."""
    rows = shown(system).filter(by_text(text))
    rows = rows.filter(player__federation=federation) if federation else rows
    size = Abs(F("rating") - F("rating_before"))
    return rows.order_by(size.desc(nulls_last=True), F("rating").desc(nulls_last=True), "player__name", "pk")
