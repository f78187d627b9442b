"""The Ed25519 key that signs publications: make or change it, show it, list all, retire the old."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from players.ledger import Refusal
from ratinglists import key_changes, signing
from ratinglists.archives import PortalArchive
from verifier import form
from verifier.chain import read_chain


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list = []  # a production without a key starts nothing, and this makes one

    def add_arguments(self, parser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        make = what.add_parser("make", help="make the first key, or publish a change to a new one")
        make.add_argument("--lost", default="", metavar="REASON", help="the key in force is lost: say how")
        what.add_parser("show", help="the public key that signs next, for the federation's other channels")
        what.add_parser("list", help="every key, and from which publication on it signed")
        what.add_parser("retire", help="delete private keys that are not in force any more")

    def handle(self, *, what: str, lost: str = "", **options) -> None:
        try:
            getattr(self, f"_{what}")(**({"lost": lost.strip()} if what == "make" else {}))
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal

    def _make(self, lost: str) -> None:
        identifier = key_changes.make_key(lost)
        self.stdout.write(f"Key {identifier} in {signing.key_path()}.")
        self.stdout.write("Keep a copy of that file offline, and let the public know the key's name.")

    def _show(self) -> None:
        key = signing.signing_key(key_changes.last_publication())
        public = signing.public_of(key)
        self.stdout.write(
            f"name:   {form.key_id(public)}\npublic: {public}\n{form.key_file(public).decode()}"
        )

    def _list(self) -> None:
        chain = read_chain(PortalArchive())
        held = {signing.public_of(key) for key in signing.read_keys()}
        for public, first in chain.keys.items():
            manifest = chain.manifests.get(first)
            since = f"since publication {first}" + (
                f", {manifest['published_at']}" if manifest else " (the next)"
            )
            private = "" if public in held else ", private key not here"
            self.stdout.write(f"{form.key_id(public)} {since}{private}")
        for public in held - set(chain.keys):
            self.stdout.write(f"{form.key_id(public)} not used yet")

    def _retire(self) -> None:
        gone = key_changes.retire_keys()
        self.stdout.write(
            "\n".join(f"Deleted the private key {each}." for each in gone) or "Nothing to retire."
        )
