"""Changes to a registration before round 1: entries and the time control, each checked anew at once."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from players.models import Player
from players.privacy import policy
from players.queries import by_number, candidates
from tournaments import rechecks
from tournaments.access import ENTER, why_not_enter
from tournaments.exact import to_decimal
from tournaments.identities import hold
from tournaments.models import Entry, RegistrationCheck, TimeControlStage, Tournament
from tournaments.services import NotAllowedNow
from tournaments.timecontrols import Clock
from tournaments.transitions import allowed


def _open(tournament: Tournament, by) -> Tournament:
    row = Tournament.objects.select_for_update().select_related("rating_system").get(pk=tournament.pk)
    if row.state not in rechecks.OPEN:
        raise NotAllowedNow(f"{row.name} is {row.get_state_display()}: its entry list is closed.")
    allowed(why_not_enter(by, row))
    if rechecks.begun(row) and not by.has_perm(ENTER):  # who may puts a list in order at any time
        when = timezone.localtime(rechecks.first_round(row))
        raise NotAllowedNow(
            f"Round 1 was on {when:%Y-%m-%d}: the entry list is closed. Who plays is told by the report; "
            "the federation can still correct the list."
        )
    return row


@transaction.atomic
def add_entry(tournament: Tournament, by, number: str) -> tuple[Entry, RegistrationCheck]:
    """Enter a player by FIDE or national number, and check the registration anew.

    Raises NotAllowedNow with a text for people: unknown number, entered already, list closed, or who asks
    may not (``access.why_not_enter``).
    """
    row = _open(tournament, by)
    player = _player(row, number)
    entered = row.entries.filter(player=player).first()
    if entered is not None:
        raise NotAllowedNow(f"{player.name} ({number.strip()}) is on the entry list already.")
    hold([player])
    entry = Entry.objects.create(tournament=row, player=player)
    return entry, rechecks.recheck(row, f"entry added: {player.name}", by)


@transaction.atomic
def enter_list(tournament: Tournament, by, players: Iterable[Player]) -> RegistrationCheck:
    """Enter those of these players who are not entered yet, and check the registration anew, once.
    Raises NotAllowedNow."""
    row = _open(tournament, by)
    entered = set(row.entries.values_list("player_id", flat=True))
    new = [player for player in players if player.pk not in entered]
    if not new:
        raise NotAllowedNow("All these players are on the entry list already.")
    hold(new)
    Entry.objects.bulk_create(Entry(tournament=row, player=player) for player in new)
    return rechecks.recheck(row, f"{len(new)} entries added from a file", by)


@transaction.atomic
def withdraw_entry(tournament: Tournament, by, entry_id: int) -> RegistrationCheck:
    """Take a player off the entry list, and check the registration anew. Raises NotAllowedNow."""
    row = _open(tournament, by)
    entry = row.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise NotAllowedNow("This entry is not on the list any more.")
    if entry.games_white.exists() or entry.games_black.exists():
        raise NotAllowedNow(f"{entry.player.name} has games in a report and cannot be withdrawn.")
    entry.delete()
    return rechecks.recheck(row, f"entry withdrawn: {entry.player.name}", by)


def _player(tournament: Tournament, number: str) -> Player:
    number = number.strip()
    if not number or "\x00" in number:
        raise NotAllowedNow("The player's number is missing: type the FIDE or national number.")
    known = by_number(tournament.federation_id, {number, number.lstrip("0")})
    if player := known.get(number) or known.get(number.lstrip("0")):
        return player
    if any(char.isdigit() for char in number):
        remedy = "Correct it, or ask the federation to put the player on the register."
        raise NotAllowedNow(f"Number {number[:40]} is not on the register. {remedy}")
    rule, found = policy(), candidates(number)
    hints = [f"{p.fide_id or 'no FIDE number'} {p.name} ({rule.birth_year(p) or '?'})" for p in found]
    told = f" On the register under this name: {'; '.join(hints)}." if hints else ""
    raise NotAllowedNow(f"“{number[:40]}” is not a number: type the player's FIDE or national number.{told}")


@transaction.atomic
def store_clock(tournament: Tournament, clock: Clock) -> None:
    """Put these stages in the place of the tournament's. The caller has the registration checked."""
    tournament.stages.all().delete()
    TimeControlStage.objects.bulk_create(
        TimeControlStage(
            tournament=tournament,
            colour=colour,
            number=number,
            moves=stage.moves,
            minutes=to_decimal(stage.minutes),
            increment_seconds=stage.increment_seconds,
        )
        for colour, side in (("w", clock.white), ("b", clock.black or ()))
        for number, stage in enumerate(side, start=1)
    )
