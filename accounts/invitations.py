"""Invitations: somebody is asked by mail to make an account, and gets his role with it.

The mail holds a token that works once and for a week; the portal keeps its hash. Whether the inviter may
give the role is looked at twice: when he invites, and when the invitation is accepted.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import gettext as _

from accounts import mails
from accounts.models import Invitation, Mail
from accounts.people import at_address
from players import audit
from players.models import Federation, Player
from players.roles import NotAllowed, Role, grant, may_grant
from tournaments.models import Arbiter

VALID = timedelta(days=7)
#: how long an address is kept of an invitation that is over
KEPT = timedelta(days=30)


class Refused(ValueError):
    """The invitation is not made or not accepted; the text says why."""


# --- inviting -------------------------------------------------------------------------------------


@transaction.atomic
def invite(
    by: AbstractBaseUser,
    email: str,
    role: Role,
    *,
    federation: Federation | None = None,
    arbiter: Arbiter | None = None,
    player: Player | None = None,
    origin: str = "",
) -> Invitation:
    """Ask somebody by mail to become a clerk of ``federation``, the arbiter or player of a record, or another
    of staff. ``origin``: the address of the portal for the link, where no setting says it. Raises Refused."""
    role, email = Role(role), email.strip().lower()
    scope = {"federation": federation, "arbiter": arbiter, "player": player}
    wanted = _WANTED.get(role)
    scope = {name: row for name, row in scope.items() if name == wanted}
    record = arbiter or player
    if wanted and scope[wanted] is None:
        raise Refused(_("Say for which record or federation."))
    if wanted in ("arbiter", "player") and record.user_id:
        raise Refused(_("%(record)s has an account already.") % {"record": record})
    new = Invitation(by=by, email=email, role=role, salt=get_random_string(32), **scope)
    if not may_grant(by, role, _federation_of(new)):
        raise Refused(_("You may not give this role."))
    if same := _open_ones().filter(email=email, role=role, **scope).first():
        when = timezone.localtime(same.sent_at).strftime("%Y-%m-%d")
        raise Refused(
            _("This address was invited on %(day)s already: send it again or withdraw it.") % {"day": when}
        )
    new.expires_at = timezone.now() + VALID
    new.token_sha256 = _hash(token_of(new))
    new.save()
    _send(new, origin)
    _note("invitation.sent", new, by)
    return new


@transaction.atomic
def send_again(invitation: Invitation, by: AbstractBaseUser, origin: str = "") -> None:
    """The same link once more, good for another week. Raises Refused."""
    invitation = _locked(invitation, by)
    invitation.sent_at, invitation.expires_at = timezone.now(), timezone.now() + VALID
    invitation.save(update_fields=["sent_at", "expires_at"])
    _send(invitation, origin)
    _note("invitation.sent-again", invitation, by)


@transaction.atomic
def revoke(invitation: Invitation, by: AbstractBaseUser) -> None:
    """The link works no more. Raises Refused."""
    invitation = _locked(invitation, by)
    invitation.revoked_at = timezone.now()
    invitation.save(update_fields=["revoked_at"])
    _note("invitation.revoked", invitation, by)


def pending(by: AbstractBaseUser) -> list[Invitation]:
    """Those neither used nor withdrawn that somebody may send again or withdraw, newest first."""
    rows = Invitation.objects.filter(used_at=None, revoked_at=None)
    rows = rows.select_related("by", "federation", "arbiter", "player")
    return [each for each in rows if may_grant(by, each.role, _federation_of(each))]


def may_invite(by: AbstractBaseUser) -> list[Role]:
    """The roles that somebody may give in some federation or other."""
    from players.access import federations_of

    codes = federations_of(by)
    return [
        role
        for role in Role
        if any(may_grant(by, role, code) for code in ([None] if codes is None else codes))
    ]


# --- accepting ------------------------------------------------------------------------------------


def found(token: str) -> Invitation:
    """The open invitation of a token; raises Refused with what is wrong with it."""
    invitation = (
        Invitation.objects.select_related("by", "federation", "arbiter", "player")
        .filter(token_sha256=_hash(token))
        .first()
    )
    if invitation is None or invitation.revoked_at:
        raise Refused(_("This invitation does not exist, or was withdrawn. Ask who invited you for another."))
    if invitation.used_at:
        raise Refused(_("This invitation was used already: sign in with the account that was made with it."))
    if not is_open(invitation):
        day = timezone.localtime(invitation.expires_at).strftime("%Y-%m-%d")
        raise Refused(
            _("This invitation was good until %(day)s. Ask who invited you for another.") % {"day": day}
        )
    return invitation


@transaction.atomic
def accept(
    token: str, *, username: str = "", password: str = "", user: AbstractBaseUser | None = None
) -> AbstractBaseUser:
    """Make the account, or take the given one, and give it the role. Raises Refused."""
    invitation = found(token)
    rows = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
    if not rows.update(used_at=timezone.now()):  # somebody else came first
        raise Refused(_("The invitation was used or withdrawn meanwhile."))
    by, role = invitation.by, Role(invitation.role)
    if not (by.is_active and may_grant(by, role, _federation_of(invitation))):
        raise Refused(
            _("%(name)s, who invited you, can no longer give this role. Ask the federation for another.")
            % {"name": by.get_full_name() or by.get_username()}
        )
    if user is None:
        user = _new_account(invitation, username, password)
    scope = {"federation": invitation.federation, "arbiter": invitation.arbiter, "player": invitation.player}
    try:
        grant(user, role, by=by, **scope)
    except NotAllowed as error:  # such as a record that has got another account meanwhile
        raise Refused(str(error)) from error
    Invitation.objects.filter(pk=invitation.pk).update(used_by=user)
    _note("invitation.accepted", invitation, user)
    return user


def _new_account(invitation: Invitation, username: str, password: str) -> AbstractBaseUser:
    if at_address(invitation.email):
        raise Refused(
            _("There is an account with your address: sign in, then open the link of the mail again.")
        )
    try:
        with transaction.atomic():
            user = get_user_model().objects.create_user(username, invitation.email, password)
    except IntegrityError as error:  # somebody else took it since the form was looked at
        raise Refused(_("This user name is taken.")) from error
    # The token came by mail: who has it reads the mail of this address.
    EmailAddress.objects.create(user=user, email=invitation.email, primary=True, verified=True)
    return user


def prune() -> int:
    """Forget those that have been over for a month; returns how many."""
    then = timezone.now() - KEPT
    over = Q(used_at__lt=then) | Q(revoked_at__lt=then) | Q(expires_at__lt=then)
    return Invitation.objects.filter(over).delete()[0]


# --- what an invitation is ------------------------------------------------------------------------

_WANTED = {Role.CLERK: "federation", Role.ARBITER: "arbiter", Role.PLAYER: "player"}


def is_open(invitation: Invitation) -> bool:
    over = invitation.used_at or invitation.revoked_at
    return not over and invitation.expires_at > timezone.now()


def described(invitation: Invitation) -> str:
    """The role and for whom, in the language of the reader: "arbiter (IA Arbiter, Ana)"."""
    what = invitation.federation or invitation.arbiter or invitation.player
    return f"{Role(invitation.role).label} ({what})" if what else str(Role(invitation.role).label)


def token_of(invitation: Invitation) -> str:
    """Made from PORTAL_SECRET_KEY, so that who reads the database cannot make it."""
    return salted_hmac("accounts.invitation", invitation.salt, algorithm="sha256").hexdigest()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _federation_of(invitation: Invitation) -> str | None:
    if invitation.federation_id:
        return invitation.federation_id
    record = invitation.arbiter or invitation.player
    return record.federation_id if record else None


def _open_ones():
    return Invitation.objects.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def _locked(invitation: Invitation, by: AbstractBaseUser) -> Invitation:
    invitation = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if not may_grant(by, invitation.role, _federation_of(invitation)):
        raise Refused(_("You may not give this role."))
    if invitation.used_at or invitation.revoked_at:
        raise Refused(_("The invitation was used or withdrawn meanwhile."))
    return invitation


def _send(invitation: Invitation, origin: str) -> None:
    mails.write(invitation.email, kind=Mail.Kind.INVITATION, invitation=invitation, origin=origin)


def _note(act: str, invitation: Invitation, by: AbstractBaseUser) -> None:
    scope = {
        name: row.pk
        for name in ("federation", "arbiter", "player")
        if (row := getattr(invitation, name)) is not None
    }
    audit.record(act, by, invitation, role=str(invitation.role), **scope)
