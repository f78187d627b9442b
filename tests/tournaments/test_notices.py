"""What players with an account are told of reports, on their page and by e-mail."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from players.models import Player
from tests import factories as make
from tests.pages import fetch, read
from tests.tournaments.report_files import line, report
from tournaments import intake, notices
from tournaments.models import ReportNotice
from tournaments.services import NotAllowedNow, accept_report, submit_report
from tournaments.tasks import send_notices

pytestmark = pytest.mark.django_db
Mail = ReportNotice.Mail


@pytest.fixture
def system():
    return make.make_system("standard", regulation=make.STANDARD, name="Isles standard")


@pytest.fixture
def staff():
    return make.make_user("", "tournaments.accept_report", "players.merge_player")


@pytest.fixture
def alder():
    player = make.make_player("Alder, Tom", fide_id="7000011", born=date(1980, 1, 5))
    player.user = make.make_user("tom", email="tom@example.org")
    player.save()
    return player


@pytest.fixture
def birch():
    return make.make_player("Birch, Lou", fide_id="7000012", born=date(1980, 1, 5))


@pytest.fixture
def tournament(system):
    return make.make_tournament(
        system, name="Club Open", start=date(2004, 5, 1), end=date(2004, 5, 2), rounds=2, minutes=120
    )


def content(first: str = "1", *, remark: str = "Club Open", name: str = "Alder, Tom") -> bytes:
    other = {"1": "0", "0": "1", "=": "="}
    points = {"1": "1.0", "0": "0.0", "=": "0.5"}
    return report(
        remark,
        "2004/05/01",
        "2004/05/02",
        [
            line(1, name, None, "7000011", points[first], 1, f"   2 w {first}"),
            line(2, "Birch, Lou", None, "7000012", points[other[first]], 2, f"   1 b {other[first]}"),
        ],
    )


def send(tournament, staff, data: bytes):
    return submit_report(tournament, staff, "club.trf", data)


def test_a_report_tells_players_with_an_account_and_only_them(
    client, tournament, staff, alder, birch, django_capture_on_commit_callbacks, monkeypatch
):
    rung = []
    monkeypatch.setattr(send_notices, "delay", lambda: rung.append(1))
    with django_capture_on_commit_callbacks(execute=True):
        send(tournament, staff, content())
    notice = ReportNotice.objects.get()
    assert (notice.player, notice.tournament, notice.read_at, notice.mail) == (
        alder,
        tournament,
        None,
        Mail.WAITING,
    )
    assert rung == [1]
    client.force_login(alder.user)
    page = read(client, "/me/")
    assert "Club Open new" in page
    assert "1 White Birch, Lou 1" in page
    assert f'href="/tournaments/{tournament.pk}/"' in fetch(client, "/me/")
    assert client.post("/me/read/", {"notice": notice.pk}).status_code == 302
    assert "new" not in read(client, "/me/").split("Here stands")[1]


def test_the_same_again_is_silent_and_a_changed_game_is_news(tournament, staff, alder, birch):
    send(tournament, staff, content())
    ReportNotice.objects.update(read_at=timezone.now(), mail=Mail.SENT)
    again = send(tournament, staff, content(remark="Club Open 2004"))
    notice = ReportNotice.objects.get()
    assert (notice.report, notice.mail) == (again, Mail.SENT)
    assert notice.read_at is not None
    accept_report(again, staff)
    assert ReportNotice.objects.get().read_at is not None
    send(tournament, staff, content("="))
    notice.refresh_from_db()
    assert (notice.read_at, notice.mail) == (None, Mail.WAITING)


def test_an_account_linked_after_the_report_is_told_when_it_is_accepted(tournament, staff, alder, birch):
    sent = send(tournament, staff, content())
    birch.user = make.make_user("lou")
    birch.save()
    accept_report(sent, staff)
    assert set(ReportNotice.objects.values_list("player", flat=True)) == {alder.pk, birch.pk}


def test_who_is_no_longer_named_is_told_that(client, tournament, staff, alder, birch):
    sent = send(tournament, staff, content())
    sent.tournament.games.all().delete()
    sent.tournament.entries.filter(player=alder).delete()
    notices.tell(sent)
    client.force_login(alder.user)
    assert "no longer names you" in read(client, "/me/")
    notices.send_waiting()
    assert "no longer names you" in mail.outbox[0].subject


def test_mail_goes_out_once(tournament, staff, alder, birch, settings):
    settings.PORTAL_ORIGIN = "https://ratings.example.org"
    send(tournament, staff, content())
    assert notices.send_waiting() == 1
    send_notices()
    (message,) = mail.outbox
    assert message.to == ["tom@example.org"]
    assert message.subject == "Club Open: the report names you"
    assert "https://ratings.example.org/me/" in message.body
    assert "Alder, Tom" in message.body
    assert ReportNotice.objects.get().mail == Mail.SENT


@pytest.mark.parametrize("how", ["no address", "not active", "no server", "no account"])
def test_without_an_address_nothing_is_sent(tournament, staff, alder, birch, settings, how):
    send(tournament, staff, content())
    if how == "no address":
        type(alder.user).objects.update(email="")
    elif how == "not active":
        type(alder.user).objects.update(is_active=False)
    elif how == "no account":
        Player.objects.update(user=None)
    else:
        settings.PORTAL_MAIL = False
    assert notices.send_waiting() == 0
    assert ReportNotice.objects.get().mail == Mail.NONE
    assert mail.outbox == []


def test_a_mail_server_in_trouble_is_asked_five_times(tournament, staff, alder, birch, settings):
    settings.EMAIL_BACKEND = "tests.tournaments.test_notices.Broken"
    send(tournament, staff, content())
    for attempt in range(1, 6):
        assert notices.send_waiting() == 0
        notice = ReportNotice.objects.get()
        assert notice.mail_attempts == attempt
        assert notice.mail == (Mail.WAITING if attempt < 5 else Mail.FAILED)
        notices.send_waiting()  # too soon
        assert ReportNotice.objects.get().mail_attempts == attempt
        ReportNotice.objects.update(mail_at=timezone.now() - timedelta(hours=1))
    notices.send_waiting()
    assert ReportNotice.objects.get().mail_attempts == 5


class Broken:
    """A mail backend whose server is away."""

    def __init__(self, *args, **kwargs) -> None:
        pass

    def send_messages(self, messages) -> int:
        raise OSError("no route to host")


def test_what_a_dead_worker_was_sending_is_sent_after_a_while(tournament, staff, alder, birch):
    send(tournament, staff, content())
    ReportNotice.objects.update(mail=Mail.SENDING, mail_attempts=1, mail_at=timezone.now())
    assert notices.send_waiting() == 0
    ReportNotice.objects.update(mail_at=timezone.now() - timedelta(hours=1))
    assert notices.send_waiting() == 1


def test_a_broker_in_trouble_leaves_the_report_stored(
    tournament, staff, alder, birch, django_capture_on_commit_callbacks, monkeypatch
):
    def broken() -> None:
        raise OSError("no broker")

    monkeypatch.setattr(send_notices, "delay", broken)
    with django_capture_on_commit_callbacks(execute=True):
        send(tournament, staff, content())
    assert tournament.reports.count() == 1
    assert notices.send_waiting() == 1


def test_notices_are_for_their_own_account(client, tournament, staff, alder, birch):
    send(tournament, staff, content())
    assert client.get("/me/").status_code == 302
    client.force_login(make.make_user("stranger"))
    assert "No player's record is linked" in read(client, "/me/").replace("&#x27;", "'")
    for given in ("all", ReportNotice.objects.get().pk, "", "x", "9" * 30):
        client.post("/me/read/", {"notice": given})
    assert ReportNotice.objects.get().read_at is None
    client.force_login(alder.user)
    client.post("/me/read/", {"notice": "all"})
    assert ReportNotice.objects.get().read_at is not None
    assert client.get("/me/read/").status_code == 405


def test_a_player_merged_while_the_report_was_read_is_refused(tournament, staff, alder, birch, monkeypatch):
    other = make.make_player("Alder, Tom")

    def merged(*args, **kwargs):
        reading = intake.read(*args, **kwargs)
        Player.objects.filter(pk=alder.pk).update(merged_into=other)
        return reading

    monkeypatch.setattr("tournaments.reporting.read", merged)
    with pytest.raises(NotAllowedNow, match="just merged"):
        send(tournament, staff, content())


def test_the_spelling_of_the_report_stands_beside_the_registers(client, tournament, staff, alder, birch):
    sent = send(tournament, staff, content(name="ALDER, T."))
    client.force_login(staff)
    page = read(client, f"/arbiter/{tournament.pk}/reports/{sent.pk}/")
    assert "Spelled otherwise on the register" in page
    assert "1 ALDER, T. Alder, Tom" in page
    assert "Birch, Lou Birch, Lou" not in page
    client.force_login(make.make_user("boss", is_staff=True, is_superuser=True))
    assert "ALDER, T." in read(client, f"/admin/tournaments/tournament/{tournament.pk}/change/")
