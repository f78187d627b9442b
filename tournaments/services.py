"""Changes to registrations: each function one transaction, each refusal an exception."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from players import audit
from players.access import may, require
from regulations.model import CheckResult, Finding, ScheduledRound, Stage
from tournaments.access import ACCEPT, REGISTER, why_not_report
from tournaments.deadlines import appeal_until, report_due
from tournaments.exact import to_decimal
from tournaments.models import (
    Arbiter,
    DistinctEvents,
    Entry,
    Report,
    Round,
    TimeControlStage,
    Totals,
    Tournament,
    TournamentArbiter,
    Waiver,
)
from tournaments.queries import check_registration
from tournaments.rechecks import recheck, store
from tournaments.reporting import ReportRefused, accept_report, mark_counted, return_report, submit_report
from tournaments.states import State
from tournaments.transitions import NotAllowedNow, allowed, locked, move, said

__all__ = [
    "NotAllowedNow",
    "ReportRefused",
    "accept_report",
    "mark_counted",
    "return_report",
    "submit_report",
]


class RegistrationRefused(Exception):
    """The regulation does not let the tournament be rated; ``result`` holds the findings."""

    def __init__(self, result: CheckResult) -> None:
        self.result = result
        super().__init__("; ".join(f"{f.article} {f.message}".strip() for f in result.findings))


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
    recheck(tournament, "announced", by)
    audit.record("tournament.announced", by, tournament, tournament.name)
    return tournament


@transaction.atomic
def register(tournament: Tournament, by) -> CheckResult:
    """Register a draft (or a refused one, on appeal) that its regulation lets be rated.

    Raises RegistrationRefused with the findings, NotAllowedNow, or PermissionDenied.
    """
    require(by, REGISTER, tournament)
    row = locked(tournament, State.DRAFT, State.REFUSED, State.APPEALED)
    result = check_registration(row)
    if not result.ratable:
        raise RegistrationRefused(result)
    due = report_due(row)
    move(row, State.REGISTERED, by, due_on=due and due.day)
    store(row, result, "registered", by)
    return result


@transaction.atomic
def refuse(tournament: Tournament, by, reason: str) -> None:
    """Refuse a registration, or the appeal against a refusal, saying why.

    A first refusal may be appealed within the days of the regulation; the refusal of an appeal stands.
    """
    require(by, REGISTER, tournament)
    reason = said(reason, "A refusal needs a reason.")
    row = locked(tournament, State.DRAFT, State.APPEALED)
    until = appeal_until(row, row.rating_system.today()) if row.state == State.DRAFT else None
    move(row, State.REFUSED, by, reason, until and until.day)


@transaction.atomic
def appeal(tournament: Tournament, by, reason: str) -> None:
    """Appeal a refusal in time: for the tournament's arbiters, and for staff who enter what they received."""
    if not may(by, REGISTER, tournament):
        allowed(why_not_report(by, tournament))
    reason = said(reason, "Say why the tournament should be rated.")
    row = locked(tournament, State.REFUSED)
    if row.due_on is None:
        raise NotAllowedNow(f"The refusal of {row.name} cannot be appealed (any more).")
    if row.rating_system.today() > row.due_on:
        raise NotAllowedNow(f"An appeal was possible until {row.due_on}.")
    move(row, State.APPEALED, by, reason)


@transaction.atomic
def reopen(tournament: Tournament, by) -> None:
    """Take a registration without a report back to draft, so that it can be changed."""
    require(by, REGISTER, tournament)
    row = locked(tournament, State.REGISTERED, State.REFUSED, State.APPEALED)
    if row.reports.exists():  # a postal event that goes on: lists have counted games of it
        raise NotAllowedNow(f"{row.name} has reports: its registration stays as it is.")
    move(row, State.DRAFT, by)


CANCELLABLE = (State.REGISTERED, State.REFUSED, State.APPEALED, State.RETURNED)


@transaction.atomic
def cancel(tournament: Tournament, by, reason: str) -> None:
    """Say that a tournament is not played, and why, which everybody can read: staff, and before its first
    day its arbiters. The entries stay; what a returned report said of them and of games goes."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    staff = may(by, REGISTER, row)
    if not staff:  # as it is by now: an arbiter may have gone while this waited
        allowed(why_not_report(by, row))
    reason = said(reason, "Say why it is not played.")
    if row.reports.filter(state__in=Report.STANDING).exists():
        raise NotAllowedNow(
            f"{row.name} has a report that counts. Have it returned first; what a list has counted is "
            "changed by a correction only."
        )
    # What was refused is not public: only staff may make it so.
    row = locked(row, *(CANCELLABLE if staff else (State.REGISTERED,)))
    if not staff and row.rating_system.today() >= row.start:
        raise NotAllowedNow(f"{row.name} began on {row.start}. Ask the federation to cancel it.")
    row.games.all().delete()
    Totals.objects.filter(entry__tournament=row).delete()
    row.entries.update(points=None, rank=None)
    move(row, State.CANCELLED, by, reason)


@transaction.atomic
def register_again(tournament: Tournament, by, reason: str) -> None:
    """Take a cancellation back, saying why. What had been refused must be ratable, as in ``register``.

    Raises RegistrationRefused with the findings, NotAllowedNow, or PermissionDenied.
    """
    require(by, REGISTER, tournament)
    reason = said(reason, "Say why it is registered again.")
    row = locked(tournament, State.CANCELLED)
    result = check_registration(row)
    before = row.changes.exclude(state=State.CANCELLED).last()
    if before and before.state in (State.REFUSED, State.APPEALED) and not result.ratable:
        raise RegistrationRefused(result)
    due = report_due(row)
    move(row, State.REGISTERED, by, reason, due and due.day)
    store(row, result, "registered again", by)


_WAIVABLE_STATES = (State.DRAFT, State.REFUSED, State.APPEALED, State.REGISTERED)


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
    require(by, "tournaments.grant_waiver", tournament)
    reason = said(reason, "A waiver needs a reason.")
    row = locked(tournament, *_WAIVABLE_STATES)
    if row.waivers.filter(authorization=authorization).exists():
        raise NotAllowedNow(f"“{authorization}” is already granted.")
    offered = {finding.authorization: finding for finding in offered_waivers(row, check_registration(row))}
    if authorization not in offered:
        raise NotAllowedNow(f"No finding of {row.name} can be lifted by a waiver “{authorization}”.")
    waiver = Waiver.objects.create(
        tournament=row,
        authorization=authorization,
        article=offered[authorization].article,
        reason=reason,
        granted_by=by,
    )
    recheck(row, f"waiver granted: {authorization}", by)
    audit.record("waiver.granted", by, row, row.name, waiver=waiver.pk, authorization=authorization)
    return waiver


@transaction.atomic
def rule_distinct(tournament: Tournament, other: Tournament, by, reason: str) -> DistinctEvents:
    """Rule that two tournaments with the same games are two all the same, saying why."""
    require(by, ACCEPT, tournament)
    reason = said(reason, "Say why they are two events.")
    if tournament.pk == other.pk:
        raise NotAllowedNow("A tournament is not another one.")
    ruling, made = DistinctEvents.objects.get_or_create(
        tournament=tournament, other=other, defaults={"by": by, "reason": reason}
    )
    if not made:
        raise NotAllowedNow("This is ruled already.")
    named = {"other": other.pk, "ruling": ruling.pk}
    audit.record("tournament.ruled-distinct", by, tournament, tournament.name, **named)
    return ruling
