"""From which file a list has a counted event: whom its start numbers mean and, where games count as they are
finished, which of the file's games other lists count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from regulations.model import Game as RatedGame
from tournaments.models import Report, Tournament

#: round and White of a game, by primary key
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A counted event as its report's file tells it. ``players`` leads from start numbers to primary keys.

    Of postal events only: ``elsewhere`` are the games of the file that the list does not count, with the
    date of the list that does (None: none yet); ``finished`` the days on which the others were reported
    finished, where that is not the day of the report's receipt.
    """

    report: Report
    players: dict[int, int]
    elsewhere: dict[Place, date | None] = field(default_factory=dict)
    finished: dict[Place, date | None] = field(default_factory=dict)

    def under(self, persons: Mapping[int, int]) -> Source:
        """The same with these players under other records."""

        def places(games: dict[Place, date | None]) -> dict[Place, date | None]:
            return {(number, persons.get(white, white)): day for (number, white), day in games.items()}

        players = {number: persons.get(player, player) for number, player in self.players.items()}
        return Source(self.report, players, places(self.elsewhere), places(self.finished))


def place_of(game: RatedGame) -> Place:
    """Where a game stands in its event: nobody has White twice in a round."""
    return game.round, int(game.white)


def goes_on(tournament: Tournament) -> bool:
    """Do lists count games of this event as they are finished?"""
    regulation = tournament.regulation
    return regulation is not None and regulation.counts_finished_games


def stored_source(
    tournament: Tournament, report: Report, counted: Iterable[RatedGame] | None = None
) -> Source:
    """Where a list has an event from that counts as it is stored, by this report. ``counted`` are the games
    that a list computed again counts of a postal event; else it is all that no list has counted, and they
    were finished on the day of the report's receipt."""
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    players = {entry.start_number: entry.player_id for entry in entries.values() if entry.start_number}
    if not goes_on(tournament):
        return Source(report, players)
    stored = {(game.round, entries[game.white_id].player_id): game for game in tournament.games.all()}
    if counted is None:
        left = {place: game.counted_on for place, game in stored.items() if game.counted_on}
        return Source(report, players, left)
    days = {place_of(game): game.finished_on for game in counted}
    return Source(
        report,
        players,
        {place: game.counted_on for place, game in stored.items() if place not in days},
        {place: day for place, day in days.items() if day != report.received_on},
    )


def standing_report(tournament: Tournament) -> Report | None:
    """The report by which an event is stored, without its content: the accepted one. A postal event may
    wait for the decision on a further report, which has every game that lists have counted."""
    reports = list(tournament.reports.all())
    accepted = next((report for report in reports if report.state == Report.State.ACCEPTED), None)
    if not goes_on(tournament):
        return accepted
    stored = set(tournament.games.order_by().values_list("report_id", flat=True))
    return max((each for each in reports if each.pk in stored), key=lambda each: each.pk, default=accepted)
