"""Write the archive of publications into a folder that python -m verifier checks on any machine."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ratinglists import archives


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--since", type=int, default=1, metavar="NUMBER", help="no files of publications before this one"
        )

    def handle(self, *, folder: Path, since: int, **options) -> None:
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        try:
            publications, files = archives.export(folder, since, say)
        except OSError as error:
            raise CommandError(f"The archive was not written whole: {error}") from error
        self.stdout.write(f"{folder}: {publications} publications, {files} files.")
        more = f" --since {since}" if since > 1 else ""
        self.stdout.write(f"To check it: python -m verifier {folder}{more}")
