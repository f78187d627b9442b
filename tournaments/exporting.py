"""A tournament as a report again, for every format that the portal writes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from fractions import Fraction

from players.privacy import Policy, policy
from regulations.exact import half_up
from regulations.model import EventResult
from tournaments.models import Entry, Game, Totals, Tournament
from tournaments.queries import stored_event_parts
from tournaments.ratings import facts_in_force
from tournaments.reports.formats import FORMATS, Format
from tournaments.reports.model import (
    Birth,
    ParsedReport,
    ReportedGame,
    ReportedPlayer,
    ReportedTeam,
    ReportedTotals,
)
from tournaments.typed import birth_of, header_of

#: the letters of a game of less than one move
_LESS_THAN_A_MOVE = {"+/-": "WL", "-/+": "LW", "=/=": "DD"}


def offered(tournament: Tournament) -> list[Format]:
    """The formats that can hold this tournament's report."""
    regulation = tournament.regulation
    by_totals = regulation is not None and regulation.rates_totals
    without_games = Totals.objects.filter(entry__tournament=tournament).exists()
    return [each for each in FORMATS if (by_totals if each.code == "feda1031" else not without_games)]


def report_of(tournament: Tournament, *, birth_days: bool = True) -> ParsedReport:
    """The stored report: entries by start number, games, and what the registration says.

    Ratings are those of the list in force at the start, numbers and birth dates the register's; without
    ``birth_days`` only the years that are public.
    """
    rule = None if birth_days else policy()
    entries = list(
        tournament.entries.select_related("player").prefetch_related("player__identifiers", "player__titles")
    )
    numbers = _start_numbers(entries)
    facts = facts_in_force(tournament.rating_system, [e.player_id for e in entries], tournament.start)
    games = list(tournament.games.all())
    header = header_of(tournament)
    told = {each.name: getattr(header, each.name) for each in fields(header)}
    # Here the days that only the report knew count too.
    told["round_dates"] = {row.number: row.date for row in tournament.rounds.all()}
    return ParsedReport(
        format="",
        **told,
        players=tuple(
            _player(entry, numbers[entry.pk], tournament, facts[entry.player_id].rating, rule)
            for entry in entries
        ),
        games=tuple(_game(game, numbers) for game in games),
        teams=_teams(tournament, entries, numbers),
        totals=_totals(tournament, entries, numbers),
        entry_list=not games,
        rounds=max((game.round for game in games), default=0),
    )


def _start_numbers(entries: list[Entry]) -> dict[int, int]:
    """The start numbers given, and the next ones free for those who have none yet."""
    given = {entry.pk: entry.start_number for entry in entries if entry.start_number}
    taken = set(given.values())
    free = (n for n in range(1, 2 * len(entries) + 1) if n not in taken)
    return {entry.pk: given.get(entry.pk) or next(free) for entry in entries}


def _player(
    entry: Entry, number: int, tournament: Tournament, rating: int | None, rule: Policy | None
) -> ReportedPlayer:
    player = entry.player
    birth = birth_of(player) if rule is None else Birth(rule.birth_year(player), None, None)
    return ReportedPlayer(
        start_number=number,
        name=player.name,
        sex=player.sex,
        title=player.title,
        rating=rating,
        federation=player.federation_id,
        fide_id=player.fide_id,
        birth=birth,
        points=None if entry.points is None else Fraction(entry.points),
        rank=entry.rank,
        national_id=player.number_of(tournament.federation_id),
        region=entry.reported_region,
    )


def _teams(tournament: Tournament, entries: list[Entry], numbers: dict[int, int]) -> tuple[ReportedTeam, ...]:
    members: dict[int, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda each: each.board or 0):
        members[entry.team_id or 0].append(entry)
    return tuple(
        ReportedTeam(team.number, team.name, tuple(numbers[entry.pk] for entry in members[team.pk]))
        for team in tournament.teams.all()
    )


def _game(game: Game, numbers: dict[int, int]) -> ReportedGame:
    codes = _LESS_THAN_A_MOVE.get(game.result, "") if game.why_unplayed == "less than one move" else ""
    black = numbers[game.black_id] if game.black_id else None
    return ReportedGame(game.round, numbers[game.white_id], black, game.result, codes)


def _totals(
    tournament: Tournament, entries: list[Entry], numbers: dict[int, int]
) -> tuple[ReportedTotals, ...]:
    """The stored totals, or those that the games come to where the regulation knows such a file."""
    by_entry = {entry.pk: entry for entry in entries}
    stored = list(Totals.objects.filter(entry__in=by_entry).order_by("entry__start_number"))
    parts = stored_event_parts(tournament) if tournament.regulation else []
    rated = {p.id for part in parts for p in part.event.players if p.rating is not None}
    if stored:
        return tuple(
            ReportedTotals(
                numbers[row.entry_id],
                Fraction(row.points),
                row.games,
                row.average,
                str(by_entry[row.entry_id].player_id) in rated,
            )
            for row in stored
        )
    if tournament.regulation is None or not tournament.regulation.rates_totals:
        return ()
    by_player = {str(entry.player_id): numbers[entry.pk] for entry in entries}
    found = [
        totals for part in parts for totals in _of_games(tournament.regulation.rate(part.event), by_player)
    ]
    return tuple(sorted(found, key=lambda row: row.start_number))


def _of_games(result: EventResult, by_player: dict[str, int]):
    for player in result.players:
        if player.counted:
            average = Fraction(sum(game.opponent_rating for game in player.counted), len(player.counted))
            rated = player.status == "rated"
            yield ReportedTotals(by_player[player.id], player.score, player.games, half_up(average), rated)
