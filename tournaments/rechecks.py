"""Registrations checked anew after each change, the outcome kept, and a lapse shown until it is mended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, time

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from regulations.model import CheckResult, Finding
from tournaments.models import RegistrationCheck, Tournament
from tournaments.queries import check_registration, list_in_force
from tournaments.remedies import remedies

State = Tournament.State
#: a registration can still change here
OPEN = (State.DRAFT, State.REGISTERED)


def store(tournament: Tournament, result: CheckResult, why: str, by=None) -> RegistrationCheck:
    """Keep the outcome of a check. Called inside the transaction that made the change."""
    return RegistrationCheck.objects.create(
        tournament=tournament,
        why=why,
        by=by,
        ratable=result.ratable,
        findings=[asdict(finding) for finding in result.findings],
    )


@transaction.atomic
def recheck(
    tournament: Tournament, why: str, by=None, *, only_news: bool = False
) -> RegistrationCheck | None:
    """Check a registration that can still change and keep the outcome; ``only_news``: unless it is the
    last one's. Returns the row, or None if none was added."""
    row = Tournament.objects.select_for_update().select_related("rating_system").get(pk=tournament.pk)
    if row.state not in OPEN:
        return None
    result = check_registration(row)
    if only_news and (last := row.checks.first()) is not None:
        same = last.ratable == result.ratable
        if same and last.findings == [asdict(finding) for finding in result.findings]:
            return None
    return store(row, result, why, by)


def recheck_upcoming() -> int:
    """Check every registered tournament that has not begun, as lists, titles and regulations may have
    changed. Keeps a row only where the outcome is another. Returns how many. May run at any time."""
    added = 0
    waiting = Tournament.objects.filter(state=State.REGISTERED, start__gte=timezone.localdate())
    for row in waiting.select_related("rating_system").order_by("pk"):
        if not begun(row):
            day = list_in_force(row)
            of_list = f"the list of {day} is in force" if day else "no list is in force"
            added += recheck(row, f"looked through again: {of_list}", only_news=True) is not None
    return added


def first_round(tournament: Tournament) -> datetime:
    """When round 1 begins: its time, or the end of its day where no time is entered."""
    first = min(tournament.rounds.all(), key=lambda row: row.number, default=None)
    day = first.date if first else tournament.start
    at = (first and first.time) or time(23, 59, 59)
    return timezone.make_aware(datetime.combine(day, at))


def begun(tournament: Tournament) -> bool:
    return timezone.now() >= first_round(tournament)


def with_last_check(tournaments):
    """Annotates ``last_ratable``: the outcome of the last check kept, None where there is none."""
    last = RegistrationCheck.objects.filter(tournament=OuterRef("pk")).order_by("-pk")
    return tournaments.annotate(last_ratable=Subquery(last.values("ratable")[:1]))


@dataclass(frozen=True, slots=True)
class Lapse:
    """A registered tournament that is not ratable any more; ``turn`` is the check that found it first."""

    turn: RegistrationCheck | None
    errors: tuple[Finding, ...]
    remedies: tuple[str, ...]
    begun: bool


def lapse(tournament: Tournament, result: CheckResult) -> Lapse | None:
    """What to show of a registered tournament that ``result`` would not let be rated; else None."""
    if tournament.state != State.REGISTERED or result.ratable:
        return None
    errors = tuple(finding for finding in result.findings if finding.severity == "error")
    return Lapse(turn(tournament), errors, tuple(remedies(tournament, result)), begun(tournament))


def turn(tournament: Tournament) -> RegistrationCheck | None:
    """The check since which the outcome has been what it is; None before the first."""
    checks = tournament.checks.select_related("by")
    last = checks.first()
    if last is None:
        return None
    before = checks.exclude(ratable=last.ratable).first()
    return checks.filter(pk__gt=before.pk if before else 0).last()


def restored(tournament: Tournament, result: CheckResult) -> RegistrationCheck | None:
    """The check that found a registered tournament ratable again, if it had lapsed before."""
    if tournament.state != State.REGISTERED or not result.ratable:
        return None
    since = turn(tournament)
    if since is None or not since.ratable:
        return None
    step = tournament.changes.filter(state=State.REGISTERED).last()
    lapses = tournament.checks.filter(ratable=False)
    if step is not None:  # what was wrong with the draft is past
        lapses = lapses.filter(checked_at__gt=step.at)
    return since if lapses.exists() else None
