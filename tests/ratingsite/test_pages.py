"""Health addresses, security headers and the sign-in page."""

from datetime import timedelta
from unittest import mock

import pytest
from django.core.handlers.base import BaseHandler
from django.db import DatabaseError
from django.test import RequestFactory, override_settings
from django.urls import reverse
from django.utils import timezone

from ratingsite.health import SILENCE
from ratingsite.models import Heartbeat
from ratingsite.tasks import heartbeat

pytestmark = pytest.mark.django_db


def test_health_follows_the_heartbeat(client):
    assert client.get("/healthz").status_code == 200
    assert client.get("/healthz/queue").status_code == 503
    heartbeat(1)
    heartbeat(2)
    assert Heartbeat.objects.get().token == "2"
    assert client.get("/healthz/queue").json()["heartbeat_age_seconds"] == 0
    Heartbeat.objects.update(beaten_at=timezone.now() - SILENCE - timedelta(seconds=1))
    assert client.get("/healthz/queue").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_health_says_when_the_database_is_away(client):
    with mock.patch.object(Heartbeat.objects, "filter", side_effect=DatabaseError):
        answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"database": "unreachable"}


@pytest.mark.parametrize("path", ["/accounts/login/", "/admin/login/", "/healthz", "/no-such-page"])
def test_every_answer_carries_the_policy(client, path):
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_production_moves_to_https_but_for_health(client):
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert client.get("/healthz").status_code == 200
        assert client.get("/accounts/login/").headers["Location"].startswith("https://")


def test_sign_in(client, django_user_model):
    django_user_model.objects.create_user("ann", password="a pass phrase")
    assert client.get(reverse("account_login")).status_code == 200
    answer = client.post(reverse("account_login"), {"login": "ann", "password": "a pass phrase"})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("path", ["/", "/no-such-page", "/api/v1/systems"])
def test_an_answer_to_head_tells_the_length_and_has_no_body(client, path):
    """Past the tests' client, which takes bodies away by itself."""
    handler = BaseHandler()
    handler.load_middleware()
    told = handler.get_response(RequestFactory().head(path))
    assert told.content == b""
    assert int(told.headers["Content-Length"]) == len(client.get(path).content)
