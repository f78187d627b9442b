"""How often a client may ask: by address, by key, over all processes, and never for longer than a minute."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from redis.exceptions import ConnectionError as NoRedis

from ratinglists.api import limits
from ratingsite.environment import cache_url
from tests.ratinglists.api.conftest import V1
from tests.servers import Redis

pytestmark = pytest.mark.django_db
URL = f"{V1}/federations"


@pytest.fixture
def shared(settings, monkeypatch):
    """What all processes count in, at hand; the clock stands still at the tenth second of a minute."""
    memory = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {
        "default": {"BACKEND": memory, "LOCATION": "own"},
        "shared": {"BACKEND": memory, "LOCATION": "shared"},
    }
    for each in caches.all(initialized_only=False):
        each.clear()
    clock = [600_010.0]
    monkeypatch.setattr(limits, "_away_until", 0.0)
    monkeypatch.setattr(limits.time, "time", lambda: clock[0])
    settings.PORTAL_API_PER_MINUTE, settings.PORTAL_API_KEY_PER_MINUTE = 3, 5
    return clock


def statuses(client, times: int, address: str = "192.0.2.1", **headers) -> list[int]:
    return [client.get(URL, REMOTE_ADDR=address, headers=headers).status_code for _ in range(times)]


def test_an_address_has_its_limit_and_a_new_minute_a_new_one(client, shared):
    assert statuses(client, 5) == [200, 200, 200, 429, 429]
    answer = client.get(URL, REMOTE_ADDR="192.0.2.1")
    assert answer.headers["Retry-After"] == "50"
    assert answer.json()["remedy"]
    assert statuses(client, 1, "192.0.2.2") == [200]
    shared[0] += 50
    assert statuses(client, 1) == [200]


def test_a_key_has_a_limit_of_its_own_behind_a_common_proxy(client, shared, key):
    assert statuses(client, 4)[-1] == 429
    assert statuses(client, 6, authorization=f"Bearer {key}") == [200] * 5 + [429]


def test_guessing_keys_counts_too(client, shared):
    assert statuses(client, 4, authorization="Bearer rp_00000000_x") == [401, 401, 401, 429]


def test_a_computation_counts_as_ten(client, shared, settings):
    settings.PORTAL_API_PER_MINUTE = 10
    url = f"{V1}/calculator"
    given = [client.post(url, b"{}", content_type="application/json").status_code for _ in range(2)]
    assert given == [422, 429]


def test_processes_count_together(client, shared, settings, tmp_path):
    """On a real server, the one of the embedded broker; each process has a cache object of its own."""
    server = Redis(tmp_path, tmp_path / "limits.sock")
    try:
        common = {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": cache_url(server.url),
            "OPTIONS": {"socket_timeout": 5, "socket_connect_timeout": 5},
        }
        counted = []
        for _ in range(4):
            settings.CACHES = {**settings.CACHES, "shared": common}  # makes new cache objects
            counted += statuses(client, 1)
        assert counted == [200, 200, 200, 429]
    finally:
        server.stop()
    assert statuses(client, 4) == [200, 200, 200, 429]  # the server is gone: this process alone


def test_without_the_common_server_each_process_counts_alone(client, shared, monkeypatch):
    def away(*given):
        raise NoRedis("gone")

    monkeypatch.setattr(caches["shared"], "add", away)
    assert statuses(client, 4) == [200, 200, 200, 429]
