"""Merging, splitting and undoing as staff do it in the admin."""

from __future__ import annotations

import re

import pytest

from players.models import FormerName, Identifier, IdentityChange, IssuingBody, Player
from players.roles import CLERKS, RATING_OFFICERS, ensure_roles
from tests import factories as make
from tests.pages import fetch, read

pytestmark = pytest.mark.django_db
PLAYER = "/admin/players/player/{}/{}/"


@pytest.fixture
def officer(client):
    user = make.make_user("officer", is_staff=True)
    user.groups.add(ensure_roles()[RATING_OFFICERS])
    client.force_login(user)
    return user


@pytest.fixture
def anna():
    return make.make_player("Vidal, Anna", fide_id="9020541", born=2013, sex="f")


@pytest.fixture
def double():
    player = make.make_player("Vidal, Ana", born=2013, sex="f")
    player.identifiers.all().delete()
    return player


def digest(html: str) -> str:
    return re.search(r'name="digest" value="([0-9a-f]{64})"', html)[1]


def test_a_merge_from_suggestion_to_undoing(client, officer, anna, double):
    page = PLAYER.format(double.pk, "merge")
    assert "Merge into…" in read(client, PLAYER.format(double.pk, "change"))
    assert f'<a href="?into=%23{anna.pk}">Vidal, Anna' in fetch(client, page)
    asked = f"{page}?into=9020541"
    html = fetch(client, asked)
    assert "Former name Vidal, Ana, found by search" in read(client, asked)
    before = client.post(asked, {"reason": "", "digest": digest(html)})
    assert "This field is required" in before.content.decode()
    assert not IdentityChange.objects.exists()
    response = client.post(asked, {"reason": "double entry", "digest": digest(html)}, follow=True)
    assert f"Vidal, Ana (#{double.pk}) is merged into Vidal, Anna." in response.content.decode()
    double.refresh_from_db()
    assert double.merged_into == anna

    shown = read(client, PLAYER.format(double.pk, "change"))
    assert f"merged into Vidal, Anna (#{anna.pk})" in shown
    assert "Save" not in shown
    assert client.post(PLAYER.format(double.pk, "change"), {"name": "X"}).status_code == 403
    assert "1 player" in read(client, "/admin/players/player/")
    found = client.get(
        "/admin/autocomplete/?app_label=tournaments&model_name=entry&field_name=player&term=vidal"
    ).json()
    assert [each["id"] for each in found["results"]] == [str(anna.pk)]

    change = IdentityChange.objects.get()
    assert "double entry" in read(client, "/admin/players/identitychange/")
    assert "numbers" not in read(client, f"/admin/players/identitychange/{change.pk}/change/")
    undo = f"/admin/players/identitychange/{change.pk}/undo/"
    html = fetch(client, undo)
    response = client.post(undo, {"reason": "two persons", "digest": digest(html)}, follow=True)
    assert "Undone:" in response.content.decode()
    double.refresh_from_db()
    assert double.merged_into is None
    assert "It is undone already" in read(client, undo)


@pytest.mark.parametrize(
    ("into", "answer"),
    [
        ("9020541", "becomes a part of"),
        ("#{anna}", "becomes a part of"),
        ("http://testserver/players/{anna}/games/", "becomes a part of"),
        ("http://testserver/admin/players/player/{anna}/change/", "becomes a part of"),
        ("777777", "The register has no player"),
        ("#" + "9" * 18, "The register has no player"),
        ("#{own}", "It is one and the same record."),
        ("55", "Several bodies gave this number"),
        ("", "This field is required"),
    ],
)
def test_the_record_to_keep_is_named_in_any_way(client, officer, anna, double, into, answer):
    for code, player in (("XAA", anna), ("XBB", make.make_player("Roca, Jan"))):
        body = IssuingBody.objects.create(code=code, name=code)
        Identifier.objects.create(player=player, issuer=body, value="55")
    response = client.get(
        PLAYER.format(double.pk, "merge"), {"into": into.format(anna=anna.pk, own=double.pk)}
    )
    assert response.status_code == 200
    assert answer in response.content.decode()


def test_a_merge_that_cannot_be_shows_why_and_no_button(client, officer, anna, double):
    Player.objects.filter(pk=double.pk).update(sex="m")
    asked = f"{PLAYER.format(double.pk, 'merge')}?into=9020541"
    page = fetch(client, asked)
    assert "One is male, the other female." in page
    assert 'value="Merge"' not in page
    client.post(asked, {"reason": "all the same"})
    assert not IdentityChange.objects.exists()


