"""Making, changing and retiring the key that signs publications.

A change is a publication without lists: its manifest, signed by the old key, names the new one. Both keys
are in the file before that manifest is committed, so that a death at any point leaves a portal that signs.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection, transaction

from players import audit, crashpoints
from ratinglists.manifest import KeyChange
from ratinglists.models import Publication
from ratinglists.publishing import flip
from ratinglists.signing import (
    SigningRefused,
    key_in_force,
    key_path,
    public_of,
    read_keys,
    write_keys,
)
from verifier import form


def last_publication() -> Publication | None:
    """The newest one; None also in a database that is not made yet."""
    if Publication._meta.db_table not in connection.introspection.table_names():
        return None
    return Publication.objects.first()


def make_key(lost: str = "") -> str:
    """Make the first key, or change to a new one. Returns the new key's identifier.

    ``lost`` is the reason for which the key in force cannot sign any more; who verifies has then to be
    told of the new key by another way. Raises SigningRefused.
    """
    last, keys = last_publication(), read_keys()
    wanted = key_in_force(last)
    if wanted is None:
        if keys:
            raise SigningRefused(f"{key_path()} holds a key already; it will sign the first publication.")
        write_keys([Ed25519PrivateKey.generate()], replace=False)
        return form.key_id(public_of(read_keys()[-1]))
    held = [public_of(key) for key in keys]
    if wanted in held and lost:
        raise SigningRefused(
            "The key in force is there: change it without --lost, then it vouches for the new one."
        )
    if wanted not in held and not lost:
        raise SigningRefused(
            f"The key in force, {form.key_id(wanted)}, is not in {key_path()} and cannot vouch for a new"
            " one. Bring it back from your backup; if it is lost for good:"
            " manage.py signing_key make --lost REASON"
        )
    # A key left by a change that died before its commit is taken up again.
    if not keys or held[-1] == wanted or _signed_before(held[-1]):
        keys.append(Ed25519PrivateKey.generate())
        write_keys(keys, replace=True)
    crashpoints.here("key: the new key is written")
    new = public_of(keys[-1])
    with transaction.atomic():
        change = KeyChange(lost=lost) if lost else KeyChange(next_key=new)
        reason = f"The signing key is replaced: {lost}" if lost else "The signing key changes."
        made = flip([], [], None, reason, change)
        audit.record("key.changed", None, made, reason, key=form.key_id(new))
    return form.key_id(new)


def _signed_before(public: str) -> bool:
    return Publication.objects.filter(key_id=form.key_id(public)).exists()


def retire_keys() -> list[str]:
    """Delete the private keys that are not in force any more. Returns their identifiers."""
    last, keys = last_publication(), read_keys()
    wanted = key_in_force(last)
    if wanted is None:
        raise SigningRefused("No publication is signed yet: there is no key to retire.")
    stay = [key for key in keys if public_of(key) == wanted]
    if not stay:
        raise SigningRefused(
            f"The key in force, {form.key_id(wanted)}, is not in {key_path()}: nothing is deleted."
        )
    gone = [form.key_id(public_of(key)) for key in keys if key not in stay]
    if gone:
        with transaction.atomic():
            audit.record("key.retired", None, last, "Private keys deleted.", keys=gone)
            write_keys(stay, replace=True)
    return gone
