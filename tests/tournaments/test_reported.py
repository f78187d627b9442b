"""What a report tells beyond games: dates of rounds where none are registered, and teams."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import STANDARD, fresh, make_list, make_player, make_system, make_tournament, make_user
from tests.tournaments.report_files import line, report
from tournaments import exporting
from tournaments.intake import read
from tournaments.models import Round, Team
from tournaments.queries import stored_event_parts
from tournaments.reports import formats, trf16, trf26
from tournaments.services import submit_report

pytestmark = pytest.mark.django_db
NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
APRIL, JULY = date(2004, 4, 1), date(2004, 7, 1)


@pytest.fixture
def officer():
    return make_user("officer", "tournaments.accept_report")


@pytest.fixture
def system():
    system = make_system("standard", regulation=STANDARD)
    people = [make_player(name, fide_id=str(7000011 + at), born=1980) for at, name in enumerate(NAMES)]
    for day, rating in ((APRIL, 2300), (JULY, 2310)):
        make_list(system, day, rows={player: {"rating": rating, "career_games": 100} for player in people})
    return system


def league(dates: str, *, tail: str = "") -> bytes:
    players = [
        line(1, NAMES[0], 2300, "7000011", "1.5", 1, "   2 w 1", "   3 b ="),
        line(2, NAMES[1], 2300, "7000012", "1.0", 2, "   1 b 0", "   4 w 1"),
        line(3, NAMES[2], 2300, "7000013", "1.0", 3, "   4 w =", "   1 w ="),
        line(4, NAMES[3], 2300, "7000014", "0.5", 4, "   3 b =", "   2 b 0"),
    ]
    told = report("League", "2004/05/01", "2004/08/30", players).decode()
    return (told + f"{'132':91}{dates}\r\n{tail}").encode()


def test_a_league_takes_the_list_of_each_reported_day(system, officer):
    """A 4.11: over 90 days each game takes the list in force on its day, in the preview and afterwards."""
    tournament = make_tournament(
        system, start=date(2004, 5, 1), end=date(2004, 8, 30), rounds=0, minutes=120, league=True
    )
    content = league("04/05/08  04/08/07")
    reading = read(tournament, "a.trf", content)
    assert [part.list_date for part, _ in reading.parts] == [APRIL, JULY]
    submit_report(tournament, officer, "a.trf", content)
    assert [part.list_date for part in stored_event_parts(fresh(tournament))] == [APRIL, JULY]
    assert list(Round.objects.values_list("number", "date", "reported")) == [
        (1, date(2004, 5, 8), True),
        (2, date(2004, 8, 7), True),
    ]


def test_dates_of_a_report_are_no_schedule_for_the_next_one(system, officer):
    tournament = make_tournament(system, start=date(2004, 5, 1), end=date(2004, 8, 30), rounds=0, minutes=120)
    submit_report(tournament, officer, "a.trf", league("04/05/08  04/06/05"))
    longer = read(fresh(tournament), "b.trf", league("04/05/09  04/06/06"))
    assert not [issue for issue in longer.issues if issue.field == "rounds"]
    submit_report(fresh(tournament), officer, "b.trf", league("04/05/09  04/06/06"))
    assert Round.objects.get(number=1).date == date(2004, 5, 9)


def test_a_registered_schedule_stays(system, officer):
    tournament = make_tournament(system, start=date(2004, 5, 1), end=date(2004, 8, 30), rounds=2, minutes=120)
    submit_report(tournament, officer, "a.trf", league("04/05/08  04/06/05"))
    assert set(Round.objects.values_list("date", "reported")) == {(date(2004, 5, 1), False)}


TEAMS = (
    "013 Isles A                            1    3\r\n"
    "013 Isles B                            2    4\r\n"
)  # fmt: skip


@pytest.mark.parametrize("write", [trf16.write, trf26.write])
def test_teams_are_kept_and_exported(system, officer, write):
    tournament = make_tournament(system, start=date(2004, 5, 1), end=date(2004, 8, 30), rounds=0, minutes=120)
    content = league("04/05/08  04/06/05", tail=TEAMS)
    told = formats.parse(content, "a.trf").teams
    assert [(team.name, team.members) for team in told] == [("Isles A", (1, 3)), ("Isles B", (2, 4))]
    submit_report(tournament, officer, "a.trf", content)
    team = Team.objects.get(name="Isles A")
    assert [(e.player.name, e.board) for e in team.members.order_by("board")] == [
        (NAMES[0], 1),
        (NAMES[2], 2),
    ]
    again = formats.parse(write(exporting.report_of(fresh(tournament))).encode(), "b.trf")
    assert again.teams == told
    submit_report(fresh(tournament), officer, "b.trf", league("04/05/08  04/06/05"))
    assert not Team.objects.exists()
