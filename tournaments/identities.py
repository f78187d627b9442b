"""What merging and splitting players means for tournaments: entries and games go with the person,
and two who played in one tournament are two persons."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from players import merging
from players.merging import Deed, Rows
from players.models import Player
from tournaments.models import Entry, Game, Tournament
from tournaments.transitions import NotAllowedNow

#: how many tournaments a refusal names
NAMED = 5


def two_in_one_tournament(kind: str, source: Player, target: Player) -> Iterable[str]:
    """Why two records cannot be one person: they met, or stand in one tournament."""
    if kind != merging.MERGE or source.pk == target.pk:
        return
    pair = Q(white__player=source, black__player=target) | Q(white__player=target, black__player=source)
    met = list(Game.objects.filter(pair).select_related("tournament").order_by("-tournament__start", "round"))
    for game in met[:NAMED]:
        yield f"They met at a board: {game.tournament} ({game.tournament.start}), round {game.round}."
    both = Tournament.objects.filter(entries__player=source).filter(entries__player=target)
    both = both.exclude(pk__in={game.tournament_id for game in met}).distinct().order_by("-start", "pk")
    for tournament in both[:NAMED]:
        yield f"Both stand in the entry list of {tournament} ({tournament.start})."


def _what_an_entry_is(entry: Entry) -> str:
    tournament = entry.tournament
    reported = f", reported as {entry.reported_name}" if entry.reported_name else ""
    return f"{tournament} ({tournament.start}, {tournament.get_state_display()}){reported}"


def _notices_known(rows: list, target: Player) -> dict[int, str]:
    known = set(target.notices.values_list("tournament_id", flat=True))
    return {row.pk: "the other record has a notice of this" for row in rows if row.tournament_id in known}


def what_comes_next(deed: Deed) -> Iterable[str]:
    """What a change does to events that no list has counted yet."""
    entries = Entry.objects.filter(pk__in=deed.moved.get("entries", ()))
    open_states = [Tournament.State.REPORTED, Tournament.State.RETURNED, Tournament.State.ACCEPTED]
    if waiting := entries.filter(tournament__state__in=open_states).count():
        what = "1 of these tournaments is" if waiting == 1 else f"{waiting} of these tournaments are"
        yield f"{what} not counted yet: the next list counts for the person to whom they belong then."


def hold(players: Iterable[Player]) -> None:
    """Keep these records from being merged until the transaction ends: call it before anything is written
    for them. Raises NotAllowedNow if one of them was merged since it was read."""
    keys = [player.pk for player in players]
    # Only this lock keeps a merge waiting: a new row's link to a player is checked at the commit.
    for row in Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"):
        if row.merged_into_id is not None:
            raise NotAllowedNow(f"{row} was just merged with another record. Try again.")


def register() -> None:
    """Tell the register what goes with a person. Games go with their entries."""
    merging.follow(
        Rows("entries", "tournaments", "tournaments.Entry", related=("tournament",), text=_what_an_entry_is),
        Rows("arbiters", "records as an arbiter", "tournaments.Arbiter"),
        Rows(
            "notices",
            "notices to the account",
            "tournaments.ReportNotice",
            related=("tournament",),
            text=lambda notice: str(notice.tournament),
            stays=_notices_known,
            divisible=False,
        ),
    )
    merging.object_with(two_in_one_tournament)
    merging.remark_with(what_comes_next)
