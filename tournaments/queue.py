"""What waits for the federation and for its arbiters: the staff's queue, and the public list of reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, DateTimeField, OuterRef, Q, Subquery
from django.utils import timezone

from players.access import for_user
from tournaments.deadlines import report_due
from tournaments.models import Report, Tournament
from tournaments.rechecks import with_last_check
from tournaments.states import State


@dataclass(frozen=True, slots=True)
class Kind:
    """One heap of the queue: ``whose`` turn it is, and what is to be done."""

    code: str
    label: str
    whose: str
    what: str


KINDS = (
    Kind("appeals", "Appeals", "federation", "Register it, or refuse the appeal"),
    Kind("reports", "Reports to decide", "federation", "Accept or return the report"),
    Kind("drafts", "Registrations to decide", "federation", "Register or refuse it"),
    Kind("lapsed", "No longer ratable", "federation", "Reopen it, or tell the arbiter what to change"),
    Kind("returned", "Returned reports", "arbiter", "Send the corrected report"),
    Kind("due", "Reports due", "arbiter", "Send the report"),
    Kind("under-way", "Under way", "arbiter", "Play, then report"),
    Kind("accepted", "Accepted, not counted yet", "list", "The next list counts it"),
)


def _condition(code: str, today: date) -> Q:
    registered = Q(state=State.REGISTERED)
    return {
        "appeals": Q(state=State.APPEALED),
        "reports": Q(state=State.REPORTED),
        "drafts": Q(state=State.DRAFT),
        "lapsed": registered & Q(last_ratable=False),
        "returned": Q(state=State.RETURNED),
        "due": registered & Q(end__lt=today),
        "under-way": registered & Q(start__lte=today, end__gte=today),
        "accepted": Q(state=State.ACCEPTED),
    }[code]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A tournament in the queue. ``age`` is days in its state; ``left`` days until it is due."""

    tournament: Tournament
    age: int
    due: date | None
    left: int | None

    @property
    def overdue(self) -> bool:
        return self.left is not None and self.left < 0


def counts(user, today: date | None = None) -> Mapping[str, int]:
    """How many tournaments each kind of an account's queue holds."""
    today = today or timezone.localdate()
    return with_last_check(for_user(Tournament.objects.all(), user)).aggregate(
        **{kind.code: Count("pk", filter=_condition(kind.code, today)) for kind in KINDS}
    )


def waiting(user, code: str, today: date | None = None):
    """The tournaments of one kind in an account's queue, those due first, then by age."""
    today = today or timezone.localdate()
    order = ("start", "pk") if code in ("drafts", "lapsed", "under-way") else ("due_on", "state_since", "pk")
    return (
        with_last_check(for_user(Tournament.objects.all(), user))
        .filter(_condition(code, today))
        .select_related("rating_system", "federation")
        .prefetch_related("rating_system__regulations")
        .order_by(*order)
    )


def shown(tournament: Tournament, today: date | None = None) -> Waiting:
    """A row of the queue. A draft, and what is not ratable, is due on its start; a registered
    tournament with its report."""
    today = today or timezone.localdate()
    due = tournament.due_on
    lapsed = tournament.state == State.REGISTERED and getattr(tournament, "last_ratable", None) is False
    if lapsed and today <= tournament.start:
        due = tournament.start  # what is wrong with it must be mended before round 1
    elif due is None and tournament.state == State.DRAFT:
        due = tournament.start
    elif due is None and tournament.state == State.REGISTERED:
        named = report_due(tournament)
        due = named and named.day
    since = timezone.localdate(tournament.state_since)
    if tournament.state == State.REGISTERED and tournament.end < today:
        since = tournament.end
    return Waiting(tournament, (today - since).days, due, None if due is None else (due - today).days)


def received():
    """Tournaments of which the federation has a report, the latest first, with the day it came."""
    latest = Report.objects.filter(tournament=OuterRef("pk")).order_by("-submitted_at")
    latest = latest.exclude(state=Report.State.CORRECTION)  # nobody has decided on it yet
    states = (State.REPORTED, State.RETURNED, State.ACCEPTED, State.COUNTED)
    return (
        Tournament.objects.filter(state__in=states)
        .annotate(received=Subquery(latest.values("submitted_at")[:1], output_field=DateTimeField()))
        .filter(received__isnull=False)
        .select_related("rating_system", "federation")
        .prefetch_related("changes")
        .order_by("-received", "-pk")
    )
