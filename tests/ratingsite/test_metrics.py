"""Metrics tell how the portal does, only to whom they may, and of nobody."""

import ipaddress
from datetime import timedelta
from unittest import mock

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from players.models import OutboxMessage
from ratinglists import services
from ratinglists.models import Job
from ratingsite import condition, metrics
from ratingsite.models import Heartbeat
from ratingsite.tasks import heartbeat
from tests.factories import make_federation, make_period, make_player, make_system

pytestmark = pytest.mark.django_db
TOKEN = "the token of a monitor"


@pytest.fixture
def monitored(settings):
    """A client whose requests are counted."""
    settings.PORTAL_METRICS_TOKEN = TOKEN
    return Client()


def figures(client) -> dict:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_only_for_whom_it_is(client, settings):
    assert client.get("/metrics").status_code == 404, "without settings there is no such address"
    settings.PORTAL_METRICS_TOKEN = TOKEN
    for wrong in (
        {},
        {"Authorization": "Bearer another"},
        {"Authorization": ""},
        {"Authorization": "Bearer é"},
    ):
        assert client.get("/metrics", headers=wrong).status_code == 404
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    settings.PORTAL_METRICS_NETWORKS = [ipaddress.ip_network("10.1.0.0/16")]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="10.2.2.3").status_code == 404
    assert (
        client.get("/metrics", REMOTE_ADDR="10.2.2.3", headers={"X-Forwarded-For": "10.1.2.3"}).status_code
        == 404
    )
    settings.PORTAL_METRICS_TOKEN, settings.PORTAL_METRICS_NETWORKS = "", []
    with pytest.raises(MiddlewareNotUsed):
        metrics.Counted(lambda request: HttpResponse())


def test_requests_are_counted_by_address_and_status(monitored):
    make_federation()
    player = make_player("Secretname, Sofia")
    before = figures(monitored)
    monitored.get(f"/players/{player.pk}/?q=Secretname")
    monitored.get("/players/?q=Secretname")
    monitored.get("/Secretname/never")
    after = figures(monitored)
    count = {
        key: value - before.get(key, 0) for key, value in after.items() if key[0] == "portal_requests_total"
    }
    told = {tuple(dict(labels).values()): int(value) for (_, labels), value in count.items() if value}
    assert told[("404", "none")] == 1
    assert ("200", "players") in told
    assert not any("ecretname" in str(key) for key in after)


def test_jobs_queue_and_outbox(monitored):
    make_federation()
    found = figures(monitored)
    assert found[("portal_job_oldest_waiting_seconds", ())] == 0
    assert ("portal_heartbeat_age_seconds", (("through", "queue"),)) not in found
    services.request_compute(make_period(make_system(), timezone.localdate()))
    Job.objects.update(requested_at=timezone.now() - timedelta(hours=1))
    OutboxMessage.objects.create(key="one", right="x.y", subject="s", text="t", state="failed")
    heartbeat()
    with mock.patch.object(condition, "messages_in_queue", return_value=7):
        found = figures(monitored)
    assert found[("portal_jobs", (("kind", "compute"), ("state", "queued")))] == 1
    assert found[("portal_job_oldest_waiting_seconds", ())] >= 3600
    assert found[("portal_outbox_messages", (("state", "failed"),))] == 1
    assert found[("portal_queue_messages", ())] == 7
    assert found[("portal_heartbeat_age_seconds", (("through", "queue"),))] < 60
    assert found[("portal_database_bytes", ())] > 100_000
    assert found[("portal_publications", ())] == 0


def test_a_broker_that_is_away_is_told(monitored, settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    found = figures(monitored)
    assert found[("portal_broker_up", ())] == 0
    assert ("portal_queue_messages", ()) not in found


def test_the_sweep_gives_a_sign_of_life(client):
    assert client.get("/healthz/sweep").status_code == 503
    services.sweep()
    assert client.get("/healthz/sweep").status_code == 200
    Heartbeat.objects.update(beaten_at=timezone.now() - condition.SILENCE - timedelta(seconds=1))
    assert client.get("/healthz/sweep").status_code == 503


def test_ready_when_it_can_serve(client, settings, tmp_path):
    assert client.get("/readyz").json() == {"ready": True, "obstacles": []}
    settings.PORTAL_ARCHIVE = str(tmp_path / "not mounted")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "PORTAL_ARCHIVE" in answer.json()["obstacles"][0]
    with mock.patch.object(condition, "obstacles", side_effect=DatabaseError):
        assert "database does not answer" in client.get("/readyz").json()["obstacles"][0]
    condition._migrated.cache_clear()
    with mock.patch.object(condition.MigrationExecutor, "migration_plan", return_value=["one"]):
        assert "not migrated" in client.get("/readyz").json()["obstacles"][0]


def test_what_was_counted_is_told_while_the_database_is_away(monitored):
    assert monitored.get("/no/such/page").status_code == 404
    assert figures(monitored)["portal_database_up", ()] == 1
    with mock.patch.object(condition, "jobs", side_effect=DatabaseError):
        told = figures(monitored)
    assert told["portal_database_up", ()] == 0
    assert told["portal_archive_free_bytes", ()] > 0
    assert any(name == "portal_requests_total" for name, _ in told)
    assert not any(name == "portal_publications" for name, _ in told), "not 0: unknown"


def test_the_status_page_says_that_the_database_is_away(client):
    with mock.patch.object(condition, "jobs", side_effect=DatabaseError):
        answer = client.get("/status/")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "are not there: the database does not answer." in page
    assert "Nothing is published yet." not in page, "nobody knows"
    assert "Everything works." not in page


def test_the_status_page_says_it_in_words(client):
    page = client.get("/status/").content.decode()
    assert "Something does not work" in page
    assert "stand still" in page
    heartbeat()
    services.sweep()
    page = client.get("/status/").content.decode()
    assert "Everything works." in page
    assert "Nothing is published yet." in page
    make_federation()
    services.request_compute(make_period(make_system(), timezone.localdate()))
    assert "Everything works." in client.get("/status/").content.decode(), "a job that waits a moment"
    Job.objects.update(requested_at=timezone.now() - condition.LATE - timedelta(seconds=1))
    assert "is late" in client.get("/status/").content.decode()


def test_a_monitor_is_not_moved_to_https(client):
    with override_settings(SECURE_SSL_REDIRECT=True, PORTAL_METRICS_TOKEN=TOKEN):
        assert client.get("/readyz").status_code == 200
        assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
