"""What happens to accounts, noted in the audit log; and what follows from it for sessions."""

from __future__ import annotations

from allauth.account import signals as account
from allauth.account.internal.flows.login import (
    clear_authentication_records,
    get_authentication_records,
    record_authentication,
)
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.signals import post_save

from accounts import devices, mails, second_factor, slowdown
from players import audit

#: so many wrong codes, from devices not known, and the owner is told
WARN_AFTER = 10
GUESSED = (
    f"{WARN_AFTER} wrong codes were tried for your account on the rating portal, after the right password. "
    "If it was not you, somebody knows your password: set a new one at once."
)


@transaction.atomic
def _note(act: str, user, text: str = "", by=None, **data) -> None:
    audit.record(act, by or user, user, text, **data)


def signed_in(request, response, user, **kwargs) -> None:
    records = get_authentication_records(request, user)
    ways = sorted({each.get("type") or each["method"] for each in records})
    _note("account.signed-in", user, ways=ways, known_device=bool(devices.known(request, user)))
    devices.remember(request, response, user)


def code_failed(user, authenticator, **kwargs) -> None:
    with transaction.atomic():
        audit.record("account.second-factor-failed", None, user, factor=authenticator.type)
        if user.email and slowdown.code_failures(user) == WARN_AFTER:
            mails.write(user.email, "Somebody knows your password", GUESSED)


def factor_added(request, user, authenticator, **kwargs) -> None:
    _note("account.second-factor-added", user, factor=authenticator.type)
    if authenticator.type == Authenticator.Type.TOTP:  # the code that set it up has been used
        authenticator.wrap().validate_code(request.POST.get("code", ""))
    if authenticator.type != Authenticator.Type.RECOVERY_CODES and not second_factor.was_passed(request):
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)


def factor_removed(request, user, authenticator, **kwargs) -> None:
    _note("account.second-factor-removed", user, factor=authenticator.type)
    if not second_factor.is_set_up(user):
        clear_authentication_records(request)


def codes_made(user, **kwargs) -> None:
    _note("account.recovery-codes-made", user)


def password_changed(user, **kwargs) -> None:
    _note("account.password-changed", user)


def password_reset(user, **kwargs) -> None:
    with transaction.atomic():
        audit.record("account.password-reset", None, user, "by a link sent by mail")


def address_confirmed(email_address, **kwargs) -> None:
    _note("account.address-confirmed", email_address.user)


def closed(instance, **kwargs) -> None:
    """A closed account's sessions are over for good, not only until it is opened again."""
    if not instance.is_active:
        for session in UserSession.objects.filter(user=instance.pk):
            session.end()


def register() -> None:
    """Called when the app is ready."""
    post_save.connect(closed, sender=get_user_model(), dispatch_uid=f"{__name__}.closed")
    for signal, receiver in {
        account.user_logged_in: signed_in,
        account.password_changed: password_changed,
        account.password_set: password_changed,
        account.password_reset: password_reset,
        account.email_confirmed: address_confirmed,
        mfa.authentication_failed: code_failed,
        mfa.authenticator_added: factor_added,
        mfa.authenticator_removed: factor_removed,
        mfa.authenticator_reset: codes_made,
    }.items():
        signal.connect(receiver, dispatch_uid=f"{__name__}.{receiver.__name__}.{id(signal)}")
