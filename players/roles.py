"""The roles: what each may do, who may give it, and how it is given and taken (docs/staff/roles.md).

A role is a group of accounts with rights, or a link from an account to a record (arbiter, player). Nobody
gives what he does not hold himself, and nobody gives himself anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players import audit
from players.access import EVERYWHERE, federations_of, works_for
from players.models import Clerkship, Federation, Player

ADMINISTRATORS, RATING_OFFICERS, APPROVERS = "Administrators", "Rating officers", "Approvers"
CLERKS, ARBITERS = "Clerks", "Arbiters"
#: whoever gives and takes the roles of staff
GRANT = "players.grant_role"


class Role(models.TextChoices):
    """Who somebody is on the portal; an account may hold several roles."""

    ADMINISTRATOR = "administrator", _("administrator")
    OFFICER = "officer", _("rating officer")
    APPROVER = "approver", _("approver")
    CLERK = "clerk", _("federation clerk")
    ARBITER = "arbiter", _("arbiter")
    PLAYER = "player", _("player")


#: the roles of staff, and the groups that hold their rights
GROUPS = {
    Role.ADMINISTRATOR: ADMINISTRATORS,
    Role.OFFICER: RATING_OFFICERS,
    Role.APPROVER: APPROVERS,
    Role.CLERK: CLERKS,
}


class NotAllowed(PermissionDenied):
    """A role cannot be given or taken like that; the text says why, for people."""


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
    "players.view_fidelisting",
    "players.view_identitychange",
    "tournaments.view_waiver",
    "tournaments.view_report",
    "ratinglists.view_ratinglist",
    "ratinglists.view_listrow",
    "ratinglists.view_job",
    "ratinglists.view_correction",
]
#: what concerns all federations at once
_LOGS = ["players.view_playerimport", "players.view_outboxmessage"]
#: what the whole portal is set up by
_SETTINGS = [
    "players.{}_federation",
    "players.{}_issuingbody",
    "tournaments.{}_ratingsystem",
    "tournaments.{}_systemregulation",
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
    # Neither computes, accepts, waives nor publishes; he lets clerks in and can do what they do.
    ADMINISTRATORS: [
        *_clerk(),
        *_each(_SETTINGS, "add", "change"),
        *_LOGS,
        *_each(["auth.{}_user", "auth.{}_group"], "view", "add", "change"),
        "players.view_clerkship",
        "players.view_auditentry",
        GRANT,
        EVERYWHERE,
    ],
    RATING_OFFICERS: [
        *_clerk(),
        *_LOGS,
        EVERYWHERE,
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
        *_LOGS,
        EVERYWHERE,
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


# --- giving and taking ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Link:
    """A role that is a record's link to its account: the model has ``user`` and ``federation``."""

    model: type[models.Model]
    right: str
    group: str = ""


_LINKS = {Role.PLAYER: Link(Player, "players.change_player")}


def link(role: Role, model: type[models.Model], right: str, group: str = "") -> None:
    """Declare that a role is the link of a record of ``model``; who has ``right`` to it gives the role."""
    _LINKS[role] = Link(model, right, group)


def roles_of(user) -> frozenset[Role]:
    """The roles of an account; none of one that is closed. A clerk without a federation is none."""
    if not user.is_active:
        return frozenset()
    names = set(user.groups.values_list("name", flat=True))
    held = {role for role, name in GROUPS.items() if name in names}
    if not Clerkship.objects.filter(user=user.pk).exists():
        held.discard(Role.CLERK)
    held |= {role for role, to in _LINKS.items() if to.model._base_manager.filter(user=user.pk).exists()}
    return frozenset(held)


def rights_held(user) -> set[str]:
    """The rights of an account, closed or not: a closed one may be opened again."""
    rights = Permission.objects.filter(Q(group__user=user.pk) | Q(user=user.pk))
    return set(_names(rights.select_related("content_type").distinct()))


def lacking(by, user) -> list[str]:
    """What an account holds that ``by`` does not: then ``by`` must not act in its name, nor make it his own
    (its password, its address). Empty where he may."""
    if by.is_superuser:
        return []
    beyond = sorted(rights_held(user) - by.get_all_permissions())
    if user.is_superuser:
        beyond.insert(0, "superuser")
    codes = federations_of(by)
    if codes is not None:
        theirs = set(Clerkship.objects.filter(user=user.pk).values_list("federation", flat=True))
        beyond += sorted(theirs - codes)
    return beyond


