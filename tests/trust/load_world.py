"""The demonstration of the newest release that is kept, with a period that closes today and events to report:
python -m tests.trust.load_world EVENTS

Prints as JSON what the load needs to know: accounts signed in, the period, files of reports.
"""

from __future__ import annotations

import base64
import json
import os
import random
import sys
from datetime import timedelta

import django

ARBITERS, FIELD, ROUNDS, PAGE = 4, 10, 5, 100


def main(events: int) -> dict:
    from django.core.management import call_command
    from django.utils import timezone

    from players.models import OutboxMessage
    from ratinglists.models import Job, ListRow, Period
    from tournaments.models import RatingSystem

    call_command("migrate", interactive=False, verbosity=0)
    call_command("roles", stdout=sys.stderr)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("signing_key", "make", "--lost", "A kept release holds no private key.", stdout=sys.stderr)
    RatingSystem.objects.update(schedule="manual")
    Job.objects.filter(state="queued").delete()
    OutboxMessage.objects.all().delete()
    Period.objects.filter(lists__isnull=True).delete()
    system = RatingSystem.objects.get(code="rapid")
    today = system.today()
    period = Period.objects.create(system=system, list_date=today, closes_on=today)
    newest = ListRow.objects.filter(rating_list__period__system=system, rating_list__state="published")
    newest = newest.filter(rating__isnull=False).order_by("-rating_list__period__list_date", "-rating")
    people = list(dict.fromkeys(row.player for row in newest.select_related("player")))
    made = [_event(system, number, people, today - timedelta(1)) for number in range(events)]
    return {
        "system": "rapid",
        "system_name": system.name,
        "day": f"{today}",
        "period": period.pk,
        "events": made,
        "players": [player.pk for player in people],
        "tournaments": list(system.tournaments.filter(state="counted").values_list("pk", flat=True)),
        "names": [player.name.split(",")[0] for player in people],
        "sessions": {name: _signed_in(name) for name in _accounts()},
        "now": f"{timezone.now()}",
    }


def _accounts() -> list[str]:
    return ["staff", "approver", *(f"load-{number}" for number in range(ARBITERS))]


def _signed_in(name: str) -> str:
    """The key of a session, made as signing in makes it."""
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.force_login(get_user_model().objects.get(username=name))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _arbiter(number: int):
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group

    from tournaments.models import Arbiter

    user, new = get_user_model().objects.get_or_create(username=f"load-{number}")
    if new:
        user.set_password(f"load-{number} of the test")
        user.save()
        user.groups.add(Group.objects.get(name="Arbiters"))
    return Arbiter.objects.get_or_create(name=f"Arbiter, Load {number}", user=user, defaults={"title": "IA"})[
        0
    ]


def _event(system, number: int, people: list, day) -> dict:
    """A registered event of ten players, and the file with which its arbiter will report it."""
    from ratinglists.demo import play
    from ratinglists.demo.load import report_file
    from ratinglists.demo.world import Person
    from tests.factories import make_tournament
    from tournaments.models import Entry, TournamentArbiter

    chance = random.Random(f"load {number}")
    field = chance.sample(people, FIELD)
    arbiter = _arbiter(number % ARBITERS)
    event = make_tournament(
        system, name=f"Load {number}", start=day, rounds=ROUNDS, minutes=15, increment=10, registered_on=day
    )
    TournamentArbiter.objects.create(tournament=event, arbiter=arbiter, role="chief")
    Entry.objects.bulk_create(Entry(tournament=event, player=player) for player in field)
    seats = [_seat(Person, player) for player in field]
    games = play.round_robin(chance, [seat.strength for seat in seats])
    games = [game for game in games if game.round <= ROUNDS]
    file = report_file(event, seats, games)
    boards = [[str(g.white), {"1-0": "1", "0-1": "0", "1/2-1/2": "="}.get(g.result, "="), str(g.black)]
              for g in games if g.round == 1 and g.black]  # fmt: skip
    return {
        "pk": event.pk,
        "by": f"load-{number % ARBITERS}",
        "file": base64.b64encode(file).decode(),
        "boards": boards,
        "entries": [[str(n), player.fide_id, player.name] for n, player in enumerate(field, start=1)],
    }


def _seat(person, player):
    from datetime import date

    born = player.birth_date or date(1990, 1, 1)
    return person(player.fide_id, player.name, player.sex, born, player.federation_id, "", 1800)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    django.setup()
    print(json.dumps(main(int(sys.argv[1]))))
