"""Signing in by name or address, changing the password, sessions, and the administration's door."""

from __future__ import annotations

import json
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.crypto import get_random_string

from accounts.people import named
from accounts.tasks import prune
from players.models import AuditEntry
from tests.accounts.signing import LOGIN, is_in, password
from tests.factories import make_user
from tests.signing_in import just_signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("typed", ["ann", "ANN", "Ann@Example.org", " ann "])
def test_by_name_and_by_address(client, typed):
    make_user("ann", email="ann@example.org")
    assert password(client, typed).headers["Location"] == "/"
    assert is_in(client)
    entry = AuditEntry.objects.get(act="account.signed-in")
    assert entry.data == {"ways": ["password"], "known_device": False}


def test_names_that_differ_in_case_only_are_two_accounts():
    one, other = make_user("ann"), make_user("Ann")
    assert (named("ann"), named("Ann"), named("ANN")) == (one, other, None)


def test_an_address_of_two_accounts_or_one_not_confirmed_names_nobody():
    ann = make_user("ann", email="ann@example.org")
    thief = make_user("thief", email="thief@example.org")
    EmailAddress.objects.create(user=thief, email="ann@example.org", verified=False)
    assert named("ann@example.org") == ann
    make_user("twin", email="ANN@example.org")
    assert named("ann@example.org") is None


@pytest.mark.parametrize("name", ["ann", "nobody", "ann@example.org", "nobody@example.org", "closed"])
def test_a_wrong_password_gives_one_answer_after_one_hash(client, name):
    make_user("ann", email="ann@example.org")
    make_user("closed", is_active=False)
    with mock.patch.object(
        MD5PasswordHasher, "encode", autospec=True, side_effect=MD5PasswordHasher.encode
    ) as hashed:
        answer = password(client, name, "wrong")
    assert hashed.call_count == 1
    assert "The name or the password is wrong." in answer.content.decode()
    assert answer.status_code == 200
    entry = AuditEntry.objects.get(act="account.sign-in-failed")
    assert "wrong" not in f"{entry.text}{entry.data}"
    assert bool(entry.subject) == (name in ("ann", "ann@example.org", "closed"))


def test_a_closed_account_is_told_so_to_its_owner_only(client):
    make_user("closed", is_active=False)
    assert password(client, "closed").headers["Location"] == "/accounts/inactive/"
    assert not is_in(client)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("/arbiter/", "/arbiter/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("http://127.0.0.1/", "/"),  # this portal by another name
        ("javascript:alert(1)", "/"),
    ],
)
def test_whoever_signs_in_goes_on_within_the_portal(client, wanted, found):
    make_user("ann")
    assert password(client, "ann", next=wanted).headers["Location"] == found


def test_who_may_not_open_a_page_is_not_sent_round_in_circles(client):
    client.force_login(make_user("ann"))
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(LOGIN)
    assert "Your account may not open that page" in answer.content.decode()


def test_nobody_signs_up(client):
    new = {
        "username": "new",
        "email": "n@example.org",
        "password1": "Harbour-71-light",
        "password2": "Harbour-71-light",
    }
    answer = client.post("/accounts/signup/", new)
    assert "Accounts come by invitation" in answer.content.decode()
    assert named("new") is None


