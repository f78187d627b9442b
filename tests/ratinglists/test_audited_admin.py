"""What staff change in the admin leaves one entry: what changed, whose rights, and of persons no data."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.forms import MultiWidget
from django.urls import reverse

from players import audit, triggers
from players.audited import AuditedAdmin
from players.models import AuditEntry, Federation, Player, Title
from players.read_only import ReadOnlyAdmin
from players.roles import CLERKS, RATING_OFFICERS
from ratinglists.models import Period
from tests.factories import (
    appoint,
    make_federation,
    make_list,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of
from tests.signing_in import just_signed_in
from tournaments.models import RatingSystem

pytestmark = pytest.mark.django_db
LOG = "/admin/players/auditentry/"


@pytest.fixture
def boss(client):
    user = make_user("boss", is_staff=True, is_superuser=True)
    just_signed_in(user, client)
    return user


def form_of(client, url: str) -> dict:
    """The fields of an admin page as a browser would send them back."""
    context = client.get(url).context
    forms = [context["adminform"].form]
    for inline in context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    sent: dict = {}
    for bound in [bound for form in forms for bound in form]:
        names = [bound.html_name] + [bound.html_initial_name] * bound.field.show_hidden_initial
        value = bound.value()
        for name in names:
            if isinstance(bound.field.widget, MultiWidget):
                parts = enumerate(bound.field.widget.decompress(value))
                sent |= {f"{name}_{at}": part for at, part in parts if part is not None}
            elif value is not None and value is not False:
                sent[name] = [getattr(v, "pk", v) for v in value] if isinstance(value, list) else value
    return sent


def url_of(row=None, model=None) -> str:
    name = f"admin:{(row or model)._meta.label_lower.replace('.', '_')}"
    return reverse(f"{name}_change", args=[row.pk]) if row else reverse(f"{name}_add")


def save(client, url: str, **changes) -> list[AuditEntry]:
    """Save a page with changes; the entries that this left."""
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    sent = form_of(client, url) | changes
    response = client.post(url, {name: value for name, value in sent.items() if value is not None})
    assert response.status_code == 302, response.context["errors"]
    return list(AuditEntry.objects.exclude(pk__in=known).order_by("pk"))


def delete(client, row) -> list[AuditEntry]:
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    url = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_delete", args=[row.pk])
    assert client.post(url, {"post": "yes"}).status_code == 302
    return list(AuditEntry.objects.exclude(pk__in=known))


def test_every_admin_keeps_what_it_writes_or_writes_nothing():
    for model, model_admin in admin.site._registry.items():
        assert isinstance(model_admin, AuditedAdmin | ReadOnlyAdmin), model


def test_a_player_is_kept_by_key_and_field_and_without_data(client, boss):
    player = make_player("Alder, Tom", titles=("FM",))
    title = player.titles.get()
    (entry,) = save(client, url_of(player), name="Alder, Thomas", **{"titles-0-code": "IM"})
    assert (entry.act, entry.actor, entry.subject) == ("player.changed", boss, f"players.player:{player.pk}")
    assert entry.data == {
        "fields": {"name": None},
        "rows": [{"row": f"players.title:{title.pk}", "what": "changed", "fields": {"code": None}}],
    }
    assert "Alder" not in f"{entry.text}{entry.data}"
    assert [entry.data for entry in save(client, url_of(player))] == [], "saved as it was"
    (entry,) = save(client, url_of(player), **{"titles-0-DELETE": "on"})
    assert entry.data["rows"] == [{"row": f"players.title:{title.pk}", "what": "deleted"}]
    assert not Title.objects.exists()


def test_a_player_added_and_deleted(client, boss):
    make_federation()
    (entry,) = save(client, url_of(model=Player), name="New, Nora", federation="XAA", sex="f")
    player = Player.objects.get()
    assert (entry.act, entry.subject) == ("player.added", f"players.player:{player.pk}")
    (entry,) = delete(client, player)
    assert (entry.act, entry.subject) == ("player.deleted", f"players.player:{player.pk}")
    assert "Nora" not in f"{entry.text}{entry.data}"
    for code in ("XBB", "XCC"):
        make_federation(code)
    chosen = {"action": "delete_selected", "_selected_action": ["XBB", "XCC"], "post": "yes"}
    client.post(reverse("admin:players_federation_changelist"), chosen)
    assert list(Federation.objects.values_list("pk", flat=True)) == ["XAA"]
    deleted = AuditEntry.objects.filter(act="federation.deleted").values_list("subject", flat=True)
    assert set(deleted) == {"players.federation:XBB", "players.federation:XCC"}


def test_a_system_and_its_regulations_are_kept_with_their_values(client, boss):
    system = make_system(schedule="manual")
    row = system.regulations.get()
    changes = {"schedule": "publish", "regulations-0-effective_from": "2023-01-01"}
    (entry,) = save(client, url_of(system), **changes)
    assert (entry.act, entry.subject) == ("ratingsystem.changed", "tournaments.ratingsystem:rapid")
    assert entry.data == {
        "fields": {"schedule": ["manual", "publish"]},
        "rows": [
            {
                "row": f"tournaments.systemregulation:{row.pk}",
                "what": "changed",
                "fields": {"effective_from": ["2000-01-01", "2023-01-01"]},
                "is": "fide-rapid-blitz-2022 from 2023-01-01",
            }
        ],
    }
    (entry,) = delete(client, system)
    assert entry.act == "ratingsystem.deleted"
    assert not RatingSystem.objects.exists()


def test_a_period_opened_moved_and_dropped(client, boss):
    system = make_system()
    make_list(system, date(2022, 3, 1), {make_player(): 1800})
    dates = {"list_date": "2022-04-01", "closes_on": "2022-03-29"}
    (entry,) = save(client, url_of(model=Period), system="rapid", **dates)
    period = Period.objects.get(list_date=date(2022, 4, 1))
    assert (entry.act, entry.subject) == ("period.opened", f"ratinglists.period:{period.pk}")
    assert entry.data["fields"]["closes_on"] == [None, "2022-03-29"]
    (entry,) = save(client, url_of(period), closes_on="2022-03-30")
    assert (entry.act, entry.data["fields"]) == (
        "period.changed",
        {"closes_on": ["2022-03-29", "2022-03-30"]},
    )
    (entry,) = delete(client, period)
    assert (entry.act, entry.actor) == ("period.dropped", boss)


def test_a_registration_saved_and_registered_is_two_acts(client, boss):
    event = make_tournament(make_system(), state="draft", registered_on=date(2022, 2, 1))
    entries = save(client, url_of(event), city="Harbour", _register="1")
    assert [entry.act for entry in entries] == ["tournament.changed", "tournament.registered"]
    assert entries[0].data["fields"] == {"city": None}


# --- rights ---------------------------------------------------------------------------------------------


def test_rights_given_to_an_account_are_kept_with_their_values(client, boss):
    user = make_user("clerk", email="clerk@example.org")
    group = Group.objects.create(name="Guests")
    right = Permission.objects.get(codename="publish_list")
    given = {
        "groups": [group.pk],
        "user_permissions": [right.pk],
        "is_superuser": "on",
        "email": "x@example.org",
    }
    (entry,) = save(client, url_of(user), **given)
    assert (entry.act, entry.actor, entry.subject) == ("user.rights-changed", boss, f"auth.user:{user.pk}")
    assert entry.data["fields"] == {
        "email": None,
        "is_superuser": [False, True],
        "groups": [[], ["Guests"]],
        "user_permissions": [[], ["ratinglists.publish_list"]],
    }
    (entry,) = save(client, url_of(user), is_superuser=None, groups=[])
    assert entry.data["fields"] == {"is_superuser": [True, False], "groups": [["Guests"], []]}
    (entry,) = save(client, url_of(user), first_name="Cleo")
    assert (entry.act, entry.data) == ("user.changed", {"fields": {"first_name": None}})


def test_accounts_made_and_passwords_set(client, boss):
    password = {"password1": "Harbour-71-light", "password2": "Harbour-71-light", "usable_password": "true"}
    (entry,) = save(client, url_of(model=type(boss)), username="new", **password)
    user = type(boss).objects.get(username="new")
    assert (entry.act, entry.subject) == ("user.added", f"auth.user:{user.pk}")
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    url = reverse("admin:auth_user_password_change", args=[user.pk])
    client.post(url, {"password1": "x", "password2": "y"})
    assert not AuditEntry.objects.exclude(pk__in=known).exists()
    again = {**password, "password1": "Island-72-light", "password2": "Island-72-light"}
    assert client.post(url, {**again, "set-password": "1"}).status_code == 302
    (entry,) = AuditEntry.objects.exclude(pk__in=known)
    assert (entry.act, entry.subject) == ("user.password-set", f"auth.user:{user.pk}")
    assert "light" not in f"{entry.data}{entry.text}"


def test_the_rights_of_a_group(client, boss):
    group = Group.objects.create(name="Guests")
    right = Permission.objects.get(codename="view_player")
    (entry,) = save(client, url_of(group), permissions=[right.pk])
    assert entry.act == "group.rights-changed"
    assert entry.data["fields"] == {"permissions": [[], ["players.view_player"]]}


def test_what_cannot_be_recorded_is_not_saved(client, boss, monkeypatch):
    player, system = make_player("Alder, Tom"), make_system()
    pages = {url_of(player): {"name": "Alder, Thomas"}, url_of(system): {"name": "Other"}}
    forms = {url: form_of(client, url) | changes for url, changes in pages.items()}

    def broken(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr(audit, "record", broken)
    for url, sent in forms.items():
        with pytest.raises(ZeroDivisionError):
            client.post(url, sent)
    with pytest.raises(ZeroDivisionError):
        client.post(reverse("admin:players_player_delete", args=[player.pk]), {"post": "yes"})
    player.refresh_from_db()
    system.refresh_from_db()
    assert (player.name, system.name) == ("Alder, Tom", "Rapid")


# --- the page --------------------------------------------------------------------------------------------


def test_the_log_is_read_by_officers_and_written_by_nobody(client, boss):
    player = make_player("Alder, Tom")
    save(client, url_of(player), name="Alder, Thomas")
    audit.record("list.published", None, player, "A list")
    audit.seal()
    page = text_of(client.get(LOG).content.decode())
    assert "The chain holds" in page
    assert "Sealed entries 2" in page
    assert audit.head()[1] in page
    assert "player.changed" in text_of(client.get(f"{LOG}?act=player.changed").content.decode())
    only = text_of(client.get(f"{LOG}?actor_name=boss").content.decode())
    assert "2022" not in only
    assert "1 audit entry" in only
    assert "2 audit log" in text_of(client.get(f"{LOG}?q=players.player:{player.pk}").content.decode())
    entry = AuditEntry.objects.first()
    assert entry.sha256 in client.get(f"{LOG}{entry.pk}/change/").content.decode()
    assert client.post(f"{LOG}{entry.pk}/change/", {"text": "x"}).status_code == 403
    assert client.post(f"{LOG}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"{LOG}add/").status_code == 403


def test_a_broken_chain_is_shown(client, boss, monkeypatch):
    monkeypatch.setattr("players.audit_admin.LOOKED_AT", 2)
    for at in range(4):
        audit.record("list.published", None, text=f"List {at}")
    audit.seal()
    from django.db import connection

    triggers.AUDIT.remove(connection)
    AuditEntry.objects.filter(number=2).update(text="Another")
    page = text_of(client.get(LOG).content.decode())
    assert "The chain holds , as far as the last 2 entries go" in page.replace("holds,", "holds ,")
    assert "Verify the whole log" in page
    whole = text_of(client.get(f"{LOG}verify/").content.decode())
    assert "The chain does not hold." in whole
    assert "Entry 2 (id" in whole


@pytest.mark.parametrize(("group", "status"), [(RATING_OFFICERS, 200), (CLERKS, 403)])
def test_who_may_read_the_log(client, group, status):
    user = make_user("reader", is_staff=True)
    appoint(user, group)
    client.force_login(user)
    for url in (LOG, f"{LOG}verify/"):
        assert client.get(url).status_code == status
