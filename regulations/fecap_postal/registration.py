"""May this event be rated? The text asks nothing of an event but that it is postal chess."""

from __future__ import annotations

from regulations import calendar
from regulations.model import CheckResult, Finding, Registration

POSTAL = "postal"


def other_rate(rate: str | None) -> tuple[Finding, ...]:
    """Objectives: postal chess only. There is no time control to derive a rate from."""
    if rate in (None, POSTAL):
        return ()
    text = f"This text rates postal chess, not {rate}."
    return (Finding("error", "other-rate", "Objetivos", text, None, "rate"),)


def check(registration: Registration) -> CheckResult:
    """Every finding on a registration; a time control is neither asked for nor looked at."""
    other = other_rate(registration.rate)
    findings = other + calendar.rounds_outside(registration, "")
    return CheckResult(not findings, None if other else POSTAL, None, findings)