def change(client, old: str, new: str):
    return client.post("/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new})


def test_a_new_password_ends_all_other_sessions():
    make_user("ann", email="ann@example.org")
    here, there = Client(), Client()
    for each in (here, there):
        password(each, "ann")
        assert is_in(each)
    assert change(here, "wrong", "Harbour-71-light").status_code == 200
    assert is_in(there)
    assert change(here, "secret", "Harbour-71-light").status_code == 302
    assert is_in(here)
    assert not is_in(there)
    assert password(Client(), "ann").status_code == 200
    assert password(Client(), "ann", "Harbour-71-light").status_code == 302
    assert AuditEntry.objects.filter(act="account.password-changed").count() == 1


def test_one_sees_and_ends_ones_other_sessions():
    make_user("ann")
    here, there = Client(HTTP_USER_AGENT="Here"), Client(HTTP_USER_AGENT="There")
    for each in (here, there):
        password(each, "ann")
    text = here.get("/accounts/sessions/").content.decode()
    assert "Here" in text
    assert "There" in text
    here.post("/accounts/sessions/")
    assert is_in(here)
    assert not is_in(there)


@pytest.mark.parametrize("staff", [True, False])
def test_the_administration_has_no_door_of_its_own(client, staff):
    user = make_user("ann", is_staff=staff)
    answer = client.get("/admin/players/", follow=True)
    assert answer.redirect_chain[-1][0] == f"{LOGIN}?next=/admin/players/"
    assert (
        client.post("/admin/login/", {"username": "ann", "password": "secret"})
        .headers["Location"]
        .startswith(LOGIN)
    )
    assert client.get("/admin/login/?next=//evil.example/").headers["Location"] == f"{LOGIN}?next=/admin/"
    client.force_login(user)
    wanted = "/admin/" if staff else f"{LOGIN}?next=/admin/"
    assert client.get("/admin/login/").headers["Location"] == wanted


def test_the_administration_changes_passwords_by_the_same_page(client):
    client.force_login(make_user("ann", is_staff=True))
    assert client.get("/admin/password_change/").headers["Location"] == "/accounts/password/change/"


def test_an_open_session_of_an_administrator_gives_its_account_to_nobody(client):
    """His own password asks for the old one, and his own address for a confirmation, there as elsewhere."""
    boss = make_user("boss", email="boss@example.org", is_superuser=True, is_staff=True)
    before = boss.password
    password(client, "boss")
    own = f"/admin/auth/user/{boss.pk}/"
    new = {"password1": "Harbour-71-light", "password2": "Harbour-71-light", "usable_password": "true"}
    for answer in (client.get(f"{own}password/"), client.post(f"{own}password/", new)):
        assert answer.headers["Location"] == "/accounts/password/change/"
    form = client.get(f"{own}change/").context["adminform"].form
    data = {name: form.initial.get(name) or "" for name in form.fields if name != "password"}
    data |= {"email": "thief@example.org", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    data |= {"groups": [], "user_permissions": [], "roles": [], "clerk_of": []}
    assert client.post(f"{own}change/", data).status_code == 302
    boss.refresh_from_db()
    assert (boss.password, boss.email) == (before, "boss@example.org")
    ann = make_user("ann")
    client.post(f"/admin/auth/user/{ann.pk}/password/", new)
    assert password(Client(), "ann", "Harbour-71-light").headers["Location"] == "/", "another's is set"


def test_an_open_session_of_an_administrator_gives_no_other_account_away(client):
    """Who sets a password, makes or changes an account or resets a factor has just shown who he is."""
    boss, ann = make_user("boss", is_superuser=True, is_staff=True), make_user("ann", email="a@example.org")
    password(client, "boss")
    session = client.session
    records = session["account_authentication_methods"]
    session["account_authentication_methods"] = [each | {"at": each["at"] - 400} for each in records]
    session.save()
    accounts, before = "/admin/auth/user/", ann.password
    form = client.get(f"{accounts}{ann.pk}/change/").context["adminform"].form
    sent = {name: form.initial.get(name) or "" for name in form.fields if name != "password"}
    sent |= {"email": "thief@example.org", "is_active": "on", "groups": [], "user_permissions": []}
    sent |= {"roles": [], "clerk_of": [], "last_login_0": "", "last_login_1": ""}
    sent |= {"date_joined_0": "2022-01-01", "date_joined_1": "00:00"}
    new = {"password1": "Harbour-71-light", "password2": "Harbour-71-light", "usable_password": "true"}
    for address in (f"{accounts}{ann.pk}/password/", f"{accounts}add/"):
        for answer in (client.get(address), client.post(address, new | {"username": "evil"})):
            assert answer.headers["Location"].startswith("/accounts/reauthenticate/?next="), address
        assert "Harbour" not in str(dict(client.session)), "a password does not wait in the session"
    reset = f"/accounts/second-factor/{ann.pk}/"
    for answer in (client.get(reset), client.post(reset), client.post(f"{accounts}{ann.pk}/change/", sent)):
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    ann.refresh_from_db()
    assert (ann.password, ann.email) == (before, "a@example.org")
    assert get_user_model().objects.count() == 2
    # What was sent last waits for the password, and is then as if it had been sent now.
    again = f"/accounts/reauthenticate/?next={accounts}{ann.pk}/change/"
    assert client.post(again, {"password": "secret"}).headers["Location"] == accounts
    ann.refresh_from_db()
    assert ann.email == "thief@example.org"
    assert client.get(f"{accounts}{ann.pk}/password/").status_code == 200
    assert boss.is_superuser


def test_an_address_changed_by_staff_leaves_no_old_one_behind(client):
    user = make_user("ann", email="old@example.org")
    EmailAddress.objects.create(user=user, email="old@example.org", verified=True, primary=True)
    just_signed_in(make_user("boss", is_superuser=True, is_staff=True), client)
    page = client.get(f"/admin/auth/user/{user.pk}/change/")
    form = page.context["adminform"].form
    data = {name: form.initial.get(name) or "" for name in form.fields if name != "password"}
    data |= {
        "email": "new@example.org",
        "is_active": "on",
        "groups": [],
        "user_permissions": [],
        "roles": [],
        "clerk_of": [],
    }
    data |= {"last_login_0": "", "last_login_1": "", "date_joined_0": "2022-01-01", "date_joined_1": "00:00"}
    assert client.post(f"/admin/auth/user/{user.pk}/change/", data).status_code == 302
    assert named("old@example.org") is None
    assert named("new@example.org") == user


def test_sessions_that_are_over_are_forgotten(client):
    make_user("ann")
    password(client, "ann")
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")
    Session.objects.create(
        session_key=get_random_string(32), session_data="", expire_date="2120-01-01T00:00:00Z"
    )
    prune()
    assert Session.objects.count() == 1
    assert not is_in(client)


DEEP = "[" * 100_000


def test_a_credential_nested_without_end_is_none(client):
    user = make_user("ann")
    login = "/accounts/second-factor/webauthn/login/"
    client.get(login)
    assert client.post(login, {"credential": DEEP}).status_code == 302
    password(client, "ann")
    bad = {"id": "x", "rawId": "x", "type": "public-key", "response": {"attestationObject": "x"}}
    for credential in (DEEP, json.dumps(bad)):
        page = client.post("/accounts/second-factor/webauthn/add/", {"credential": credential, "name": "x"})
        assert page.status_code == 200
    assert not Authenticator.objects.filter(user=user).exists()
