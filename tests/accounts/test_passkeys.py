"""Passkeys: each challenge once, the portal's own origin, the account's own key, a counter that goes on."""

from __future__ import annotations

import json

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from fido2.utils import websafe_encode

from accounts.models import Mail
from players.models import AuditEntry
from tests.accounts.keys import ADD, AGAIN, SIGN_IN, Browser, Key, add, asked
from tests.accounts.signing import CODE, SET_UP, is_in, password
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def owner(name: str = "ann", **key) -> tuple[Browser, Key]:
    """Somebody signed in with a passkey of his own."""
    make_user(name, email=f"{name}@example.org")
    client, made = Browser(), Key(**key)
    password(client, name)
    assert add(client, made).status_code == 302
    return client, made


def keys(**of) -> int:
    return Authenticator.objects.filter(type="webauthn", **of).count()


def sign_in(client: Browser, key: Key, **forged):
    return client.post(SIGN_IN, {"credential": key.signed(asked(client, SIGN_IN), **forged)})


def test_a_passkey_signs_in_alone_and_after_the_password():
    _, key = owner()
    alone, after = Browser(), Browser()
    sign_in(alone, key)
    assert is_in(alone)
    assert password(after, "ann").headers["Location"] == CODE
    assert not is_in(after)
    after.post(CODE, {"credential": key.signed(asked(after, CODE))})
    assert is_in(after)


FORGED = [
    {"origin": "https://evil.example"},
    {"origin": "http://sub.localhost"},
    {"origin": "http://localhost:8443"},
    {"origin": "https://localhost"},
    {"origin": "http://localhost@evil.example"},
    {"origin": "null"},
    {"origin": "http://["},
    {"host": "evil.example"},
    {"host": "sub.localhost"},
    {"crossOrigin": True},
]


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_no_other_origin_and_no_other_name(forged):
    """Nor one below the portal's name, nor another port: there other programs answer."""
    _, key = owner()
    thief = Browser()
    sign_in(thief, key, **forged)
    assert not is_in(thief)
    password(thief, "ann")
    thief.post(CODE, {"credential": key.signed(asked(thief, CODE), **forged)})
    assert not is_in(thief)
    make_user("bob")
    new = Browser()
    password(new, "bob")
    assert add(new, Key(), **forged).status_code == 200
    assert keys(user__username="bob") == 0


def test_behind_a_proxy_it_is_the_portals_own_origin(settings):
    settings.PORTAL_ORIGIN = "https://Localhost:443"
    _, key = owner()
    client = Browser()
    sign_in(client, key, origin="https://localhost")
    assert is_in(client)


def test_a_challenge_is_good_once_and_in_its_own_session():
    _, key = owner()
    thief, other = Browser(), Browser()
    answer = key.signed(asked(thief, SIGN_IN))
    asked(other, SIGN_IN)
    for client in (other, Browser()):
        client.post(SIGN_IN, {"credential": answer})
        assert not is_in(client)
    thief.post(SIGN_IN, {"credential": answer})
    assert is_in(thief)
    thief.post("/accounts/logout/")
    thief.post(SIGN_IN, {"credential": answer})
    assert not is_in(thief)


def test_a_challenge_to_register_signs_nobody_in_and_the_other_way_round():
    client, key = owner()
    options = asked(client, ADD)
    client.post(AGAIN, {"credential": key.signed(options, kind="webauthn.create")})
    assert not any(each.get("reauthenticated") for each in client.session["account_authentication_methods"])
    registered = Key().registered(asked(client, ADD), kind="webauthn.get")
    assert client.post(ADD, {"name": "x", "credential": registered}).status_code == 200
    assert keys() == 1


def test_anothers_key_is_not_ones_own():
    _, key = owner("ann")
    bob, own = owner("bob")
    bob.post(AGAIN, {"credential": key.signed(asked(bob, AGAIN))})
    assert not any(each.get("reauthenticated") for each in bob.session["account_authentication_methods"])
    thief = Browser()
    password(thief, "ann")
    thief.post(CODE, {"credential": own.signed(asked(thief, CODE))})
    assert not is_in(thief)
    # His own key, the name of ann's, and ann's account.
    copy = Key(name=key.name)
    assert add(bob, copy).status_code == 302
    for handle in (key.handle, ""):
        sign_in(thief, copy, handle=handle)
        found = thief.get("/me/")
        assert found.status_code == 302 or found.wsgi_request.user.username == "bob"


@pytest.mark.parametrize("mode", ["alone", "after the password"])
def test_a_key_without_pin_or_finger_does_not_sign_in_alone(mode):
    _, key = owner()
    client = Browser()
    if mode == "alone":
        sign_in(client, key, verified=False)
        assert not is_in(client)
        # A challenge that did not ask for it is no way round.
        password(client, "ann")
        client.post(SIGN_IN, {"credential": key.signed(asked(client, CODE), verified=False)})
        assert not is_in(client)
    else:
        password(client, "ann")
        client.post(CODE, {"credential": key.signed(asked(client, CODE), verified=False)})
        assert is_in(client)


