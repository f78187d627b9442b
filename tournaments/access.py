"""Whose tournaments, arbiters and reports are whose (``players.access``), and who acts for a tournament."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from players import roles
from players.access import belongs, federations_of, may
from tournaments.models import (
    Arbiter,
    Entry,
    RatingSystem,
    Report,
    Round,
    SystemRegulation,
    TimeControlStage,
    Tournament,
    TournamentArbiter,
    Waiver,
)

REGISTER, ACCEPT = "tournaments.register_tournament", "tournaments.accept_report"
#: who has it puts the entry lists of his federation's tournaments in order
ENTER = "tournaments.change_entry"


def register() -> None:
    """Declare the role of arbiters, a record's link to its account, and whose the rows are."""
    roles.link(roles.Role.ARBITER, Arbiter, "tournaments.change_arbiter", roles.ARBITERS)
    belongs(RatingSystem, "federation", shared=True)
    belongs(SystemRegulation, "system__federation", shared=True)
    belongs(Arbiter, "federation")
    belongs(Tournament, "federation")
    for model in (TimeControlStage, Round, TournamentArbiter, Entry, Report, Waiver):
        belongs(model, "tournament__federation")


def for_user(user):
    """The tournaments on whose pages for arbiters an account gets: those that name it as arbiter, whatever
    became of his licence; for officers and clerks those of their federations."""
    rows = Tournament.objects.select_related("rating_system", "federation")
    if not user.is_active:
        return rows.none()
    wanted = Q(pk__in=TournamentArbiter.objects.filter(arbiter__user=user.pk).values("tournament"))
    if user.has_perm(ACCEPT) or user.has_perm(REGISTER):
        codes = federations_of(user)
        if codes is None:
            return rows
        wanted |= Q(federation__in=codes)
    return rows.filter(wanted)


def why_not_report(user, tournament: Tournament) -> str:
    """Why an account may not send reports, appeal and answer for a tournament; empty if it may."""
    if may(user, ACCEPT, tournament):
        return ""
    return _why_not_arbiter(user, tournament)


def why_not_enter(user, tournament: Tournament) -> str:
    """Why an account may not change the entry list of a tournament; empty if it may."""
    if may(user, ENTER, tournament):
        return ""
    return _why_not_arbiter(user, tournament)


def _why_not_arbiter(user, tournament: Tournament) -> str:
    arbiter = Arbiter.objects.filter(user=user.pk, user__is_active=True, tournaments=tournament.pk).first()
    if arbiter is None:
        return "Only its arbiters and the federation's rating officers send reports of a tournament."
    return lapsed(arbiter, tournament)


def lapsed(arbiter: Arbiter, tournament: Tournament | None = None) -> str:
    """Why an arbiter cannot act today, and the remedy; empty while his licence is in force."""
    today = tournament.rating_system.today() if tournament else timezone.localdate()
    if arbiter.licensed_on(today):
        return ""
    ask = "Ask your federation to renew it; until then you can look at your tournaments, not change them."
    if arbiter.licensed_until and arbiter.licensed_until < today:
        return f"Your licence as an arbiter ended on {arbiter.licensed_until}. {ask}"
    if arbiter.licensed_from and today < arbiter.licensed_from:
        return f"Your licence as an arbiter begins on {arbiter.licensed_from}. {ask}"
    return f"You have no licence as an arbiter. {ask}"
