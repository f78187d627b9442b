"""Check the portal's database and its archive against each other; each fault is named with its remedy."""

from __future__ import annotations

import argparse

from django.core.management.base import BaseCommand, CommandError

from ratinglists import selfcheck
from verifier.__main__ import key_given


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        parser.add_argument(
            "--key",
            action="append",
            default=[],
            help="a public key, its name or its PEM file, kept outside the portal",
        )

    def handle(self, *, key: list[str], **options) -> None:
        try:
            keys = [key_given(each) for each in key]
        except argparse.ArgumentTypeError as error:
            raise CommandError(str(error)) from error
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        chain, faults = selfcheck.check(keys, say)
        if faults:
            lines = "".join(f"\n  {fault}" for fault in faults)
            raise CommandError(
                f"Not as it was published. Faults: {len(faults)}. The first comes first:{lines}"
            )
        many = len(chain.manifests)
        self.stdout.write(
            f"Whole: {many} publication{'s' * (many != 1)}, their files and their rows."
            if many
            else "Nothing is published yet."
        )
