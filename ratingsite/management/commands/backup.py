"""Write the whole portal into one file: database, archive, waiting lists of players; while it runs."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ratingsite.backup import BackupError, making, passphrase, thinning


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"“{text}” is not a number of backups from 1 on.")
    return int(text)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        parser.add_argument("file", type=Path)
        passphrase.add_argument(parser)
        parser.add_argument(
            "--with-signing-key",
            action="store_true",
            help="the private key that signs publications too; encrypted backups only",
        )

        parser.add_argument(
            "--keep",
            type=_count,
            metavar="N",
            help="remove the backups beside FILE with its suffix but for the N last written, FILE among them",
        )

    def handle(
        self, *, file: Path, passphrase_file: Path | None, with_signing_key: bool, keep: int | None, **options
    ) -> None:
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        try:
            secret = passphrase.given(passphrase_file)
            size = making.make(file, passphrase=secret, signing_key=with_signing_key, say=say)
            kind = "encrypted" if secret else "not encrypted: it holds personal data"
            self.stdout.write(f"{file}: {size / 2**20:.1f} MiB, read back whole, {kind}.")
            for old in thinning.thin(file, keep) if keep else ():
                self.stdout.write(f"Removed: {old}")
        except BackupError as error:
            raise CommandError(str(error)) from error
