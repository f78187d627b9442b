"""Telling players with an account that a report names them: on their page, and by e-mail.

The rows are written with the report, in its transaction. Mail goes out afterwards: the commit rings
the workers, a sweep sends what was left, and no trouble with mail ever reaches the report.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Case, Q, When
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.sending import Sending
from tournaments.models import Entry, Game, Report, ReportNotice

Mail = ReportNotice.Mail
_SENDING = Sending(state="mail", attempts="mail_attempts", tried="mail_at", same="digest", nobody=Mail.NONE)

#: a result from either side: White's and Black's
_SEEN = {
    "1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("½", "½"), "+/-": ("+", "–"), "-/+": ("–", "+"),
    "=/=": ("½ (not played)",) * 2, "-/-": ("– (not played)",) * 2,
    "bye-1": ("1 (bye)", ""), "bye-1/2": ("½ (bye)", ""), "bye-0": ("0 (no game)", ""),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game as the player sees it; ``opponent`` None in a bye."""

    round: int
    white: bool
    opponent: Player | None
    result: str


def own_games(entries: Iterable[Entry]) -> dict[int, list[OwnGame]]:
    """The games of these entries, by entry, in one query."""
    keys = [entry.pk for entry in entries]
    games = Game.objects.filter(Q(white__in=keys) | Q(black__in=keys))
    found: dict[int, list[OwnGame]] = {key: [] for key in keys}
    for game in games.select_related("white__player", "black__player").order_by("round", "id"):
        sides = ((game.white_id, game.black, True), (game.black_id, game.white, False))
        for own, other, white in sides:
            if own in found:
                result = _SEEN[game.result][0 if white else 1]
                found[own].append(OwnGame(game.round, white, other and other.player, result))
    return found


def _digest(games: Iterable[OwnGame]) -> str:
    told = [(game.round, game.white, game.opponent and game.opponent.pk, game.result) for game in games]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def tell(report: Report) -> list[ReportNotice]:
    """Write the notices of a stored report, inside its transaction; returns those that say something new."""
    entries = Entry.objects.filter(tournament=report.tournament_id, player__user__is_active=True)
    entries = {entry.player_id: entry for entry in entries.order_by("pk")}
    known = {row.player_id: row for row in ReportNotice.objects.filter(tournament=report.tournament_id)}
    if not entries and not known:
        return []
    games = own_games(entries.values())
    digests = {player: _digest(games[entry.pk]) for player, entry in entries.items()}
    news = []
    for player in sorted(digests.keys() | known.keys()):
        row = known.get(player) or ReportNotice(tournament_id=report.tournament_id, player_id=player)
        digest = digests.get(player, "")
        new = row.pk is None or row.digest != digest
        row.report, row.digest = report, digest
        if new:
            row.told_at, row.read_at = timezone.now(), None
            row.mail, row.mail_attempts, row.mail_at = Mail.WAITING, 0, None
            news.append(row)
        row.save()
    if news:
        transaction.on_commit(_ring, robust=True)
    return news


def _ring() -> None:
    from tournaments.tasks import send_notices

    send_notices.delay()


def of_user(user):
    """The notices for an account, unread first."""
    rows = ReportNotice.objects.filter(player__user=user.pk)
    rows = rows.select_related("tournament__rating_system")
    return rows.order_by(Case(When(read_at=None, then=0), default=1), "-told_at", "-pk")


def with_games(rows: Iterable[ReportNotice]) -> list[tuple[ReportNotice, list[OwnGame]]]:
    """Notices of one player with his games, in two queries."""
    rows = list(rows)
    tournaments, players = {row.tournament_id for row in rows}, {row.player_id for row in rows}
    entries = Entry.objects.filter(tournament__in=tournaments, player__in=players)
    by_place = {(entry.tournament_id, entry.player_id): entry.pk for entry in entries}
    games = own_games(entries)
    return [(row, games.get(by_place.get((row.tournament_id, row.player_id)), [])) for row in rows]


def mark_read(user, keys: Iterable[int] | None = None) -> int:
    """Mark notices of an account read: these, or all of them. Returns how many were unread."""
    rows = ReportNotice.objects.filter(player__user=user.pk, read_at=None)
    if keys is not None:
        rows = rows.filter(pk__in=list(keys))
    return rows.update(read_at=timezone.now())


# --- mail -------------------------------------------------------------------------------------------


def send_waiting(limit: int = 200) -> int:
    """Send what waits; returns how many mails went out. A row that a new report changes meanwhile waits
    with its own mail."""
    rows = ReportNotice.objects.select_related("player__user", "tournament")
    return _SENDING.send(rows, _mail, limit)


def _mail(row: ReportNotice) -> bool:
    user = row.player.user
    if not settings.PORTAL_MAIL or user is None or not user.is_active or not user.email:
        return False
    _message(row, user.email).send()
    return True


def _message(row: ReportNotice, address: str) -> EmailMessage:
    page = reverse("me")
    where = settings.PORTAL_ORIGIN + page if settings.PORTAL_ORIGIN else f"sign in to the portal, {page}"
    what = "names you" if row.digest else "no longer names you"
    name = " ".join(row.tournament.name.split())
    text = (
        f"The arbiter's report of {name} ({row.tournament.start}) {what}: {row.player.name}.\n\n"
        f"Your games in it: {where}\n\n"
        "If that is not you, or a result is wrong, write to the arbiter or to the federation\n"
        "before the next list counts it.\n"
    )
    return EmailMessage(f"{name}: the report {what}", text, to=[address])
