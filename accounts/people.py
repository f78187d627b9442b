"""Which accounts are meant by what somebody types."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q


def at_address(email: str) -> list[AbstractBaseUser]:
    """The accounts of an e-mail address: those that have it, and those that have confirmed it. An address
    that somebody only says to be his counts for nothing."""
    users = get_user_model()._default_manager
    confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True)
    return list(users.filter(Q(email__iexact=email) | Q(pk__in=confirmed.values("user"))).order_by("pk"))


def keep_address(user: AbstractBaseUser) -> None:
    """Have the address that staff gave an account count as its own, so that another one takes its place only
    when it is confirmed; unless another account has confirmed it."""
    if user.email and not at_address(user.email)[1:]:
        EmailAddress.objects.update_or_create(
            user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
        )


def named(login: str) -> AbstractBaseUser | None:
    """The account of a user name or an e-mail address; None if there is none, or more than one.

    A user name is taken as it is spelled, or else whatever its case. An address that several accounts share
    names none of them: they sign in by name.
    """
    login = login.strip()
    if not login or "\0" in login:
        return None
    by_name = list(get_user_model()._default_manager.filter(username__iexact=login)[:5])
    found = [user for user in by_name if user.get_username() == login] or by_name
    if not found and "@" in login:
        found = at_address(login)
    return found[0] if len(found) == 1 else None
