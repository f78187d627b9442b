"""The groups of accounts."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command

from players.roles import APPROVERS, ARBITERS, CLERKS, RATING_OFFICERS, ensure_roles
from tests.factories import make_user

pytestmark = pytest.mark.django_db
DECISIONS = {
    "players.merge_player",
    "tournaments.grant_waiver",
    "tournaments.accept_report",
    "ratinglists.compute_period",
    "ratinglists.propose_list",
}


def rights(group: str) -> set[str]:
    user = make_user()
    user.groups.add(ensure_roles()[group])
    return user.get_all_permissions()


def test_rating_officers_may_decide_everything_but_what_takes_a_second_person():
    held = rights(RATING_OFFICERS)
    assert "ratinglists.publish_list" not in held
    assert DECISIONS | {"tournaments.register_tournament", "players.add_player"} <= held


def test_approvers_look_and_publish():
    held = rights(APPROVERS)
    assert "ratinglists.publish_list" in held
    assert not held & DECISIONS
    beside = held - {"ratinglists.publish_list", "players.all_federations"}
    assert all(right.split(".")[1].startswith("view_") for right in beside)


def test_clerks_register_but_neither_waive_nor_publish():
    held = rights(CLERKS)
    assert {"tournaments.register_tournament", "tournaments.add_tournament", "players.change_player"} <= held
    assert not held & {*DECISIONS, "ratinglists.publish_list"}


def test_arbiters_have_no_right_in_the_admin():
    assert rights(ARBITERS) == set()


def test_nobody_may_write_what_only_services_write():
    for group in (RATING_OFFICERS, APPROVERS, CLERKS):
        held = rights(group)
        for model in ("report", "waiver", "game"):
            assert not held & {f"tournaments.{action}_{model}" for action in ("add", "change", "delete")}
        assert not held & {f"players.{action}_identitychange" for action in ("add", "change", "delete")}
        for model in ("ratinglist", "listrow", "job"):
            assert not held & {f"ratinglists.{action}_{model}" for action in ("add", "change", "delete")}


def test_a_second_run_restores_the_rights(capsys):
    group = ensure_roles()[CLERKS]
    before = group.permissions.count()
    group.permissions.clear()
    group.permissions.add(Permission.objects.get(codename="publish_list"))
    call_command("roles")
    assert group.permissions.count() == before
    assert not group.permissions.filter(codename="publish_list").exists()
    assert "Clerks" in capsys.readouterr().out


def test_missing_rights_are_named():
    Permission.objects.filter(codename="publish_list").delete()
    with pytest.raises(LookupError, match=r"ratinglists\.publish_list"):
        ensure_roles()
