"""How often a client may ask within a minute: counted for all processes together, and a new minute is a new
count, so that nobody is shut out for longer than that."""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest
from redis.exceptions import RedisError

from players.clients import network_of
from ratinglists.api.problems import Fault
from ratinglists.models import ApiKey

log = logging.getLogger(__name__)

WINDOW = 60
#: a computation is worth so many reads
COMPUTATION = 10
#: for so long each process counts by itself after the common server did not answer
_AWAY = 5.0
_away_until = 0.0


def take(request: HttpRequest, key: ApiKey | None, cost: int = 1) -> None:
    """Count a request against its key, or else its client's address; Fault 429 when the minute is used up."""
    most = settings.PORTAL_API_PER_MINUTE if key is None else settings.PORTAL_API_KEY_PER_MINUTE
    if not most:
        return
    who = f"address:{network_of(request)}" if key is None else f"key:{key.pk}"
    now = time.time()
    window = int(now // WINDOW)
    if _counted(f"api:{who}:{window}", cost) > most:
        wait = max(1, round((window + 1) * WINDOW - now))
        whose = "from this address" if key is None else "with this key"
        detail = f"There were more than {most} requests {whose} in this minute; a computation counts as ten."
        raise Fault(429, detail, headers={"Retry-After": str(wait)})


def _counted(name: str, cost: int) -> int:
    """The count with this request."""
    global _away_until
    if time.monotonic() >= _away_until:
        try:
            return _add("shared", name, cost)
        except (RedisError, OSError) as error:
            _away_until = time.monotonic() + _AWAY
            log.warning("Requests are counted by each process alone: %s", error)
    return _add("default", name, cost)


def _add(cache: str, name: str, cost: int) -> int:
    counter = caches[cache]
    counter.add(name, 0, 2 * WINDOW)
    try:
        return counter.incr(name, cost)
    except ValueError:  # it was thrown out between the two
        return cost
