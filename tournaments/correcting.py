"""Corrected reports of events that lists have counted: what they say, and how they take the place of
the report before when the correction is published."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from players.models import Player
from regulations.model import Game as RatedGame
from tournaments.identities import hold
from tournaments.intake import Reading, games_of, totals_of
from tournaments.models import Report, StateChange, Tournament
from tournaments.queries import Contents
from tournaments.reporting import store_contents
from tournaments.reports import formats
from tournaments.sources import Place, Source, goes_on, place_of
from tournaments.states import State
from tournaments.transitions import NotAllowedNow

#: a game with the day on which it was finished and the list that counts it
Dated = tuple[RatedGame, date | None, date | None]


def reading_of(report: Report) -> Reading:
    """A kept report with the persons whom it named when it was sent, under the records that stand now."""
    tournament = report.tournament
    content = bytes(report.content)
    parsed = formats.parse(content, report.filename, tournament.start)
    reading = Reading(tournament, report.filename, content, parsed, report.received_on)
    people = Player.objects.select_related("merged_into").in_bulk(set(report.people.values()))
    reading.players = {int(number): people[pk].standing for number, pk in report.people.items()}
    keys = [player.pk for player in reading.players.values()]
    if len(set(keys)) != len(keys):
        raise NotAllowedNow(
            f"{report.filename}: two players of this report are one person on the register by now. Undo the "
            "merge, or have the report sent again."
        )
    return reading


def contents_of(reading: Reading, list_date: date) -> Contents:
    """What of a corrected report the list of this date counts."""
    tournament = reading.tournament
    scheduled = {row.number: row.date for row in tournament.rounds.all() if not row.reported}
    games = dated(tournament, games_of(reading))
    return Contents(
        tuple(reading.players.values()),
        tuple(game for game, _, counted in games if counted in (None, list_date)),
        tuple(totals_of(reading)),
        scheduled or reading.parsed.round_dates,
    )


def source_of(report: Report, reading: Reading, list_date: date) -> Source:
    """Where the list of this date has the event from, if it counts by a corrected report."""
    players = {number: player.pk for number, player in reading.players.items()}
    if not goes_on(reading.tournament):
        return Source(report, players)
    games = games_of(reading)
    told = dict.fromkeys(map(place_of, games), (None, None))  # what is left to the next report
    told |= {place_of(game): (day, counted) for game, day, counted in dated(reading.tournament, games)}
    return Source(
        report,
        players,
        {place: counted for place, (_, counted) in told.items() if counted != list_date},
        {
            place: day
            for place, (day, counted) in told.items()
            if counted == list_date and day != report.received_on
        },
    )


def dated(tournament: Tournament, games: list[RatedGame]) -> list[Dated]:
    """The games with the list that counts each, where games count as they are finished: the list that
    counted the game before it was corrected, told by round and players. A game that no list has counted
    comes into the last one if the event is over, else it is left to the next report."""
    if not goes_on(tournament):
        return [(game, None, None) for game in games]
    stored = list(
        tournament.games.filter(counted_on__isnull=False).select_related("white", "black").order_by("pk")
    )
    last = max(stored, key=lambda game: (game.counted_on, game.pk), default=None)
    found: dict[int, Dated] = {}
    for wanted in (2, 1):  # both players first, then one who was taken for another
        for place, game in enumerate(games):
            if place in found:
                continue
            pair = {game.white, game.black} - {None}
            for old in stored:
                known = {str(entry.player_id) for entry in (old.white, old.black) if entry is not None}
                if old.round == game.round and len(pair & known) >= min(wanted, len(pair)):
                    found[place] = (game, old.finished_on, old.counted_on)
                    stored.remove(old)
                    break
    if tournament.state == State.COUNTED and last is not None:
        for place, game in enumerate(games):
            found.setdefault(place, (game, last.finished_on, last.counted_on))
    told = (found[place] for place in sorted(found))
    return [(replace(game, finished_on=day), day, counted) for game, day, counted in told]


def left_out(source: Source, tournament: Tournament) -> dict[Place, None]:
    """The games of a corrected report that stands by now which it left to the next report: no list has
    counted them, and they are not stored."""
    report = source.report
    if tournament.state == State.COUNTED or not goes_on(tournament):
        return {}
    content = bytes(Report.objects.values_list("content", flat=True).get(pk=report.pk))
    games = formats.parse(content, report.filename, tournament.start).games
    stored = set(tournament.games.values_list("round", "white__player_id"))
    places = ((game.round, source.players[game.white]) for game in games)
    return {place: None for place in places if place not in stored}


def put_in_place(report: Report, by, list_date: date) -> None:
    """Let a corrected report stand for its event, which stays counted, from the list of this date on. The
    caller holds the tournament's lock, inside the transaction that publishes the lists. Raises
    NotAllowedNow."""
    row = report.tournament
    if report.state != Report.State.CORRECTION:
        raise NotAllowedNow(f"{report.filename} is {report.get_state_display()}: it corrects nothing.")
    reading = reading_of(report)
    hold(reading.players.values())
    games = dated(row, games_of(reading))
    people = row.entries.exclude(start_number=None).values_list("start_number", "player_id")
    row.reports.filter(state__in=Report.STANDING).update(
        state=Report.State.REPLACED,
        people={str(number): player for number, player in people},  # the list before can be explained by it
    )
    report.state = Report.State.ACCEPTED
    report.save(update_fields=["state"])
    row.games.all().delete()
    store_contents(row, report, reading, games)
    note(row, by, list_date, f"by the corrected report {report.filename}")


def note(row: Tournament, by, list_date: date, what: str) -> None:
    """Write into a counted event's way what a correction of the list of a date did to it."""
    StateChange.objects.create(tournament=row, state=row.state, by=by, reason=f"list of {list_date}, {what}")
