"""The second factor: who needs one, whether a session has passed it, and how a lost one is reset."""

from __future__ import annotations

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth as passkeys
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from fido2.webauthn import RegistrationResponse

from accounts import mails
from players import audit, roles
from tournaments.models import Arbiter

REQUIRED = "required"
#: recovery codes alone are none
_FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


COPIED = (
    "Somebody tried to sign in to your account on the rating portal with a passkey or security key that was "
    "used elsewhere since. Take that key away on the page of your account, and set up a new one.\n\n"
    "If it was you, with an old copy of the key, take it away all the same.\n"
)


class Refused(ValueError):
    """A factor is not reset; the text says why."""


def is_needed(user: AbstractBaseUser) -> bool:
    """Must this account have a second factor: does it belong to staff, hold any right, or send reports?"""
    if settings.PORTAL_SECOND_FACTOR != REQUIRED:
        return False
    return (
        user.is_staff
        or user.is_superuser
        or user.groups.exists()
        or bool(user.get_all_permissions())
        or Arbiter.objects.filter(user=user.pk).exists()
    )


def is_set_up(user: AbstractBaseUser) -> bool:
    return Authenticator.objects.filter(user=user.pk, type__in=_FACTORS).exists()


def was_passed(request: HttpRequest) -> bool:
    """Has whoever sends the request shown a second factor in this session?"""
    return any(each["method"] == "mfa" for each in get_authentication_records(request, request.user))


def has_key(user: AbstractBaseUser, credential: dict) -> bool:
    """Is this passkey among the account's already? Taken away once, it would still be there."""
    new = RegistrationResponse.from_dict(credential).raw_id
    return any(each.credential_id == new for each in passkeys.get_credentials(user))


@transaction.atomic
def counts_on(key: Authenticator, counter: int) -> bool:
    """Has a passkey's own counter gone on since it was last seen? One that stands still or goes back was
    copied: it is not taken, and its owner is told. Those that do not count say 0."""
    held = Authenticator.objects.select_for_update().select_related("user").get(pk=key.pk)
    last = held.data.get("counter", held.wrap().authenticator_data.counter)
    if (counter or last) and counter <= last:
        audit.record(
            "account.second-factor-failed", None, held.user, factor=held.type, counter=counter, last=last
        )
        if held.user.email:
            mails.write(held.user.email, "A passkey of yours may have been copied", COPIED)
        return False
    held.data["counter"] = counter
    held.save(update_fields=["data"])
    return True


@transaction.atomic
def reset(user: AbstractBaseUser, by: AbstractBaseUser | None) -> int:
    """Take an account's factors and recovery codes away and end its sessions; at its next sign-in it sets up
    new ones. ``by``: None for the operator at the command line. Returns how many factors there were; raises
    Refused."""
    if by is not None:
        _refuse_more(user, by)
    factors = Authenticator.objects.select_for_update().filter(user=user.pk)
    kinds = sorted(factors.values_list("type", flat=True))
    if not kinds:
        raise Refused(_("The account %(name)s has no second factor.") % {"name": user.get_username()})
    factors.delete()
    for session in UserSession.objects.filter(user=user.pk):
        session.end()
    text = f"second factor of {user.get_username()} reset"
    audit.record("account.second-factor-reset", by, user, text, factors=kinds)
    if user.email:
        who = f"by {by.get_username()}" if by else "by the portal's operator"
        told = f"The second factor of your account {user.get_username()} was taken away {who}."
        mails.write(user.email, "Your second factor was reset", f"{told} Set up a new one when you sign in.")
    return len(kinds)


def _refuse_more(user: AbstractBaseUser, by: AbstractBaseUser) -> None:
    if user.pk == by.pk:
        raise Refused(_("Change your own second factor on the page of your account."))
    if not by.has_perm("auth.change_user"):
        raise Refused(_("You may not change accounts."))
    if roles.lacking(by, user):
        name = user.get_username()
        raise Refused(
            _("%(name)s may do more than you: another administrator has to reset it.") % {"name": name}
        )
