"""Invitations: made by who may give the role, accepted once and in time, and told plainly why not."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import invitations
from accounts.models import Invitation
from accounts.tasks import prune, send_mails
from players.models import AuditEntry
from players.roles import Role, ensure_roles, grant, roles_of
from tests.accounts.signing import SET_UP, is_in, password
from tests.factories import make_arbiter, make_federation, make_player, make_user
from tests.pages import text_of

pytestmark = pytest.mark.django_db
User = get_user_model()
PAGE = "/accounts/invitations/"
NEW = {"username": "newcomer", "password1": "Harbour-71-light", "password2": "Harbour-71-light"}


def clerk(code: str = "XAA"):
    user = make_user(f"clerk{code}", email=f"{code}@example.org")
    grant(user, Role.CLERK, by=None, federation=make_federation(code))
    return user


def boss():
    return make_user("boss", is_superuser=True, is_staff=True, first_name="Bea", last_name="Boss")


def invited(by=None, role=Role.ARBITER, email="ana@example.org", **scope) -> tuple[Invitation, str]:
    """An invitation and the path of the link that came by mail."""
    if role == Role.ARBITER and not scope:
        scope = {"arbiter": make_arbiter("Arbiter, Ana", federation=make_federation())}
    made = invitations.invite(by or boss(), email, role, origin="https://ratings.example.org", **scope)
    send_mails()
    return made, re.search(r"https://ratings.example.org(/\S+)", mail.outbox[-1].body)[1]


def test_an_arbiter_is_invited_and_comes_in(client, settings):
    settings.PORTAL_SECOND_FACTOR = "required"
    arbiter = make_arbiter("Arbiter, Ana", federation=make_federation())
    client.force_login(by := clerk())
    settings.PORTAL_SECOND_FACTOR = "optional"
    page = client.get(f"{PAGE}?arbiter={arbiter.pk}")
    assert "Arbiter, Ana" in page.content.decode()
    sent = client.post(
        f"{PAGE}?arbiter={arbiter.pk}", {"email": "Ana@example.org", "role": "arbiter"}, follow=True
    )
    assert "The invitation goes to ana@example.org." in sent.content.decode()
    send_mails()
    (out,) = mail.outbox
    assert (out.to, "arbiter (Arbiter, Ana)" in out.body) == (["ana@example.org"], True)
    where = re.search(r"http://testserver(/\S+)", out.body)[1]
    settings.PORTAL_SECOND_FACTOR = "required"
    new = Client()
    assert "arbiter (Arbiter, Ana)" in new.get(where).content.decode()
    assert new.post(where, {**NEW, "password2": "other"}).status_code == 200
    assert new.post(where, NEW).status_code == 302
    arbiter.refresh_from_db()
    user = arbiter.user
    assert (user.username, user.email, roles_of(user)) == ("newcomer", "ana@example.org", {Role.ARBITER})
    assert EmailAddress.objects.get(user=user).verified
    assert new.get("/arbiter/").headers["Location"] == SET_UP  # signed in, and led to the second factor
    acts = AuditEntry.objects.filter(act__startswith="invitation.").order_by("pk")
    assert [(each.act, each.actor_name) for each in acts] == [
        ("invitation.sent", by.username),
        ("invitation.accepted", "newcomer"),
    ]
    assert AuditEntry.objects.get(act="role.granted", actor=by).data["role"] == "arbiter"
    again = Client().get(where)
    assert again.status_code == 404
    assert "was used already" in again.content.decode()


@pytest.mark.parametrize(
    ("role", "scope"),
    [
        (Role.ADMINISTRATOR, dict),
        (Role.OFFICER, dict),
        (Role.APPROVER, dict),
        (Role.CLERK, lambda: {"federation": make_federation("XBB")}),
        (Role.PLAYER, lambda: {"player": make_player()}),
    ],
)
def test_every_role_can_be_invited(client, role, scope):
    ensure_roles()
    _, where = invited(role=role, **scope())
    client.post(where, NEW)
    user = Invitation.objects.get().used_by
    assert roles_of(user) == {role}
    assert is_in(client)
    assert user.is_staff is (role != Role.PLAYER)


def test_only_a_hash_of_the_token_is_kept():
    made, where = invited()
    token = where.rstrip("/").rpartition("/")[2]
    assert len(token) == 64
    kept = str(list(Invitation.objects.values())) + str(list(AuditEntry.objects.values()))
    assert token not in kept
    assert "ana@example.org" not in str(list(AuditEntry.objects.values()))
    assert invitations.token_of(made) == token


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"expires_at": timezone.now() - timedelta(1)}, "was good until"),
        ({"revoked_at": timezone.now()}, "does not exist, or was withdrawn"),
        ({"used_at": timezone.now()}, "was used already"),
    ],
)
def test_what_is_over_says_so(client, change, why):
    _, where = invited()
    Invitation.objects.update(**change)
    for answer in (client.get(where), client.post(where, NEW)):
        assert answer.status_code == 404
        assert why in answer.content.decode()
    assert Invitation.objects.filter(used_by=None).exists()


def test_a_wrong_token_says_nothing_of_any(client):
    invited()
    answers = [client.get(f"/accounts/invitation/{token}/") for token in ("0" * 64, "none", "a-b")]
    told = {text_of(each.content.decode()).partition("Language")[0] for each in answers}
    assert len(told) == 1
    assert "does not exist, or was withdrawn" in told.pop()


@pytest.mark.parametrize("lost", ["role", "account"])
def test_an_inviter_who_lost_the_right_gives_nothing(client, lost):
    by = clerk()
    _, where = invited(by)
    if lost == "role":
        by.groups.clear()
    else:
        by.is_active = False
        by.save()
    answer = client.post(where, NEW)
    assert answer.status_code == 409
    assert "can no longer give this role" in answer.content.decode()
    assert not EmailAddress.objects.filter(email="ana@example.org").exists()
    assert not is_in(client)
    assert Invitation.objects.filter(used_at=None).exists()


def test_a_record_that_has_got_another_account_is_told(client):
    made, where = invited()
    made.arbiter.user = make_user("first")
    made.arbiter.save()
    answer = client.post(where, NEW)
    assert answer.status_code == 409
    assert "has an account already: first" in answer.content.decode()
    assert not is_in(client)


def test_an_invitation_is_forgotten_a_month_after_it_is_over():
    invited()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(29))
    assert invitations.prune() == 0
    Invitation.objects.update(expires_at=timezone.now() - timedelta(31))
    prune()
    assert not Invitation.objects.exists()


def test_who_has_an_account_takes_the_role_with_it(client):
    user = make_user("ana", email="ana@example.org")
    made, where = invited()
    refused = Client().post(where, NEW)
    assert "There is an account with your address" in refused.content.decode()
    client.force_login(user)
    assert "signed in as ana" in client.get(where).content.decode()
    assert client.post(where).headers["Location"] == "/accounts/"
    made.arbiter.refresh_from_db()
    assert made.arbiter.user == user


@pytest.mark.parametrize(
    ("name", "why"),
    [("ANA", "is taken"), ("ana@example.org", "has no “@”"), ("", "required"), ("a b", "valid username")],
)
def test_names_that_will_not_do(client, name, why):
    make_user("ana")
    _, where = invited()
    answer = client.post(where, {**NEW, "username": name})
    assert answer.status_code == 200
    assert why in answer.content.decode()
    assert not is_in(client)


# --- who may ---------------------------------------------------------------------------------------


def test_nobody_invites_to_what_he_cannot_give():
    ensure_roles()
    by, elsewhere = clerk(), make_arbiter("Arbiter, Bo", federation=make_federation("XBB"))
    for role, scope in (
        (Role.OFFICER, {}),
        (Role.ADMINISTRATOR, {}),
        (Role.CLERK, {"federation": make_federation()}),
        (Role.ARBITER, {"arbiter": elsewhere}),
    ):
        with pytest.raises(invitations.Refused, match="may not give"):
            invitations.invite(by, "x@example.org", role, **scope)
    with pytest.raises(invitations.Refused, match="Say for which"):
        invitations.invite(by, "x@example.org", Role.ARBITER)
    taken = make_arbiter("Arbiter, Cy", federation=make_federation(), user=make_user())
    with pytest.raises(invitations.Refused, match="has an account"):
        invitations.invite(by, "x@example.org", Role.ARBITER, arbiter=taken)
    assert not Invitation.objects.exists()


def test_the_page_is_for_those_who_may_invite(client):
    assert client.get(PAGE).headers["Location"].startswith("/accounts/login/")
    client.force_login(make_user("player"))
    assert client.get(PAGE).status_code == 403
    client.force_login(clerk())
    roles = [value for value, _ in client.get(PAGE).context["form"].fields["role"].choices]
    assert roles == []
    client.force_login(boss())
    assert len(client.get(PAGE).context["form"].fields["role"].choices) == 4


def test_an_address_is_invited_once_sent_again_or_withdrawn(client):
    client.force_login(boss())
    data = {"email": "new@example.org", "role": "clerk", "federation": make_federation().pk}
    assert client.post(PAGE, data).status_code == 302
    assert "was invited on" in client.post(PAGE, data).content.decode()
    made = Invitation.objects.get()
    Invitation.objects.update(expires_at=timezone.now() + timedelta(1))
    change = reverse("invitation-change", args=[made.pk])
    client.post(change, {"again": ""})
    send_mails()
    assert len(mail.outbox) == 2
    assert mail.outbox[0].body.split("http")[1] == mail.outbox[1].body.split("http")[1]  # the same link
    made.refresh_from_db()
    assert made.expires_at > timezone.now() + timedelta(6)
    assert "new@example.org" in client.get(PAGE).content.decode()
    client.post(change, {"withdraw": ""})
    assert "new@example.org" not in client.get(PAGE).content.decode().partition("Not used yet")[2]
    assert client.post(change, {"again": ""}).status_code == 404
    assert client.post(PAGE, data).status_code == 302


def test_another_federations_invitations_are_not_there(client):
    made, _ = invited(clerk())
    client.force_login(clerk("XBB"))
    assert "ana@example.org" not in client.get(PAGE).content.decode()
    assert client.post(reverse("invitation-change", args=[made.pk]), {"withdraw": ""}).status_code == 404


def test_the_pages_of_records_lead_there(client):
    client.force_login(boss())
    arbiter, player = make_arbiter(), make_player()
    for path, link in (
        (f"/admin/tournaments/arbiter/{arbiter.pk}/change/", f"{PAGE}?arbiter={arbiter.pk}"),
        (f"/admin/players/player/{player.pk}/change/", f"{PAGE}?player={player.pk}"),
    ):
        assert link in client.get(path).content.decode()
        assert client.get(link).status_code == 200


def test_an_erased_person_leaves_neither_address_nor_invitation(django_user_model):
    from players.hiding import erase

    player = make_player("Invented, Gone")
    _, where = invited(role=Role.PLAYER, email="gone@example.org", player=player)
    client = Client()
    client.post(where, NEW)
    user = django_user_model.objects.get(username="newcomer")
    password(Client(), "newcomer", "Harbour-71-light")
    erase(player, make_user("eraser", is_superuser=True), "Asked for it.")
    assert not EmailAddress.objects.filter(user=user).exists()
    assert not Invitation.objects.exists()
    assert not is_in(client)


@pytest.mark.parametrize("name", ["ｎｅｗｃｏｍｅｒ", "ＮＥＷＣＯＭＥＲ"])
def test_a_name_in_other_letters_is_the_same_name(client, name):
    make_user("newcomer")
    _made, path = invited()
    page = client.post(path, NEW | {"username": name})
    assert "This user name is taken." in page.text
    assert User.objects.filter(username__iexact="newcomer").count() == 1


def test_a_name_taken_meanwhile_leaves_the_invitation_open():
    made, path = invited()
    make_user("newcomer")
    token = path.rstrip("/").rpartition("/")[2]
    with pytest.raises(invitations.Refused, match="This user name is taken"):
        invitations.accept(token, username="newcomer", password=NEW["password1"])
    assert invitations.found(token) == made
