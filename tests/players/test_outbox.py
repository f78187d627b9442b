"""Messages to staff: told once, sent once to all who have the right, shown to them with or without mail."""

from __future__ import annotations

from datetime import timedelta
from threading import Barrier, Lock, Thread

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from players import outbox, sending
from players.models import OutboxMessage
from players.roles import APPROVERS, CLERKS, RATING_OFFICERS
from players.tasks import send_messages
from tests.factories import appoint, make_user
from tests.pages import text_of

RIGHT = "players.view_player"


@pytest.fixture
def rung(monkeypatch):
    found = []
    monkeypatch.setattr(send_messages, "delay", lambda: found.append(1))
    return found


def tell(key: str = "list:1") -> OutboxMessage:
    return outbox.tell_staff(key, RIGHT, "A list waits", "Look at it.", "/admin/x/")


def officers() -> None:
    make_user("one", RIGHT, email="one@example.org")
    make_user("two", email="two@example.org", is_superuser=True)
    make_user("away", RIGHT, email="away@example.org", is_active=False)
    make_user("silent", RIGHT)
    make_user("other", email="other@example.org")


@pytest.mark.django_db
def test_a_message_is_told_once_and_rung_for_once(rung, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert tell() == tell()
    assert OutboxMessage.objects.count() == 1
    assert rung == [1]


@pytest.mark.usefixtures("transactional_db")
def test_a_cause_that_is_undone_tells_nobody(rung):
    with transaction.atomic():
        tell()
        transaction.set_rollback(True)
    assert not OutboxMessage.objects.exists()
    assert rung == []


@pytest.mark.django_db
def test_one_mail_goes_to_all_who_have_the_right_and_can_read_it(settings):
    settings.PORTAL_ORIGIN = "https://ratings.example.org"
    officers()
    tell()
    assert outbox.send_waiting() == 1
    assert outbox.send_waiting() == 0
    (message,) = mail.outbox
    assert message.recipients() == ["one@example.org", "two@example.org"]
    assert message.to == [], "nobody sees the others' addresses"
    assert "Look at it.\n\nhttps://ratings.example.org/admin/x/" in message.body
    assert OutboxMessage.objects.get().state == "sent"


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["nobody", "no mail"])
def test_without_mail_it_waits_on_the_page_only(settings, how):
    if how == "no mail":
        officers()
        settings.PORTAL_MAIL = False
    tell()
    assert outbox.send_waiting() == 0
    assert OutboxMessage.objects.get().state == "nobody"
    assert mail.outbox == []


class Broken:
    """A mail backend whose server is away."""

    def __init__(self, *args, **kwargs) -> None:
        pass

    def send_messages(self, messages) -> int:
        raise OSError("no route to host")


@pytest.mark.django_db
def test_a_mail_server_in_trouble_is_asked_five_times(settings):
    settings.EMAIL_BACKEND = "tests.players.test_outbox.Broken"
    officers()
    tell()
    for attempt in range(1, 6):
        assert outbox.send_waiting() == 0
        message = OutboxMessage.objects.get()
        assert (message.attempts, message.state) == (attempt, "waiting" if attempt < 5 else "failed")
        outbox.send_waiting()  # too soon
        assert OutboxMessage.objects.get().attempts == attempt
        OutboxMessage.objects.update(tried_at=timezone.now() - timedelta(hours=1))
    outbox.send_waiting()
    assert OutboxMessage.objects.get().attempts == 5


@pytest.mark.django_db
def test_what_a_dead_worker_was_sending_is_sent_after_a_while_and_not_for_ever(rung):
    officers()
    tell()
    OutboxMessage.objects.update(state="sending", attempts=1, tried_at=timezone.now())
    assert outbox.send_waiting() == 0
    assert not outbox.sweep()
    OutboxMessage.objects.update(tried_at=timezone.now() - timedelta(hours=1))
    assert outbox.sweep()
    assert rung == [1]
    assert outbox.send_waiting() == 1
    OutboxMessage.objects.update(state="sending", attempts=5, tried_at=timezone.now() - timedelta(hours=1))
    assert outbox.send_waiting() == 0
    assert OutboxMessage.objects.get().state == "failed"


def send_at_once(monkeypatch) -> int:
    """How many mails two workers send who both see the message waiting."""
    make_user("one", RIGHT, email="one@example.org")
    with transaction.atomic():
        tell()
    both, sent = Barrier(2), []
    due = sending.Sending.due

    def slowly(self, rows):
        found = list(due(self, rows))
        both.wait(20)
        return Seen(found)

    class Seen(list):
        """Rows as both saw them: read again, they might show what the other has done since."""

        def order_by(self, *names):
            return self

    monkeypatch.setattr(sending.Sending, "due", slowly)
    monkeypatch.setattr(outbox, "_mail", lambda message: sent.append(message.pk) or True)

    def one() -> None:
        try:
            outbox.send_waiting()
        finally:
            connection.close()

    threads = [Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return len(sent)


@pytest.mark.usefixtures("transactional_db")
def test_two_workers_send_it_once(monkeypatch, rung):
    assert send_at_once(monkeypatch) == 1


@pytest.mark.usefixtures("transactional_db")
def test_without_the_claim_it_would_go_out_twice(monkeypatch, rung):
    """The control: who sends without a look at the state of the row sends it again."""
    real, one_by_one = sending.Sending._try, Lock()

    def blind(self, row, send):
        with one_by_one:
            OutboxMessage.objects.filter(pk=row.pk).update(state=row.state, attempts=row.attempts)
            return real(self, row, send)

    monkeypatch.setattr(sending.Sending, "_try", blind)
    assert send_at_once(monkeypatch) == 2


# --- pages --------------------------------------------------------------------------------------------


def member(group: str) -> Client:
    user = make_user(is_staff=True)
    appoint(user, group)
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.django_db
def test_those_whom_it_concerns_find_it_on_their_pages(settings):
    settings.PORTAL_MAIL = False
    outbox.tell_staff("a", "ratinglists.propose_list", "Draft <b>waits</b>", "Look at it.", "/admin/x/")
    old = outbox.tell_staff("b", "ratinglists.propose_list", "Old news", "Long ago.")
    OutboxMessage.objects.filter(pk=old.pk).update(written_at=timezone.now() - timedelta(days=15))
    outbox.send_waiting()
    officer, clerk = member(RATING_OFFICERS), member(CLERKS)
    html = officer.get("/queue/").content.decode()
    assert 'href="/admin/x/"' in html
    assert "Draft &lt;b&gt;waits" in html
    assert "Old news" not in html
    assert "Draft" not in text_of(clerk.get("/queue/").content.decode())
    outbox.tell_staff("c", "ratinglists.publish_list", "Waits for a second person", "Approve it.")
    approver = member(APPROVERS)
    assert "Waits for a second person" in text_of(approver.get("/queue/").content.decode())
    assert "Queue" in text_of(approver.get("/").content.decode())
    page = text_of(officer.get("/admin/players/outboxmessage/").content.decode())
    assert "Old news" in page
    assert "nobody to send it to" in page
