"""The private keys that sign manifests, in a file that its owner alone can read.

The chain of manifests says which key is in force (``key`` and ``next_key`` of the newest); the file must
hold it. While a key changes the file holds two, and the chain decides which of them signs.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from players.ledger import Refusal
from ratinglists import archive
from ratinglists.models import Publication
from verifier import form

_BLOCK = re.compile(rb"-----BEGIN [A-Z ]+-----.+?-----END [A-Z ]+-----", re.DOTALL)


class SigningRefused(Refusal):
    """Nothing can be signed as things stand; the text says why and what to do."""


def public_of(key: Ed25519PrivateKey) -> str:
    """Its public key: 32 bytes in hexadecimal."""
    return key.public_key().public_bytes_raw().hex()


def key_path() -> Path:
    return Path(settings.PORTAL_SIGNING_KEY)


def read_keys() -> list[Ed25519PrivateKey]:
    """The private keys in the file, the oldest first; none if there is no file. Raises SigningRefused."""
    path = key_path()
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(2**16)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SigningRefused(
            f"The signing key {path} cannot be read ({error.strerror}): give it to the account that the"
            " portal runs under (PORTAL_SIGNING_KEY)."
        ) from error
    if mode & 0o077:
        raise SigningRefused(f"Others can read or write the signing key {path}: chmod 600 {path}")
    keys = []
    for block in _BLOCK.findall(data):
        try:
            key = serialization.load_pem_private_key(block, password=None)
        except (ValueError, TypeError) as error:
            raise SigningRefused(f"{path} holds a key that cannot be read: {error}") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise SigningRefused(f"{path} holds a key of another kind than Ed25519.")
        keys.append(key)
    if not keys:
        raise SigningRefused(f"{path} holds no private key in PEM: bring it back from your backup.")
    return keys


def write_keys(keys: list[Ed25519PrivateKey], *, replace: bool) -> None:
    """Write the file, whole or not at all; without ``replace`` a file that is there stays."""
    path = key_path()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".signing-key-")  # readable by its owner only
    try:
        with os.fdopen(handle, "wb") as file:
            for key in keys:
                file.write(
                    key.private_bytes(
                        serialization.Encoding.PEM,
                        serialization.PrivateFormat.PKCS8,
                        serialization.NoEncryption(),
                    )
                )
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(name, path)
        else:
            try:
                os.link(name, path)
            except FileExistsError:
                return  # another process made one at the same moment
        archive.sync_folder(path.parent)
    finally:
        if os.path.exists(name):
            os.unlink(name)


def key_in_force(last: Publication | None) -> str | None:
    """The public key that the manifest after ``last`` must be signed by; None if any may begin."""
    if last is None or not last.key_id:
        return None
    try:
        with archive.open_file(last.manifest_sha256) as file:
            manifest = form.parse(file.read())
    except (OSError, form.Malformed) as error:
        raise SigningRefused(
            f"The manifest of {last} is not in the archive ({archive.path_of(last.manifest_sha256)}):"
            " bring the archive back from your backup; nothing can be published before."
        ) from error
    return manifest["next_key"] or manifest["key"]


def signing_key(last: Publication | None) -> Ed25519PrivateKey:
    """The private key for the manifest after ``last``. Raises SigningRefused if the file has not got it.

    Outside production the first key is made by itself.
    """
    wanted, keys = key_in_force(last), read_keys()
    if wanted is None:
        if not keys and not settings.PORTAL_PRODUCTION:
            write_keys([Ed25519PrivateKey.generate()], replace=False)
            keys = read_keys()
        if keys:
            return keys[-1]
        raise SigningRefused(f"There is no signing key {key_path()}: manage.py signing_key make")
    for key in keys:
        if public_of(key) == wanted:
            return key
    held = "holds " + ", ".join(form.key_id(public_of(key)) for key in keys) if keys else "is not there"
    raise SigningRefused(
        f"The next publication has to be signed by the key {form.key_id(wanted)}, but {key_path()} {held}."
        " Bring that key back from your backup. If it is lost for good:"
        " manage.py signing_key make --lost REASON"
    )
