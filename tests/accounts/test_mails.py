"""New passwords by mail, and an address that is changed: the same answer whoever asks for whatever."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import mails
from accounts.models import Mail
from accounts.people import at_address
from accounts.tasks import prune, send_mails
from players.models import AuditEntry
from ratinglists.services import swept
from tests.accounts.signing import is_in, password, with_app
from tests.factories import make_user
from tests.pages import text_of

pytestmark = pytest.mark.django_db
RESET = "/accounts/password/reset/"
NEW = {"password1": "Harbour-71-light", "password2": "Harbour-71-light"}


def ask(email: str, client: Client | None = None):
    return (client or Client()).post(RESET, {"email": email}, follow=True)


def link() -> str:
    return re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]


def test_asking_looks_the_same_for_whatever_address(django_assert_num_queries):
    make_user("ann", email="ann@example.org")
    known, unknown = ask("ann@example.org"), ask("nobody@example.org")
    assert known.content == unknown.content
    assert "If there is an account with this address" in known.content.decode()
    assert mail.outbox == []  # a worker writes
    with django_assert_num_queries(3):  # savepoint, row, release: nobody is looked for
        mails.ask_reset("ann@example.org", "")
    with django_assert_num_queries(3):
        mails.ask_reset("nobody@example.org", "")


def test_a_link_sets_a_password_once_and_ends_sessions(client):
    make_user("ann", email="Ann@example.org")
    inside = Client()
    password(inside, "ann")
    ask("ann@EXAMPLE.org")
    ask("nobody@example.org")
    send_mails()
    (sent,) = mail.outbox
    assert sent.to == ["Ann@example.org"]
    assert "for the account ann" in sent.body
    where = link()
    form = client.get(where, follow=True)
    assert form.redirect_chain[-1][0].endswith("-set-password/")
    assert client.post(form.redirect_chain[-1][0], NEW).status_code == 302
    assert not is_in(inside)
    assert not is_in(client)
    assert password(Client(), "ann", "Harbour-71-light").status_code == 302
    assert "The link is wrong, too old" in Client().get(where).content.decode()
    assert AuditEntry.objects.filter(act="account.password-reset").count() == 1
    assert not Mail.objects.exclude(text="").filter(state="sent").exists()


def test_a_new_password_does_not_pass_the_second_factor(client):
    user = make_user("ann", email="ann@example.org")
    with_app(user)
    ask("ann@example.org")
    send_mails()
    client.post(client.get(link(), follow=True).redirect_chain[-1][0], NEW)
    assert not is_in(client)
    assert "authenticate" in password(client, "ann", "Harbour-71-light").headers["Location"]
    assert not is_in(client)


def test_nobody_floods_a_mailbox():
    make_user("ann", email="ann@example.org")
    for _ in range(6):
        mails.ask_reset("ann@example.org", "http://testserver")
        send_mails()
    assert len(mail.outbox) == mails.RESETS_AN_HOUR == 3
    Mail.objects.update(written_at=timezone.now() - timedelta(hours=2))
    mails.ask_reset("ann@example.org", "http://testserver")
    send_mails()
    assert len(mail.outbox) == 4
    Mail.objects.update(written_at=timezone.now() - timedelta(days=2))
    prune()
    assert not Mail.objects.exists()


def test_a_closed_account_gets_none():
    make_user("ann", email="ann@example.org", is_active=False)
    ask("ann@example.org")
    send_mails()
    assert mail.outbox == []


def test_a_mail_that_fails_is_tried_again(monkeypatch):
    make_user("ann", email="ann@example.org")
    ask("ann@example.org")

    def broken(*args, **kwargs):
        raise OSError("no server")

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMessage.send", broken)
        send_mails()
    assert Mail.objects.get().state == "waiting"
    Mail.objects.update(tried_at=timezone.now() - timedelta(minutes=6))
    send_mails()
    assert len(mail.outbox) == 1


def test_the_sweep_rings_for_what_waits(monkeypatch):
    rung = []
    monkeypatch.setattr(mails, "ring", lambda: rung.append(1))
    mails.sweep()
    assert rung == []
    Mail.objects.create(to="ann@example.org", subject="A", text="B")
    swept.send(sender=None)
    assert rung == [1]


def test_an_address_counts_once_it_is_confirmed(client):
    user = make_user("ann", email="old@example.org")
    password(client, "ann")
    assert client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""}).status_code == 302
    user.refresh_from_db()
    assert user.email == "old@example.org"
    send_mails()
    assert mail.outbox[0].to == ["new@example.org"]
    where = link()
    assert "new@example.org" in client.get(where).content.decode()
    client.post(where)
    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["new@example.org"]
    assert AuditEntry.objects.filter(act="account.address-confirmed").count() == 1
    assert "new@example.org" not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize("owner", ["has an account", "is invited"])
def test_nobody_has_an_address_by_saying_so(client, owner):
    """Not even who has none yet: its owner would no longer come in by it, nor be invited to it."""
    if owner == "has an account":
        make_user("owner", email="victim@example.org")
    user = make_user("ann")
    password(client, "ann")
    client.post("/accounts/email/", {"email": "victim@example.org", "action_add": ""})
    given = {"email": "victim@example.org", "action_primary": ""}
    assert client.post("/accounts/email/", given).status_code == 403
    client.get("/accounts/email/")
    user.refresh_from_db()
    assert user.email == ""
    assert user not in at_address("victim@example.org")
    send_mails()
    client.post(link())
    user.refresh_from_db()
    assert user.email == "victim@example.org", "who reads its mail has it"


def test_the_owner_is_told_of_changes(client):
    make_user("ann", email="ann@example.org")
    password(client, "ann")
    client.post("/accounts/password/change/", {"oldpassword": "secret", **NEW})
    send_mails()
    assert [each.to for each in mail.outbox] == [["ann@example.org"]]
    assert "The password was changed.\n\nAccount: ann" in mail.outbox[0].body
    assert "127.0.0.1" in mail.outbox[0].body


# --- links that are no good (any more) ----------------------------------------------------------------


def wrong(path: str) -> bool:
    return "The link is wrong, too old" in Client().get(path).content.decode()


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda user: user.set_password("Lighthouse-72"),
        lambda user: setattr(user, "email", "other@example.org"),
        lambda user: setattr(user, "last_login", timezone.now()),
    ],
    ids=["password", "address", "sign-in"],
)
def test_a_link_is_void_after_a_change(meanwhile):
    user = make_user("ann", email="ann@example.org")
    ask("ann@example.org")
    send_mails()
    assert not wrong(link())
    meanwhile(user)
    user.save()
    assert wrong(link())


def test_a_link_opens_no_other_account():
    make_user("ann", email="ann@example.org")
    other = make_user("bob", email="bob@example.org")
    ask("ann@example.org")
    send_mails()
    found = re.search(r"key/([0-9a-z]+)-([^/]+)/", link())
    forged = link().replace(f"{found[1]}-", f"{user_pk_to_url_str(other)}-")
    assert forged != link()
    assert wrong(forged)
    thief = Client()
    page = thief.get(link(), follow=True).redirect_chain[-1][0]
    thief.post(page.replace(f"/{found[1]}-", f"/{user_pk_to_url_str(other)}-"), NEW)
    other.refresh_from_db()
    assert other.check_password("secret")


def test_links_lead_to_the_portals_own_address(settings):
    """Whatever name of the portal, or other, a request says it is for."""
    settings.PORTAL_ORIGIN, settings.ALLOWED_HOSTS = "https://ratings.example.org", ["second.example.org"]
    make_user("ann", email="ann@example.org")
    client = Client(HTTP_HOST="second.example.org", HTTP_X_FORWARDED_HOST="evil.example")
    password(client, "ann")
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    ask("ann@example.org", client)
    send_mails()
    assert len(mail.outbox) == 2
    for sent in mail.outbox:
        assert "https://ratings.example.org/accounts/" in sent.body
        assert "second.example.org" not in sent.body
        assert "evil" not in sent.body
    assert Client(HTTP_HOST="evil.example").post(RESET, {"email": "ann@example.org"}).status_code == 400


def test_a_confirmation_is_good_once_and_for_its_own_address(client):
    user = make_user("ann", email="old@example.org")
    password(client, "ann")
    client.post("/accounts/email/", {"email": "first@example.org", "action_add": ""})
    send_mails()
    first = link()
    client.post("/accounts/email/", {"email": "second@example.org", "action_add": ""})
    send_mails()
    client.post(first)
    user.refresh_from_db()
    assert user.email == "old@example.org", "it was thought over"
    client.post(link())
    user.refresh_from_db()
    assert user.email == "second@example.org"
    user.email = "staff@example.org"
    user.save()
    EmailAddress.objects.all().delete()
    client.post(link())
    user.refresh_from_db()
    assert user.email == "staff@example.org"


def test_no_public_page_tells_whether_an_address_has_an_account(client):
    make_user("ann", email="known@example.org")
    for path, given in (
        (RESET, {"email": "{}@example.org"}),
        ("/accounts/signup/", {"username": "x", "email": "{}@example.org", **NEW}),
        ("/accounts/login/", {"login": "{}@example.org", "password": "wrong"}),
    ):
        told = []
        for name in ("known", "nobody"):
            answer = Client().post(path, {key: text.format(name) for key, text in given.items()}, follow=True)
            told.append((answer.status_code, text_of(answer.content.decode()).replace(name, "…")))
        assert told[0] == told[1], path
