"""What an arbiter finds out of the register by what he sends: the public's knowledge, and no birthday."""

from __future__ import annotations

import base64
import zlib
from datetime import date, timedelta

import pytest
from django.utils import timezone

from players import hiding, services
from players.models import Federation
from tests.factories import make_arbiter, make_federation, make_player, make_user
from tests.pages import text_of
from tests.tournaments.test_dryrun import World
from tournaments import drafting
from tournaments.drafted import read_draft
from tournaments.entries import add_entry
from tournaments.models import Report, TournamentArbiter
from tournaments.sealed import unseal
from tournaments.services import submit_report

pytestmark = pytest.mark.django_db
NUMBER, BORN, YEAR = "7000999", date(2015, 3, 14), 2015
HIDDEN = "Quillfeather, Zora"


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def child(world):
    """A minor of another federation, which hides the year."""
    make_federation("XBB")
    Federation.objects.filter(pk="XBB").update(hides_minors=True)
    return make_player("Kidd, Ann", fide_id=NUMBER, born=BORN, federation="XBB")


@pytest.fixture
def hidden(world):
    player = make_player(HIDDEN, fide_id="7000998", born=date(1983, 2, 19))
    hiding.hide(player, make_user("officer", "players.decide_privacy", federation="XAA"), "asked")
    return player


def sign_in_clerk(world, federation: str) -> None:
    """Have an account look that works on the register of a federation."""
    rights = ("players.view_player", "tournaments.accept_report")
    user = make_user("clerk", *rights, federation=federation)
    TournamentArbiter.objects.create(
        tournament=world.tournament, arbiter=make_arbiter("Arbiter, Bo", user=user), role="deputy"
    )
    world.client.force_login(user)


def told(world, *rows: str) -> str:
    return text_of(world.try_file("\n".join(["No.,Name,FIDE ID,Birth date", *rows])).content.decode())


def every_day(name: str) -> list[str]:
    """A file in which one number stands with each day of the year."""
    days = [date(YEAR, 1, 1) + timedelta(at) for at in range(365)]
    return [f'{at},"{name}",{NUMBER},{day}' for at, day in enumerate(days, start=1)]


@pytest.mark.parametrize("name", ["Zzyzx, Q", "Zzyzx, Ann"])
def test_a_file_of_all_days_tells_no_birthday(world, child, name):
    seen = told(world, *every_day(name))
    assert "same birth date" not in seen
    assert seen.count("The register has nobody like this") in (0, 365), "as much of one day as of any other"


def test_of_a_grown_up_the_public_year_is_compared_and_no_day(world):
    make_player("Murphy, David", fide_id=NUMBER, born=BORN.replace(year=1980))
    for day in ("1980-03-14", "1980-03-15"):
        assert "birth date" not in told(world, f'1,"Murphy, David",{NUMBER},{day}').replace("Birth date", "")
    assert "the register 1980" in told(world, f'1,"Murphy, David",{NUMBER},1981-03-14')
    assert "born in 1980, too" in told(world, f'1,"Shaw, David",{NUMBER},1980-05-05')


@pytest.mark.parametrize(
    "row",
    [f'1,"Kidd, Ann",{NUMBER},2014-01-01', f'1,"Other, Bo",{NUMBER},2014-01-01', '1,"Kidd, Ann",,'],
    ids=["his number", "another name", "no number"],
)
def test_a_withheld_year_is_told_by_no_check(world, child, row):
    assert str(YEAR) not in told(world, row)


def test_a_withheld_year_is_not_on_the_page_of_a_tournament(world, child):
    typed = world.client.post(world.url("arbiter-entry-add"), {"number": "Kidd, Ann"}, follow=True)
    assert f"{NUMBER} Kidd, Ann (?)" in text_of(typed.content.decode())
    add_entry(world.tournament, world.user, NUMBER)
    page = text_of(world.client.get(world.url("arbiter-tournament")).content.decode())
    assert "Kidd, Ann" in page
    assert str(YEAR) not in page
    Federation.objects.update(hides_minors=False)
    assert str(YEAR) in text_of(world.client.get(world.url("arbiter-tournament")).content.decode())


def test_a_name_does_not_lead_to_who_is_hidden(world, hidden):
    seen = told(world, f'1,"{HIDDEN}",,', f'2,"{HIDDEN}",7000989,')
    assert "Hidden" not in seen
    assert "7000998" not in seen
    assert "1983" not in seen


def test_a_former_name_that_staff_have_hidden_leads_to_nobody(world):
    player = make_player("Reed, Alex", fide_id=NUMBER)
    services.keep_former_name(player, "Marsh, Robin", "change of name")
    assert "Reed, Alex" in told(world, '1,"Marsh, Robin",,')
    player.former_names.update(public=False)
    assert "Reed, Alex" not in told(world, '1,"Marsh, Robin",,')


def test_a_hidden_player_is_still_entered_by_number_and_name(world, hidden):
    sent = world.try_file(f'No.,Name,FIDE ID\n1,"{HIDDEN}",7000998\n')
    assert sent.context["reading"].ok
    assert sent.context["reading"].players == {1: hidden}


