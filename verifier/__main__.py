"""Check a downloaded archive of publications.

  python -m verifier FOLDER
  python -m verifier FOLDER --key KEY     KEY: the public key or its name, 64 hexadecimal digits, or a
                                          PEM file: one that you have from the federation by another way
  python -m verifier FOLDER --since 7     asks for no files of publications before the seventh

The exit code is 0 if everything is as it was published, else 1; each fault is named with its remedy.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verifier import form
from verifier.chain import Chain, read_chain
from verifier.contents import check_files, check_folder
from verifier.folder import Folder


def key_given(text: str) -> str:
    """A key from the command line. Raises ArgumentTypeError."""
    if form.is_hash(text.lower()):
        return text.lower()
    try:
        data = Path(text).read_bytes()
    except OSError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither 64 hexadecimal digits nor a file that can be read ({error.strerror})"
        ) from error
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(data)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} holds no public key in PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise argparse.ArgumentTypeError(f"{text} holds a key of another kind than Ed25519")
    return key.public_bytes_raw().hex()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m verifier", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", type=key_given, action="append", default=[])
    parser.add_argument("--since", type=int, default=1, metavar="NUMBER")
    given = parser.parse_args(arguments)
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is no folder")
    folder = Folder(given.folder)
    chain = read_chain(folder, given.key)
    faults, files, size = check_files(folder, chain, given.since)
    faults = [*chain.faults, *faults, *check_folder(folder, chain)]
    if faults:
        print(f"The archive is NOT as it was published. Faults: {len(faults)}. The first:\n  {faults[0]}")
        for fault in faults[1:]:
            print(f"  {fault}")
        return 1
    _tell(chain, files, size, bool(given.key))
    return 0


def _tell(chain: Chain, files: int, size: int, known: bool) -> None:
    last = max(chain.manifests)
    print(f"Whole: publications 1 to {last}, {files} files, {size} bytes.")
    print(f"The newest is of {chain.manifests[last]['published_at']}: SHA-256 {chain.hashes[last]}")
    for public, first in chain.keys.items():
        print(f"Key {form.key_id(public)} signed from publication {first} on.")
    if not known:
        print("Compare a key with what the federation says of it elsewhere, and name it by --key.")


if __name__ == "__main__":
    sys.exit(main())