def beyond(by):
    """The rights that an account does not hold, as rows."""
    if by.is_superuser:
        return Permission.objects.none()
    held = Q(pk__in=())
    for name in by.get_all_permissions():
        app, _dot, codename = name.partition(".")
        held |= Q(content_type__app_label=app, codename=codename)
    return Permission.objects.exclude(held)


def may_grant(by, role: Role, federation: Federation | str | None = None) -> bool:
    """May ``by`` give this role to somebody else? ``federation``: of the clerk, or of the arbiter's or
    player's record; None: of a record of no federation, which only those of all federations give."""
    return not _why_not(by, Role(role), _code(federation))


def why_not(user, role: Role, *, by, federation=None, record=None) -> str:
    """Why ``by`` may not give ``user`` this role (a clerk's ``federation``, an arbiter's or player's
    ``record``), in a sentence for people; empty if he may. None is the portal itself."""
    if why := _not_himself(by, user):
        return why
    if role not in _LINKS:
        return _why_not(by, role, _code(federation))
    if why := _why_not(by, role, _code(federation) if record is None else record.federation_id):
        return why
    if record is not None and record.user_id not in (None, user.pk):
        return f"{record} has an account already: {record.user}. Take it away first."
    mine = _LINKS[role].model._base_manager.filter(user=user).first()
    if mine is not None and mine != record:
        return f"It is the account of {mine} (#{mine.pk})."
    return ""


def why_not_take(user, role: Role, *, by, record=None) -> str:
    """Why ``by`` may not take this role from ``user``; empty if he may. One's own can be given up."""
    if by is None or by.is_superuser:
        return ""
    if user.is_superuser:
        return f"Only a superuser changes the roles of {user}, who is one."
    if role in _LINKS:
        return _why_not(by, role, record.federation_id)
    return "" if by.has_perm(GRANT) else f"{by} may not take roles: administrators do."


def _not_himself(by, user) -> str:
    if by is None or by.is_superuser:
        return ""
    if user.is_superuser:
        return f"Only a superuser changes the roles of {user}, who is one."
    return "Nobody gives himself a role: another administrator can." if by.pk == user.pk else ""


def _code(federation: Federation | str | None) -> str | None:
    return federation.pk if isinstance(federation, Federation) else federation


def _why_not(by, role: Role, code: str | None) -> str:
    """Why ``by`` may not give the role; empty if he may. None is the portal itself."""
    if by is None or (by.is_active and by.is_superuser):
        return ""
    if role in _LINKS:
        right = _LINKS[role].right
        if not by.has_perm(right):
            return f"{by} may not give the role “{role.label}”: it takes the right “{right}”."
        if not works_for(by, code):
            return f"{by} does not work for {code or 'records of no federation'}."
        return ""
    if not by.has_perm(GRANT):
        return f"{by} may not give the role “{role.label}”: administrators do."
    if lacks := sorted(_rights_of(role) - by.get_all_permissions()):
        return (
            f"{by} lacks what the role “{role.label}” holds, such as “{lacks[0]}”: an administrator who has "
            "that role himself can give it."
        )
    if role == Role.CLERK and not works_for(by, code):
        return f"{by} does not work for {code}."
    return ""


def _rights_of(role: Role) -> set[str]:
    """As the program means them, and as the group has them."""
    rights = Permission.objects.filter(group__name=GROUPS[role]).select_related("content_type")
    return {*ROLES[GROUPS[role]], *_names(rights)}


@transaction.atomic
def grant(user, role: Role, *, by, federation=None, arbiter=None, player=None) -> None:
    """Give an account a role; what it holds already stays as it is.

    A clerk needs the ``federation``, an arbiter or player the record to be linked (none if the account has
    one). ``by`` None is the portal itself. Raises NotAllowed with a text for people, ValueError where the
    federation or record is missing.
    """
    role, given = Role(role), user
    user, by = _locked(user, by)
    record = {Role.ARBITER: arbiter, Role.PLAYER: player}.get(role)
    if role in _LINKS:
        _give_link(user, role, record, by)
        return
    if role == Role.CLERK and federation is None:
        raise ValueError("A clerk needs a federation.")
    code = _code(federation) if role == Role.CLERK else None
    _refuse(why_not(user, role, by=by, federation=code))
    new = _join(user, GROUPS[role])
    if role == Role.CLERK:
        new |= Clerkship.objects.get_or_create(user=user, federation_id=code)[1]
    if not user.is_staff:
        given.is_staff = user.is_staff = new = True
        user.save(update_fields=["is_staff"])
    if new:
        _note("role.granted", by, user, role, federation=code)