def test_a_counter_that_stands_still_or_goes_back_is_a_copy():
    client, key = owner(counter=7)
    key.counter = 8
    first = Browser()
    sign_in(first, key)
    assert is_in(first)
    for counter in (8, 3, 0):
        key.counter = counter
        copy = Browser()
        sign_in(copy, key)
        assert not is_in(copy), counter
        key.counter = counter
        password(copy, "ann")
        copy.post(CODE, {"credential": key.signed(asked(copy, CODE))})
        assert not is_in(copy), counter
    key.counter = 8
    client.post(AGAIN, {"credential": key.signed(asked(client, AGAIN))})
    assert not any(each.get("reauthenticated") for each in client.session["account_authentication_methods"])
    failed = AuditEntry.objects.filter(act="account.second-factor-failed")
    assert failed.count() == 7
    assert failed.first().data["last"] == 8
    assert Mail.objects.filter(subject="A passkey of yours may have been copied").exists()
    key.counter = 9
    sign_in(first := Browser(), key)
    assert is_in(first)


def test_keys_that_do_not_count_say_nothing():
    _, key = owner(counter=0)
    for _ in range(2):
        key.counter = 0
        client = Browser()
        sign_in(client, key)
        assert is_in(client)


def test_a_key_is_registered_once():
    """Taken away once, a second entry would still let it in."""
    client, key = owner()
    assert add(client, key).status_code == 200
    assert keys() == 1


def test_a_session_of_an_old_password_registers_nothing():
    user = make_user("ann")
    stale = Browser()
    password(stale, "ann")
    credential = Key().registered(asked(stale, ADD))
    user.set_password("Harbour-71-light")
    user.save()
    answer = stale.post(ADD, {"name": "x", "credential": credential})
    assert answer.headers["Location"].startswith("/accounts/login/")
    assert keys() == 0


def test_a_key_is_added_by_who_has_just_shown_who_he_is():
    client, _ = owner()
    credential = Key().registered(asked(client, ADD))
    session = client.session
    name = "account_authentication_methods"
    session[name] = [each | {"at": each["at"] - 400} for each in session[name]]
    session.save()
    for path in (ADD, f"{SET_UP}webauthn/keys/{Authenticator.objects.first().pk}/remove/"):
        answer = client.post(path, {"name": "x", "credential": credential})
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/"), path
    assert keys() == 1


def test_nobody_takes_away_or_renames_anothers_key():
    owner("ann")
    bob, _ = owner("bob")
    of_ann = Authenticator.objects.get(user__username="ann", type="webauthn")
    for what in ("remove", "edit"):
        path = f"{SET_UP}webauthn/keys/{of_ann.pk}/{what}/"
        assert bob.post(path, {"name": "stolen"}).status_code == 404
    of_ann.refresh_from_db()
    assert of_ann.wrap().name == "mine"


def test_staff_without_their_last_key_are_led_to_set_up_another(settings):
    settings.PORTAL_SECOND_FACTOR = "required"
    make_user("sam", is_staff=True)
    client = Browser()
    password(client, "sam")
    add(client, Key())
    assert client.get("/admin/").status_code == 200
    (key,) = Authenticator.objects.filter(type="webauthn")
    client.post(f"{SET_UP}webauthn/keys/{key.pk}/remove/")
    assert not Authenticator.objects.exists(), "and no recovery codes either"
    assert client.get("/admin/").headers["Location"] == SET_UP


def test_a_closed_account_does_not_come_in_by_its_key(django_user_model):
    _, key = owner()
    django_user_model.objects.update(is_active=False)
    client = Browser()
    sign_in(client, key)
    assert not is_in(client)


def test_names_of_keys_are_short():
    client, _ = owner()
    key = Authenticator.objects.get(type="webauthn")
    path = f"{SET_UP}webauthn/keys/{key.pk}/edit/"
    assert client.post(path, {"name": "x" * 101}).status_code == 200
    credential = Key().registered(asked(client, ADD))
    assert client.post(ADD, {"name": "x" * 101, "credential": credential}).status_code == 200
    assert keys() == 1
    assert client.post(path, {"name": "Work"}).status_code == 302


def _broken(sound: str) -> list[str]:
    """What no browser says: each part of an answer of another kind, missing, or not to be decoded."""
    whole = json.loads(sound)
    others = [None, 5, [], "%%%", *map(websafe_encode, (b"[]", bytes(37)))]
    flags = bytes(32) + b"\xc1" + bytes(20) + b"\xff\xff"  # a key and extensions follow, it says
    deep = [websafe_encode(each) for each in (b"[" * 30_000, b"\x81" * 30_000, b"\x9f" * 30_000, flags)]
    found = [*map(json.dumps, (None, 5, [], {}, "x")), "[" * 50_000, "x" * 70_000]
    found += [json.dumps(whole | {part: each}) for part in whole for each in others]
    for part in whole["response"]:
        for each in [*others, *deep]:
            found.append(json.dumps(whole | {"response": whole["response"] | {part: each}}))
    return found


def test_what_no_browser_says_is_refused_quietly():
    client, key = owner()
    waiting = Browser()
    password(waiting, "ann")
    asks = {"publicKey": {"user": {"id": "x"}, "challenge": "AAAA"}}
    for sound, pages in (
        (Key().registered(asks), [(client, ADD)]),
        (key.signed(asks), [(Browser(), SIGN_IN), (waiting, CODE)]),
    ):
        for credential in _broken(sound):
            cache.clear()  # allauth counts what comes from one address in a minute
            for who, path in pages:
                answer = who.post(path, {"credential": credential, "name": "x"})
                assert answer.status_code in (200, 302), credential[:200]
    assert not is_in(waiting)
    assert keys() == 1