def test_who_works_on_the_register_is_told_all_of_his_own_federation(world, child, hidden):
    grown_up = make_player("Murphy, David", fide_id="7000997", born=date(1980, 3, 14))
    sign_in_clerk(world, "XAA")
    assert "another day" in told(world, f'1,"{grown_up.name}",7000997,1980-03-15')
    assert f"formerly {HIDDEN}" in told(world, f'1,"{HIDDEN}",,')
    assert str(YEAR) not in told(world, '1,"Kidd, Ann",,'), "another federation's"


# --- what the portal writes for him -----------------------------------------------------------------------


@pytest.fixture
def played(world, child):
    """A tournament that is over, of the child and a grown-up."""
    event = world.tournament
    today = timezone.localdate()
    type(event).objects.filter(pk=event.pk).update(start=today, end=today, registered_on=today)
    event.rounds.all().delete()
    event.refresh_from_db()
    make_player("Murphy, David", fide_id="7000997", born=date(1980, 3, 14))
    return event


DAYS = (b"2015/03/14", b"1980/03/14", b"2015")


def test_a_typed_table_brings_back_no_birthday(world, played):
    typed = {
        "row-TOTAL_FORMS": "2", "row-INITIAL_FORMS": "0", "had_players": "2", "players": "2",
        "row-0-number": NUMBER, "row-0-c2": "1", "row-1-number": "7000997", "row-1-c1": "0",
    }  # fmt: skip
    page = world.client.post(world.url("arbiter-grid"), typed)
    token = page.context["token"]
    assert token, page.context["typed"].issues
    held = unseal(world.user, played, token).content
    assert b"Kidd, Ann" in held
    assert b"1980/00/00" in held
    assert not any(day in held for day in DAYS)
    # As anybody takes it apart who has the page: the seal is no cipher.
    text = token.split(":")[0].removeprefix(".")
    plain = zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    assert base64.b64encode(held)[:40] in plain
    world.client.post(world.url("arbiter-grid"), typed | {"confirm": "1", "token": token})
    report = Report.objects.get(tournament=played)
    sent = world.client.get(world.url("arbiter-file", report.pk)).content
    assert b"Kidd, Ann" in sent
    assert not any(day in sent for day in DAYS)


def test_a_typed_crosstable_brings_back_no_birthday(world, played):
    drafting.autosave(played, world.user, "players", [["1", NUMBER, ""], ["2", "7000997", ""]], "")
    draft = drafting.draft_of(played, world.user)
    drafting.autosave(played, world.user, "1", [["1", "1-0", "2"]], draft.token)
    drafted = read_draft(drafting.draft_of(played, world.user))
    assert drafted.ok, drafted.found
    assert b"1980/00/00" in drafted.content
    assert not any(day in drafted.content for day in DAYS)


def test_a_typed_table_takes_a_hidden_player_by_his_number(world, played, hidden):
    """The portal writes “Hidden player” into the file, and has to read that again."""
    typed = {
        "row-TOTAL_FORMS": "2", "row-INITIAL_FORMS": "0", "had_players": "2", "players": "2",
        "row-0-number": "7000998", "row-0-c2": "1", "row-1-number": "7000997", "row-1-c1": "0",
    }  # fmt: skip
    page = world.client.post(world.url("arbiter-grid"), typed)
    assert page.context["typed"].ok, page.context["typed"].issues
    assert "1983" not in text_of(page.content.decode())
    assert HIDDEN not in text_of(page.content.decode())
    drafting.autosave(played, world.user, "players", [["1", "7000998", ""], ["2", "7000997", ""]], "")
    draft = drafting.draft_of(played, world.user)
    drafting.autosave(played, world.user, "1", [["1", "1-0", "2"]], draft.token)
    drafted = read_draft(drafting.draft_of(played, world.user))
    assert drafted.ok, drafted.found
    assert drafted.reading.players[1] == hidden


def test_a_number_under_another_name_tells_nothing_of_who_is_hidden(world, hidden):
    seen = told(world, '1,"Zzyzx, Q",7000998,1983-02-19')
    assert "belongs to Hidden player, the report says" in seen
    assert HIDDEN not in seen


def test_who_decides_on_a_report_is_told_what_its_sender_was_not(world, played):
    drafting.autosave(played, world.user, "players", [["1", NUMBER, ""], ["2", "7000997", ""]], "")
    draft = drafting.draft_of(played, world.user)
    drafting.autosave(played, world.user, "1", [["1", "1-0", "2"]], draft.token)
    content = read_draft(drafting.draft_of(played, world.user)).content
    content = content.replace(b"1980/00/00", b"1980/03/15")
    report = submit_report(played, world.user, "report.trf", content)
    assert "another day" not in str(report.findings)
    page = world.client.get(world.url("arbiter-report", report.pk)).content.decode()
    assert "another day" not in page
    rights = ("players.view_player", "tournaments.accept_report", "tournaments.view_report")
    clerk = make_user("clerk", *rights, federation="XAA", is_staff=True)
    world.client.force_login(clerk)
    page = text_of(world.client.get(f"/admin/tournaments/report/{report.pk}/change/").content.decode())
    assert "Murphy, David: the report has 1980-03-15, the register another day." in page
    assert str(YEAR) not in page, "of another federation's minor nothing more"
