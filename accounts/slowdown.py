"""Failed attempts slow down further ones, and lock nobody out.

Counted are failures of an account from a network, and of a network with whatever account; a device on which
the account has signed in before is counted by itself, so that an owner comes in while others guess. The wait
doubles with each failure. Where many networks guess at one account, each attempt at it takes up to three
seconds more; nobody has to wait for another's failures. Codes of the second factor, which only those guess
who have the password, are besides counted by account.

An attempt is counted before the password is looked at and forgiven if it was right: however many come at
once, no more are tried than one after the other. The rows are in the database, where all processes see them.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import devices
from accounts.models import Failures
from players.clients import network_of

#: after so long without a failure those before are forgotten
FORGOTTEN = timedelta(days=1)
#: guessing from more networks than this within an hour slows down every attempt, by half a second for each
WIDE, WITHIN, SLOWEST = 5, timedelta(hours=1), 3.0
#: so many requests of a process wait like that at once; others go on, since the portal must not stand still
_SLEEPERS = threading.BoundedSemaphore(2)


class TooSoon(Exception):
    """Too many attempts failed: the next may come in ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Wait {seconds} seconds.")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Counter:
    """Something whose failures are counted. ``free`` failures cost nothing, then the wait is 2, 4, 8 …
    seconds up to ``longest``. A success wipes a counter that is the account's ``own``; of others it takes
    its own attempt back."""

    key: str
    account: str = ""
    free: int = 5
    longest: int = 900
    own: bool = True

    def wait(self, failures: int) -> timedelta:
        beyond = failures - self.free
        return timedelta(seconds=min(self.longest, 2 ** min(beyond + 1, 20)) if beyond >= 0 else 0)

    def take(self, now: datetime) -> int:
        """Count an attempt if it may be made now: returns 0, else after how many seconds it may."""
        for _ in range(10):
            row, _new = Failures.objects.get_or_create(
                key=self.key, defaults={"account": self.account, "last_at": now}
            )
            failures = row.failures if row.last_at > now - FORGOTTEN else 0
            wait = self.wait(failures)
            # Without a wait an attempt a moment later than this one, counted before it, is in nobody's way.
            if wait and (left := (row.last_at + wait - now).total_seconds()) > 0:
                return ceil(left)
            seen = Failures.objects.filter(pk=row.pk, failures=row.failures, last_at=row.last_at)
            if seen.update(failures=failures + 1, last_at=now):
                return 0
        return 1  # ten others came in between

    def give_back(self) -> None:
        rows = Failures.objects.filter(key=self.key)
        if self.own:
            rows.delete()
        else:
            rows.filter(failures__gt=0).update(failures=F("failures") - 1)


@dataclass(frozen=True, slots=True)
class Attempt:
    counters: tuple[Counter, ...]

    def forgive(self) -> None:
        """It was right."""
        for counter in self.counters:
            counter.give_back()


def _digest(*parts: object) -> str:
    return salted_hmac("accounts.slowdown", "\n".join(map(str, parts)), algorithm="sha256").hexdigest()


def _begin(counters: tuple[Counter, ...]) -> Attempt:
    now = timezone.now()
    taken: list[Counter] = []
    for counter in counters:
        if seconds := counter.take(now):
            for each in taken:
                Failures.objects.filter(key=each.key, failures__gt=0).update(failures=F("failures") - 1)
            raise TooSoon(seconds)
        taken.append(counter)
    return Attempt(counters)


def begin_password(request: HttpRequest, user: AbstractBaseUser | None, login: str) -> Attempt:
    """A password is about to be tried for what was typed as ``login``; raises TooSoon."""
    account = _digest("account", user.pk) if user is not None else _digest("nobody", login.strip().lower())
    if device := devices.known(request, user):
        return _begin((Counter(_digest("device", device, account)),))
    network = network_of(request)
    own = Counter(_digest("network and account", network, account), account)
    attempt = _begin((own, Counter(_digest("network", network), free=30, longest=300, own=False)))
    _slow(account)
    return attempt


def begin_code(request: HttpRequest, user: AbstractBaseUser) -> Attempt:
    """A code of the second factor is about to be tried; raises TooSoon."""
    account = _digest("codes", user.pk)
    if device := devices.known(request, user):
        return _begin((Counter(_digest("device", device, account)),))
    own = Counter(_digest("network and account", network_of(request), account))
    return _begin((own, Counter(account, free=20, own=False)))


def code_failures(user: AbstractBaseUser) -> int:
    """How often codes for the account failed on devices that are not its own."""
    row = Failures.objects.filter(key=_digest("codes", user.pk)).first()
    return row.failures if row else 0


def _slow(account: str) -> None:
    recent = Failures.objects.filter(account=account, last_at__gt=timezone.now() - WITHIN)
    wide = recent.count() - WIDE
    if wide > 0 and _SLEEPERS.acquire(blocking=False):
        try:
            time.sleep(min(SLOWEST, wide / 2))
        finally:
            _SLEEPERS.release()


def prune() -> int:
    """Forget what is over; returns how many counters."""
    return Failures.objects.filter(last_at__lt=timezone.now() - FORGOTTEN).delete()[0]
