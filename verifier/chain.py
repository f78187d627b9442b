"""The chain of manifests: numbers without gaps, each naming the hash of the one before, each signed by
the key that the chain had come to."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from verifier import form
from verifier.faults import ASK, DOWNLOAD, Fault
from verifier.folder import Archive, manifest_path, signature_path


@dataclass(slots=True)
class Chain:
    """What reading a chain gave. ``keys`` has each public key with the number of the first manifest
    under it; ``breaks`` the manifests whose key no earlier one introduced, the first included."""

    manifests: dict[int, dict] = field(default_factory=dict)
    hashes: dict[int, str] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    breaks: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_chain(archive: Archive, trusted: Collection[str] = ()) -> Chain:
    """Read and check every manifest. ``trusted`` are public keys, or their names, known from elsewhere."""
    chain = Chain()
    numbers = archive.numbers()
    if not numbers:
        chain.faults.append(
            Fault("manifests/", "manifest 1", "none", "Name the folder that holds manifests/, keys/, files/.")
        )
        return chain
    chain.faults += _gaps(numbers)
    key: str | None = None
    for number in numbers:
        data = archive.manifest(number)
        if data is None:
            chain.faults.append(Fault(manifest_path(number), "a file", "something else", DOWNLOAD))
            continue
        before = chain.hashes.get(number - 1)
        chain.hashes[number] = hashlib.sha256(data).hexdigest()
        try:
            manifest = form.parse(data)
        except form.Malformed as error:
            chain.faults.append(
                Fault(manifest_path(number), "a manifest in canonical JSON", str(error), DOWNLOAD)
            )
            continue
        chain.manifests[number] = manifest
        chain.faults += _links(number, manifest, before)
        key = _signed(chain, archive, number, data, key)
    chain.faults += _trust(chain, trusted)
    return chain


def _gaps(numbers: list[int]) -> Iterator[Fault]:
    wanted = 1
    for number in numbers:
        if number > wanted:
            missing = f"{wanted}" if number == wanted + 1 else f"{wanted} to {number - 1}"
            yield Fault(manifest_path(wanted), f"manifest {missing}", "nothing", DOWNLOAD)
        wanted = number + 1


def _links(number: int, manifest: dict, before: str | None) -> Iterator[Fault]:
    where = manifest_path(number)
    if manifest["number"] != number:
        yield Fault(where, f"number {number}", f"number {manifest['number']}", DOWNLOAD)
    if number == 1 and manifest["previous"] is not None:
        yield Fault(where, "no manifest before the first", manifest["previous"], ASK)
    elif before is not None and manifest["previous"] != before:
        found = f"{before} in {manifest_path(number - 1)}"
        yield Fault(where, f"the manifest {manifest['previous']} before it", found, DOWNLOAD)


def _signed(chain: Chain, archive: Archive, number: int, data: bytes, key: str | None) -> str:
    """Check whose signature a manifest has; returns the key that the next one must have."""
    manifest = chain.manifests[number]
    own, where = manifest["key"], manifest_path(number)
    if key is None or (manifest["key_lost"] and own != key):
        if key is not None or number == 1:
            chain.breaks.append(number)
    elif own != key:
        expected = f"key {form.key_id(key)}"
        chain.faults.append(Fault(where, expected, f"key {form.key_id(own)}", ASK))
        own = key
    chain.keys.setdefault(own, number)
    signature = archive.signature(number)
    if signature is None:
        chain.faults.append(Fault(signature_path(number), "a signature", "nothing", DOWNLOAD))
    elif not form.is_signed(data, signature, own):
        expected = f"a signature of {where} by key {form.key_id(own)}"
        chain.faults.append(Fault(signature_path(number), expected, "another", DOWNLOAD))
    if manifest["next_key"] is not None:
        chain.keys.setdefault(manifest["next_key"], number + 1)
    return manifest["next_key"] or own


def _trust(chain: Chain, trusted: Collection[str]) -> Iterator[Fault]:
    """Whoever trusts a key trusts what it signed, all before (by the hashes) and the keys it introduced."""
    if not chain.breaks:
        return
    last = chain.breaks[-1]
    if trusted:
        if not any(
            first >= last and {key, form.key_id(key)} & set(trusted) for key, first in chain.keys.items()
        ):
            found = ", ".join(form.key_id(key) for key, first in chain.keys.items() if first >= last)
            yield Fault(manifest_path(last), f"one of the keys given ({', '.join(trusted)})", found, ASK)
        return
    for number in chain.breaks[1:]:
        manifest = chain.manifests[number]
        said = f"key {form.key_id(manifest['key'])}, because: {manifest['key_lost']}"
        remedy = (
            "Ask the federation by another way than its site whether this is its key; then name it by --key."
        )
        yield Fault(manifest_path(number), "a key that the one before introduced", said, remedy)
