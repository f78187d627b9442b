"""Changes to tournaments and reports: each function one transaction, each refusal an exception."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from regulations.model import CheckResult, Finding, ScheduledRound, Stage
from tournaments.exact import to_decimal
from tournaments.goingon import new_games
from tournaments.intake import Reading, games_of, read
from tournaments.models import (
    Arbiter,
    Entry,
    Game,
    Report,
    Round,
    TimeControlStage,
    Tournament,
    TournamentArbiter,
    Waiver,
)
from tournaments.queries import check_registration


class NotAllowedNow(Exception):
    """The tournament or report is in a state in which this cannot be done; the text says why."""


class RegistrationRefused(Exception):
    """The regulation does not let the tournament be rated; ``result`` holds the findings."""

    def __init__(self, result: CheckResult) -> None:
        self.result = result
        super().__init__("; ".join(f"{f.article} {f.message}".strip() for f in result.findings))


class ReportRefused(Exception):
    """The report has errors; ``reading`` holds all of them. Nothing was stored."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        super().__init__(f"{len(reading.errors)} errors")


def _require(user, permission: str) -> None:
    if not user.has_perm(permission):
        raise PermissionDenied(f"{user} lacks the right “{permission}”.")


def _locked(tournament: Tournament, *states: str) -> Tournament:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state not in states:
        wanted = " or ".join(Tournament.State(state).label for state in states)
        raise NotAllowedNow(f"{row.name} is {row.get_state_display()}; this needs it to be {wanted}.")
    return row


@transaction.atomic
def announce(
    tournament: Tournament,
    by,
    *,
    time_control: Iterable[Stage],
    rounds: Iterable[ScheduledRound] = (),
    arbiters: Iterable[Arbiter] = (),
    players: Iterable[int] = (),
) -> Tournament:
    """Store a draft tournament with its stages, schedule, arbiters (the chief first) and entries.

    Raises ``ValidationError`` with every fault of a row by field, and stores nothing then.
    """
    tournament.created_by = by
    rows = [tournament]
    rows += [
        TimeControlStage(
            tournament=tournament,
            number=number,
            moves=stage.moves,
            minutes=to_decimal(stage.minutes),
            increment_seconds=stage.increment_seconds,
        )
        for number, stage in enumerate(time_control, start=1)
    ]
    rows += [Round(tournament=tournament, number=row.round, date=row.date) for row in rounds]
    roles = [TournamentArbiter.Role.CHIEF, TournamentArbiter.Role.DEPUTY]
    rows += [
        TournamentArbiter(tournament=tournament, arbiter=arbiter, role=roles[min(place, 1)])
        for place, arbiter in enumerate(arbiters)
    ]
    rows += [Entry(tournament=tournament, player_id=player_id) for player_id in players]
    for row in rows:
        row.full_clean(exclude=[] if row is tournament else ["tournament"])
        if row is not tournament:
            row.tournament = tournament
        row.save()
    return tournament


@transaction.atomic
def register(tournament: Tournament, by) -> CheckResult:
    """Register a draft (or a refused one, on appeal) that its regulation lets be rated.

    Raises RegistrationRefused with the findings, NotAllowedNow, or PermissionDenied.
    """
    _require(by, "tournaments.register_tournament")
    row = _locked(tournament, Tournament.State.DRAFT, Tournament.State.REFUSED)
    result = check_registration(row)
    if not result.ratable:
        raise RegistrationRefused(result)
    row.state, row.refusal = Tournament.State.REGISTERED, ""
    row.save(update_fields=["state", "refusal"])
    return result


@transaction.atomic
def refuse(tournament: Tournament, by, reason: str) -> None:
    """Refuse a registration, saying why."""
    _require(by, "tournaments.register_tournament")
    if not reason.strip():
        raise NotAllowedNow("A refusal needs a reason.")
    row = _locked(tournament, Tournament.State.DRAFT)
    row.state, row.refusal = Tournament.State.REFUSED, reason.strip()
    row.save(update_fields=["state", "refusal"])


@transaction.atomic
def reopen(tournament: Tournament, by) -> None:
    """Take a registration without a report back to draft, so that it can be changed."""
    _require(by, "tournaments.register_tournament")
    row = _locked(tournament, Tournament.State.REGISTERED, Tournament.State.REFUSED)
    row.state, row.refusal = Tournament.State.DRAFT, ""
    row.save(update_fields=["state", "refusal"])


_WAIVABLE_STATES = (Tournament.State.DRAFT, Tournament.State.REFUSED, Tournament.State.REGISTERED)


def offered_waivers(tournament: Tournament, result: CheckResult) -> list[Finding]:
    """The findings of ``result`` that a waiver could lift now, one for each waiver not granted yet.

    Of a match's decided games there is nothing to find before it is played: where the regulation
    would cut them, the organiser may ask beforehand (C 5.2).
    """
    if tournament.state not in _WAIVABLE_STATES:
        return []
    offered = {finding.authorization: finding for finding in reversed(result.findings) if finding.waivable}
    regulation = tournament.regulation
    cut = regulation and regulation.parameters.get("cut_decided_match")
    if tournament.system == "match" and cut and cut.value:
        offered.setdefault(
            "decided-match-games",
            Finding(
                "warning",
                "decided-match-games",
                cut.article,
                "Games after the match is decided are not rated, unless this is asked for beforehand.",
                "decided-match-games",
                "system",
            ),
        )
    granted = {waiver.authorization for waiver in tournament.waivers.all()}
    return [offered[name] for name in sorted(offered.keys() - granted)]


