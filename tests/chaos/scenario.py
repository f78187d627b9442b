"""A federation for the chaos suite: systems, each with an opening list and months of events to count."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.utils import timezone

from players.models import Player
from ratinglists.models import Period
from ratinglists.queries import proposed_period
from tests.factories import make_list, make_player, make_system, make_user
from tournaments.models import Entry, Game, RatingSystem, Report, Round, TimeControlStage, Tournament

PLAYERS, FIELD, ROUNDS = 60, 12, 4
HALVES = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}


def months_before(day: date, count: int) -> date:
    month = day.year * 12 + day.month - 1 - count
    return date(month // 12, month % 12 + 1, 1)


def build(systems: int, periods: int, events: int) -> None:
    """Write it into an empty database: ``events`` in each period.

    Monthly lists, the last one dated on the first of this month. The same on each day of a month.
    All systems go by hand.
    """
    chance = random.Random(6)
    players = [make_player() for _ in range(PLAYERS + 20)]
    staff = make_user("chaos-staff", is_superuser=True)
    opening = months_before(timezone.localdate(), periods)
    for number in range(systems):
        system = make_system(f"s{number}", schedule=RatingSystem.Schedule.MANUAL)
        field = chance.sample(players, PLAYERS)
        ratings = {player: chance.choice([None, *range(1400, 2300, 37)]) for player in field}
        make_list(system, opening, ratings)
        after = opening
        for _ in range(periods):
            list_date, closes = proposed_period(system, after=after)
            Period.objects.create(system=system, list_date=list_date, closes_on=closes)
            for event in range(events):
                start = after + timedelta(days=1 + event % 15)
                _event(system, start, chance.sample(field, FIELD), staff, chance, f"{list_date} {event}")
            after = list_date


def _event(
    system: RatingSystem, start: date, field: list[Player], staff, chance: random.Random, name: str
) -> None:
    tournament = Tournament.objects.create(
        name=f"Open of {system.code} {name}",
        rating_system=system,
        federation=system.federation,
        organiser="Club of the Isles",
        city="Port",
        start=start,
        end=start + timedelta(days=1),
        registered_on=start,
        state="accepted",
    )
    TimeControlStage.objects.create(tournament=tournament, minutes=10, increment_seconds=5)
    Round.objects.bulk_create(
        Round(tournament=tournament, number=n, date=start) for n in range(1, ROUNDS + 1)
    )
    submitted = datetime.combine(tournament.end, time(20), UTC)
    report = Report.objects.create(
        tournament=tournament,
        format="trf16",
        filename="report.txt",
        content=b"",
        sha256=f"{tournament.pk:064x}",
        state="accepted",
        submitted_by=staff,
        submitted_at=submitted,
        received_on=system.day_of(submitted),
    )
    halves = [0] * len(field)
    games, order = [], list(range(len(field)))
    for number in range(1, ROUNDS + 1):
        order = [order[0], order[-1], *order[1:-1]]
        for first, second in zip(order[::2], order[1::2], strict=True):
            result = chance.choice(list(HALVES))
            games.append((number, first, second, result))
            halves[first] += HALVES[result][0]
            halves[second] += HALVES[result][1]
    ranks = {p: r for r, p in enumerate(sorted(range(len(field)), key=lambda p: (-halves[p], p)), start=1)}
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player=player,
            start_number=place + 1,
            reported_name=player.name,
            points=Decimal(halves[place]) / 2,
            rank=ranks[place],
        )
        for place, player in enumerate(field)
    )
    Game.objects.bulk_create(
        Game(tournament=tournament, report=report, round=r, white=entries[a], black=entries[b], result=result)
        for r, a, b, result in games
    )