@transaction.atomic
def revoke(user, role: Role, *, by, federation=None) -> None:
    """Take a role from an account: of a clerk one federation, or all. What it does not hold is no error.

    Whoever gives staff's roles may take any; an arbiter's or player's link is taken by who might give it.
    Raises NotAllowed.
    """
    role = Role(role)
    user, by = _locked(user, by)
    if role in _LINKS:
        _take_link(user, role, by)
        return
    _refuse(why_not_take(user, role, by=by))
    code, lost = _code(federation), False
    if role == Role.CLERK:
        held = Clerkship.objects.filter(user=user)
        lost = bool((held.filter(federation=code) if code else held).delete()[0])
    if role != Role.CLERK or not Clerkship.objects.filter(user=user).exists():
        lost |= _leave(user, GROUPS[role])
    if lost:
        _note("role.revoked", by, user, role, federation=code)


@transaction.atomic
def close(user, *, by) -> None:
    """Let nobody sign in with an account any more; what it holds it would hold again when it is opened,
    which only those do who hold all of it. Raises NotAllowed."""
    user, by = _locked(user, by)
    if by is not None and not by.is_superuser:
        if user.is_superuser:
            raise NotAllowed(f"Only a superuser closes the account of {user}, who is one.")
        if user.pk == by.pk:
            raise NotAllowed("Nobody closes his own account: another administrator can.")
        if not by.has_perm(GRANT):
            raise NotAllowed(f"{by} may not close accounts: administrators do.")
    if user.is_active:
        user.is_active = False
        user.save(update_fields=["is_active"])
        audit.record("user.closed", by, user, f"{user} is closed")


def afresh(*users):
    """These accounts as they are now, held for this transaction: two who take each other's rights at once do
    it one after the other, and what somebody has lost since his request began he does not give any more."""
    rows = get_user_model().objects.select_for_update(no_key=True).order_by("pk")
    found = {row.pk: row for row in rows.filter(pk__in={user.pk for user in users})}
    for user in users:
        if user.pk not in found:
            raise NotAllowed(f"There is no account {user} any more.")
    return [found[user.pk] for user in users]


def _locked(user, by):
    """``afresh``; what was known of the rights of the account is forgotten: they change."""
    for name in ("_perm_cache", "_user_perm_cache", "_group_perm_cache", "_federations"):
        user.__dict__.pop(name, None)
    if by is None:
        return *afresh(user), None
    user, by = afresh(user, by)
    if not by.is_active:
        raise NotAllowed(f"The account {by} is closed.")
    return user, by


def _refuse(why: str) -> None:
    if why:
        raise NotAllowed(why)


def _join(user, name: str) -> bool:
    if user.groups.filter(name=name).exists():
        return False
    user.groups.add(Group.objects.filter(name=name).first() or ensure_roles()[name])
    return True


def _leave(user, name: str) -> bool:
    """Out of a group; whom nothing is left to do in the administration is let out of it, too."""
    if (group := user.groups.filter(name=name).first()) is None:
        return False
    user.groups.remove(group)
    if user.is_staff and not (user.is_superuser or rights_held(user)):
        user.is_staff = False
        user.save(update_fields=["is_staff"])
    return True


def _give_link(user, role: Role, record, by) -> None:
    to = _LINKS[role]
    mine = to.model._base_manager.filter(user=user).first()
    if record is None and mine is None:
        raise ValueError(f"Name the record of the {role}.")
    record = to.model._base_manager.select_for_update(no_key=True, of=("self",)).get(
        pk=(mine if record is None else getattr(record, "standing", record)).pk
    )
    _refuse(why_not(user, role, by=by, record=record))
    new = record.user_id is None
    if new:
        record.user = user
        record.save(update_fields=["user"])
    if to.group:
        new |= _join(user, to.group)
    if new:
        _note("role.granted", by, user, role, record=audit.key_of(record))


def _take_link(user, role: Role, by) -> None:
    to = _LINKS[role]
    record = to.model._base_manager.filter(user=user).first()
    if record is None:
        return
    _refuse(why_not_take(user, role, by=by, record=record))
    record.user = None
    record.save(update_fields=["user"])
    if to.group:
        _leave(user, to.group)
    _note("role.revoked", by, user, role, record=audit.key_of(record))


def _note(act: str, by, user, role: Role, **data) -> None:
    where = f" for {data['federation']}" if data.get("federation") else ""
    audit.record(act, by, user, f"{user}: {role}{where}", role=role.value, **data)
