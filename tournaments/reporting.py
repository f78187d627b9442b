"""A report's way: submitted, returned or accepted, counted. Each function is one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from players import audit, crashpoints, outbox
from players.access import require, works_for
from players.models import Player
from players.services import add_player
from regulations.model import Game as RatedGame
from tournaments import notices, sent
from tournaments.access import ACCEPT, why_not_report
from tournaments.deadlines import correction_due
from tournaments.exact import to_decimal
from tournaments.goingon import new_games
from tournaments.identify import unregistered
from tournaments.identities import hold
from tournaments.intake import Reading, games_of, read, totals_of
from tournaments.issues import NEW
from tournaments.models import (
    Entry,
    Game,
    RatingSystem,
    Report,
    Round,
    StateChange,
    Team,
    Totals,
    Tournament,
)
from tournaments.reports.model import ReportedPlayer
from tournaments.states import State
from tournaments.transitions import NotAllowedNow, allowed, locked, move, said


class ReportRefused(Exception):
    """The report has errors; ``reading`` holds all of them. Nothing was stored."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        super().__init__(f"{len(reading.errors)} errors")


def new_player(tournament: Tournament, row: ReportedPlayer) -> Player:
    """Put a reported player on the register as the report has him. Raises NotAllowedNow if he cannot be."""
    player = unregistered(tournament, row)
    own = row.national_federation in ("", tournament.federation_id)
    numbers = {"FIDE": row.fide_id, tournament.federation_id: row.national_id if own else ""}
    try:
        return add_player(
            name=player.name,
            federation=player.federation,
            sex=player.sex,
            birth_date=player.birth_date,
            birth_precision=player.birth_precision,
            identifiers={issuer: number for issuer, number in numbers.items() if number},
            titles=(row.title,) if row.title else (),
        )
    except ValidationError as error:
        raise NotAllowedNow(
            f"{row.name} cannot be put on the register: {' '.join(error.messages)}"
        ) from error


@transaction.atomic
def submit_report(
    tournament: Tournament,
    by,
    filename: str,
    content: bytes,
    *,
    received_at: datetime | None = None,
    people: dict[int, int | str] | None = None,
    correcting: bool = False,
) -> Report:
    """Store a report without errors: the original bytes, the entries and the games.

    Of an event that lists have counted (``correcting`` says so of a postal one that goes on) only the
    report is kept, in the state "correction", with whom it names: nothing else changes until the
    federation publishes a correction of the list.

    ``received_at`` is for staff who enter a report that reached the federation earlier. ``people``
    says whom the sender chose for start numbers, by primary key; ``NEW`` puts the reported player on
    the register, for which the right to add players is needed.

    Replaces a report that is submitted or accepted but not counted yet. Raises ReportRefused with all
    issues; then nothing is stored; NotAllowedNow for who may not (``access.why_not_report``).
    """
    if received_at is not None:
        require(by, ACCEPT, tournament)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    allowed(why_not_report(by, row))  # as it is by now: an arbiter may have gone while this waited
    correcting = correcting or row.state == State.COUNTED
    # One report of a rating system after the other: the same games may be on their way under another name.
    RatingSystem.objects.select_for_update(no_key=True).get(pk=row.rating_system_id)
    received_at = received_at or timezone.now()
    received = row.rating_system.day_of(received_at)
    chosen, new = _with_new_players(row, by, filename, content, people or {})
    reading = read(
        row,
        filename,
        content,
        received=received,
        people=chosen,
        trusted=new.__contains__,
        correcting=correcting,
        by=by,
    )
    if not reading.ok:
        raise ReportRefused(reading)
    hold(reading.players.values())
    if correcting:
        return _keep(row, by, reading, received_at)
    row.games.filter(counted_on__isnull=True).delete()
    # An accepted one is left only by an event that goes on after a list has counted what was finished.
    row.reports.filter(state__in=Report.STANDING).update(state=Report.State.REPLACED)
    report = Report.objects.create(
        tournament=row,
        sha256=reading.sha256,
        format=reading.parsed.format,
        filename=filename[:150],
        content=content,
        findings=[issue.as_json() for issue in reading.issues],
        submitted_by=by,
        submitted_at=received_at,
        received_on=received,
        people={str(number): player for number, player in reading.people.items()},
        changes=reading.changes.as_json() if reading.changes else {},
    )
    crashpoints.here("upload: the report is written")
    finished = received if row.regulation.counts_finished_games else None
    games = new_games(row, games_of(reading))
    store_contents(row, report, reading, [(game, finished, None) for game in games])
    notices.tell(report)
    move(
        row,
        State.REPORTED,
        by,
        reading.filename,
        report=report.pk,
        sha256=report.sha256,
        received_on=received.isoformat(),
        new_players=sorted(new),
    )
    crashpoints.here("upload: before the commit")
    return report


