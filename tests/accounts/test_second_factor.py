"""The second factor: required of staff and arbiters, passed before anything counts, reset when lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from accounts import second_factor
from accounts.models import Mail
from players.models import AuditEntry
from ratinglists import api_keys
from tests.accounts.signing import (
    CODE,
    LOGIN,
    SET_UP,
    code_of,
    enter,
    is_in,
    password,
    recovery_codes,
    with_app,
)
from tests.factories import make_arbiter, make_federation, make_user

pytestmark = pytest.mark.django_db
ACTIVATE = f"{SET_UP}totp/activate/"


@pytest.fixture(autouse=True)
def required(settings):
    settings.PORTAL_SECOND_FACTOR = "required"


def staff(name: str = "sam", **fields):
    return make_user(name, is_staff=True, **fields)


def set_up(client: Client, ahead: int = 0) -> str:
    """By the page, as a person does; returns the secret."""
    page = client.get(ACTIVATE)
    assert page.status_code == 200
    secret = page.context["form"].secret
    assert client.post(ACTIVATE, {"code": code_of(secret, ahead)}).status_code == 302
    return secret


def in_group():
    user = make_user("group")
    user.groups.add(Group.objects.create(name="Arbiters"))
    return user


def with_record():
    user = make_user("arbiter")
    make_arbiter(user=user)
    return user


@pytest.mark.parametrize(
    ("made", "needed"),
    [
        (staff, True),
        (lambda: make_user("root", is_superuser=True), True),
        (lambda: make_user("clerk", "players.view_player"), True),
        (in_group, True),
        (with_record, True),
        (make_user, False),
    ],
)
def test_who_needs_one(settings, made, needed):
    user = made()
    assert second_factor.is_needed(user) is needed
    settings.PORTAL_SECOND_FACTOR = "optional"
    assert not second_factor.is_needed(user)


@pytest.mark.django_db(transaction=True)  # as it is, signals are sent after the commit
def test_until_it_is_set_up_one_sees_what_everybody_sees(client, transactional_db):
    staff()
    make_federation()
    assert password(client, "sam", next="/admin/").headers["Location"] == "/admin/"
    for path in ("/admin/", "/me/", "/arbiter/", "/queue/", LOGIN, "/accounts/", "/accounts/sessions/"):
        assert client.get(path).headers["Location"] == SET_UP, path
    assert client.post("/me/read/").headers["Location"] == SET_UP
    for path in ("/lists/", "/players/", "/federations/XAA/", "/status/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "Set up your second factor" in answer.content.decode()
        assert "Administration" not in answer.content.decode()
    assert client.get("/no-such-page").status_code == 404
    assert (
        "Staff and arbiters sign in with a password and a second factor"
        in client.get(SET_UP).content.decode()
    )
    secret = set_up(client)
    assert client.get("/admin/").status_code == 200
    assert len(recovery_codes(named := Authenticator.objects.first().user)) == 10
    client.post("/accounts/logout/")
    assert not is_in(client)
    assert enter(client, named, secret, ahead=1).headers["Location"] == "/"
    assert client.get("/admin/").status_code == 200


def test_the_picture_and_the_secret_are_shown_and_stored_encrypted(client, settings):
    staff()
    password(client, "sam")
    page = client.get(ACTIVATE).content.decode()
    assert 'src="data:image/svg+xml;base64,' in page
    assert "<script>" not in page
    secret = set_up(client)
    row = Authenticator.objects.get(type="totp")
    assert secret not in str(row.data)
    assert second_factor.is_set_up(row.user)
    with override_settings(SECRET_KEY="another" * 10):
        assert not row.wrap().validate_code(code_of(secret, 1))
    with override_settings(SECRET_KEY="another" * 10, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert row.wrap().validate_code(code_of(secret, 1))


def test_a_password_alone_never_counts(client):
    user = staff()
    with_app(user)
    assert password(client, "sam").headers["Location"] == CODE
    assert not is_in(client)
    assert client.get("/admin/").status_code == 302
    assert client.get(ACTIVATE).headers["Location"].startswith(LOGIN)
    assert client.post(CODE, {"code": "000000"}).status_code == 200
    assert not is_in(client)


@pytest.mark.django_db(transaction=True)
def test_a_session_from_before_ends_when_a_factor_exists(transactional_db):
    staff()
    here, there = Client(), Client()
    password(there, "sam")
    password(here, "sam")
    set_up(here)
    assert is_in(here)
    assert not is_in(there)
    assert there.get(SET_UP).headers["Location"].startswith(LOGIN)


@pytest.mark.parametrize("mode", ["required", "optional"])
def test_whoever_has_one_needs_it_in_every_mode(client, settings, mode):
    settings.PORTAL_SECOND_FACTOR = mode
    user = make_user("player")
    secret = with_app(user)
    assert password(client, "player").headers["Location"] == CODE
    assert not is_in(client)
    client.post(CODE, {"code": code_of(secret)})
    assert is_in(client)


def test_a_code_works_once(client):
    user = staff()
    code = code_of(with_app(user))
    password(client, "sam")
    client.post(CODE, {"code": code})
    assert is_in(client)
    again = Client()
    password(again, "sam")
    answer = again.post(CODE, {"code": code})
    assert "The code is wrong, or was used before." in answer.content.decode()
    assert not is_in(again)


def test_the_code_that_sets_an_app_up_is_used_by_that(client, transactional_db):
    staff()
    password(client, "sam")
    code = code_of(client.get(ACTIVATE).context["form"].secret)
    client.post(ACTIVATE, {"code": code})
    assert Authenticator.objects.filter(type="totp").exists()
    again = Client()
    password(again, "sam")
    answer = again.post(CODE, {"code": code})
    assert "The code is wrong, or was used before." in answer.content.decode()
    assert not is_in(again)


def test_a_recovery_code_works_once(client):
    user = staff()
    with_app(user)
    code = recovery_codes(user)[0]
    password(client, "sam")
    client.post(CODE, {"code": code})
    assert is_in(client)
    assert code not in recovery_codes(user)
    again = Client()
    password(again, "sam")
    again.post(CODE, {"code": code})
    assert not is_in(again)


def test_without_the_last_factor_one_sets_up_another_at_once(client):
    user = staff(email="sam@example.org")
    enter(client, user, with_app(user))
    assert client.post(f"{SET_UP}totp/deactivate/").status_code == 302
    assert not Authenticator.objects.exists()
    assert client.get("/admin/").headers["Location"] == SET_UP
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts[-3:] == ["account.signed-in"] + ["account.second-factor-removed"] * 2
    assert "taken away" in Mail.objects.get().text


def test_before_a_change_one_shows_again_who_one_is(client):
    user = staff()
    secret = with_app(user)
    enter(client, user, secret)
    session = client.session
    records = session["account_authentication_methods"]
    session["account_authentication_methods"] = [each | {"at": each["at"] - 400} for each in records]
    session.save()
    for path in (f"{SET_UP}totp/deactivate/", f"{SET_UP}webauthn/add/", f"{SET_UP}recovery-codes/generate/"):
        for answer in (client.get(path), client.post(path)):
            assert answer.headers["Location"].startswith("/accounts/reauthenticate/"), path
    assert Authenticator.objects.filter(type="totp").exists()
    change = {"email": "new@example.org", "action_add": ""}
    assert client.post("/accounts/email/", change).headers["Location"].startswith("/accounts/reauthenticate/")
    again = client.post(f"/accounts/reauthenticate/?next={SET_UP}totp/deactivate/", {"password": "secret"})
    assert again.headers["Location"] == f"{SET_UP}totp/deactivate/"
    assert client.get(f"{SET_UP}totp/deactivate/").status_code == 200


def test_keys_of_programs_need_none(client):
    officer = staff("officer", is_superuser=True)
    ends = timezone.now() + timedelta(days=30)
    given = {"name": "Club program", "federation": make_federation(), "user": officer, "scopes": ["reports"]}
    key = api_keys.make(officer, **given, expires_at=ends)[1]
    statuses = [
        client.post("/api/v1/tournaments/1/reports", headers={"Authorization": f"Bearer {each}"}).status_code
        for each in (key, "wrong")
    ]
    assert statuses[1] == 401
    assert statuses[0] not in (301, 302, 401, 403)


# --- lost -------------------------------------------------------------------------------------------


def test_an_administrator_resets_a_lost_one(client):
    user = make_user("sam", is_staff=True, email="sam@example.org")
    inside = Client()
    enter(inside, user, with_app(user))
    boss = make_user("boss", "auth.change_user", "auth.view_user", is_staff=True)
    enter(client, boss, with_app(boss))
    path = f"/accounts/second-factor/{user.pk}/"
    assert path in client.get(f"/admin/auth/user/{user.pk}/change/").content.decode()
    assert "sam" in client.get(path).content.decode()
    assert client.post(path).headers["Location"] == f"/admin/auth/user/{user.pk}/change/"
    assert not Authenticator.objects.filter(user=user).exists()
    assert not is_in(inside)
    entry = AuditEntry.objects.get(act="account.second-factor-reset")
    assert (entry.actor, entry.data) == (boss, {"factors": ["recovery_codes", "totp"]})
    assert "taken away by boss" in Mail.objects.get().text


@pytest.mark.parametrize(
    ("fields", "rights"), [({"is_superuser": True}, ()), ({}, ("players.merge_player",))]
)
def test_not_of_one_who_may_do_more(client, fields, rights):
    user = make_user("sam", *rights, **fields)
    with_app(user)
    boss = make_user("boss", "auth.change_user", "auth.view_user", is_staff=True)
    enter(client, boss, with_app(boss))
    answer = client.post(f"/accounts/second-factor/{user.pk}/", follow=True)
    assert "may do more than you" in answer.content.decode()
    with pytest.raises(second_factor.Refused, match="own"):
        second_factor.reset(boss, boss)
    assert Authenticator.objects.count() == 4


def test_nobody_else_resets_anything(client):
    user = make_user("sam")
    with_app(user)
    client.force_login(make_user("other"))
    assert client.post(f"/accounts/second-factor/{user.pk}/").status_code in (302, 403)
    with pytest.raises(second_factor.Refused):
        second_factor.reset(user, make_user("third"))
    assert Authenticator.objects.count() == 2


def test_the_operator_resets_one_by_command(capsys):
    user = staff()
    with_app(user)
    call_command("second_factor", "reset", "sam")
    assert "2 factors taken away" in capsys.readouterr().out
    assert AuditEntry.objects.get(act="account.second-factor-reset").actor is None
    for name, why in (("sam", "has no second factor"), ("nobody", "no account")):
        with pytest.raises(CommandError, match=why):
            call_command("second_factor", "reset", name)


# --- recovery codes ---------------------------------------------------------------------------------


def test_old_recovery_codes_are_void_and_none_is_kept_in_the_open(client, transactional_db, caplog):
    user = staff()
    enter(client, user, with_app(user))
    old = recovery_codes(user)
    assert client.post(f"{SET_UP}recovery-codes/generate/").status_code == 302
    new = recovery_codes(user)
    assert set(old).isdisjoint(new)
    thief = Client()
    password(thief, "sam")
    for code in old[:2]:
        thief.post(CODE, {"code": code})
    assert not is_in(thief)
    owner = Client()
    password(owner, "sam")
    owner.post(CODE, {"code": new[0]})
    assert is_in(owner)
    kept = str(list(Authenticator.objects.values())) + str(list(AuditEntry.objects.values())) + caplog.text
    kept += str(list(Mail.objects.values()))
    assert not [code for code in (*old, *new) if code in kept]


def test_recovery_codes_are_shown_again_only_to_who_shows_again_who_he_is(client):
    user = staff()
    enter(client, user, with_app(user))
    pages = [f"{SET_UP}recovery-codes/", f"{SET_UP}recovery-codes/download/"]
    for path in pages:
        answer = client.get(path)
        assert recovery_codes(user)[0] in answer.content.decode()
        assert answer.headers["Cache-Control"] == "private, no-store"
    session = client.session
    name = "account_authentication_methods"
    session[name] = [each | {"at": each["at"] - 400} for each in session[name]]
    session.save()
    for path in pages:
        answer = client.get(path)
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/"), path
        assert recovery_codes(user)[0] not in answer.content.decode()
