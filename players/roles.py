"""The portal's groups of accounts and what each may do."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction

RATING_OFFICERS, CLERKS, ARBITERS = "Rating officers", "Clerks", "Arbiters"

_REGISTER = [
    "players.{}_player",
    "players.{}_identifier",
    "players.{}_title",
    "players.{}_membership",
    "players.{}_formername",
    "tournaments.{}_arbiter",
    "tournaments.{}_tournament",
    "tournaments.{}_tournamentarbiter",
    "tournaments.{}_timecontrolstage",
    "tournaments.{}_round",
    "tournaments.{}_entry",
]
_BODIES = [
    "players.{}_federation",
    "players.{}_issuingbody",
    "tournaments.{}_ratingsystem",
    "tournaments.{}_systemregulation",
    "ratinglists.{}_period",
]
_READ_ONLY = [
    "players.view_playerimport",
    "players.view_fidelisting",
    "players.view_identitychange",
    "tournaments.view_waiver",
    "tournaments.view_report",
    "ratinglists.view_ratinglist",
    "ratinglists.view_listrow",
    "ratinglists.view_job",
    "ratinglists.view_correction",
]
_WITHIN_A_TOURNAMENT = ["tournamentarbiter", "timecontrolstage", "round", "entry"]


def _each(names: list[str], *actions: str) -> list[str]:
    return [name.format(action) for name in names for action in actions]


def _clerk() -> list[str]:
    return [
        *_each(_REGISTER, "view", "add", "change"),
        *_each(_BODIES, "view"),
        *_READ_ONLY,
        *[f"tournaments.delete_{name}" for name in _WITHIN_A_TOURNAMENT],
        "tournaments.delete_tournament",
        "tournaments.register_tournament",
    ]


#: group -> the rights of its members
ROLES = {
    RATING_OFFICERS: [
        *_clerk(),
        *_each(_BODIES, "add", "change"),
        *[f"players.delete_{name}" for name in ("identifier", "title", "membership", "formername")],
        "players.merge_player",
        "players.add_playerimport",
        "players.delete_playerimport",
        "tournaments.delete_systemregulation",
        "tournaments.grant_waiver",
        "tournaments.accept_report",
        "ratinglists.delete_period",
        "ratinglists.compute_period",
        "ratinglists.propose_list",
        "ratinglists.publish_list",
        "ratinglists.correct_list",
    ],
    CLERKS: _clerk(),
    ARBITERS: [],
}


@transaction.atomic
def ensure_roles() -> dict[str, Group]:
    """Make the portal's groups, or give those that exist exactly the rights of ``ROLES``.

    Needs the rights that ``migrate`` writes; raises LookupError naming any that is missing.
    """
    known = {
        f"{right.content_type.app_label}.{right.codename}": right
        for right in Permission.objects.select_related("content_type")
    }
    if missing := sorted({name for names in ROLES.values() for name in names} - set(known)):
        raise LookupError(f"Run migrate first; these rights are not known yet: {', '.join(missing)}.")
    groups = {}
    for role, names in ROLES.items():
        groups[role], _ = Group.objects.get_or_create(name=role)
        groups[role].permissions.set(known[name] for name in names)
    return groups
