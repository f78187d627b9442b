"""The audit log: verify its chain, show entries, seal what waits."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from players import audit
from players.models import AuditEntry


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        verify = what.add_parser("verify", help="every fault of the chain; fails if there is one")
        verify.add_argument(
            "--kept",
            action="append",
            default=[],
            metavar="NUMBER:HASH",
            help="a head kept elsewhere, that the chain must pass through",
        )
        show = what.add_parser("show", help="entries, the latest at the end")
        show.add_argument("--act", default="", help="begins with this: list, list.published")
        show.add_argument("--actor", default="", help="name of the account")
        show.add_argument("--subject", default="", help="begins with this: players.player:12")
        show.add_argument("--last", type=int, default=50)
        what.add_parser("seal", help="number and chain the entries that wait")

    def handle(self, *, what: str, **options) -> None:
        {"verify": self._verify, "show": self._show, "seal": self._seal}[what](options)

    def _verify(self, options: dict) -> None:
        faults = audit.verify([_anchor(text) for text in options["kept"]])
        if faults:
            raise CommandError("\n".join(faults))
        number, sha256 = audit.head()
        self.stdout.write(f"{number} entries, all hold. Head: {number}:{sha256}")

    def _show(self, options: dict) -> None:
        rows = AuditEntry.objects.filter(
            act__startswith=options["act"], subject__startswith=options["subject"]
        )
        if options["actor"]:
            rows = rows.filter(actor_name=options["actor"])
        for row in reversed(_latest(rows, options["last"])):
            who = row.actor_name or "portal"
            told = f"{row.number or '-'} {row.at:%Y-%m-%d %H:%M:%S} {who} {row.act} {row.subject} {row.text}"
            self.stdout.write(told.rstrip())

    def _seal(self, options: dict) -> None:
        self.stdout.write(f"{audit.seal()} entries sealed.")


def _latest(rows: QuerySet, last: int) -> list[AuditEntry]:
    return list(rows.order_by("-pk")[: max(last, 0)])


def _anchor(text: str) -> tuple[int, str]:
    number, _, sha256 = text.partition(":")
    if not number.isdecimal() or len(sha256) != 64:
        raise CommandError(f"“{text[:80]}” is no head: write it as NUMBER:HASH, as verify prints it.")
    return int(number), sha256
