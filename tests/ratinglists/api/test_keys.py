"""Keys in the admin: made by who may, shown once, kept as a hash, revoked for good, all in the audit log."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from players.models import AuditEntry
from players.roles import CLERKS, RATING_OFFICERS, ensure_roles
from ratinglists import api_keys
from ratinglists.models import ApiKey
from tests.factories import appoint, make_federation, make_user
from tests.pages import text_of
from tests.ratinglists.api.conftest import V1
from tournaments.transitions import NotAllowedNow

pytestmark = pytest.mark.django_db
ADMIN = "/admin/ratinglists/apikey/"


def given(user, **changes) -> dict:
    ends = timezone.now() + timedelta(days=10)
    return {
        "name": "Club program",
        "federation": make_federation(),
        "user": user,
        "scopes": ["reports"],
        "expires_at": ends,
    } | changes


def form(user, **changes) -> dict:
    day = timezone.localdate() + timedelta(days=10)
    fields = {
        "name": "Club program",
        "federation": make_federation().pk,
        "user": user.pk,
        "scopes": "reports",
    }
    return fields | {"last_day": day.isoformat()} | changes


def test_an_officer_makes_a_key_that_is_shown_once_and_revokes_it(client):
    officer = make_user("officer", is_staff=True)
    officer.groups.add(ensure_roles()[RATING_OFFICERS])
    client.force_login(officer)
    assert "Acts for" in text_of(client.get(f"{ADMIN}add/").content.decode())
    made = client.post(f"{ADMIN}add/", form(officer))
    text = made.content.decode().partition('<code id="key">')[2].partition("</code>")[0]
    assert "no-store" in made.headers["Cache-Control"]
    assert f"last day {date.fromisoformat(form(officer)['last_day']):%-d %B %Y}" in made.content.decode()
    key = ApiKey.objects.get()
    assert (api_keys.find(text), text.startswith(key.prefix)) == (key, True)
    for page in (ADMIN, f"{ADMIN}{key.pk}/change/"):
        shown = client.get(page).content.decode()
        assert key.prefix in shown
        assert text not in shown
        assert key.sha256 not in shown
    client.post(ADMIN, {"action": "revoke", "_selected_action": [key.pk]})
    assert api_keys.find(text) is None
    acts = AuditEntry.objects.filter(act__startswith="apikey.").order_by("pk")
    assert [(each.act, each.actor) for each in acts] == [
        ("apikey.made", officer),
        ("apikey.revoked", officer),
    ]
    assert text not in "".join(f"{each.text}{each.data}" for each in acts)


def test_who_may_not(client):
    clerk = make_user("clerk", is_staff=True)
    appoint(clerk, CLERKS)
    client.force_login(clerk)
    assert client.get(f"{ADMIN}add/").status_code == 403
    assert client.post(f"{ADMIN}add/", form(clerk)).status_code == 403
    assert ApiKey.objects.count() == 0


def test_nobody_gives_away_more_than_he_has():
    """Who may make keys but not accept reports cannot act by a key of somebody who may."""
    maker, officer = make_user("maker", api_keys.MAKE), make_user("boss", is_superuser=True)
    with pytest.raises(PermissionDenied):
        api_keys.make(maker, **given(officer))
    assert api_keys.make(maker, **given(maker))[0].user == maker


@pytest.mark.parametrize(
    "changes",
    [
        {"scopes": ["everything"]},
        {"name": "  "},
        {"expires_at": timezone.now() - timedelta(days=1)},
        {"expires_at": timezone.now() + timedelta(days=4000)},
    ],
)
def test_what_cannot_be_a_key(changes):
    boss = make_user("boss", is_superuser=True)
    with pytest.raises(NotAllowedNow):
        api_keys.make(boss, **given(boss, **changes))


def test_when_a_key_does_not_hold(client):
    boss = make_user("boss", is_superuser=True)
    key, text = api_keys.make(boss, **given(boss))

    def status(sent: str = text) -> int:
        return client.get(f"{V1}/federations", headers={"Authorization": f"Bearer {sent}"}).status_code

    assert status() == 200
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert {status(text[:-1]), status(f"{text}x"), status("rp_"), status("é"), status("")} == {401}
    basic = client.get(f"{V1}/federations", headers={"Authorization": "Basic YTpi"})
    assert (basic.status_code, "WWW-Authenticate" in basic.headers) == (401, True)
    ApiKey.objects.update(expires_at=timezone.now(), created_at=timezone.now() - timedelta(days=1))
    assert status() == 401
    ApiKey.objects.update(expires_at=timezone.now() + timedelta(days=1))
    assert status() == 200
    boss.is_active = False
    boss.save()
    assert status() == 401
