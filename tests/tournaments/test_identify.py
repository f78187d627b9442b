"""Who is who in a report: suggested, chosen, newly registered, never guessed."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.exceptions import PermissionDenied

from players.models import Identifier, Player
from players.services import add_player
from tests.factories import (
    STANDARD,
    make_arbiter,
    make_list,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.tournaments.report_files import line, report
from tournaments.intake import read
from tournaments.issues import NEW
from tournaments.models import Entry, Report
from tournaments.services import NotAllowedNow, ReportRefused, submit_report

pytestmark = pytest.mark.django_db


def file_of(name: str, number: str, born: int = 1980) -> bytes:
    players = [
        line(1, name, None, number, "1.0", 1, "   2 w 1", born=born),
        line(2, "Birch, Lou", 1800, "7000012", "0.0", 2, "   1 b 0"),
    ]
    return report("Pairs", "2004/05/01", "2004/05/02", players)


@pytest.fixture
def event():
    system = make_system("standard", regulation=STANDARD)
    lou = make_player("Birch, Lou", fide_id="7000012", born=1980)
    make_list(system, date(2004, 4, 1), rows={lou: {"rating": 1800, "career_games": 100}})
    return make_tournament(system, start=date(2004, 5, 1), end=date(2004, 5, 2), rounds=0, minutes=120)


def test_homonyms_stay_unresolved_until_the_sender_chooses(event):
    one = make_player("Murphy, David", fide_id="7000091", born=1971)
    other = make_player("Murphy, David", fide_id="7000092", born=2001)
    content = file_of("Murphy, David", "", born=1950)
    reading = read(event, "a.trf", content)
    assert not reading.ok
    assert reading.players.keys() == {2}
    (unresolved,) = reading.unresolved
    assert {s.player for s in unresolved.suggestions} == {one, other}
    (error,) = reading.errors
    assert (error.line, error.field) == (10, "number")
    assert "7000091" in error.remedy
    assert "7000092" in error.remedy
    chosen = read(event, "a.trf", content, people={1: other.pk})
    assert chosen.ok
    assert chosen.players[1] == other


@pytest.mark.parametrize(("tag", "known"), [("", True), ("XZZ", False)])
def test_a_number_that_another_federation_gave_names_nobody(event, tag, known):
    body = event.federation_id
    murphy = add_player(name="Murphy, David", federation=event.federation, identifiers={body: "N-77"})
    content = file_of("Murphy, David", "", born=1950)
    national = f"{tag or body} {1:4d}      {'':33}          {'N-77':>11}".encode()
    reading = read(event, "a.trf", content + b"\r\n" + national)
    assert reading.parsed.players[0].national_id == "N-77"
    assert (reading.players.get(1) == murphy) == known


def test_only_suggested_persons_can_be_chosen(event):
    stranger = make_player("Quince, Ann", fide_id="7000093")
    make_player("Murphy, David", fide_id="7000091", born=1971)
    reading = read(event, "a.trf", file_of("Murphy, David", ""), people={1: stranger.pk})
    assert not reading.ok
    assert 1 not in reading.players


def test_a_namesake_born_in_the_reported_year_is_not_passed_over(event):
    father = make_player("Murphy, David", fide_id="7000091", born=1971)
    son = make_player("Murphy, David", fide_id="7000092", born=2001)
    reading = read(event, "a.trf", file_of("Murphy, David", "7000091", born=2001))
    (error,) = reading.errors
    assert "Number 7000091 belongs to Murphy, David (born 1971)" in error.message
    assert "7000092" in error.remedy
    assert father.pk not in {player.pk for player in reading.players.values()}
    assert son in {s.player for s in reading.unresolved[0].suggestions}


def test_another_year_of_birth_without_a_namesake_is_a_warning(event):
    make_player("Murphy, David", fide_id="7000091", born=1971)
    reading = read(event, "a.trf", file_of("Murphy, David", "7000091", born=1972))
    assert reading.ok
    assert any(issue.field == "birth date" for issue in reading.warnings)


def test_another_day_of_birth_is_told_without_the_registers_day(event):
    make_player("Murphy, David", fide_id="7000091", born=date(1980, 3, 9))
    reading = read(event, "a.trf", file_of("Murphy, David", "7000091", born=1980))
    (found,) = [issue for issue in reading.warnings if issue.field == "birth date"]
    assert "03" not in found.message
    assert "another day" in found.message


def test_staff_put_a_reported_player_on_the_register_with_the_report(event):
    officer = make_user("officer", "tournaments.accept_report", "players.add_player")
    content = file_of("Newman, Una", "7000099", born=1999)
    preview = read(event, "a.trf", content, people={1: NEW}, may_add=True)
    assert preview.ok
    assert not Player.objects.filter(name="Newman, Una").exists()
    stored = submit_report(event, officer, "a.trf", content, people={1: NEW})
    una = Player.objects.get(name="Newman, Una")
    assert Entry.objects.filter(tournament=event, player=una).exists()
    assert Identifier.objects.get(player=una).value == "7000099"
    assert stored.people == {"1": una.pk}
    assert una.birth_year == 1999


def test_arbiters_put_nobody_on_the_register(event):
    arbiter = make_user("arbiter")
    event.appointments.create(arbiter=make_arbiter(user=arbiter))
    content = file_of("Newman, Una", "7000099")
    assert not read(event, "a.trf", content, people={1: NEW}).ok
    with pytest.raises(PermissionDenied):
        submit_report(event, arbiter, "a.trf", content, people={1: NEW})
    assert not Player.objects.filter(name="Newman, Una").exists()


def test_a_refused_report_leaves_no_new_player(event):
    officer = make_user("officer", "tournaments.accept_report", "players.add_player")
    content = file_of("Newman, Una", "7000099").replace(b"   1 b 0", b"   1 b 1")
    with pytest.raises(ReportRefused):
        submit_report(event, officer, "a.trf", content, people={1: NEW})
    assert not Player.objects.filter(name="Newman, Una").exists()
    assert not Report.objects.exists()


def test_nobody_new_gets_a_number_that_is_anothers(event):
    officer = make_user("officer", "tournaments.accept_report", "players.add_player")
    make_player("Murphy, David", fide_id="7000091")
    content = file_of("Newman, Una", "7000091")
    reading = read(event, "a.trf", content, people={1: NEW}, may_add=True)
    assert "belongs to Murphy, David" in reading.errors[0].message
    assert reading.unresolved[0].taken
    with pytest.raises(NotAllowedNow, match="Newman, Una cannot be put on the register: Another player"):
        submit_report(event, officer, "a.trf", content, people={1: NEW})
    assert not Player.objects.filter(name="Newman, Una").exists()


def test_a_transposed_number_that_is_a_siblings_is_not_believed(event):
    """Two digits of Anna's number change places and give her brother's: hers is suggested."""
    make_player("Vidal, Marc", fide_id="9020451", born=2011)
    anna = make_player("Vidal, Anna", fide_id="9020541", born=2013, sex="f")
    reading = read(event, "a.trf", file_of("Vidal, Anna", "9020451", born=2013))
    (error,) = reading.errors
    assert error.message.startswith("Number 9020451 belongs to Vidal, Marc (born 2011)")
    assert "number 9020541" in error.remedy
    assert reading.unresolved[0].suggestions[0].player == anna
    assert 1 not in reading.players
    assert read(event, "a.trf", file_of("Vidal, Anna", "9020541", born=2013)).ok


@pytest.mark.parametrize(
    ("reported", "register"), [("Muller, Jorg", "Müller, Jörg"), ("Mueller, Joerg", "Müller, Jörg")]
)
def test_other_spellings_are_suggested(event, reported, register):
    known = make_player(register, fide_id="7000095")
    reading = read(event, "a.trf", file_of(reported, ""))
    assert [s.player for s in reading.unresolved[0].suggestions] == [known]


def test_a_junk_number_is_one_fault_and_none_once_the_person_is_chosen(event):
    ann = make_player("Quince, Ann", fide_id="7000093", born=1990)
    table = (
        'start_no,name,fide_id,birth,r1\n1,"Quince, Ann",Z56538,1990,2w1\n2,"Birch, Lou",7000012,1980,1b0\n'
    )
    reading = read(event, "a.csv", table.encode())
    (error,) = reading.errors
    assert "Z56538" in error.message
    assert "7000093" in error.remedy
    assert read(event, "a.csv", table.encode(), people={1: ann.pk}).ok
