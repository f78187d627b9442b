"""Article 1: may a tournament be rated?"""

from __future__ import annotations

from collections.abc import Iterator

from norrholm.parameters import Parameters
from regulations import calendar
from regulations.exact import show
from regulations.model import CheckResult, Finding, Registration
from regulations.timecontrol import minutes_for_60_moves


def check(p: Parameters, given: Registration) -> CheckResult:
    """All findings at once."""
    findings = (*time_control(p, given), *notice(p, given), *calendar.rounds_outside(given, "1.2"))
    ratable = all(finding.severity != "error" for finding in findings)
    minutes = minutes_for_60_moves(given.time_control)
    return CheckResult(ratable, "standard" if minutes >= p.minutes else None, minutes, findings)


def time_control(p: Parameters, given: Registration) -> Iterator[Finding]:
    """1.1: for White, and for Black where he has another one."""
    for subject in ("time_control", "time_control_black"):
        stages = getattr(given, subject)
        if stages and minutes_for_60_moves(stages) < p.minutes:
            text = (
                f"{show(minutes_for_60_moves(stages))} minutes for 60 moves; at least {p.minutes} are needed."
            )
            yield Finding("error", "time-control-too-fast", "1.1", text, None, subject)


def notice(p: Parameters, given: Registration) -> Iterator[Finding]:
    """1.2: an error, or a warning once the federation has accepted the late registration."""
    if given.registered_on is None or (given.start - given.registered_on).days >= p.notice_days:
        return
    accepted = "late-registration" in given.authorizations
    text = f"Registered on {given.registered_on} for {given.start}; {p.notice_days} day of notice is needed."
    severity = "warning" if accepted else "error"
    yield Finding(severity, "late-registration", "1.2", text, "late-registration", "registered_on")