@transaction.atomic
def grant_waiver(tournament: Tournament, by, authorization: str, reason: str) -> Waiver:
    """Record a waiver that the regulation allows for a finding of this tournament."""
    _require(by, "tournaments.grant_waiver")
    if not reason.strip():
        raise NotAllowedNow("A waiver needs a reason.")
    row = _locked(tournament, *_WAIVABLE_STATES)
    if row.waivers.filter(authorization=authorization).exists():
        raise NotAllowedNow(f"“{authorization}” is already granted.")
    offered = {finding.authorization: finding for finding in offered_waivers(row, check_registration(row))}
    if authorization not in offered:
        raise NotAllowedNow(f"No finding of {row.name} can be lifted by a waiver “{authorization}”.")
    return Waiver.objects.create(
        tournament=row,
        authorization=authorization,
        article=offered[authorization].article,
        reason=reason.strip(),
        granted_by=by,
    )


@transaction.atomic
def submit_report(
    tournament: Tournament, by, filename: str, content: bytes, *, received_at: datetime | None = None
) -> Report:
    """Store a report without errors: the original bytes, the entries and the games.

    ``received_at`` is for staff who enter a report that reached the federation earlier.

    Replaces a report that is submitted but not accepted yet. Raises ReportRefused with all issues;
    then nothing is stored. The caller checks that the user may report this tournament
    (``queries.for_user``).
    """
    if received_at is not None:
        _require(by, "tournaments.accept_report")
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    reading = read(row, filename, content, received_at and timezone.localdate(received_at))
    if not reading.ok:
        raise ReportRefused(reading)
    row.games.filter(counted_on__isnull=True).delete()
    # An accepted one is left only by an event that goes on after a list has counted what was finished.
    row.reports.filter(state__in=[Report.State.SUBMITTED, Report.State.ACCEPTED]).update(
        state=Report.State.REPLACED
    )
    report, _ = Report.objects.update_or_create(
        tournament=row,
        sha256=reading.sha256,
        defaults={
            "format": reading.parsed.format,
            "filename": filename[:150],
            "content": content,
            "findings": [issue.as_json() for issue in reading.issues],
            "state": Report.State.SUBMITTED,
            "submitted_by": by,
            "submitted_at": received_at or timezone.now(),
            "decided_by": None,
            "decided_at": None,
            "remark": "",
        },
    )
    entries = _store_entries(row, reading)
    by_player = {str(entry.player_id): entry for entry in entries}
    received = timezone.localdate(report.submitted_at) if row.regulation.counts_finished_games else None
    Game.objects.bulk_create(
        Game(
            tournament=row,
            report=report,
            round=game.round,
            white=by_player[game.white],
            black=by_player[game.black] if game.black else None,
            result=game.result,
            why_unplayed=game.why_unplayed,
            finished_on=received,
        )
        for game in new_games(row, games_of(reading))
    )
    row.state = Tournament.State.REPORTED
    row.save(update_fields=["state"])
    return report


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
                "points": to_decimal(row.points),
                "rank": row.rank or None,
            },
        )
    return list(tournament.entries.all())


@transaction.atomic
def accept_report(report: Report, by) -> None:
    """Accept a submitted report: the event counts in the next list that its dates allow."""
    _require(by, "tournaments.accept_report")
    row = _locked(report.tournament, Tournament.State.REPORTED)
    _decide(report, by, Report.State.ACCEPTED, "")
    row.state = Tournament.State.ACCEPTED
    row.save(update_fields=["state"])


@transaction.atomic
def return_report(report: Report, by, remark: str) -> None:
    """Send a report back to its arbiter for correction, saying why."""
    _require(by, "tournaments.accept_report")
    if not remark.strip():
        raise NotAllowedNow("Say what is to be corrected.")
    row = _locked(report.tournament, Tournament.State.REPORTED, Tournament.State.ACCEPTED)
    _decide(report, by, Report.State.RETURNED, remark.strip())
    row.state = Tournament.State.RETURNED
    row.save(update_fields=["state"])


def _decide(report: Report, by, state: str, remark: str) -> None:
    standing = (Report.State.SUBMITTED, Report.State.ACCEPTED)
    changed = Report.objects.filter(pk=report.pk, state__in=standing).update(
        state=state, remark=remark, decided_by=by, decided_at=timezone.now()
    )
    if not changed:
        raise NotAllowedNow("This report is no longer the standing one.")


def mark_counted(tournament_ids: list[int], list_date: date) -> None:
    """Close events that a list being published counts. Called inside its transaction. A postal event
    of which games are left goes on: those counted are marked, and the next report brings the others.

    Raises NotAllowedNow if one of them is not accepted any more.
    """
    changed = Tournament.objects.filter(pk__in=tournament_ids, state=Tournament.State.ACCEPTED).update(
        state=Tournament.State.COUNTED
    )
    if changed != len(tournament_ids):
        raise NotAllowedNow(
            f"{len(tournament_ids) - changed} of the counted tournaments changed since the list was computed."
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
                row.state = Tournament.State.REGISTERED
                row.save(update_fields=["state"])
