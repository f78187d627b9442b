"""Articles 1 to 7: may this tournament be rated?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction

from regulations import calendar
from regulations.exact import show
from regulations.fide_standard_2004.parameters import Parameters
from regulations.model import CheckResult, Finding, Registration, Stage
from regulations.timecontrol import minutes_for_60_moves

_TIME_ARTICLES = ("1.12", "1.13", "1.14")


def check(p: Parameters, registration: Registration) -> CheckResult:
    """Every finding on a registration. No article of this text lets an official waive one."""
    minutes = minutes_for_60_moves(registration.time_control)
    black = registration.time_control_black or registration.time_control
    highest = max((player.rating or 0 for player in registration.players), default=0)
    findings = [
        *time_control(p, registration.time_control, highest, "time_control"),
        *(time_control(p, black, highest, "time_control_black") if registration.time_control_black else ()),
        *rounds_of_each_day(p, registration, minutes + minutes_for_60_moves(black)),
        *calendar.rounds_outside(registration, "11.21"),
        *duration(p, registration.start, registration.end, registration.flags),
    ]
    if registration.players:
        rated = sum(player.rating is not None for player in registration.players)
        findings += composition(p, registration.system, len(registration.players), rated, registration.flags)
    if registration.rate not in (None, "standard"):
        findings.append(
            Finding(
                "error",
                "other-rate",
                "1.1",
                "These regulations rate standard chess only.",
                None,
                "time_control",
            )
        )
    ratable = all(finding.severity != "error" for finding in findings)
    return CheckResult(ratable, "standard", minutes, tuple(findings))


def minutes_needed(p: Parameters, highest_rating: int) -> tuple[int, str]:
    """1.12-1.14: minutes for 60 moves that each player must have, by the highest rated player."""
    for number, (rating, minutes) in enumerate(p.minimum_minutes):
        if highest_rating >= rating:
            return minutes, _TIME_ARTICLES[min(number, 2)]
    return p.minimum_minutes[-1][1], _TIME_ARTICLES[2]


def time_control(
    p: Parameters, stages: Sequence[Stage], highest_rating: int, subject: str
) -> tuple[Finding, ...]:
    """1.1: the least time for 60 moves. 1.3: the recommended first control."""
    minutes = minutes_for_60_moves(stages)
    needed, article = minutes_needed(p, highest_rating)
    findings = []
    if minutes < needed:
        best = f"a player is rated {highest_rating}" if highest_rating else "no player is rated"
        findings.append(
            Finding(
                "error",
                "time-control-too-fast",
                article,
                f"{show(minutes)} minutes for 60 moves; at least {needed} are needed, as {best}.",
                None,
                subject,
            )
        )
    first = stages[0].moves
    if first is not None and first != p.recommended_first_moves:
        findings.append(
            Finding(
                "warning",
                "first-control",
                "1.3",
                f"The first control is after {first} moves; {p.recommended_first_moves} are recommended.",
                None,
                subject,
            )
        )
    return tuple(findings)


def rounds_of_each_day(
    p: Parameters, registration: Registration, minutes_of_a_game: Fraction
) -> tuple[Finding, ...]:
    """3.1: rounds and hours of play on each day."""
    findings: list[Finding] = []
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        findings += rounds_of_a_day(p, rounds, minutes_of_a_game, f"{day}: ")
    return tuple(findings)


def rounds_of_a_day(
    p: Parameters, rounds: int, minutes_of_a_game: Fraction, prefix: str
) -> tuple[Finding, ...]:
    """3.1: a game lasts as long as both clocks have time for 60 moves."""
    findings = []
    if rounds > p.rounds_per_day:
        findings.append(
            Finding(
                "error",
                "too-many-rounds",
                "3.1",
                f"{prefix}{rounds} rounds; at most {p.rounds_per_day} on one day.",
                None,
                "rounds",
            )
        )
    hours = rounds * minutes_of_a_game / 60
    if hours > p.hours_per_day:
        findings.append(
            Finding(
                "error",
                "too-many-hours",
                "3.1",
                f"{prefix}{show(hours)} hours of play; at most {p.hours_per_day} on one day.",
                None,
                "rounds",
            )
        )
    return tuple(findings)


def duration(p: Parameters, start: date, end: date, flags: Collection[str]) -> tuple[Finding, ...]:
    """4.1: at most 90 days; 4.11: a league may last longer, each game under the list of its day."""
    length = calendar.days(start, end)
    if length <= p.maximum_days:
        return ()
    if "league" in flags:
        text = f"A league of {length} days: each game is rated with the list in force on its day."
        return (Finding("warning", "long-league", "4.11", text, None, "end"),)
    text = f"The event lasts {length} days; at most {p.maximum_days}."
    return (Finding("error", "too-long", "4.1", text, None, "end"),)


def composition(
    p: Parameters, system: str, players: int, rated: int, flags: Collection[str]
) -> tuple[Finding, ...]:
    """6.3-6.33 for round robins; 6.4 for matches and Scheveningen tournaments."""
    if system in ("match", "scheveningen"):
        return few_unrated(p, players - rated)
    if system not in ("round-robin", "double-round-robin"):
        return ()
    return round_robin_composition(
        p,
        players,
        rated,
        double=system == "double-round-robin",
        championship="national-championship" in flags,
        women="women" in flags,
    )


def few_unrated(p: Parameters, unrated: int) -> tuple[Finding, ...]:
    """6.4: no match and no Scheveningen tournament with more than one unrated player."""
    if unrated <= p.unrated_allowed:
        return ()
    text = f"{unrated} unrated players; at most {p.unrated_allowed} in a match or a Scheveningen tournament."
    return (Finding("error", "too-many-unrated", "6.4", text, None, "players"),)


def round_robin_composition(
    p: Parameters, players: int, rated: int, *, double: bool, championship: bool, women: bool
) -> tuple[Finding, ...]:
    """6.3 and 6.31, or 6.33 in their place for a national championship; 6.32 besides."""
    findings = []

    def found(article: str, text: str) -> None:
        findings.append(Finding("error", "too-few-rated", article, text, None, "players"))

    if championship:
        least = p.championship_rated_women if women else p.championship_rated
        if rated < least:
            found("6.33", f"{rated} rated players; a national championship needs {least}.")
    else:
        if rated < p.rated_share * players:
            found("6.3", f"{rated} of {players} players are rated; at least {show(p.rated_share * players)}.")
        if players < p.small_event and rated < p.small_event_rated:
            found(
                "6.31",
                f"{rated} rated players; at least {p.small_event_rated} in an event of fewer than "
                f"{p.small_event}.",
            )
    if double and rated < players and (players < p.double_players or rated < p.double_rated):
        found(
            "6.32",
            f"{players} players, {rated} rated; a double round robin with unrated players needs "
            f"{p.double_players}, {p.double_rated} of them rated.",
        )
    return tuple(findings)
