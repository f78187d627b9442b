"""A passkey in software: what a browser would say of it, right or forged."""

from __future__ import annotations

import hashlib
import json
import os
import re

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_encode

HOST, ORIGIN = "localhost", "http://localhost"  # without https browsers know keys there only
ADD = "/accounts/second-factor/webauthn/add/"
AGAIN = "/accounts/second-factor/webauthn/reauthenticate/"
SIGN_IN = "/accounts/second-factor/webauthn/login/"


class Browser(Client):
    def __init__(self) -> None:
        super().__init__(HTTP_HOST=HOST)


class Key:
    """``counter`` is what it says next; of ``handle`` the account, told when it is registered."""

    def __init__(self, counter: int = 1, name: bytes = b"") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.name, self.counter, self.handle = name or os.urandom(16), counter, ""

    def _client(self, kind: str, challenge: str, origin: str, **more) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
        return json.dumps(said | more).encode()

    def _data(self, host: str, verified: bool, attested: bytes = b"") -> bytes:
        flags = 1 | (4 if verified else 0) | (64 if attested else 0)
        seen = hashlib.sha256(host.encode()).digest()
        return seen + bytes([flags]) + self.counter.to_bytes(4, "big") + attested

    def _whole(self, **response: str) -> str:
        name = websafe_encode(self.name)
        whole = {"id": name, "rawId": name, "type": "public-key", "response": response}
        return json.dumps(whole | {"clientExtensionResults": {"credProps": {"rk": True}}})

    def registered(self, options: dict, *, origin=ORIGIN, host=HOST, kind="webauthn.create", **client) -> str:
        asked = options["publicKey"]
        self.handle = asked["user"]["id"]
        public = cbor.encode(dict(ES256.from_cryptography_key(self.private.public_key())))
        attested = bytes(16) + len(self.name).to_bytes(2, "big") + self.name + public
        told = {"fmt": "none", "attStmt": {}, "authData": self._data(host, True, attested)}
        self.counter += 1
        return self._whole(
            clientDataJSON=websafe_encode(self._client(kind, asked["challenge"], origin, **client)),
            attestationObject=websafe_encode(cbor.encode(told)),
        )

    def signed(
        self,
        options: dict,
        *,
        origin=ORIGIN,
        host=HOST,
        kind="webauthn.get",
        verified=True,
        handle="",
        **client,
    ) -> str:
        data = self._data(host, verified)
        said = self._client(kind, options["publicKey"]["challenge"], origin, **client)
        signature = self.private.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        self.counter += 1
        return self._whole(
            clientDataJSON=websafe_encode(said),
            authenticatorData=websafe_encode(data),
            signature=websafe_encode(signature),
            userHandle=handle or self.handle,
        )


def asked(client: Client, path: str) -> dict:
    """What the portal asks the browser on a page."""
    if path == SIGN_IN:
        answer = client.get(path, headers={"X-Requested-With": "XMLHttpRequest"})
        return answer.json()["request_options"]
    found = re.search(
        r'id="js_data" type="application/json">(.*?)</script>', client.get(path).content.decode()
    )
    told = json.loads(found[1])
    return told.get("creation_options") or told["request_options"]


def add(client: Client, key: Key, **forged):
    return client.post(ADD, {"name": "mine", "credential": key.registered(asked(client, ADD), **forged)})
