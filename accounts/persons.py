"""What belongs to a person here: invitations go with a merged record, and an erased person's closed accounts
lose addresses, factors and sessions."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from accounts.models import Invitation, Mail
from players import erasing, merging


def erase(person: erasing.Person) -> None:
    if not person.erased:
        return
    for model in (EmailAddress, Authenticator, UserSession):
        model.objects.filter(user__in=person.users, user__is_active=False).delete()
    Invitation.objects.filter(player__in=person.records).delete()
    for address in person.mailboxes:
        Invitation.objects.filter(email__iexact=address).delete()
        Mail.objects.filter(to__iexact=address).delete()


def register() -> None:
    """Called when the app is ready."""
    merging.follow(merging.Rows("invitations", "invitations", "accounts.Invitation", divisible=False))
    erasing.follow(erase)
