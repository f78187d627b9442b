"""The portal's groups of accounts and what each may do."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from players import audit

RATING_OFFICERS, APPROVERS, CLERKS, ARBITERS = "Rating officers", "Approvers", "Clerks", "Arbiters"

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
    "players.view_outboxmessage",
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
        "players.decide_privacy",
        "players.view_privacyrequest",
        "players.view_auditentry",
        "players.add_playerimport",
        "players.delete_playerimport",
        "tournaments.delete_systemregulation",
        "tournaments.grant_waiver",
        "tournaments.accept_report",
        "ratinglists.delete_period",
        "ratinglists.compute_period",
        "ratinglists.propose_list",
        "ratinglists.view_complaint",
        "ratinglists.answer_complaint",
        "ratinglists.correct_list",
        "ratinglists.view_apikey",
        "ratinglists.add_apikey",
        "ratinglists.revoke_apikey",
        "ratinglists.view_apisubmission",
    ],
    # Whoever is in both groups still cannot approve what he proposed.
    APPROVERS: [
        *_each(_REGISTER, "view"),
        *_each(_BODIES, "view"),
        *_READ_ONLY,
        "ratinglists.publish_list",
        "ratinglists.view_complaint",
    ],
    CLERKS: _clerk(),
    ARBITERS: [],
}


def _names(rights) -> list[str]:
    return sorted(f"{right.content_type.app_label}.{right.codename}" for right in rights)


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
        wanted = {known[name] for name in names}
        held = set(groups[role].permissions.select_related("content_type"))
        if wanted != held:
            groups[role].permissions.set(wanted)
            given, taken = _names(wanted - held), _names(held - wanted)
            audit.record("group.rights-changed", None, groups[role], role, given=given, taken=taken)
    return groups
