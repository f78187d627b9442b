"""Restore a backup into an empty database and an empty archive, and prove it; the portal must not run."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ratingsite.backup import BackupError, passphrase, restoring


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser) -> None:
        parser.add_argument("file", type=Path)
        passphrase.add_argument(parser)
        parser.add_argument("--check", action="store_true", help="read the backup only, and change nothing")
        parser.add_argument(
            "--without-recomputation",
            action="store_true",
            help="do not compute the lists again (manage.py recompute does it later)",
        )

    def handle(self, *, file: Path, passphrase_file: Path | None, check: bool, **options) -> None:
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        again = not options["without_recomputation"]
        try:
            secret = passphrase.given(passphrase_file)
            if check:
                head = restoring.check(file, passphrase=secret)
                self.stdout.write(f"{file}: whole, of {head.created_at}, version {head.software}.")
                return
            done = restoring.restore(file, passphrase=secret, recomputed=again, say=say)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"The backup of {done.head.created_at} is restored: {done.rows} rows, {done.files} files."
        )
        self.stdout.write(f"Publications: {done.publications}, their files and rows as published.")
        if again:
            self.stdout.write(
                f"Lists computed again to the same bytes: {done.recomputed}; brought in or not proven yet, so"
                f" without a computation: {done.brought_in}."
            )
        else:
            self.stdout.write("No list was computed again: manage.py recompute does it.")
        self.stdout.write(f"Audit log: holds. Head: {done.audit_head}")
