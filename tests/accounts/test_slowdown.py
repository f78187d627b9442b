"""Guessing slows down whoever guesses, and keeps no owner out."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts import slowdown
from accounts.models import Failures, Mail
from players.models import AuditEntry
from tests.accounts.signing import CODE, code_of, is_in, password, recovery_codes, with_app
from tests.factories import make_user

A, B = "192.0.2.1", "198.51.100.7"


class Clock:
    """Moves on by hand."""

    def __init__(self) -> None:
        self.time = timezone.now()

    def now(self) -> datetime:
        return self.time

    def on(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(slowdown, "timezone", found)
    return found


@pytest.fixture
def slept(monkeypatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(slowdown.time, "sleep", found.append)
    return found


def at(network: str, **more) -> Client:
    return Client(REMOTE_ADDR=network, **more)


def guess(network: str, name: str = "ann", word: str = "wrong"):
    return password(at(network), name, word)


@pytest.mark.django_db
def test_a_hundred_guesses_from_one_network_slow_it_down_and_nobody_else(slept):
    make_user("ann")
    answers = [guess(A) for _ in range(100)]
    assert [each.status_code for each in answers] == [200] * 5 + [429] * 95
    assert AuditEntry.objects.filter(act="account.sign-in-failed").count() == 5
    assert "Try again in 2 seconds" in answers[5].content.decode()
    assert answers[5].headers["Retry-After"] == "2"
    assert guess(A, word="secret").status_code == 429  # a right one is not looked at either
    owner = at(B)
    assert password(owner, "ann").headers["Location"] == "/"
    assert is_in(owner)
    assert slept == []


@pytest.mark.django_db
def test_the_wait_doubles_up_to_a_quarter_of_an_hour_and_is_forgotten(clock, slept):
    make_user("ann")
    for _ in range(5):
        guess(A)
    waits = []
    for _ in range(12):
        answer = guess(A)
        assert answer.status_code == 429
        waits.append(int(answer.headers["Retry-After"]))
        clock.on(waits[-1])
        assert guess(A).status_code == 200
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]
    clock.on(899)
    assert guess(A).status_code == 429
    clock.on(1)
    assert guess(A, word="secret").status_code == 302
    assert [guess(A).status_code for _ in range(6)] == [200] * 5 + [429]
    clock.on(86_401)
    assert slowdown.prune() >= 2
    assert [guess(A).status_code for _ in range(6)] == [200] * 5 + [429]


@pytest.mark.django_db
def test_a_device_on_which_the_owner_has_signed_in_is_counted_by_itself(slept):
    make_user("ann")
    make_user("bob")
    owner = at(A)
    password(owner, "ann")
    owner.post("/accounts/logout/")
    for _ in range(10):
        guess(A)
    assert password(owner, "ann").status_code == 302
    assert is_in(owner)
    owner.post("/accounts/logout/")
    for _ in range(6):  # stolen, the device guesses no faster than others
        last = password(owner, "ann", "wrong")
    assert last.status_code == 429
    assert password(at(B), "ann").status_code == 302
    for _ in range(6):  # and it is known for its own account only
        guess(A, "bob")
    assert password(owner, "bob").status_code == 429
    forged = at(A)
    forged.cookies["device"] = "number.1:forged"
    assert password(forged, "ann").status_code == 429


@pytest.mark.django_db
def test_a_network_that_guesses_at_many_accounts_is_slowed_down(slept):
    make_user("ann")
    statuses = [guess(A, f"name{number}").status_code for number in range(40)]
    assert statuses == [200] * 30 + [429] * 10
    assert password(at(A), "ann").status_code == 429
    assert password(at(B), "ann").status_code == 302


@pytest.mark.django_db
def test_signing_in_oneself_in_between_does_not_hide_guesses_at_others(slept):
    make_user("thief")
    statuses = []
    for number in range(35):
        statuses.append(guess(A, f"name{number}").status_code)
        password(at(A), "thief")
    assert statuses == [200] * 30 + [429] * 5


@pytest.mark.django_db
def test_names_and_addresses_of_one_account_are_counted_together(slept):
    make_user("ann", email="ann@example.org")
    statuses = [guess(A, name).status_code for name in ("ann", "ANN", "ann@example.org") * 2]
    assert statuses == [200] * 5 + [429]


@pytest.mark.django_db
def test_many_networks_that_guess_at_one_account_cost_the_owner_seconds_at_most(slept):
    make_user("ann")
    for number in range(200):
        guess(f"203.0.{number}.1")
    assert max(slept) == slowdown.SLOWEST == 3
    del slept[:]
    assert password(at(B), "ann").status_code == 302
    assert slept == [3.0]
    owner = at(B)
    password(owner, "ann")
    owner.post("/accounts/logout/")
    del slept[:]
    assert password(owner, "ann").status_code == 302
    assert slept == []


@pytest.mark.django_db
def test_nothing_that_was_typed_is_kept(slept):
    make_user("ann")
    guess(A, "a-password-typed-as-name")
    guess(A)
    kept = str(list(Failures.objects.values())) + str(list(AuditEntry.objects.values()))
    for word in (A, "a-password-typed-as-name", "wrong"):
        assert word not in kept


@pytest.mark.django_db
def test_codes_are_guessed_slowly_from_wherever(slept):
    user = make_user("ann", email="ann@example.org")
    secret = with_app(user)

    def tried(network: str, code: str):
        client = at(network)
        password(client, "ann")
        return client, client.post(CODE, {"code": code}).status_code

    assert [tried(A, "wrong")[1] for _ in range(7)] == [200] * 5 + [429] * 2
    client, status = tried(B, code_of(secret))
    assert (status, is_in(client)) == (302, True)
    spread = [tried(f"203.0.113.{number}", "wrong")[1] for number in range(25)]
    assert spread == [200] * 15 + [429] * 10
    client.post("/accounts/logout/")
    password(client, "ann")  # the owner's device waits for nobody
    assert client.post(CODE, {"code": recovery_codes(user)[0]}).status_code == 302
    assert is_in(client)
    assert AuditEntry.objects.filter(act="account.second-factor-failed").count() == 20
    assert Mail.objects.get().subject == "Somebody knows your password"


@pytest.mark.django_db
def test_one_confirms_oneself_no_faster(slept):
    user = make_user("ann")
    client = at(A)
    password(client, "ann")
    path = "/accounts/reauthenticate/?next=/accounts/"
    assert [client.post(path, {"password": "wrong"}).status_code for _ in range(6)] == [200] * 5 + [429]
    assert user.check_password("secret")


@pytest.mark.django_db
def test_a_session_found_open_tells_its_password_no_faster():
    make_user("ann")
    client = at(A)
    password(client, "ann")
    new = {"password1": "Harbour-71-light", "password2": "Harbour-71-light"}

    def change(old: str) -> int:
        caches["default"].clear()  # allauth's own count, of a minute
        return client.post("/accounts/password/change/", {"oldpassword": old, **new}).status_code

    assert [change(f"wrong{number}") for number in range(6)] == [200] * 5 + [429]
    assert AuditEntry.objects.filter(act="account.sign-in-failed").count() == 5


@pytest.mark.django_db
def test_who_comes_at_the_same_moment_as_another_need_not_wait():
    now = timezone.now()
    counter = slowdown.Counter("k" * 64)
    assert counter.take(now) == 0
    assert counter.take(now - timedelta(milliseconds=20)) == 0
    for _ in range(3):
        assert counter.take(now) == 0
    assert counter.take(now) == 2


@pytest.mark.django_db(transaction=True)
def test_guesses_that_come_at_once_are_counted_one_by_one(transactional_db):
    make_user("ann")
    request = RequestFactory().post("/", REMOTE_ADDR=A)
    gate, taken = Barrier(8), []

    def run() -> None:
        gate.wait()
        for _ in range(5):
            try:
                slowdown.begin_password(request, None, "ann")
                taken.append(1)
            except slowdown.TooSoon:
                pass
        connection.close()

    threads = [Thread(target=run) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert 1 <= len(taken) <= 5