def store_contents(
    row: Tournament,
    report: Report,
    reading: Reading,
    games: Iterable[tuple[RatedGame, date | None, date | None]],
) -> None:
    """Write a report's entries, rounds, teams and totals in the place of those before, and these games:
    each with the day on which it was finished and the list that has counted it (postal chess)."""
    entries = _store_entries(row, reading)
    _store_rounds(row, reading)
    _store_teams(row, reading, entries)
    by_player = {str(entry.player_id): entry for entry in entries}
    Game.objects.bulk_create(
        Game(
            tournament=row,
            report=report,
            round=game.round,
            white=by_player[game.white],
            black=by_player[game.black] if game.black else None,
            result=game.result,
            why_unplayed=game.why_unplayed,
            finished_on=finished,
            counted_on=counted,
        )
        for game, finished, counted in games
    )
    Totals.objects.filter(entry__tournament=row).delete()
    Totals.objects.bulk_create(
        Totals(
            report=report,
            entry=by_player[each.player],
            points=to_decimal(each.points),
            games=each.games,
            average=each.average,
        )
        for each in totals_of(reading)
    )


def _keep(row: Tournament, by, reading: Reading, received_at: datetime) -> Report:
    report = Report.objects.create(
        tournament=row,
        sha256=reading.sha256,
        format=reading.parsed.format,
        filename=reading.filename[:150],
        content=reading.content,
        findings=[issue.as_json() for issue in reading.issues],
        state=Report.State.CORRECTION,
        submitted_by=by,
        submitted_at=received_at,
        received_on=reading.received,
        people={str(number): player.pk for number, player in reading.players.items()},
        changes=reading.changes.as_json() if reading.changes else {},
    )
    audit.record("report.correction", by, report, f"A corrected report for {row}", sha256=report.sha256)
    outbox.tell_staff(
        f"correction-report:{report.pk}",
        "ratinglists.correct_list",
        f"Corrected report for {row}",
        f"{by} has sent a corrected report for {row}, which a published list has counted. "
        "Look at it, and correct the list if it is right.",
        reverse("admin:tournaments_report_change", args=[report.pk]),
    )
    return report


def _with_new_players(
    row: Tournament, by, filename: str, content: bytes, people: dict[int, int | str]
) -> tuple[dict[int, int], set[int]]:
    """The choices with new players entered on the register; and who these are."""
    wanted = {number for number, player in people.items() if player == NEW}
    chosen = {number: int(player) for number, player in people.items() if player != NEW}
    if not wanted:
        return chosen, set()
    require(by, "players.add_player")
    new = set()
    for player in sent.parse(content, filename, row.start).players:
        if player.start_number in wanted:
            made = new_player(row, player)
            if not works_for(by, made.federation_id):
                raise NotAllowedNow(f"{by} does not work for {made.federation_id}: its clerks enter {made}.")
            chosen[player.start_number] = made.pk
            new.add(chosen[player.start_number])
    return chosen, new


def _store_rounds(tournament: Tournament, reading: Reading) -> None:
    """The report's dates of rounds, where the registration has no schedule: a league's lists depend on
    them (A 4.11)."""
    tournament.rounds.filter(reported=True).delete()
    if not tournament.rounds.exists():
        Round.objects.bulk_create(
            Round(tournament=tournament, number=number, date=day, reported=True)
            for number, day in reading.parsed.round_dates.items()
        )


