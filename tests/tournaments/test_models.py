"""What the database itself refuses about tournaments."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from tests.factories import (
    make_arbiter,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tournaments.models import (
    Entry,
    Game,
    RatingSystem,
    Report,
    Round,
    SystemRegulation,
    TimeControlStage,
    Tournament,
    TournamentArbiter,
    Waiver,
)

pytestmark = pytest.mark.django_db


def rejected(act) -> bool:
    try:
        with transaction.atomic():
            act()
    except IntegrityError:
        return True
    return False


def update(tournament, **fields):
    return lambda: Tournament.objects.filter(pk=tournament.pk).update(**fields)


def test_tournaments():
    tournament = make_tournament(make_system())
    for change in (
        {"end": tournament.start - timedelta(1)},
        {"state": "lost"},
        {"system": "x"},
        {"name": ""},
    ):
        assert rejected(update(tournament, **change)), change
    assert not rejected(update(tournament, state="refused"))


def test_stages_rounds_and_appointments():
    tournament, arbiter, other = make_tournament(make_system()), make_arbiter(), make_arbiter("Other, O")
    stage, one = TimeControlStage.objects.create, {"tournament": tournament, "minutes": 5}
    assert rejected(lambda: stage(**one, number=1))  # there is a stage 1
    assert rejected(lambda: stage(**one, number=0))
    assert rejected(lambda: stage(**one, number=2, moves=0))
    assert rejected(lambda: stage(tournament=tournament, number=2, minutes=-1))
    assert not rejected(lambda: stage(**one, number=1, colour="b"))
    assert rejected(lambda: Round.objects.create(tournament=tournament, number=1, date=tournament.start))
    assert rejected(lambda: Round.objects.create(tournament=tournament, number=0, date=tournament.start))
    chief = {"tournament": tournament, "role": "chief"}
    assert not rejected(lambda: TournamentArbiter.objects.create(arbiter=arbiter, **chief))
    assert rejected(lambda: TournamentArbiter.objects.create(arbiter=other, **chief))
    assert rejected(
        lambda: TournamentArbiter.objects.create(tournament=tournament, arbiter=arbiter, role="deputy")
    )


def test_waivers_have_a_reason_and_a_known_kind():
    tournament, by = make_tournament(make_system()), make_user()
    fields = {"tournament": tournament, "article": "0.2", "granted_by": by}
    make = Waiver.objects.create
    assert rejected(lambda: make(**fields, authorization="late-registration", reason=""))
    assert rejected(lambda: make(**fields, authorization="anything", reason="so"))
    assert not rejected(lambda: make(**fields, authorization="late-registration", reason="flood"))
    assert rejected(lambda: make(**fields, authorization="late-registration", reason="again"))


def test_reports_entries_and_games():
    tournament, players = make_tournament(make_system()), [make_player() for _ in range(3)]
    report = make_report(tournament, players, [(1, 1, 2, "1-0")])
    one, two, three = tournament.entries.order_by("start_number")
    assert rejected(lambda: Entry.objects.create(tournament=tournament, player=players[0]))
    assert rejected(lambda: Entry.objects.create(tournament=tournament, player=make_player(), start_number=1))
    base = {"tournament": tournament, "report": report}
    game = Game.objects.create
    assert rejected(lambda: game(**base, round=1, white=one, black=three, result="1-0"))  # twice White
    assert rejected(lambda: game(**base, round=1, white=three, black=two, result="1-0"))  # twice Black
    assert rejected(lambda: game(**base, round=2, white=one, black=one, result="1-0"))
    assert rejected(lambda: game(**base, round=2, white=one, black=None, result="1-0"))
    assert rejected(lambda: game(**base, round=2, white=one, black=two, result="bye-1"))
    assert rejected(lambda: game(**base, round=2, white=one, black=two, result="2-0"))
    assert rejected(lambda: game(**base, round=0, white=one, black=two, result="1-0"))
    assert not rejected(lambda: game(**base, round=2, white=one, black=None, result="bye-1"))
    again = {
        "tournament": tournament,
        "submitted_by": make_user(),
        "submitted_at": report.submitted_at,
        "received_on": report.received_on,
    }
    make = Report.objects.create
    assert not rejected(lambda: make(**again, content=b"", sha256=report.sha256, state="replaced"))
    assert rejected(lambda: make(**again, content=b"", sha256="0" * 64, state="submitted"))  # one stands
    assert rejected(lambda: make(**again, content=b"", sha256="short", state="replaced"))
    assert not rejected(lambda: make(**again, content=b"", sha256="0" * 64, state="replaced"))


def test_a_system_follows_one_regulation_a_day():
    system = make_system("rapid", since=date(2022, 1, 1))
    row = {"system": system, "regulation": "fide-standard-2004"}
    assert rejected(lambda: SystemRegulation.objects.create(**row, effective_from=date(2022, 1, 1)))
    SystemRegulation.objects.create(**row, effective_from=date(2023, 1, 1))
    days = {
        date(2021, 12, 31): None,
        date(2022, 12, 31): "fide-rapid-blitz-2022",
        date(2023, 1, 1): row["regulation"],
    }
    for day, code in days.items():
        found = system.regulation_on(day)
        assert (found.code if found else None) == code
    assert rejected(lambda: RatingSystem.objects.filter(pk=system.pk).update(reference=system))
