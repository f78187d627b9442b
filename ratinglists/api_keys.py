"""Keys for the programs of federations: made, found, revoked. A key is shown once, when it is made."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from players import audit
from players.access import require
from players.models import Federation
from ratinglists.models import ApiKey
from tournaments.transitions import NotAllowedNow, said

MAKE, REVOKE = "ratinglists.add_apikey", "ratinglists.revoke_apikey"
#: whoever gives a key to act for somebody else has this right himself
FOR_OTHERS = "tournaments.accept_report"
#: what a key may be for, beside reading within a limit of its own
REPORTS = "reports"
SCOPES = {REPORTS: "send reports"}
LONGEST = timedelta(days=3 * 366)
_USED = timedelta(minutes=15)
_BEGIN = "rp_"


@transaction.atomic
def make(
    by, *, name: str, federation: Federation, user, scopes: Collection[str], expires_at: datetime
) -> tuple[ApiKey, str]:
    """A new key and its text, which nobody can be told again.

    Needs the right to make keys, and for another account's key the right to accept reports, so that nobody
    gives away more than he has. Raises PermissionDenied, and NotAllowedNow for what cannot be a key.
    """
    require(by, MAKE)
    if user != by:
        require(by, FOR_OTHERS)
    name, now = said(name, "Say which program uses the key."), timezone.now()
    if unknown := sorted(set(scopes) - set(SCOPES)):
        raise NotAllowedNow(f"No key is for {', '.join(unknown)}: choose among {', '.join(SCOPES)}.")
    if not user.is_active:
        raise NotAllowedNow(f"{user} cannot sign in any more: choose an account that is active.")
    if not now < expires_at <= now + LONGEST:
        raise NotAllowedNow("A key ends within three years from today: choose an earlier day after today.")
    prefix = _BEGIN + secrets.token_hex(4)
    text = f"{prefix}_{secrets.token_urlsafe(32)}"
    key = ApiKey.objects.create(
        name=name,
        federation=federation,
        user=user,
        prefix=prefix,
        sha256=_hash(text),
        scopes=sorted(set(scopes)),
        created_by=by,
        created_at=now,
        expires_at=expires_at,
    )
    data = {"federation": federation.pk, "user": user.pk, "scopes": key.scopes}
    audit.record("apikey.made", by, key, str(key), expires_at=expires_at.isoformat(), **data)
    return key, text


@transaction.atomic
def revoke(key: ApiKey, by) -> None:
    """End a key for good. Raises NotAllowedNow if it was revoked before."""
    require(by, REVOKE)
    now = timezone.now()
    if not ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now, revoked_by=by):
        raise NotAllowedNow(f"{key} was revoked before.")
    audit.record("apikey.revoked", by, key, str(key))


def find(text: str) -> ApiKey | None:
    """The key with this text, if it can be used now."""
    prefix = text[: len(_BEGIN) + 8]
    if not prefix.startswith(_BEGIN) or not text.isascii() or "\0" in text:
        return None
    key = ApiKey.objects.select_related("user", "federation").filter(prefix=prefix).first()
    if key is None or not secrets.compare_digest(key.sha256, _hash(text)) or not key.holds:
        return None
    return key


def note_use(key: ApiKey) -> None:
    """Note when a key was used, at most four times an hour: reads shall not wait for a write."""
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at < now - _USED:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lt=now - _USED)
        with suppress(OperationalError):  # a database too busy to note it: the next use does
            ApiKey.objects.filter(unnoted, pk=key.pk).update(last_used_at=now)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
