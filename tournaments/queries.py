"""Reads: a tournament in the regulations' terms, and what they say of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

from django.db.models import Q, QuerySet

from players.fide_ratings import fide_ratings
from players.listformats.model import RATES
from players.models import Membership, Player
from regulations.model import (
    ArbiterFacts,
    CheckResult,
    Entrant,
    Event,
    EventPlayer,
    EventTotals,
    Finding,
    Game,
    Registration,
    ScheduledRound,
    Stage,
)
from regulations.timecontrol import minutes_for_60_moves
from tournaments.findings import of_postal
from tournaments.models import Entry, RatingSystem, Totals, Tournament
from tournaments.ratings import RatingFacts, facts_in_force, lists_that_counted
from tournaments.timecontrols import Clock, words

ONE_DAY = timedelta(days=1)


def counted_games(tournament: Tournament):
    """The games that a published list has counted while the event goes on (postal chess)."""
    return tournament.games.filter(counted_on__isnull=False).select_related("white__player", "black__player")


def spelled_otherwise(tournament: Tournament) -> list[Entry]:
    """The entries whose name the report spells in another way than the register."""
    entries = tournament.entries.select_related("player").order_by("start_number", "id")
    return [entry for entry in entries if entry.spelled_otherwise]


def stages(tournament: Tournament, colour: str) -> tuple[Stage, ...]:
    return tuple(
        Stage(row.moves, Fraction(row.minutes), row.increment_seconds)
        for row in sorted(tournament.stages.all(), key=lambda row: row.number)
        if row.colour == colour
    )


def clock(tournament: Tournament) -> Clock:
    return Clock(stages(tournament, "w"), stages(tournament, "b") or None)


def clock_words(tournament: Tournament) -> str:
    """The time control as a sentence; empty if none is entered."""
    return words(clock(tournament))


def list_in_force(tournament: Tournament) -> date | None:
    """The date of the list whose ratings hold at the start, by the entry list; None without either."""
    ids = tournament.entries.values_list("player_id", flat=True)
    facts = facts_in_force(tournament.rating_system, ids, tournament.start)
    return next((fact.list_date for fact in facts.values()), None)


def minutes(tournament: Tournament) -> Fraction | None:
    """Minutes for 60 moves of the player with less time; None without a time control."""
    given = [found for colour in "wb" if (found := stages(tournament, colour))]
    return min(map(minutes_for_60_moves, given), default=None)


def registration_of(tournament: Tournament, players: Iterable[Player] | None = None) -> Registration:
    """The tournament as its regulation's registration rules see it, with its entries or these players."""
    if players is None:
        entries = tournament.entries.select_related("player").prefetch_related("player__titles")
        players = [entry.player for entry in entries]
    players = list(players)
    facts = facts_in_force(tournament.rating_system, [player.pk for player in players], tournament.start)
    members = affiliated(tournament.rating_system, players, tournament.start)
    abroad = guests(tournament.rating_system, players, members, tournament.start)
    names = Counter(player.name for player in players)
    return Registration(
        system=tournament.system,
        start=tournament.start,
        end=tournament.end,
        time_control=stages(tournament, "w"),
        time_control_black=stages(tournament, "b") or None,
        rate=tournament.rating_system.rate,
        registered_on=tournament.registered_on,
        rounds=tuple(ScheduledRound(r.number, r.date) for r in tournament.rounds.all()),
        players=tuple(
            Entrant(
                # findings name players by what is here
                player.name + (f" [{player.pk}]" if names[player.name] > 1 else ""),
                facts[player.pk].rating,
                player.title,
                facts[player.pk].rating is not None,
                player.sex,
                fide_rating=facts[player.pk].standard_rating or abroad.get(player.pk),
                standard_rating=facts[player.pk].standard_rating,
            )
            for player in players
        ),
        arbiters=tuple(
            ArbiterFacts(row.arbiter.name, row.arbiter.licensed_on(tournament.start), row.arbiter.title)
            for row in tournament.appointments.select_related("arbiter")
        ),
        scope=tournament.scope,
        flags=tournament.flags,
        authorizations=authorizations(tournament),
    )


def authorizations(tournament: Tournament) -> frozenset[str]:
    return frozenset(waiver.authorization for waiver in tournament.waivers.all())


def check_registration(tournament: Tournament, players: Iterable[Player] | None = None) -> CheckResult:
    """All findings of the regulation that the tournament's start falls under, with its entries or
    these players."""
    regulation = tournament.regulation
    if regulation is None:
        message = (
            f"{tournament.rating_system} follows no regulation on {tournament.start}: "
            "add one to the rating system, or choose another date or system."
        )
        return CheckResult(
            False, None, None, (Finding("error", "no-regulation", "", message, subject="rating_system"),)
        )
    registration = registration_of(tournament, players)
    if not registration.time_control and regulation.rates != ("postal",):
        message = "No time control is entered: add its stages."
        return CheckResult(
            False, None, None, (Finding("error", "no-time-control", "", message, subject="time_control"),)
        )
    result = regulation.check(registration)
    return replace(result, findings=(*result.findings, *of_postal(tournament)))


