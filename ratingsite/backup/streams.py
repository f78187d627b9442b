"""The outer form of a backup: a tar, then its SHA-256; encrypted with a passphrase if one is given.

Encrypted: the passphrase and a salt give two keys by scrypt (RFC 7914; N = 2^17, r = 8, p = 1). One keys an
HMAC of the header, by which a wrong passphrase is told from damage; the other encrypts pieces of 1 MiB by
AES-256-GCM. A nonce is the piece's number, then 1 for the last piece and 0 before, so that none can be
changed, swapped, left out or cut off. Both ways the memory needed does not grow with the file.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path
from typing import BinaryIO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from ratingsite.backup import BackupError

MAGIC = b"rating portal backup, encrypted, 1\n"
SALT, MAC, TAG, PIECE = 16, 32, 16, 1 << 20
TRAILER = b"\nrating portal backup, SHA-256 "
TRAILER_SIZE = len(TRAILER) + 65

DAMAGED = "The backup is damaged or cut short: take another copy of it, or an earlier backup."
WRONG = "The passphrase is not that of the backup, or its first bytes are damaged."


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _keys(passphrase: str, salt: bytes) -> tuple[AESGCM, bytes]:
    """The cipher of the pieces and the header's key."""
    derived = Scrypt(salt=salt, length=64, n=2**17, r=8, p=1).derive(passphrase.encode())
    return AESGCM(derived[:32]), derived[32:]


def _mac(key: bytes, salt: bytes) -> bytes:
    return hmac.digest(key, MAGIC + salt, "sha256")


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class _Encrypted:
    """What is written goes into a file encrypted; ``finish`` writes the last piece."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        salt = os.urandom(SALT)
        self._cipher, key = _keys(passphrase, salt)
        self._file, self._held, self._number = file, bytearray(), 0
        file.write(MAGIC + salt + _mac(key, salt))

    def write(self, data: bytes) -> int:
        self._held += data
        while len(self._held) > PIECE:
            self._piece(bytes(self._held[:PIECE]), last=False)
            del self._held[:PIECE]
        return len(data)

    def finish(self) -> None:
        self._piece(bytes(self._held), last=True)

    def _piece(self, data: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last), data, MAGIC))
        self._number += 1


class Sink:
    """What a backup is written into: summed, encrypted where there is a passphrase."""

    def __init__(self, file: BinaryIO, passphrase: str | None) -> None:
        self._digest = hashlib.sha256()
        self._encrypted = None if passphrase is None else _Encrypted(file, passphrase)
        self._out = self._encrypted or file
        self._size = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self._size += len(data)
        return self._out.write(data)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._size

    def finish(self) -> None:
        """Write the sum, and the last encrypted piece."""
        self._out.write(TRAILER + self._digest.hexdigest().encode() + b"\n")
        if self._encrypted:
            self._encrypted.finish()


class _Decrypted:
    """An encrypted file, read as what it holds. Raises BackupError."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        salt, mac = file.read(SALT), file.read(MAC)
        if len(salt) != SALT or len(mac) != MAC:
            raise BackupError(DAMAGED)
        self._cipher, key = _keys(passphrase, salt)
        if not hmac.compare_digest(mac, _mac(key, salt)):
            raise BackupError(WRONG)
        self._file, self._held, self._number = file, bytearray(), 0
        self._next = file.read(PIECE + TAG)

    def read(self, size: int, /) -> bytes:
        while len(self._held) < size and self._next:
            piece, self._next = self._next, self._file.read(PIECE + TAG)
            try:
                self._held += self._cipher.decrypt(_nonce(self._number, not self._next), piece, MAGIC)
            except InvalidTag as error:
                raise BackupError(DAMAGED) from error
            self._number += 1
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken


class Source:
    """A backup's tar; its sum is held against what was read as soon as the end is reached.

    Raises BackupError: damaged, cut, a wrong passphrase, one missing or one too many.
    """

    def __init__(self, path: Path, passphrase: str | None) -> None:
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise BackupError(f"{path} cannot be read: {error.strerror}.") from error
        self.encrypted = self._file.read(len(MAGIC)) == MAGIC
        if self.encrypted and passphrase is None:
            raise BackupError(f"{path} is encrypted: give its passphrase by --passphrase-file.")
        if not self.encrypted and passphrase is not None:
            raise BackupError(
                f"{path} is not encrypted, or its first bytes are damaged. Give no passphrase if it was made"
                " without one."
            )
        if not self.encrypted:
            self._file.seek(0)
        self._in: Readable = _Decrypted(self._file, passphrase) if self.encrypted else self._file
        self._digest, self._held, self._ended = hashlib.sha256(), bytearray(), False

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def read(self, size: int, /) -> bytes:
        while not self._ended and len(self._held) < size + TRAILER_SIZE:
            more = self._in.read(PIECE)
            self._held += more
            self._ended = not more
        taken = bytes(self._held[: min(size, max(0, len(self._held) - TRAILER_SIZE))])
        del self._held[: len(taken)]
        self._digest.update(taken)
        if not taken and size and self._held != TRAILER + self._digest.hexdigest().encode() + b"\n":
            raise BackupError(DAMAGED)
        return taken

    def drain(self) -> None:
        """Read to the end, whereby the sum is checked."""
        while self.read(PIECE):
            pass


def check(path: Path, passphrase: str | None) -> None:
    """Read every byte of a backup and hold it against its sum. Raises BackupError."""
    with Source(path, passphrase) as source:
        source.drain()
