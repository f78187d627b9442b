"""Articles 1 to 7 as rapid chess takes them: its own time control, all else as in standard chess."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations import calendar
from regulations.exact import show
from regulations.fide_rapid_2004.parameters import Parameters
from regulations.fide_standard_2004 import registration as standard
from regulations.model import CheckResult, Finding, Registration, Stage
from regulations.timecontrol import minutes_for_60_moves


def check(p: Parameters, registration: Registration) -> CheckResult:
    """Every finding on a registration. No article of this text lets an official waive one."""
    minutes = minutes_for_60_moves(registration.time_control)
    black = registration.time_control_black
    findings = list(time_control(p, registration.time_control, "time_control"))
    if black is not None:
        findings += time_control(p, black, "time_control_black")
    if registration.rate not in (None, "rapid"):
        text = f"Article 15 rates rapid chess, not {registration.rate}."
        findings.append(Finding("error", "other-rate", "15", text, None, "time_control"))
    of_a_game = minutes + minutes_for_60_moves(black or registration.time_control)
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        findings += rounds_of_a_day(p, rounds, of_a_game, f"{day}: ")
    findings += calendar.rounds_outside(registration, "11.21")
    findings += standard.duration(p, registration.start, registration.end, registration.flags)
    if registration.players:
        rated = sum(player.rating is not None for player in registration.players)
        findings += standard.composition(
            p, registration.system, len(registration.players), rated, registration.flags
        )
    ratable = all(finding.severity != "error" for finding in findings)
    rapid = p.rapid_from <= minutes < p.rapid_below
    return CheckResult(ratable, "rapid" if rapid else None, minutes, tuple(findings))


def time_control(p: Parameters, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """15: what is rapid chess; 1.2: such games are not on the standard list."""
    minutes = minutes_for_60_moves(stages)
    shown = f"{show(minutes)} minutes for 60 moves"
    if minutes < p.rapid_from:
        text = f"{shown}; rapid chess needs at least {p.rapid_from}."
        return (Finding("error", "time-control-too-fast", "15", text, None, subject),)
    if minutes >= p.rapid_below:
        text = f"{shown}; rapid chess has less than {p.rapid_below}."
        return (Finding("error", "time-control-too-slow", "15", text, None, subject),)
    return ()


def rounds_of_a_day(
    p: Parameters, rounds: int, minutes_of_a_game: Fraction, prefix: str = ""
) -> tuple[Finding, ...]:
    """3.1: twelve hours of play a day; three rounds only where that is read to hold for rapid chess."""
    found = standard.rounds_of_a_day(p, rounds, minutes_of_a_game, prefix)
    return found if p.limit_rounds else tuple(each for each in found if each.code != "too-many-rounds")
