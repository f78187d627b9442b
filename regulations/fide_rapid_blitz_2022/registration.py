"""Articles 0 to 5: may this tournament be rated, and as what?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction

from regulations import calendar
from regulations.exact import show
from regulations.fide_rapid_blitz_2022.parameters import Parameters
from regulations.model import CheckResult, Finding, Registration, Stage
from regulations.per_game import effective_rating
from regulations.timecontrol import minutes_for_60_moves

TOO_FAST, STANDARD = "unrated: too fast", "standard"


def check(p: Parameters, registration: Registration) -> CheckResult:
    """Every finding on a registration; those of 0.2 can be lifted by the chairman of the QC.

    No article asks for an arbiter's licence, so the arbiters are not looked at.
    """
    minutes = minutes_for_60_moves(registration.time_control)
    kind = rate_of(p, minutes)
    unrated = sum(effective_rating(player) is None for player in registration.players)
    findings = (
        *time_control(p, minutes, registration.rate),
        *same_for_both(registration.time_control, registration.time_control_black),
        *rounds_of_each_day(p, registration, kind),
        *calendar.rounds_outside(registration, "0.2"),
        *notice(p, registration.registered_on, registration.start, registration.authorizations),
        *hybrid(registration.flags, registration.authorizations),
        *match_without_unrated(registration.system, unrated),
    )
    ratable = all(finding.severity != "error" for finding in findings)
    return CheckResult(ratable, None if kind == TOO_FAST else kind, minutes, findings)


def rate_of(p: Parameters, minutes: Fraction) -> str:
    """1.1: the kind of chess by the minutes for 60 moves."""
    if minutes <= p.blitz_above:
        return TOO_FAST
    if minutes <= p.rapid_above:
        return "blitz"
    return "rapid" if minutes < p.rapid_below else STANDARD


def time_control(p: Parameters, minutes: Fraction, announced: str | None) -> tuple[Finding, ...]:
    """1.1.1, 1.1.2: more than 10 and less than 60 minutes is rapid, more than 3 and up to 10 blitz."""
    kind = rate_of(p, minutes)
    shown = f"{show(minutes)} minutes for 60 moves"
    code, article = "", "1.1.1"
    if kind == TOO_FAST:
        code, article = "time-control-too-fast", "1.1.2"
        text = f"{shown}; blitz needs more than {p.blitz_above}."
    elif kind == STANDARD:
        code, text = "time-control-too-slow", f"{shown}; rapid chess needs less than {p.rapid_below}."
    elif announced not in (None, kind):
        code, article = "other-rate", "1.1.1" if kind == "rapid" else "1.1.2"
        text = f"{shown}: this is {kind}, not {announced}."
    return (Finding("error", code, article, text, None, "time_control"),) if code else ()


def same_for_both(white: Sequence[Stage], black: Sequence[Stage] | None) -> tuple[Finding, ...]:
    """1.2: no rating where the players have different times."""
    if black is None or tuple(black) == tuple(white):
        return ()
    text = "The players have different times; such games are not rated."
    return (Finding("error", "different-times", "1.2", text, None, "time_control_black"),)


def rounds_of_each_day(p: Parameters, registration: Registration, kind: str) -> tuple[Finding, ...]:
    """3.1: rounds on each day."""
    findings: list[Finding] = []
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        findings += rounds_of_a_day(p, kind, rounds, f"{day}: ")
    return tuple(findings)


def rounds_of_a_day(p: Parameters, kind: str, rounds: int, prefix: str) -> tuple[Finding, ...]:
    """3.1.1: 15 rounds of rapid chess; 3.1.2: 30 of blitz."""
    limits = {"rapid": (p.rapid_rounds_per_day, "3.1.1"), "blitz": (p.blitz_rounds_per_day, "3.1.2")}
    if kind not in limits or rounds <= limits[kind][0]:
        return ()
    most, article = limits[kind]
    text = f"{prefix}{rounds} rounds; at most {most} of {kind} chess on one day."
    return (Finding("error", "too-many-rounds", article, text, None, "rounds"),)


def notice(
    p: Parameters, registered_on: date | None, start: date, authorizations: Collection[str]
) -> tuple[Finding, ...]:
    """0.2: registered three days before the start; the chairman of the QC can allow less."""
    if registered_on is None:
        text = "The day of registration is not given."
        return (Finding("warning", "registration-unknown", "0.2", text, None, "registered_on"),)
    days = (start - registered_on).days
    if days >= p.notice_days:
        return ()
    when = f"{days} day{'' if days == 1 else 's'} before the start" if days > 0 else "not before the start"
    text = f"Registered {when}; at least {p.notice_days} days are needed."
    return (_unless("late-registration", authorizations, "late-registration", text, "registered_on"),)


def hybrid(flags: Collection[str], authorizations: Collection[str]) -> tuple[Finding, ...]:
    """0.2: the chairman of the QC approves each tournament under hybrid conditions."""
    if "hybrid" not in flags:
        return ()
    text = "Hybrid conditions: the chairman of the QC must approve this tournament."
    return (_unless("hybrid-approval", authorizations, "hybrid-approval", text, "flags"),)


def match_without_unrated(system: str, unrated: int) -> tuple[Finding, ...]:
    """5.1: a match with an unrated player is not rated."""
    if system != "match" or not unrated:
        return ()
    text = "A match with an unrated player is not rated."
    return (Finding("error", "unrated-in-match", "5.1", text, None, "players"),)


def _unless(authorization: str, granted: Collection[str], code: str, text: str, subject: str) -> Finding:
    """An error of 0.2, or a warning where the chairman of the QC authorized it."""
    if authorization in granted:
        return Finding("warning", code, "0.2", f"{text} Authorized.", authorization, subject)
    return Finding("error", code, "0.2", text, authorization, subject)
