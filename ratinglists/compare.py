"""Two players beside each other: ratings, histories, and the games that they played."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from django.db.models import Q, QuerySet

from players.models import Player
from players.privacy import named
from ratinglists import chart, profiles
from ratinglists.listing import regulation_of
from ratinglists.models import ListRow
from ratinglists.presentation import printed_rating
from regulations.exact import show
from tournaments.models import Entry

#: results of games played over the board -> halves of a point for White
_PLAYED = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}
_OUTCOMES = {2: "won", 1: "drawn", 0: "lost"}


@dataclass(frozen=True, slots=True)
class Together:
    """Two players in one system: the newest and the highest rating of each and their histories, as the
    lists print them; a dash where there is none. ``lists`` has a list's date and both ratings there."""

    name: str
    newest: tuple[str, str]
    status: tuple[str, str]
    highest: tuple[str, str]
    chart: chart.Chart | None
    lists: list[tuple[date, str, str]]


def together(one: Player, other: Player) -> list[Together]:
    """Two players in every system in which one of them is listed, in two queries."""
    histories = [profiles.by_system(profiles.history(player)) for player in (one, other)]
    labels = [named(one.name), named(other.name)]
    if labels[0] == labels[1]:
        labels = [f"{named(player.name)} ({player.pk})" for player in (one, other)]
    found = []
    for name in sorted(set().union(*histories)):
        rows = [history.get(name, []) for history in histories]
        by_day = [{row.rating_list.list_date: row for row in own} for own in rows]
        days = sorted(set().union(*by_day), reverse=True)
        found.append(
            Together(
                name,
                tuple(_printed(own[-1] if own else None) for own in rows),
                tuple(own[-1].get_status_display() if own else "not listed" for own in rows),
                tuple(_printed(max(own, key=lambda row: row.rating or 0, default=None)) for own in rows),
                chart.draw(dict(zip(labels, map(profiles.readings, rows), strict=True))),
                [(day, *(_printed(own.get(day)) for own in by_day)) for day in days],
            )
        )
    return found


def _printed(row: ListRow | None) -> str:
    return printed_rating(row.rating if row else None, regulation_of(row.rating_list) if row else None)


def games_between(one: Player, other: Player) -> QuerySet:
    """The games that two players were paired for in public tournaments, newest first."""
    entries = [dict(Entry.objects.filter(player=p).values_list("tournament", "pk")) for p in (one, other)]
    shared = entries[0].keys() & entries[1].keys()
    own, others = ([found[key] for key in shared] for found in entries)
    games = profiles.public_games(Q(white__in=own, black__in=others) | Q(white__in=others, black__in=own))
    games = games.filter(tournament__in=shared).select_related("tournament__rating_system")
    return games.only(*profiles.OF_GAMES, "tournament__rating_system__name")


@dataclass(slots=True)
class Score:
    """One player's games with another: wins, draws and losses over the board with one colour or both."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def halves(self) -> int:
        return 2 * self.won + self.drawn

    def add(self, halves: int, games: int = 1) -> None:
        """So many games more of two, one or no half point each."""
        name = _OUTCOMES[halves]
        setattr(self, name, getattr(self, name) + games)

    @property
    def points(self) -> str:
        return show(Fraction(self.halves, 2))


@dataclass(slots=True)
class Scores:
    """How one player did against another. ``unplayed`` games were decided without play and count for
    neither."""

    white: Score = field(default_factory=Score)
    black: Score = field(default_factory=Score)
    both: Score = field(default_factory=Score)
    unplayed: int = 0

    @property
    def lines(self) -> list[tuple[str, Score]]:
        return [("White", self.white), ("Black", self.black), ("either colour", self.both)]


def scores(player: Player, games: QuerySet) -> Scores:
    """The player's score in these games."""
    found = Scores()
    kinds = Counter(games.order_by().values_list("white__player", "result"))
    for (white, result), count in kinds.items():
        if result not in _PLAYED:
            found.unplayed += count
            continue
        own = found.white if white == player.pk else found.black
        halves = _PLAYED[result] if white == player.pk else 2 - _PLAYED[result]
        for score in (own, found.both):
            score.add(halves, count)
    return found
