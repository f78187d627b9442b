"""Roles given and taken: by whom, what that changes, and what the audit log says of it."""

from __future__ import annotations

import pytest

from players import roles
from players.access import federations_of
from players.models import AuditEntry, Clerkship
from players.roles import NotAllowed, Role, grant, lacking, may_grant, revoke, roles_of
from tests.factories import make_arbiter, make_federation, make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def groups():
    roles.ensure_roles()
    make_federation("XAA")
    make_federation("XBB", "Others")


def somebody(*given: Role, federation="XAA"):
    """An account with these roles, freshly read."""
    user = make_user()
    for role in given:
        more = {"federation": federation} if role == Role.CLERK else {}
        if role == Role.ARBITER:
            more["arbiter"] = make_arbiter(f"Arbiter, {user}", federation_id=federation)
        if role == Role.PLAYER:
            more["player"] = make_player(federation=federation)
        grant(user, role, by=None, **more)
    return type(user).objects.get(pk=user.pk)


def acts(user) -> list[tuple[str, str]]:
    entries = AuditEntry.objects.filter(subject=f"auth.user:{user.pk}").order_by("pk")
    return [(entry.act, entry.data["role"]) for entry in entries]


@pytest.mark.parametrize("role", list(Role))
def test_a_role_is_held_once_given_and_gone_once_taken(role):
    user = somebody(role)
    assert roles_of(user) == {role}
    assert user.is_staff == (role in roles.GROUPS)
    revoke(user, role, by=None)
    user = type(user).objects.get(pk=user.pk)
    assert roles_of(user) == frozenset()
    assert not user.is_staff
    assert not user.groups.exists()
    assert acts(user) == [("role.granted", role.value), ("role.revoked", role.value)]


@pytest.mark.parametrize("role", list(Role))
def test_what_is_held_already_is_given_again_without_a_trace(role):
    user = somebody(role)
    more = {"federation": "XAA"} if role == Role.CLERK else {}
    grant(user, role, by=None, **more)
    revoke(user, role, by=None)
    revoke(user, role, by=None)
    assert len(acts(user)) == 2


# Who may give what: rows are the givers, columns the roles, all for federation XAA.
GIVERS = {
    (): "",
    (Role.PLAYER,): "",
    (Role.ARBITER,): "",
    (Role.CLERK,): "arbiter player",
    (Role.APPROVER,): "",
    (Role.OFFICER,): "arbiter player",
    (Role.ADMINISTRATOR,): "administrator clerk arbiter player",
    (Role.ADMINISTRATOR, Role.APPROVER): "administrator approver clerk arbiter player",
    (Role.ADMINISTRATOR, Role.OFFICER): "administrator officer clerk arbiter player",
}


@pytest.mark.parametrize("giver", list(GIVERS), ids=lambda held: "+".join(held) or "nobody")
@pytest.mark.parametrize("role", list(Role))
def test_nobody_gives_what_he_lacks(giver, role):
    by, user = somebody(*giver), make_user()
    more = {}
    if role == Role.CLERK:
        more["federation"] = "XAA"
    if role == Role.ARBITER:
        more["arbiter"] = make_arbiter(federation_id="XAA")
    if role == Role.PLAYER:
        more["player"] = make_player(federation="XAA")
    allowed = role in GIVERS[giver].split()
    assert may_grant(by, role, "XAA") == allowed
    if allowed:
        grant(user, role, by=by, **more)
        assert AuditEntry.objects.filter(act="role.granted", actor=by).count() == 1
    else:
        with pytest.raises(NotAllowed, match=str(by)):
            grant(user, role, by=by, **more)
    assert roles_of(user) == ({role} if allowed else frozenset())


@pytest.mark.parametrize("role", [Role.ARBITER, Role.PLAYER])
@pytest.mark.parametrize("elsewhere", ["XBB", None])
def test_a_clerk_gives_within_his_federation_only(role, elsewhere):
    clerk, user = somebody(Role.CLERK), make_user()
    if role == Role.PLAYER and elsewhere is None:
        assert not may_grant(clerk, role)
        return
    record = (
        make_arbiter(federation_id=elsewhere) if role == Role.ARBITER else make_player(federation=elsewhere)
    )
    with pytest.raises(NotAllowed, match="does not work for"):
        grant(user, role, by=clerk, **{role.value: record})
    assert not may_grant(clerk, role, elsewhere)


def test_nobody_gives_himself_a_role():
    administrator = somebody(Role.ADMINISTRATOR)
    with pytest.raises(NotAllowed, match="himself"):
        grant(administrator, Role.CLERK, by=administrator, federation="XAA")
    clerk = somebody(Role.CLERK)
    with pytest.raises(NotAllowed, match="himself"):
        grant(clerk, Role.ARBITER, by=clerk, arbiter=make_arbiter(federation_id="XAA"))


def test_only_a_superuser_touches_a_superuser():
    administrator, root = somebody(Role.ADMINISTRATOR), make_user(is_superuser=True)
    with pytest.raises(NotAllowed, match="superuser"):
        grant(root, Role.ADMINISTRATOR, by=administrator)
    grant(root, Role.OFFICER, by=root)
    with pytest.raises(NotAllowed, match="superuser"):
        revoke(root, Role.OFFICER, by=administrator)
    revoke(root, Role.OFFICER, by=root)


