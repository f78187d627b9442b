"""Forged requests: keys of others in forms and addresses, fields not offered, rights not held."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import roles
from players.models import AuditEntry, Clerkship, Player, PrivacyRequest
from players.roles import Role, roles_of
from ratinglists.models import ApiKey, Complaint, Job
from tests import factories as make
from tests.pages import text_of
from tests.ratinglists.test_audited_admin import form_of
from tests.roles.world import OTHER, OWN, World
from tests.signing_in import just_signed_in
from tournaments.models import Arbiter, Entry, RatingSystem, ReportNotice, Tournament

pytestmark = pytest.mark.django_db
User = get_user_model()


def signed(world: World, letter: str) -> Client:
    return just_signed_in(world.users[letter])


def page(row, what: str = "change") -> str:
    return reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_{what}", args=[row.pk])


def errors(response) -> str:
    assert response.status_code == 200, response
    return " ".join(str(response.context["errors"]).split())


# --- clerks and other federations -------------------------------------------------------------------------


def test_a_clerk_gives_no_player_to_another_federation(world):
    clerk, player = signed(world, "K"), world.sides[OWN].player
    sent = form_of(clerk, page(player)) | {"federation": OTHER}
    assert "Select a valid choice" in errors(clerk.post(page(player), sent))
    sent["federation"] = ""
    assert "required" in errors(clerk.post(page(player), sent))
    player.refresh_from_db()
    assert player.federation_id == OWN


def test_a_clerk_adds_nothing_for_another_federation(world):
    clerk, before = signed(world, "K"), Arbiter.objects.count()
    for federation in (OTHER, ""):
        sent = {"name": "Forged, Ann", "title": "NA", "licensed": "on", "federation": federation}
        assert errors(clerk.post(reverse("admin:tournaments_arbiter_add") + "?_popup=1", sent))
    assert Arbiter.objects.count() == before
    clerk.post(reverse("admin:tournaments_arbiter_add"), sent | {"federation": OWN})
    assert Arbiter.objects.count() == before + 1


def test_a_clerk_announces_no_tournament_of_another_federation_or_system(world):
    clerk, own, other = signed(world, "K"), world.sides[OWN], world.sides[OTHER]
    draft = own.rows[Tournament]
    sent = form_of(clerk, page(draft))
    for forged in ({"federation": OTHER}, {"rating_system": other.rows[RatingSystem].pk}):
        assert "Select a valid choice" in errors(clerk.post(page(draft), sent | forged))
    draft.refresh_from_db()
    assert (draft.federation_id, draft.rating_system_id) == (OWN, own.rows[RatingSystem].pk)


def test_a_clerk_appoints_no_arbiter_and_enters_no_player_of_another_federation_by_the_form(world):
    clerk, own, other = signed(world, "K"), world.sides[OWN], world.sides[OTHER]
    draft = own.rows[Tournament]
    sent = form_of(clerk, page(draft))
    for prefix, field, row in (
        ("appointments", "arbiter", other.rows[Arbiter]),
        ("entries", "player", other.player),
    ):
        forged = sent | {
            f"{prefix}-TOTAL_FORMS": "1", f"{prefix}-INITIAL_FORMS": "0", f"{prefix}-0-{field}": row.pk,
            f"{prefix}-0-role": "chief",
        }  # fmt: skip
        assert "Select a valid choice" in errors(clerk.post(page(draft), forged)), prefix
    assert not draft.appointments.exists()
    assert not draft.entries.exists()


def test_a_row_of_another_tournament_does_not_come_in_by_its_key(world):
    clerk, own, other = signed(world, "K"), world.sides[OWN], world.sides[OTHER]
    draft, stolen = own.rows[Tournament], other.tournament.entries.first()
    forged = form_of(clerk, page(draft)) | {
        "entries-TOTAL_FORMS": "1", "entries-INITIAL_FORMS": "1", "entries-0-id": stolen.pk,
        "entries-0-player": own.player.pk, "entries-0-DELETE": "on", "entries-0-tournament": draft.pk,
    }  # fmt: skip
    clerk.post(page(draft), forged)
    stolen.refresh_from_db()
    assert stolen.tournament == other.tournament


def test_guests_are_entered_by_number_on_the_tournaments_page(world):
    clerk, own, other = signed(world, "K"), world.sides[OWN], world.sides[OTHER]
    event = make.make_tournament(own.rows[RatingSystem])
    clerk.post(reverse("arbiter-entry-add", args=[event.pk]), {"number": other.player.fide_id})
    assert event.entries.get().player == other.player
    # The form that lists him goes on taking him.
    answer = clerk.post(page(event), form_of(clerk, page(event)))
    assert answer.status_code == 302
    assert Entry.objects.filter(tournament=event, player=other.player).exists()


def test_autocomplete_offers_a_clerk_his_own_only(world):
    clerk = signed(world, "K")
    for model, field, target in (
        ("entry", "player", Player),
        ("tournamentarbiter", "arbiter", Arbiter),
        ("tournament", "federation", None),
    ):
        query = f"?app_label=tournaments&model_name={model}&field_name={field}"
        found = {row["id"] for row in clerk.get(reverse("admin:autocomplete") + query).json()["results"]}
        wanted = {OWN} if target is None else {
            str(pk) for pk in target.objects.filter(federation=OWN).values_list("pk", flat=True)
        }  # fmt: skip
        assert found == wanted
    assert clerk.get(
        reverse("admin:autocomplete") + "?app_label=auth&model_name=user&field_name=x"
    ).status_code in (
        403,
        404,
    )


@pytest.mark.parametrize("model", [Player, Tournament, Arbiter])
def test_lists_and_filters_show_a_clerk_his_own_only(world, model):
    clerk, url = signed(world, "K"), reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist")
    shown = [row.federation_id for row in clerk.get(url).context["cl"].result_list]
    assert set(shown) == {OWN}
    assert list(clerk.get(f"{url}?federation__code__exact={OTHER}").context["cl"].result_list) == []


def test_an_action_reaches_no_row_of_others(world):
    officer = make.make_user("deleter", "players.view_player", "players.delete_player", federation=OWN)
    client = Client()
    client.force_login(officer)
    other = make.make_player(federation=OTHER)
    sent = {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes", "select_across": "1"}
    client.post(reverse("admin:players_player_changelist"), sent)
    assert Player.objects.filter(pk=other.pk).exists()


def test_an_export_holds_a_clerks_own_players_only(world):
    clerk = signed(world, "K")
    for federation in ("", OTHER):
        answer = clerk.get(reverse("register-export"), {"format": "csv", "federation": federation})
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert world.sides[OTHER].player.name.encode() not in body
    assert world.sides[OWN].player.name.encode() in b"".join(
        clerk.get(reverse("register-export"), {"format": "csv"}).streaming_content
    )


def test_the_queue_counts_a_clerks_own_tournaments_only(world):
    told = {letter: signed(world, letter).get(reverse("queue")).context["kinds"] for letter in "KO"}
    reports = {
        letter: {kind.code: count for kind, count in kinds}["reports"] for letter, kinds in told.items()
    }
    assert reports == {"K": 1, "O": 2}


def test_what_a_clerk_does_not_have_is_not_done_by_asking(world):
    clerk, own = signed(world, "K"), world.sides[OWN]
    for what in ("accept", "return", "waive"):
        url = reverse("admin:tournaments_tournament_decide", args=[own.tournament.pk, what])
        sent = {"report": own.report.pk, "reason": "Forged", "authorization": "late-registration"}
        assert clerk.post(url, sent).status_code == 403
    own.tournament.refresh_from_db()
    assert own.tournament.state == "reported"


def test_a_report_of_another_tournament_is_not_accepted_with_ones_own(world):
    officer, own, other = signed(world, "O"), world.sides[OWN], world.sides[OTHER]
    url = reverse("admin:tournaments_tournament_decide", args=[own.tournament.pk, "accept"])
    officer.post(url, {"report": other.report.pk})
    for side in (own, other):
        side.report.refresh_from_db()
        assert side.report.state == "submitted"


def test_a_clerk_sends_no_report_in_the_arbiters_place(world):
    clerk, own = signed(world, "K"), world.sides[OWN]
    event = reverse("arbiter-tournament", args=[own.tournament.pk])
    assert "Only its arbiters" in text_of(clerk.get(event).content.decode())
    answer = clerk.post(
        reverse("arbiter-crosstable", args=[own.tournament.pk]),
        {"start-1": "1", "number-1": "", "name-1": "x"},
    )
    assert "Only its arbiters" in text_of(answer.content.decode())


@pytest.mark.parametrize(
    ("model", "field"),
    [
        (Complaint, "token"),
        (Complaint, "client"),
        (PrivacyRequest, "kept"),
        (ApiKey, "sha256"),
        (Job, "token"),
    ],
)
def test_a_filter_finds_out_nothing_that_a_page_leaves_out(world, model, field):
    """Who finds a complaint's token letter by letter could withdraw it in its sender's place."""
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    officer = signed(world, "O")
    assert officer.get(url).status_code == 200
    for lookup in (field, f"{field}__startswith", f"{field}__icontains"):
        assert officer.get(url, {lookup: "t"}).status_code == 400, lookup


# --- arbiters ---------------------------------------------------------------------------------------------


def test_a_licence_that_ended_leaves_an_arbiter_to_look(world):
    arbiter, own = world.sides[OWN].rows[Arbiter], world.sides[OWN]
    Arbiter.objects.filter(pk=arbiter.pk).update(licensed_until="2022-01-01")
    client = signed(world, "A")
    for url in (reverse("arbiter"), reverse("arbiter-tournament", args=[own.tournament.pk])):
        page_ = client.get(url)
        assert page_.status_code == 200
        assert "Your licence as an arbiter ended on 2022-01-01. Ask your federation" in text_of(
            page_.content.decode()
        )
    answer = client.post(
        reverse("arbiter-entry-add", args=[own.tournament.pk]), {"number": own.player.fide_id}, follow=True
    )
    assert "Your licence as an arbiter ended" in text_of(answer.content.decode())
    drafted = client.post(
        reverse("arbiter-crosstable", args=[own.tournament.pk]), {"start-1": "1", "name-1": "x"}
    )
    assert "Your licence as an arbiter ended" in text_of(drafted.content.decode())
    Arbiter.objects.filter(pk=arbiter.pk).update(licensed_until=None, licensed_from="2222-01-01")
    assert "begins on 2222-01-01" in text_of(client.get(reverse("arbiter")).content.decode())


def test_an_arbiter_who_has_gone_sees_nothing(world):
    client, own = signed(world, "A"), world.sides[OWN]
    roles.revoke(world.users["A"], Role.ARBITER, by=None)
    assert client.get(reverse("arbiter-tournament", args=[own.tournament.pk])).status_code == 404


# --- accounts ---------------------------------------------------------------------------------------------


def test_no_administrator_promotes_himself(world):
    me, client = world.users["D"], signed(world, "D")
    group = Group.objects.create(name="Publishers")
    group.permissions.add(Permission.objects.get(codename="publish_list"))
    sent = form_of(client, page(me)) | {
        "is_superuser": "on", "is_staff": "on", "roles": ["approver", "officer"], "clerk_of": [OTHER],
        "groups": [group.pk], "user_permissions": list(Permission.objects.values_list("pk", flat=True)),
    }  # fmt: skip
    client.post(page(me), sent)
    me = User.objects.get(pk=me.pk)
    assert not me.is_superuser
    assert not me.user_permissions.exists()
    assert roles_of(me) == {Role.ADMINISTRATOR}
    assert not me.has_perm("ratinglists.publish_list")


def test_an_administrator_gives_what_he_holds_and_no_more(world):
    client, user = signed(world, "D"), world.shared[User]
    group = Group.objects.create(name="Publishers")
    group.permissions.add(Permission.objects.get(codename="publish_list"))
    sent = form_of(client, page(user))
    for forged, told in (
        ({"roles": ["approver"]}, "lacks what the role"),
        ({"roles": ["officer"]}, "lacks what the role"),
        ({"groups": [group.pk]}, "Select a valid choice"),
        ({"groups": [Group.objects.get(name=roles.APPROVERS).pk]}, "Select a valid choice"),
        ({"roles": ["superuser"]}, "Select a valid choice"),
    ):
        assert told in errors(client.post(page(user), sent | forged)), forged
    hidden = {"is_superuser": "on", "is_staff": "on", "user_permissions": [Permission.objects.first().pk]}
    given = {"roles": ["administrator"], "clerk_of": [OWN, OTHER]}
    assert client.post(page(user), sent | hidden | given).status_code == 302
    user = User.objects.get(pk=user.pk)
    assert roles_of(user) == {Role.ADMINISTRATOR, Role.CLERK}
    assert set(Clerkship.objects.filter(user=user).values_list("federation", flat=True)) == {OWN, OTHER}
    assert not user.is_superuser
    assert not user.user_permissions.exists()
    assert (
        client.post(page(user), form_of(client, page(user)) | {"roles": [], "clerk_of": [OWN]}).status_code
        == 302
    )
    assert roles_of(User.objects.get(pk=user.pk)) == {Role.CLERK}


@pytest.mark.parametrize("victim", ["O", "V", "root", "closed"])
def test_nobody_takes_over_an_account_with_more_rights(world, victim):
    client = signed(world, "D")
    user = make.root() if victim == "root" else world.users["V" if victim == "closed" else victim]
    if victim == "closed":
        User.objects.filter(pk=user.pk).update(is_active=False)
    before = User.objects.filter(pk=user.pk).values("password", "email", "is_active").get()
    sent = {"username": user.username, "email": "thief@example.org", "is_active": "on"}
    assert client.post(page(user), sent).status_code == 403
    password = {"password1": "Harbour-71-light", "password2": "Harbour-71-light", "usable_password": "true"}
    url = reverse("admin:auth_user_password_change", args=[user.pk])
    assert client.post(url, password).status_code == 403
    assert User.objects.filter(pk=user.pk).values("password", "email", "is_active").get() == before


def test_administrators_close_accounts_but_no_superusers_and_not_their_own(world):
    client, root = signed(world, "D"), make.root()
    for user, closed in ((world.users["V"], True), (root, False), (world.users["D"], False)):
        client.post(reverse("admin:auth_user_changelist"), {"action": "close", "_selected_action": [user.pk]})
        assert User.objects.get(pk=user.pk).is_active is not closed
    officer = signed(world, "O")
    assert officer.get(reverse("admin:auth_user_changelist")).status_code == 403


def test_groups_of_roles_are_the_programs_and_others_bounded(world):
    client = signed(world, "D")
    publish = Permission.objects.get(codename="publish_list")
    for name in roles.ROLES:
        group = Group.objects.get(name=name)
        before = set(group.permissions.values_list("pk", flat=True))
        assert client.post(page(group), {"name": name, "permissions": [publish.pk]}).status_code == 403
        assert set(group.permissions.values_list("pk", flat=True)) == before
    guests = world.shared[Group]
    assert "Select a valid choice" in errors(
        client.post(page(guests), {"name": "Guests", "permissions": [publish.pk]})
    )
    mine = Permission.objects.get(codename="view_player")
    assert client.post(page(guests), {"name": "Guests", "permissions": [mine.pk]}).status_code == 302
    guests.permissions.add(publish)
    assert client.post(page(guests), {"name": "Guests", "permissions": [mine.pk]}).status_code == 403


def test_a_clerk_links_accounts_of_his_own_federation_only_and_not_his_own(world):
    clerk, own = signed(world, "K"), world.sides[OWN]
    arbiter = make.make_arbiter("Other, Ann", federation_id=OWN)
    sent = form_of(clerk, page(arbiter))
    assert "Nobody gives himself" in errors(
        clerk.post(page(arbiter), sent | {"account": world.users["K"].username})
    )
    assert "There is no account" in errors(clerk.post(page(arbiter), sent | {"account": "nobody"}))
    root = make.root()
    assert "Only a superuser" in errors(clerk.post(page(arbiter), sent | {"account": root.username}))
    taken = clerk.post(page(arbiter), sent | {"account": world.users["A"].username})
    assert "It is the account of" in errors(taken)
    new = make.make_user("ann")
    # ``user`` is no field of the form: what is sent under its name is not looked at.
    assert clerk.post(page(arbiter), sent | {"account": "ann", "user": root.pk}).status_code == 302
    arbiter.refresh_from_db()
    assert arbiter.user == new
    assert roles_of(new) == {Role.ARBITER}
    player = own.other
    assert clerk.post(page(player), form_of(clerk, page(player)) | {"account": "ann"}).status_code == 302
    assert roles_of(new) == {Role.ARBITER, Role.PLAYER}
    assert clerk.post(page(player), form_of(clerk, page(player)) | {"account": ""}).status_code == 302
    assert roles_of(new) == {Role.ARBITER}


# --- players ----------------------------------------------------------------------------------------------


def test_a_player_sees_his_own_things_and_nobody_elses(world):
    own = world.sides[OWN]
    Player.objects.filter(pk=own.player.pk).update(birth_date="1990-05-04", birth_precision="day")
    text = text_of(signed(world, "L").get(reverse("me")).content.decode())
    assert "1990-05-04" in text
    assert "hide the name" in text
    assert "Ann" not in text, "who asked in his name is not told"
    assert "1990" not in text_of(signed(world, "A").get(reverse("me")).content.decode())


def test_a_player_marks_no_notice_of_others_read(world):
    other = world.sides[OTHER]
    stranger = make.make_user("stranger")
    Player.objects.filter(pk=other.player.pk).update(user=stranger)
    notice = ReportNotice.objects.create(
        tournament=other.tournament, player=other.player, report=other.report, told_at=timezone.now()
    )
    client = signed(world, "L")
    for given in (str(notice.pk), "all"):
        client.post(reverse("me-read"), {"notice": given})
    notice.refresh_from_db()
    assert notice.read_at is None


# --- accounts, by other spellings and at the same moment ---------------------------------------------------

NEW = {"password1": "Harbour-71-light", "password2": "Harbour-71-light", "usable_password": "true"}


@pytest.mark.parametrize("spelled", ["0{}", "+{}", " {}", "_2B{}", "{} "])
def test_another_spelling_of_a_key_is_the_same_account(world, spelled):
    """Neither is one's own password set without the old one, nor another's without a trace."""
    client, me, other = signed(world, "D"), world.users["D"], world.shared[User]
    before = me.password
    answer = client.post(f"/admin/auth/user/{spelled.format(me.pk)}/password/", NEW)
    assert answer.headers["Location"] == "/accounts/password/change/"
    assert User.objects.get(pk=me.pk).password == before
    client.post(f"/admin/auth/user/{spelled.format(other.pk)}/password/", NEW)
    assert User.objects.get(pk=other.pk).check_password(NEW["password1"])
    entry = AuditEntry.objects.get(act="user.password-set")
    assert entry.subject == f"auth.user:{other.pk}"


def test_a_right_lost_while_the_form_waits_is_not_given_on(world, monkeypatch):
    client, me, user = signed(world, "D"), world.users["D"], world.shared[User]
    sent = form_of(client, page(user)) | {"roles": ["administrator"]}
    real = roles.afresh

    def late(*users):
        me.groups.clear()
        return real(*users)

    monkeypatch.setattr(roles, "afresh", late)
    assert client.post(page(user), sent).status_code == 403
    assert roles_of(User.objects.get(pk=user.pk)) == frozenset()


@pytest.mark.parametrize("left_out", ["is_superuser", "is_staff", "is_active"])
def test_the_last_superuser_does_not_shut_himself_out(world, left_out):
    root, client = make.root(), Client()
    User.objects.filter(pk=root.pk).update(is_staff=True)
    just_signed_in(root, client)
    sent = form_of(client, page(root)) | {"roles": [], "clerk_of": [], "groups": [], "user_permissions": []}
    told = errors(client.post(page(root), {name: text for name, text in sent.items() if name != left_out}))
    assert "Nobody takes this from himself" in told
    root.refresh_from_db()
    assert (root.is_superuser, root.is_staff, root.is_active) == (True, True, True)


def test_the_sessions_of_a_closed_account_stay_over(world):
    user = world.users["O"]
    inside = Client()
    user.set_password("secret")
    user.save()
    inside.post("/accounts/login/", {"login": user.username, "password": "secret"})
    assert inside.get("/admin/").status_code == 200
    roles.close(user, by=None)
    User.objects.filter(pk=user.pk).update(is_active=True)
    assert inside.get("/admin/").status_code == 302


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x0b", "\x85", "\u2028", "\u202e"])
def test_no_name_holds_a_line_of_its_own(world, end):
    """A list of text has a line for each player, and a mail one for each header."""
    clerk, own = signed(world, "K"), world.sides[OWN]
    forged = f"Forged, Ann{end}   1234567 King, Forged"
    for row in (own.player, own.rows[Arbiter], own.rows[Tournament]):
        sent = form_of(clerk, page(row)) | {"name": forged, "name_reason": "x"}
        told = errors(clerk.post(page(row), sent))
        assert "line break" in told or "control character" in told
        row.refresh_from_db()
        assert "Forged" not in row.name
    wish = {"wish": "hide", "name": forged, "email": "ann@example.org", "text": "Two\nlines."}
    asked = Client().post(reverse("player-privacy", args=[own.player.pk]), wish)
    assert asked.status_code == 400
    asked = Client().post(reverse("player-privacy", args=[own.player.pk]), wish | {"name": "Ann"})
    assert asked.status_code == 302