def test_what_changed_since_the_preview_is_shown_again(client, officer, anna, double):
    asked = f"{PLAYER.format(double.pk, 'merge')}?into=9020541"
    old = digest(fetch(client, asked))
    FormerName.objects.create(player=double, name="Vidal, A.")
    html = client.post(asked, {"reason": "double", "digest": old}).content.decode()
    assert "Something has changed since the preview" in html
    assert "Vidal, A." in html
    assert client.post(asked, {"reason": "double", "digest": digest(html)}).status_code == 302


def test_a_split_with_its_preview(client, officer, anna):
    body = IssuingBody.objects.create(code="XAA", name="Isles")
    other = Identifier.objects.create(player=anna, issuer=body, value="55")
    page = PLAYER.format(anna.pk, "split")
    html = fetch(client, page)
    assert f'value="{other.pk}"' in html
    given = {"name": "Vidal, Anna", "sex": "f", "identifiers": [other.pk], "reason": "two girls"}
    html = client.post(page, {**given, "identifiers": [], "preview": "1"}).content.decode()
    assert "Nothing is chosen" in html
    html = client.post(page, {**given, "confirm": "1"}).content.decode()
    assert "since the preview" in html
    html = client.post(page, {**given, "birth_date": "2011-02-03", "preview": "1"}).content.decode()
    assert "together with its precision" in html
    html = client.post(page, {**given, "preview": "1"}).content.decode()
    assert "Split as shown" in html
    assert not IdentityChange.objects.exists()
    response = client.post(page, {**given, "confirm": "1", "digest": digest(html)}, follow=True)
    assert "is a player of his own now" in response.content.decode()
    other.refresh_from_db()
    assert other.player != anna


def test_only_officers_merge_and_split(client, anna, double):
    clerk = make.make_user("clerk", is_staff=True)
    make.appoint(clerk, CLERKS)
    client.force_login(clerk)
    assert "Merge into…" not in read(client, PLAYER.format(anna.pk, "change"))
    for what in ("merge", "split"):
        assert client.get(PLAYER.format(anna.pk, what)).status_code == 403
        assert client.post(PLAYER.format(anna.pk, what), {"reason": "x"}).status_code == 403
    assert client.get("/admin/players/identitychange/").status_code == 200
    assert client.get("/admin/players/identitychange/1/undo/").status_code == 403


def form_of(player: Player, **given) -> dict:
    """What the change page of a player sends."""
    inlines = {}
    for prefix in ("identifiers", "titles", "memberships", "former_names", "fide_listings"):
        inlines |= {f"{prefix}-TOTAL_FORMS": 0, f"{prefix}-INITIAL_FORMS": 0}
    fields = {"name": player.name, "federation": player.federation_id, "sex": player.sex}
    born = {"birth_date": player.birth_date, "birth_precision": player.birth_precision}
    return {**fields, **born, "account": "", "name_reason": "", **inlines, **given}


def test_a_corrected_name_leaves_the_old_one_beside_it(client, officer, double):
    page = PLAYER.format(double.pk, "change")
    response = client.post(page, form_of(double, name="Vidal, Anna", name_reason="correction"))
    assert response.status_code == 302
    former = FormerName.objects.get()
    assert (former.player, former.name, former.reason) == (double, "Vidal, Ana", "correction")
    assert f"Vidal, Ana (until {former.until.year}, correction)" in read(client, f"/players/{double.pk}/")
    double.refresh_from_db()
    client.post(page, form_of(double, name="Vidal, Ana"))
    assert [each.name for each in FormerName.objects.all()] == ["Vidal, Anna"]
    FormerName.objects.update(public=False)
    assert "Vidal, Anna" not in read(client, f"/players/{double.pk}/")


def test_the_account_of_a_player(client, officer, anna, double):
    make.make_user("anna")
    page = PLAYER.format(anna.pk, "change")
    assert "There is no account" in client.post(page, form_of(anna, account="nobody")).content.decode()
    assert client.post(page, form_of(anna, account="anna")).status_code == 302
    anna.refresh_from_db()
    assert anna.user.get_username() == "anna"
    assert 'value="anna"' in fetch(client, page)
    html = client.post(PLAYER.format(double.pk, "change"), form_of(double, account="anna")).content.decode()
    assert "It is the account of Vidal, Anna" in html
    client.post(page, form_of(anna))
    anna.refresh_from_db()
    assert anna.user is None


def test_a_second_number_of_a_body_that_gives_one(anna):
    from django.core.exceptions import ValidationError

    fide = IssuingBody.objects.get(code="FIDE")
    with pytest.raises(ValidationError, match="gives one each"):
        Identifier(player=anna, issuer=fide, value="9020542").full_clean()
    fide.one_each = False
    fide.save()
    Identifier(player=anna, issuer=fide, value="9020542").full_clean()
