"""Articles 0 to 6: may this tournament be rated, and as what?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction

from regulations import calendar
from regulations.exact import show
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2022.registration import STANDARD, TOO_FAST, rate_of, same_for_both
from regulations.model import ArbiterFacts, CheckResult, Finding, Registration
from regulations.per_game import effective_rating
from regulations.timecontrol import minutes_for_60_moves


def check(p: Parameters, registration: Registration) -> CheckResult:
    """Every finding on a registration; the president of the QC can lift those of 0.2 and 4.1."""
    minutes = minutes_for_60_moves(registration.time_control)
    kind = rate_of(p, minutes)
    granted, flags = registration.authorizations, registration.flags
    findings = [
        *time_control(p, minutes, registration.rate),
        *same_for_both(registration.time_control, registration.time_control_black),
        *rounds_of_each_day(p, registration, kind),
        *calendar.rounds_outside(registration, "0.2"),
        *notice(p, registration.registered_on, registration.start, flags, granted),
        *licences(registration.arbiters),
        *duration(p, registration.start, registration.end, granted),
    ]
    if registration.players:
        rated = sum(effective_rating(player) is not None for player in registration.players)
        findings += composition(p, registration.system, len(registration.players), rated)
    ratable = all(finding.severity != "error" for finding in findings)
    return CheckResult(ratable, None if kind == TOO_FAST else kind, minutes, tuple(findings))


def time_control(p: Parameters, minutes: Fraction, announced: str | None) -> tuple[Finding, ...]:
    """1.1: more than 10 and less than 60 minutes is rapid, more than 3 and up to 10 blitz."""
    kind = rate_of(p, minutes)
    shown = f"{show(minutes)} minutes for 60 moves"
    if kind == TOO_FAST:
        code, text = "time-control-too-fast", f"{shown}; blitz needs more than {p.blitz_above}."
    elif kind == STANDARD:
        code, text = "time-control-too-slow", f"{shown}; rapid chess needs less than {p.rapid_below}."
    elif announced not in (None, kind):
        code, text = "other-rate", f"{shown}: this is {kind}, not {announced}."
    else:
        return ()
    return (Finding("error", code, "1.1", text, None, "time_control"),)


def rounds_of_each_day(p: Parameters, registration: Registration, kind: str) -> tuple[Finding, ...]:
    """3.1: rounds on each day."""
    findings: list[Finding] = []
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        findings += rounds_of_a_day(p, kind, rounds, f"{day}: ")
    return tuple(findings)


def rounds_of_a_day(p: Parameters, kind: str, rounds: int, prefix: str = "") -> tuple[Finding, ...]:
    """3.1: 15 rounds of rapid chess, 30 of blitz."""
    limits = {"rapid": p.rapid_rounds_per_day, "blitz": p.blitz_rounds_per_day}
    if kind not in limits or rounds <= limits[kind]:
        return ()
    text = f"{prefix}{rounds} rounds; at most {limits[kind]} of {kind} chess on one day."
    return (Finding("error", "too-many-rounds", "3.1", text, None, "rounds"),)


def notice(
    p: Parameters,
    registered_on: date | None,
    start: date,
    flags: Collection[str],
    authorizations: Collection[str],
) -> tuple[Finding, ...]:
    """0.2: registered 3 days before the start, 30 where norms are possible; the president of the QC
    can allow less."""
    if registered_on is None:
        text = "The day of registration is not given."
        return (Finding("warning", "registration-unknown", "0.2", text, None, "registered_on"),)
    days, norms = (start - registered_on).days, "norms" in flags
    needed = p.notice_days_norms if norms else p.notice_days
    if days >= needed:
        return ()
    when = f"{days} day{'' if days == 1 else 's'} before the start" if days > 0 else "not before the start"
    text = (
        f"Registered {when}; at least {needed} days are needed{', as norms are possible' if norms else ''}."
    )
    return (_unless("late-registration", authorizations, "late-registration", "0.2", text, "registered_on"),)


def licences(arbiters: Sequence[ArbiterFacts]) -> tuple[Finding, ...]:
    """0.3: every arbiter has a licence in force."""
    findings = []
    if not arbiters:
        text = "No arbiter is given; every arbiter needs a licence in force."
        findings.append(Finding("warning", "arbiter-unknown", "0.3", text, None, "arbiters"))
    for arbiter in arbiters:
        if arbiter.licensed is False:
            text = f"{arbiter.name or 'An arbiter'} has no licence in force."
            findings.append(Finding("error", "arbiter-not-licensed", "0.3", text, None, "arbiters"))
        elif arbiter.licensed is None:
            text = f"The licence of {arbiter.name or 'an arbiter'} is not known."
            findings.append(Finding("warning", "licence-unknown", "0.3", text, None, "arbiters"))
    return tuple(findings)


def duration(p: Parameters, start: date, end: date, authorizations: Collection[str]) -> tuple[Finding, ...]:
    """4.1: at most 30 days; the president of the QC can allow more."""
    length = calendar.days(start, end)
    if length <= p.maximum_days:
        return ()
    text = f"The event lasts {length} days; at most {p.maximum_days}."
    return (_unless("longer-duration", authorizations, "too-long", "4.1", text, "end"),)


def composition(p: Parameters, system: str, players: int, rated: int) -> tuple[Finding, ...]:
    """6.2-6.22 for round robins, 6.6 for matches; no article excepts a championship."""
    if system == "match":
        return match_of_rated(players - rated)
    if system not in ("round-robin", "double-round-robin"):
        return ()
    return round_robin_composition(p, players, rated, double=system == "double-round-robin")


def match_of_rated(unrated: int) -> tuple[Finding, ...]:
    """6.6: a match is rated only if both players are."""
    if not unrated:
        return ()
    text = "A match with an unrated player is not rated."
    return (Finding("error", "unrated-in-match", "6.6", text, None, "players"),)


def round_robin_composition(p: Parameters, players: int, rated: int, *, double: bool) -> tuple[Finding, ...]:
    """6.2: a third rated; 6.21: four of fewer than ten; 6.22: a double round robin with unrated players."""
    findings = []

    def found(article: str, text: str) -> None:
        findings.append(Finding("error", "too-few-rated", article, text, None, "players"))

    least = p.rated_share * players
    if rated < least:
        found("6.2", f"{rated} of {players} players are rated; at least {show(least)}.")
    if players < p.small_event and rated < p.small_event_rated:
        text = f"{rated} rated players; fewer than {p.small_event} players need {p.small_event_rated}."
        found("6.21", text)
    if double and rated < players and (players < p.double_players or rated < p.double_rated):
        text = f"{players} players, {rated} rated; a double round robin with unrated players needs "
        found("6.22", f"{text}{p.double_players}, {p.double_rated} of them rated.")
    return tuple(findings)


def _unless(
    authorization: str, granted: Collection[str], code: str, article: str, text: str, subject: str
) -> Finding:
    """An error, or a warning where the president of the QC authorized it."""
    if authorization in granted:
        return Finding("warning", code, article, f"{text} Authorized.", authorization, subject)
    return Finding("error", code, article, text, authorization, subject)
