"""A federation for the chaos suite: systems, each with an opening list and months of events to count."""

from __future__ import annotations

import random
from datetime import date, timedelta

from django.utils import timezone

from players.models import Player
from ratinglists.models import Period
from ratinglists.queries import proposed_period
from tests.factories import make_list, make_player, make_report, make_system, make_tournament, make_user
from tournaments.models import RatingSystem

PLAYERS, FIELD, ROUNDS = 60, 12, 4
RESULTS = ("1-0", "0-1", "1/2-1/2")


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
    tournament = make_tournament(
        system, name=name, start=start, end=start + timedelta(days=1), rounds=ROUNDS, state="accepted"
    )
    games, order = [], list(range(1, len(field) + 1))
    for number in range(1, ROUNDS + 1):
        order = [order[0], order[-1], *order[1:-1]]
        for white, black in zip(order[::2], order[1::2], strict=True):
            games.append((number, white, black, chance.choice(RESULTS)))
    make_report(tournament, field, games, by=staff)