def test_administrators_take_any_role_and_others_none():
    officer, administrator = somebody(Role.OFFICER), somebody(Role.ADMINISTRATOR)
    for by in (somebody(Role.CLERK), somebody(Role.APPROVER), officer):
        with pytest.raises(NotAllowed, match="administrators do"):
            revoke(officer, Role.OFFICER, by=by)
    revoke(officer, Role.OFFICER, by=administrator)
    assert roles_of(officer) == frozenset()


def test_a_clerk_loses_one_federation_and_keeps_the_other():
    clerk = somebody(Role.CLERK)
    grant(clerk, Role.CLERK, by=None, federation="XBB")
    assert federations_of(clerk) == {"XAA", "XBB"}
    revoke(clerk, Role.CLERK, by=None, federation="XAA")
    assert federations_of(clerk) == {"XBB"}
    assert roles_of(clerk) == {Role.CLERK}
    assert [entry.data["federation"] for entry in AuditEntry.objects.filter(act="role.revoked")] == ["XAA"]


def test_a_clerk_without_a_federation_is_none():
    clerk = somebody(Role.CLERK)
    Clerkship.objects.all().delete()
    assert roles_of(clerk) == frozenset()
    assert federations_of(clerk) == frozenset()


def test_officers_work_for_all_federations_and_closed_accounts_for_none():
    officer = somebody(Role.OFFICER)
    assert federations_of(officer) is None
    officer.is_active = False
    assert federations_of(officer) == frozenset()
    assert roles_of(officer) == frozenset()
    assert not may_grant(officer, Role.PLAYER, "XAA")


def test_a_record_has_one_account_and_an_account_one_record():
    arbiter = make_arbiter(federation_id="XAA")
    user = somebody()
    grant(user, Role.ARBITER, by=None, arbiter=arbiter)
    with pytest.raises(NotAllowed, match="has an account already"):
        grant(somebody(), Role.ARBITER, by=None, arbiter=arbiter)
    with pytest.raises(NotAllowed, match="It is the account of"):
        grant(user, Role.ARBITER, by=None, arbiter=make_arbiter("Other, Ana"))


def test_a_role_with_an_object_needs_it():
    for role in (Role.CLERK, Role.ARBITER, Role.PLAYER):
        with pytest.raises(ValueError, match=r"federation|record"):
            grant(somebody(), role, by=None)


def test_what_an_account_holds_beyond_another_counts_while_it_is_closed():
    administrator = somebody(Role.ADMINISTRATOR)
    officer, clerk = somebody(Role.OFFICER), somebody(Role.CLERK, federation="XBB")
    officer.is_active = False
    officer.save()
    assert "tournaments.accept_report" in lacking(administrator, officer)
    assert lacking(administrator, clerk) == []
    assert lacking(administrator, make_user(is_superuser=True)) == ["superuser"]
    assert lacking(make_user(is_superuser=True), officer) == []
    assert "XBB" in lacking(somebody(Role.CLERK), clerk)


def test_a_group_that_was_given_more_is_given_by_those_who_have_more():
    administrator = somebody(Role.ADMINISTRATOR)
    clerks = roles.ensure_roles()[roles.CLERKS]
    clerks.permissions.add(roles.ensure_roles()[roles.APPROVERS].permissions.get(codename="publish_list"))
    with pytest.raises(NotAllowed, match="publish_list"):
        grant(make_user(), Role.CLERK, by=administrator, federation="XAA")


# --- at the same moment -----------------------------------------------------------------------------------


def begun(user):
    """The account as a request has read it that goes on while its rights change."""
    held = type(user).objects.get(pk=user.pk)
    assert held.has_perm(roles.GRANT)
    return held


@pytest.mark.parametrize("lost", ["role", "account"])
@pytest.mark.parametrize("act", [grant, revoke, roles.close])
def test_what_somebody_has_lost_meanwhile_he_does_not_give(act, lost):
    """A right given just after one's own was taken would be a way back in."""
    by, user = begun(somebody(Role.ADMINISTRATOR)), somebody(Role.CLERK)
    if lost == "role":
        revoke(by, Role.ADMINISTRATOR, by=None)
        by = begun_before(by)
    else:
        type(by).objects.filter(pk=by.pk).update(is_active=False)
    more = () if act is roles.close else (Role.ADMINISTRATOR,)
    with pytest.raises(NotAllowed):
        act(user, *more, by=by)
    user.refresh_from_db()
    assert user.is_active
    assert roles_of(user) == {Role.CLERK}


def begun_before(user):
    """With what the request has kept of the rights of then."""
    user._perm_cache = {roles.GRANT, *roles.ROLES[roles.ADMINISTRATORS]}
    return user


@pytest.mark.parametrize("way", ["role", "account"])
def test_two_administrators_do_not_shut_each_other_out(way):
    one, other = begun(somebody(Role.ADMINISTRATOR)), begun(somebody(Role.ADMINISTRATOR))

    def act(user, by):
        roles.close(user, by=by) if way == "account" else revoke(user, Role.ADMINISTRATOR, by=by)

    act(other, one)
    with pytest.raises(NotAllowed):
        act(one, begun_before(other))
    one.refresh_from_db()
    assert roles_of(one) == {Role.ADMINISTRATOR}
