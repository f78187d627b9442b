"""Two programs send the same report at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from tests.ratinglists.api.conftest import make_world
from tests.ratinglists.api.test_reports import send
from tournaments.models import Report, Tournament


@pytest.fixture
def world(transactional_db):
    return make_world()


def test_two_equal_requests_at_once_store_one_report(world, key, pairs):
    start = Barrier(2)

    def sent(_):
        try:
            start.wait(30)
            return send(pairs.pk, key)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(sent, range(2))
    assert (one.status_code, other.status_code) == (201, 201)
    assert one.content == other.content
    assert sorted(each.headers.get("Idempotency-Replayed", "") for each in (one, other)) == ["", "true"]
    assert Report.objects.filter(tournament=pairs).count() == 1
    assert Tournament.objects.get(pk=pairs.pk).state == "reported"
