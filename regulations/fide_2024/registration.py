"""Articles 0 to 6 of the standard text, and 0 to 5 of the rapid and blitz text: may this be rated?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction

from regulations import calendar
from regulations.exact import show
from regulations.fide_2024.parameters import RapidBlitz, Shared, Standard
from regulations.fide_rapid_blitz_2022 import registration as rapid_blitz_2022
from regulations.model import CheckResult, Entrant, Finding, Registration, Stage
from regulations.timecontrol import minutes_for_60_moves


def check_rapid_blitz(p: RapidBlitz, registration: Registration) -> CheckResult:
    """0-5 of the rapid and blitz text, which are those of 2022 with the same numbers."""
    return rapid_blitz_2022.check(p, registration)


def check_standard(p: Standard, registration: Registration) -> CheckResult:
    """Every finding on a registration of standard chess."""
    white = registration.time_control
    black = registration.time_control_black or white
    minutes = minutes_for_60_moves(white)
    both = minutes + minutes_for_60_moves(black)
    unrated = sum(player.rating is None for player in registration.players)
    findings = (
        *kind(registration.rate),
        *time_for_each_game(p, registration),
        *first_control(p, white, "time_control"),
        *(first_control(p, black, "time_control_black") if registration.time_control_black else ()),
        *hours_of_each_day(p, registration, both),
        *calendar.rounds_outside(registration, "0.2"),
        *interim_reports(p, registration.start, registration.end),
        *notice(p, registration),
        *rapid_blitz_2022.hybrid(registration.flags, registration.authorizations),
        *match_without_unrated(p, registration.system, unrated),
    )
    ratable = all(finding.severity != "error" for finding in findings)
    standard = min(minutes, both - minutes) >= game_minutes_needed(p)
    return CheckResult(ratable, "standard" if standard else None, minutes, findings)


def kind(announced: str | None) -> tuple[Finding, ...]:
    """1.1: rapid chess and blitz have their own text."""
    if announced in (None, "standard"):
        return ()
    text = f"These regulations rate standard chess, not {announced}."
    return (Finding("error", "other-rate", "1.1", text, None, "time_control"),)


def game_minutes_needed(p: Standard, own: int | None = None, opponent: int | None = None) -> int:
    """1.1: the least minutes for 60 moves that each player of a game must have, by the higher rating
    of the two; an unrated player (None) asks for no more than the least."""
    highest = max((rating for rating in (own, opponent) if rating is not None), default=0)
    fits = (minutes for rating, minutes in p.minimum_minutes if highest >= rating)
    return next(fits, p.minimum_minutes[-1][1])


def game_has_time(p: Standard, minutes: Fraction, own: int | None, opponent: int | None) -> bool:
    """1.1: may a game of these two be rated where each has so many minutes for 60 moves?"""
    return minutes >= game_minutes_needed(p, own, opponent)


def time_for_each_game(p: Standard, registration: Registration) -> tuple[Finding, ...]:
    """1.1 decides game by game, and who meets whom is not known yet. An error where no two of the
    players could play a rated game; a warning that names the players none of whose games can be
    rated where the others' can."""
    controls = [registration.time_control, registration.time_control_black or registration.time_control]
    minutes = min(minutes_for_60_moves(stages) for stages in controls)
    subject = (
        "time_control" if minutes == minutes_for_60_moves(registration.time_control) else "time_control_black"
    )
    shown = f"{show(minutes)} minutes for 60 moves"
    least = game_minutes_needed(p)
    if minutes < least:
        text = f"{shown}; every game needs at least {least}."
        return (Finding("error", "time-control-too-fast", "1.1", text, None, subject),)
    strong = [player for player in registration.players if not game_has_time(p, minutes, player.rating, None)]
    if not strong:
        return ()
    text = f"{shown}; too fast for every game of {named(p, strong)}"
    if len(registration.players) - len(strong) < 2 <= len(registration.players):
        text += ": no two of the players could play a rated game."
        return (Finding("error", "time-control-too-fast", "1.1", text, None, subject),)
    return (Finding("warning", "games-too-fast", "1.1", f"{text}: these are not rated.", None, subject),)