@dataclass(frozen=True, slots=True)
class EventPart:
    """A tournament, or the part of a long league that one list's ratings apply to."""

    number: int
    list_date: date | None
    event: Event
    facts: dict[int, RatingFacts]


def event_parts(
    tournament: Tournament,
    players: Iterable[Player],
    games: Iterable[Game],
    round_dates: dict[int, date],
    not_first: frozenset[int] = frozenset(),
    on: date | None = None,
    before: date | None = None,
    totals: Iterable[EventTotals] = (),
) -> list[EventPart]:
    """The tournament's event for its regulation, cut by list where the text says so (A 4.11).

    ``games`` name players by primary key (as text); ``not_first`` are players who have an earlier
    event in the same period, so that this one is not their first. ``on`` is the day whose ratings
    hold where games count as they are finished; elsewhere the tournament's start decides.
    ``before`` is the date of a list that counted them: what came out with it was not known then.
    """
    phases = {row.number: row.phase for row in tournament.rounds.all()}
    players = list(players)
    games = [replace(game, phase=phases.get(game.round, 1)) for game in games]
    members = affiliated(tournament.rating_system, players, tournament.start)
    ids = [player.pk for player in players]
    regulation = tournament.regulation
    system = tournament.rating_system
    by_list: dict[date | None, list[Game]] = defaultdict(list)
    facts_by_list: dict[date | None, dict[int, RatingFacts]] = {}
    if regulation.splits_by_list(start=tournament.start, end=tournament.end, flags=tournament.flags):
        for day in sorted({round_dates.get(game.round, tournament.start) for game in games}):
            facts = facts_in_force(system, ids, day, before)
            key = next((fact.list_date for fact in facts.values()), None)
            facts_by_list.setdefault(key, facts)
            by_list[key] += [g for g in games if round_dates.get(g.round, tournament.start) == day]
    else:
        day = on if on is not None and regulation.counts_finished_games else tournament.start
        facts = facts_in_force(system, ids, day, before)
        key = next((fact.list_date for fact in facts.values()), None)
        facts_by_list[key], by_list[key] = facts, games
    abroad = guests(tournament.rating_system, players, members, tournament.start)
    bare, parts = bare_event(tournament), []
    for number, key in enumerate(sorted(by_list, key=lambda k: k or date.min), start=1):
        facts, part_games = facts_by_list[key], by_list[key]
        seen = {g.white for g in part_games} | {g.black for g in part_games}
        event = replace(
            bare,
            id=f"{tournament.pk}.{number}",
            players=tuple(
                event_player(
                    player,
                    facts[player.pk],
                    player.pk in not_first or number > 1,
                    player.pk in members,
                    abroad.get(player.pk),
                )
                for player in players
                if len(by_list) == 1 or str(player.pk) in seen
            ),
            games=tuple(part_games),
            totals=tuple(totals),
        )
        parts.append(EventPart(number, key, event, facts))
    return parts


def bare_event(tournament: Tournament) -> Event:
    """The tournament's event (its only part) without players and games."""
    return Event(
        id=f"{tournament.pk}.1",
        name=tournament.name,
        system=tournament.system,
        rate=tournament.rating_system.rate,
        start=tournament.start,
        end=tournament.end,
        flags=tournament.flags,
        authorizations=authorizations(tournament),
        scheduled_games=tournament.scheduled_games,
        scope=tournament.scope,
        games_in_event=tournament.games_in_event,
        minutes_for_60_moves=minutes(tournament),
        players=(),
        games=(),
    )


def affiliated(system: RatingSystem, players: Iterable[Player], day: date) -> set[int]:
    """Who belongs to the federation whose list it is, by primary key; everybody, if it is nobody's."""
    players = list(players)
    home = {p.pk for p in players if system.federation_id in (None, p.federation_id)}
    others = [player for player in players if player.pk not in home]
    if not others:
        return home
    members = Membership.objects.filter(
        Q(until__isnull=True) | Q(until__gte=day),
        Q(player__in=others) | Q(player__merged_into__in=others),
        federation=system.federation_id,
        since__lte=day,
    )
    # A membership that overlaps another stays at a merged record.
    records = members.order_by().values_list("player_id", "player__merged_into")
    return home | {pk for pair in records for pk in pair if pk is not None}


