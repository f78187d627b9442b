"""What staff can decide about a tournament now: the buttons of its page, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.access import require
from regulations.exact import show
from regulations.model import CheckResult
from tournaments import services
from tournaments.access import ACCEPT, REGISTER
from tournaments.deadlines import correction_due
from tournaments.findings import Shown
from tournaments.models import Report, Tournament
from tournaments.transitions import NotAllowedNow

State = Tournament.State
WAIVE = "tournaments.grant_waiver"


@dataclass(frozen=True, slots=True)
class Action:
    """A service called with the fields of a form, and the words for the log when it is done."""

    act: Callable[[Tournament, Any, Mapping[str, str]], object]
    done: str


def _report(tournament: Tournament, given: Mapping[str, str]) -> Report:
    """The report that the button was about: not another one that came in meanwhile."""
    number = given.get("report", "")
    known = number.isdecimal() and len(number) < 20
    report = tournament.reports.filter(pk=int(number)).first() if known else None
    if report is None:
        raise NotAllowedNow("This report is no longer the standing one.")
    return report


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise NotAllowedNow(f"“{text[:20]}” is not a date: write YYYY-MM-DD.") from None


def _by_staff(act: Callable[[Tournament, Any, str], None]) -> Callable[..., None]:
    """An act that arbiters, too, may do: they have a page of their own for it."""

    def done(tournament: Tournament, by, given: Mapping[str, str]) -> None:
        require(by, REGISTER, tournament)
        act(tournament, by, given.get("reason", ""))

    return done


ACTIONS = {
    "register": Action(lambda t, by, given: services.register(t, by), "Registered."),
    "refuse": Action(lambda t, by, given: services.refuse(t, by, given.get("reason", "")), "Refused."),
    "reopen": Action(lambda t, by, given: services.reopen(t, by), "Reopened as a draft."),
    "appeal": Action(_by_staff(services.appeal), "Appeal entered."),
    "cancel": Action(_by_staff(services.cancel), "Cancelled."),
    "register-again": Action(
        lambda t, by, given: services.register_again(t, by, given.get("reason", "")), "Registered again."
    ),
    "waive": Action(
        lambda t, by, given: services.grant_waiver(
            t, by, given.get("authorization", ""), given.get("reason", "")
        ),
        "Waiver granted.",
    ),
    "accept": Action(lambda t, by, given: services.accept_report(_report(t, given), by), "Report accepted."),
    "return": Action(
        lambda t, by, given: services.return_report(
            _report(t, given), by, given.get("reason", ""), _day(given.get("due", ""))
        ),
        "Report returned for correction.",
    ),
}

_NEXT = {
    State.DRAFT: "A draft: correct what is found, then save and register it.",
    State.REGISTERED: "Registered: its fields are fixed until it is reopened; players can still be entered.",
    State.REFUSED: "Refused: it can be registered all the same, or reopened as a draft.",
    State.APPEALED: "The appeal waits for a decision: register it, or refuse the appeal, which is final.",
    State.REPORTED: "The report waits for a decision.",
    State.RETURNED: "The arbiter is to send a corrected report.",
    State.ACCEPTED: "The next list that its dates allow counts it.",
    State.COUNTED: "Counted in a published list: only a correction of the list changes what it counts.",
    State.CANCELLED: "Cancelled, and everybody can read why: no report is taken. It can be registered again.",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One button; ``asks`` is the question whose answer is posted as ``reason``."""

    label: str
    url: str
    anchor: str
    asks: str = ""
    about: str = ""
    hidden: tuple[tuple[str, object], ...] = ()
    open: bool = False
    due: date | None = None
    asks_due: bool = False


def standing(tournament: Tournament, user, result: CheckResult, general: list[Shown]) -> dict:
    """Everything that the panel of a tournament's page shows."""
    regulation = tournament.regulation
    report = tournament.reports.defer("content").filter(state__in=Report.STANDING)
    report = report.select_related("submitted_by").first()
    minutes = result.minutes_for_60_moves
    return {
        "state": tournament.standing[1],
        "since": tournament.state_since,
        "due": tournament.due_on,
        "history": list(tournament.changes.select_related("by")),
        "regulation": regulation and regulation.title,
        "minutes": None if minutes is None else show(minutes),
        "rate": result.rate,
        "ratable": result.ratable,
        "errors": sum(finding.severity == "error" for finding in result.findings),
        "general": general,
        "next": _NEXT[tournament.state],
        "report": report,
        "waivers": list(tournament.waivers.select_related("granted_by")),
        "decisions": list(_decisions(tournament, user, result, report)),
    }


def _decisions(tournament: Tournament, user, result: CheckResult, report: Report | None):
    def url(what: str) -> str:
        return reverse("admin:tournaments_tournament_decide", args=[tournament.pk, what])

    state = tournament.state
    if user.has_perm(ACCEPT) and report is not None and state in (State.REPORTED, State.ACCEPTED):
        about = (("report", report.pk),)
        if state == State.REPORTED:
            yield Decision("Accept report", url("accept"), "accept", hidden=about)
        due = correction_due(tournament, tournament.rating_system.today())
        yield Decision(
            "Return report",
            url("return"),
            "return",
            "What is to be corrected?",
            f"Article {due.article}: {due.why}." if due else "",
            about,
            due=due and due.day,
            asks_due=True,
        )
    if user.has_perm(WAIVE):
        for finding in services.offered_waivers(tournament, result):
            yield Decision(
                f"Grant waiver “{finding.authorization}”",
                url("waive"),
                f"waive-{finding.authorization}",
                "Why is it granted?",
                f"Article {finding.article}: {finding.message}",
                (("authorization", finding.authorization),),
            )
    if user.has_perm(REGISTER):
        if state in (State.REFUSED, State.APPEALED):
            label = _("Register on appeal") if state == State.APPEALED else _("Register all the same")
            yield Decision(label, url("register"), "register")
        if (
            state == State.REFUSED
            and tournament.due_on
            and tournament.rating_system.today() <= tournament.due_on
        ):
            about = f"Possible until {tournament.due_on}."
            yield Decision("Enter an appeal", url("appeal"), "appeal", "What does the appeal say?", about)
        if state == State.APPEALED:
            yield Decision("Refuse the appeal", url("refuse"), "refuse", "Why is it refused?")
        reopenable = (State.REGISTERED, State.REFUSED, State.APPEALED)
        if state in reopenable and not tournament.reports.exists():
            yield Decision("Reopen as a draft", url("reopen"), "reopen")
        if state == State.DRAFT:
            yield Decision("Refuse", url("refuse"), "refuse", "Why is it refused?")
        if state in services.CANCELLABLE and report is None:
            asks = "Why is it not played? Everybody can read this."
            yield Decision("Cancel: not played", url("cancel"), "cancel", asks)
        if state == State.CANCELLED:
            asks = "Why is it played after all?"
            yield Decision("Register again", url("register-again"), "register-again", asks)