def named(p: Standard, players: Sequence[Entrant]) -> str:
    """``a (2450, 120 minutes), b (1900, 90 minutes)``, the strongest first."""
    ordered = sorted(players, key=lambda player: (-(player.rating or 0), player.id))
    return ", ".join(
        f"{player.id} ({player.rating}, {game_minutes_needed(p, player.rating, None)} minutes)"
        for player in ordered
    )


def first_control(p: Standard, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """1.2: a first control that counts moves counts at least 30."""
    moves = stages[0].moves
    if moves is None or moves >= p.first_control_moves:
        return ()
    text = f"The first control is after {moves} moves; at least {p.first_control_moves}."
    return (Finding("error", "first-control", "1.2", text, None, subject),)


def hours_of_each_day(
    p: Standard, registration: Registration, minutes_of_a_game: Fraction
) -> tuple[Finding, ...]:
    """3.1: hours of play on each day."""
    findings: list[Finding] = []
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        findings += hours_of_a_day(p, rounds, minutes_of_a_game, f"{day}: ")
    return tuple(findings)


def hours_of_a_day(
    p: Standard, rounds: int, minutes_of_a_game: Fraction, prefix: str = ""
) -> tuple[Finding, ...]:
    """3.1: at most twelve hours; a game lasts as long as both clocks have time for 60 moves."""
    hours = rounds * minutes_of_a_game / 60
    if hours <= p.hours_per_day:
        return ()
    text = f"{prefix}{show(hours)} hours of play; at most {p.hours_per_day} on one day."
    return (Finding("error", "too-many-hours", "3.1", text, None, "rounds"),)


def interim_reports(p: Standard, start: date, end: date) -> tuple[Finding, ...]:
    """4: an event of more than 30 days, first and last day counted, reports its games every month."""
    length = calendar.days(start, end)
    if length <= p.interim_days:
        return ()
    text = f"The event lasts {length} days, more than {p.interim_days}: it must send a report every month."
    return (Finding("warning", "interim-reports", "4", text, None, "end"),)


def is_woman(player: Entrant, flags: Collection[str]) -> bool:
    """A woman by the entry, by a women's title or because the event is for women only."""
    sex = player.sex.strip().lower()
    return sex in ("f", "w") or (not sex and ("women" in flags or player.title.upper().startswith("W")))


def very_strong(p: Standard, player: Entrant, flags: Collection[str]) -> bool:
    """0.2.1: rated above 2700, or a woman above 2500."""
    above = p.early_notice_above_women if is_woman(player, flags) else p.early_notice_above
    return player.rating is not None and player.rating > above


def notice(p: Standard, registration: Registration) -> tuple[Finding, ...]:
    """0.2.1: 30 days before the start where a very strong player takes part, unless the President
    allows less (0.2.3); 0.2.2: else three, unless the chairman of the QC does (0.2.4)."""
    strong = sorted(
        player.id for player in registration.players if very_strong(p, player, registration.flags)
    )
    least, article = (p.early_notice_days, "0.2.1") if strong else (p.notice_days, "0.2.2")
    if registration.registered_on is None:
        text = f"The day of registration is not given; it must be {least} days before the start."
        return (Finding("warning", "registration-unknown", article, text, None, "registered_on"),)
    days = (registration.start - registration.registered_on).days
    if days >= least:
        return ()
    when = f"{days} day{'' if days == 1 else 's'} before the start" if days > 0 else "not before the start"
    why = f", as very strong players take part: {', '.join(strong)}" if strong else ""
    text = f"Registered {when}; at least {least} days are needed{why}."
    allowed = "late-registration" in registration.authorizations
    severity, text = ("warning", f"{text} Authorized.") if allowed else ("error", text)
    return (Finding(severity, "late-registration", article, text, "late-registration", "registered_on"),)


def match_without_unrated(p: Shared, system: str, unrated: int) -> tuple[Finding, ...]:
    """6.1 (5.1 of the rapid and blitz text): a match with an unrated player is not rated."""
    if system != "match" or not unrated:
        return ()
    text = "A match with an unrated player is not rated."
    return (Finding("error", "unrated-in-match", p.article("6.1"), text, None, "players"),)
