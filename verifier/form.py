"""What a manifest is: its bytes, its fields, its keys. Shared by who writes and who checks."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "rating-portal-manifest-1"
#: a list's file of this ending holds the bytes whose SHA-256 is the list's own hash
CANONICAL = "-canonical.json"
#: and one of this ending what the next list computes with
STATE = "-state.json"
_HEX = re.compile(r"[0-9a-f]{64}")
#: of a public key in DER, before its 32 bytes (RFC 8410)
_DER = bytes.fromhex("302a300506032b6570032100")


class Malformed(ValueError):
    """Bytes that are no manifest; ``faults`` names every field that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


def canonical(body: dict) -> bytes:
    """The only bytes that a manifest may have: JSON with sorted keys, compact, UTF-8."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def parse(data: bytes) -> dict:
    """A manifest from its bytes. Raises Malformed."""
    try:
        body = json.loads(data)
        if not isinstance(body, dict) or canonical(body) != data:
            raise Malformed(["not canonical JSON"])
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, Malformed) else Malformed([f"not JSON: {error}"]) from error
    if faults := list(_faults(body, _MANIFEST, "")):
        raise Malformed(faults)
    return body


def is_hash(value: object) -> bool:
    """64 hexadecimal digits in small letters?"""
    return isinstance(value, str) and bool(_HEX.fullmatch(value))


def _count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _text(value: object) -> bool:
    return isinstance(value, str)


def _or_null(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or test(value)


_FILE = {"name": _text, "sha256": is_hash, "size": _count}
_NAMED = {"number": _count, "sha256": is_hash}
_BEFORE = {"list_date": _text, "revision": _count}
_LIST = {
    "system": _text,
    "list_date": _text,
    "revision": _count,
    "regulation": _text,
    "opening": lambda value: isinstance(value, bool),
    "persons": lambda value: type(value) is int and value in (1, 2),
    "previous": _BEFORE,
    "closes_on": _text,
    "computed_at": _text,
    "proposed_at": _or_null(_text),
    "approved_at": _or_null(_text),
    "sha256": is_hash,
    "input_sha256": is_hash,
    "sources_sha256": _or_null(is_hash),
    "report_sha256": is_hash,
    "files": [_FILE],
}
_MANIFEST = {
    "format": lambda value: value == FORMAT,
    "number": lambda value: _count(value) and value > 0,
    "previous": _or_null(is_hash),
    "published_at": _text,
    "software": _text,
    "reason": _text,
    "key": is_hash,
    "next_key": _or_null(is_hash),
    "key_lost": _text,
    "audit": _NAMED,
    "correction": _NAMED,
    "lists": [_LIST],
}


def _faults(value: Any, shape: Any, where: str) -> Iterator[str]:
    if callable(shape):
        if not shape(value):
            yield f"{where}: not as it has to be"
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where}: not a list"
        else:
            for place, each in enumerate(value):
                yield from _faults(each, shape[0], f"{where}[{place}]")
    elif value is None and (shape is _NAMED or shape is _BEFORE):
        return
    elif not isinstance(value, dict) or set(value) != set(shape):
        yield f"{where or 'manifest'}: not the fields of this format"
    else:
        for name, inner in shape.items():
            yield from _faults(value[name], inner, f"{where}.{name}".lstrip("."))


def files_of(manifest: dict) -> Iterator[dict]:
    """Every file that a manifest names."""
    for listed in manifest["lists"]:
        yield from listed["files"]


def title_of(listed: dict) -> str:
    """A list in words."""
    revision = f", revision {listed['revision']}" if listed["revision"] > 1 else ""
    return f"{listed['system']} {listed['list_date']}{revision}"


# --- keys: a public key is written as its 32 bytes in hexadecimal -------------------------------


def key_id(public: str) -> str:
    """The name of a public key: SHA-256 of its 32 bytes."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()


def key_file(public: str) -> bytes:
    """A public key as a PEM file, which openssl reads too."""
    text = b64encode(_DER + bytes.fromhex(public)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{text}\n-----END PUBLIC KEY-----\n".encode()


def is_signed(data: bytes, signature: bytes, public: str) -> bool:
    """Did the owner of this key sign these bytes?"""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