def _store_teams(tournament: Tournament, reading: Reading, entries: list[Entry]) -> None:
    tournament.teams.all().delete()
    told = list({team.number: team for team in reversed(reading.parsed.teams)}.values())[::-1]
    teams = Team.objects.bulk_create(
        Team(tournament=tournament, number=each.number, name=each.name[:120]) for each in told
    )
    seats = {
        number: (team, board)
        for team, each in zip(teams, told, strict=True)
        for board, number in enumerate(each.members, start=1)
    }
    for entry in entries:
        entry.team, entry.board = seats.get(entry.start_number, (None, None))
    Entry.objects.bulk_update([entry for entry in entries if entry.team], ["team", "board"], batch_size=500)


def _store_entries(tournament: Tournament, reading: Reading) -> list[Entry]:
    rows = {row.start_number: row for row in reading.parsed.players}
    players = {player.pk: rows[number] for number, player in reading.players.items()}
    tournament.entries.exclude(player_id__in=players).delete()
    tournament.entries.update(start_number=None)
    for player_id, row in players.items():
        Entry.objects.update_or_create(
            tournament=tournament,
            player_id=player_id,
            defaults={
                "start_number": row.start_number,
                "reported_name": row.name[:120],
                "reported_rating": row.rating or None,
                "reported_region": row.region[:20],
                "points": to_decimal(row.points),
                "rank": row.rank or None,
            },
        )
    return list(tournament.entries.all())


@transaction.atomic
def accept_report(report: Report, by) -> None:
    """Accept a submitted report: the event counts in the next list that its dates allow."""
    require(by, ACCEPT, report.tournament)
    row = locked(report.tournament, State.REPORTED)
    _decide(report, by, Report.State.ACCEPTED, "")
    notices.tell(report)
    move(row, State.ACCEPTED, by, report=report.pk, sha256=report.sha256)


@transaction.atomic
def return_report(report: Report, by, remark: str, due_on: date | None = None) -> None:
    """Send a report back to its arbiter for correction, saying why, and until when it must be back:
    a day that staff choose, else the days of the regulation (D 10.13)."""
    require(by, ACCEPT, report.tournament)
    remark = said(remark, "Say what is to be corrected.")
    row = locked(report.tournament, State.REPORTED, State.ACCEPTED)
    today = row.rating_system.today()
    if due_on is not None and due_on < today:
        raise NotAllowedNow(f"The correction cannot be due on {due_on}, which is past.")
    named = correction_due(row, today)
    _decide(report, by, Report.State.RETURNED, remark)
    due = due_on or (named and named.day)
    move(row, State.RETURNED, by, remark, due, report=report.pk, sha256=report.sha256)


def _decide(report: Report, by, state: str, remark: str) -> None:
    changed = Report.objects.filter(pk=report.pk, state__in=Report.STANDING).update(
        state=state, remark=remark, decided_by=by, decided_at=timezone.now()
    )
    if not changed:
        raise NotAllowedNow("This report is no longer the standing one.")


def mark_counted(tournament_ids: list[int], list_date: date) -> None:
    """Close events that a list being published counts. Called inside its transaction. A postal event
    of which games are left goes on: those counted are marked, and the next report brings the others.

    Raises NotAllowedNow if one of them is not accepted any more.
    """
    now = timezone.now()
    changed = Tournament.objects.filter(pk__in=tournament_ids, state=State.ACCEPTED).update(
        state=State.COUNTED, state_since=now, due_on=None
    )
    if changed != len(tournament_ids):
        raise NotAllowedNow(
            f"{len(tournament_ids) - changed} of the counted tournaments changed since the list was computed."
        )
    StateChange.objects.bulk_create(
        StateChange(tournament_id=pk, state=State.COUNTED, at=now, reason=f"list of {list_date}")
        for pk in tournament_ids
    )
    rows = Tournament.objects.filter(pk__in=tournament_ids).select_related("rating_system")
    for row in rows.prefetch_related("rating_system__regulations"):
        if row.regulation is not None and row.regulation.counts_finished_games:
            in_time = Q(finished_on__isnull=True) | Q(finished_on__lt=list_date)
            finished = row.games.filter(in_time, counted_on__isnull=True)
            finished.update(counted_on=list_date)
            counted = row.games.filter(counted_on__isnull=False).count()
            goes_on = row.end >= list_date if row.games_in_event is None else counted < row.games_in_event
            if goes_on:
                move(row, State.REGISTERED, reason="goes on")