def guests(
    system: RatingSystem, players: Iterable[Player], members: Collection[int], day: date
) -> dict[int, int]:
    """The ratings on FIDE's list in force on the day of those who do not belong to the federation
    (FEDA 9.56), by primary key; of those only whom an imported list names."""
    others = [player for player in players if player.pk not in members]
    if not others or system.rate not in RATES:
        return {}
    listed = fide_ratings(others, system.rate, day)
    return {pk: found.rating for pk, found in listed.items() if found.rating is not None}


def event_player(
    player: Player, facts: RatingFacts, not_first: bool, affiliated: bool, listed: int | None
) -> EventPlayer:
    """A player as his regulation sees him: ``facts`` of the list in force, ``listed`` his FIDE rating as
    one who is not ``affiliated``; ``not_first``: he has an earlier event."""
    return EventPlayer(
        id=str(player.pk),
        rating=facts.rating,
        career_games=facts.career_games,
        reached_k10=facts.reached_k10,
        birth_year=player.birth_year,
        standard_rating=facts.standard_rating,
        first_event=facts.first_event and not not_first,
        rated_since_event=facts.rated_since_event,
        fide_rating=facts.standard_rating if facts.standard_rating is not None else listed,
        affiliated=affiliated or facts.rating is not None,
        highest_rating=facts.highest_rating,
        provisional=facts.provisional,
        otb_category=player.otb_category,
        totals=facts.totals,
    )


def stored_event_parts(
    tournament: Tournament, not_first: frozenset[int] = frozenset(), on: date | None = None
) -> list[EventPart]:
    """``event_parts`` of a tournament whose report has been stored. Where games count as they are
    finished, those of earlier lists are left out."""
    regulation, stored = tournament.regulation, tournament.games.all()
    if regulation is not None and regulation.counts_finished_games:
        stored = stored.filter(counted_on__isnull=True)
    return _parts_of(tournament, stored, not_first, on)


def counted_event_parts(tournament: Tournament) -> list[tuple[date | None, list[EventPart]]]:
    """The stored games by the published list that counted them, each with the ratings that it used,
    and those that none has counted yet (None) with the ratings that hold now."""
    lists = lists_that_counted(tournament)
    if not tournament.regulation.counts_finished_games:
        counted = lists[0] if lists else None
        return [(counted, _parts_of(tournament, tournament.games.all(), before=counted))]
    dates = set(tournament.games.values_list("counted_on", flat=True))
    found = [
        (day, _parts_of(tournament, tournament.games.filter(counted_on=day), on=day - ONE_DAY, before=day))
        for day in sorted(dates - {None})
    ]
    if None in dates:
        left = tournament.games.filter(counted_on__isnull=True)
        found.append((None, _parts_of(tournament, left, on=tournament.rating_system.today())))
    return found


@dataclass(frozen=True, slots=True)
class Contents:
    """What a report says of an event: who played, by register key what was played, and when."""

    people: tuple[Player, ...]
    games: tuple[Game, ...]
    totals: tuple[EventTotals, ...]
    round_dates: dict[int, date]

    def parts(
        self,
        tournament: Tournament,
        not_first: frozenset[int] = frozenset(),
        on: date | None = None,
        before: date | None = None,
    ) -> list[EventPart]:
        """``event_parts`` of it, whatever the order in which it was stored."""
        people = sorted(self.people, key=lambda player: player.pk)
        games = sorted(self.games, key=lambda game: (game.round, int(game.white)))
        totals = sorted(self.totals, key=lambda row: int(row.player))
        return event_parts(tournament, people, games, self.round_dates, not_first, on, before, totals)


def stored_contents(tournament: Tournament, stored: QuerySet) -> Contents:
    """A tournament as it is stored, with these of its games."""
    entries = {entry.pk: entry for entry in tournament.entries.select_related("player")}
    games = [
        Game(
            game.round,
            str(entries[game.white_id].player_id),
            str(entries[game.black_id].player_id) if game.black_id else None,
            game.result,
            game.why_unplayed,
            finished_on=game.finished_on,
        )
        for game in stored
    ]
    round_dates = {row.number: row.date for row in tournament.rounds.all()}
    totals = [
        EventTotals(str(entries[row.entry_id].player_id), Fraction(row.points), row.games, row.average)
        for row in Totals.objects.filter(entry__tournament=tournament)
    ]
    people = tuple(entry.player for entry in entries.values())
    return Contents(people, tuple(games), tuple(totals), round_dates)


def _parts_of(
    tournament: Tournament,
    stored: QuerySet,
    not_first: frozenset[int] = frozenset(),
    on: date | None = None,
    before: date | None = None,
) -> list[EventPart]:
    return stored_contents(tournament, stored).parts(tournament, not_first, on, before)
