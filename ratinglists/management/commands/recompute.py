"""Compute a list once more from the archive alone, and compare it byte by byte.

Nothing is read but what the list says of itself (its hashes) and the files of the archive: the snapshot of
what its computation read and the reports as they were sent. Exit status 0: the same bytes. 1: not, with the
first difference.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ratinglists import archive, recompute
from ratinglists.canonical_json import differing, differing_texts
from ratinglists.jobs import Refusal
from ratinglists.models import RatingList
from ratinglists.snapshot import Snapshot


class Command(BaseCommand):
    help = "Compute a list once more from its snapshot and its reports, and compare."

    def add_arguments(self, parser) -> None:
        parser.add_argument("system")
        parser.add_argument("date", type=date.fromisoformat)
        parser.add_argument("--revision", type=int, help="else the latest, draft or published")
        parser.add_argument(
            "--against",
            type=Path,
            metavar="FILE",
            help="a canonical list or the calculator's answer",
        )

    def handle(self, *, system: str, revision: int | None, against: Path | None, **options) -> None:
        day = options["date"]
        lists = RatingList.objects.filter(period__system=system, period__list_date=day)
        lists = lists.filter(revision=revision) if revision else lists
        listed = lists.order_by("revision").last()
        if listed is None:
            raise CommandError(f"There is no such list of {system} of {day}.")
        if listed.awaits_proof:
            raise CommandError(f"{listed} is not proven yet: ./portal manage period prove {system} {day}")
        if not listed.report.get("sources"):
            raise CommandError(f"{listed} has no snapshot: it was brought in from elsewhere.")
        snapshot = Snapshot(listed.input_sha256, listed.report["sources"])
        try:
            with recompute.again(snapshot, self._show) as (digest, file):
                if digest != listed.sha256:
                    raise CommandError(self._difference(listed.sha256, file))
                self.stdout.write(f"{listed}: the same bytes, SHA-256 {digest}")
                if against is not None:
                    self._compare(against, digest, file)
        except (Refusal, ValueError, archive.Damaged, FileNotFoundError) as error:
            raise CommandError(str(error)) from error

    def _show(self, stage: str, done: int, total: int) -> None:
        self.stdout.write(f"{stage}: {done} of {total}")

    def _difference(self, listed: str, file) -> str:
        file.seek(0)
        again = iter(lambda: file.read(1 << 20), b"")
        try:
            return f"The recomputation gives another list: {differing_texts(archive.read(listed), again)}"
        except (FileNotFoundError, archive.Damaged):
            return "The recomputation gives another list, and the canonical list is not in the archive."

    def _compare(self, against: Path, digest: str, file) -> None:
        data = against.read_bytes()
        if hashlib.sha256(data).hexdigest() == digest:
            self.stdout.write(f"{against}: the same bytes")
            return
        file.seek(0)
        again = json.load(file)
        try:
            other = json.loads(data)
            if other.get("sha256") == digest:  # the calculator's answer
                self.stdout.write(f"{against}: the same list")
                return
            told = differing(again, {**again, **other})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandError(f"{against} is no canonical list and no answer of the calculator.") from error
        raise CommandError(f"{against} is another list: {told}")
