"""Articles 1 to 5 and 7.3: may this tournament be rated?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from regulations import calendar
from regulations.exact import show
from regulations.feda_1996 import time_control
from regulations.feda_1996.parameters import ARBITERS, Parameters
from regulations.model import ArbiterFacts, CheckResult, Entrant, Finding, Registration
from regulations.timecontrol import minutes_for_60_moves

_KINDS = {"round-robin": "closed", "double-round-robin": "closed", "swiss": "open"}
_CATEGORIES = {
    ("international", "closed"): "1.11.a",
    ("national", "closed"): "1.11.b",
    ("international", "open"): "1.11.c",
    ("national", "open"): "1.11.d",
    ("autonomic", "closed"): "1.12.a",
    ("autonomic", "open"): "1.12.b",
    ("provincial", "closed"): "1.13.a",
    ("provincial", "open"): "1.13.b",
}
_OTHER = {"international": "1.11.f", "national": "1.11.f", "autonomic": "1.12.d", "provincial": "1.13.c"}
_QUALIFIERS = {"autonomic": "1.11.e", "provincial": "1.12.c"}
_LEVELS = {"1.11": "national", "1.12": "autonomic", "1.13": "provincial"}
#: the Spanish abbreviations of the arbiters' titles
_SPANISH = {"AP": "PA", "AR": "RA", "AA": "RA", "AN": "NA", "AF": "FA", "AI": "IA"}


def check(p: Parameters, registration: Registration) -> CheckResult:
    """Every finding on a registration; 5.11 lets the federation authorize a long event."""
    white, black = registration.time_control, registration.time_control_black
    findings = [
        *arbiters(p, registration),
        *order_of_a_swiss(p, registration.system, registration.players),
        *time_control.findings(p, white, black),
        *rounds_of_each_day(p, registration),
        *calendar.rounds_outside(registration, "10.2"),
        *duration(p, registration.start, registration.end, registration.authorizations),
    ]
    if registration.players:
        rated = sum(is_rated(p, player) for player in registration.players)
        findings += composition(p, registration.system, len(registration.players), rated, registration.flags)
    if registration.rate not in (None, "standard"):
        text = f"These regulations rate standard chess only, not {registration.rate}."
        findings.append(Finding("error", "other-rate", "2.0", text, None, "time_control"))
    ratable = all(finding.severity != "error" for finding in findings)
    return CheckResult(ratable, "standard", minutes_for_60_moves(white), tuple(findings))


def is_rated(p: Parameters, player: Entrant) -> bool:
    """7.3 with 9.56: a FEDA rating, or the FIDE rating of a foreigner."""
    return player.rating is not None or (p.foreigners_are_rated and player.fide_rating is not None)


def category(scope: str, system: str, *, qualifier: bool = False) -> str:
    """1.11-1.13: the article that an event falls under. Round robins are closed, Swiss tournaments open;
    an autonomic or a provincial event that qualifies for the next level belongs to that level."""
    if qualifier and scope in _QUALIFIERS:
        return _QUALIFIERS[scope]
    return _CATEGORIES.get((scope, _KINDS.get(system, "other")), _OTHER[scope])


def least_title(p: Parameters, article: str) -> str:
    """1.1: the least title that fits a category."""
    level = _LEVELS[article[:4]]
    return {
        "national": p.national_arbiter,
        "autonomic": p.autonomic_arbiter,
        "provincial": p.provincial_arbiter,
    }[level]


def is_title_enough(title: str, least: str) -> bool:
    """1.1: is an arbiter's title at least this one? One that is not known here counts as the lowest."""
    title = title.strip().upper()
    if not title:
        return False
    title = _SPANISH.get(title, title)
    rank = ARBITERS.index(title) if title in ARBITERS else 0
    return rank >= ARBITERS.index(least)


def arbiters(p: Parameters, registration: Registration) -> tuple[Finding, ...]:
    """1.1: a titled arbiter whose title fits the category of the event."""
    scope, found = registration.scope, []
    if scope is None:
        text = "The scope of the event is not given: any arbiter's title is accepted."
        found.append(Finding("warning", "category-unknown", "1.1", text, None, "scope"))
        least, of = p.provincial_arbiter, "the event"
    else:
        article = category(scope, registration.system, qualifier="qualifier" in registration.flags)
        least, of = least_title(p, article), f"an event of category {article}"
    return (*found, *titled_arbiter(registration.arbiters, least, of))


def titled_arbiter(given: Sequence[ArbiterFacts], least: str, of: str) -> tuple[Finding, ...]:
    """1.1: at least one of the arbiters has the title."""
    if not given:
        text = f"No arbiter is given; {of} needs one with the title {least} or higher."
        return (Finding("warning", "arbiter-unknown", "1.1", text, None, "arbiters"),)
    if any(is_title_enough(each.title, least) for each in given):
        return ()
    text = f"No arbiter has the title {least} or a higher one, which {of} needs."
    return (Finding("error", "arbiter-title", "1.1", text, None, "arbiters"),)


def order_key(p: Parameters, player: Entrant) -> tuple[Any, ...]:
    """1.2: FIDE rating, then FIDE title; national rating, then FIDE title; other ratings."""
    order = p.title_order.split()
    title = player.title.strip().upper()
    place = order.index(title) if title in order else len(order)
    return (
        *_highest_first(player.fide_rating),
        place if player.fide_rating is not None else 0,
        *_highest_first(player.rating),
        place if player.rating is not None else 0,
        *_highest_first(player.other_rating),
    )


def _highest_first(rating: int | None) -> tuple[bool, int]:
    return (rating is None, -(rating or 0))


def initial_order(p: Parameters, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """1.2: the initial ranking order of a Swiss tournament. Players whom 1.21-1.23 do not tell apart
    stay in the order that lot or alphabet gave them (1.24)."""
    return tuple(sorted(entrants, key=lambda player: order_key(p, player)))


def order_of_a_swiss(p: Parameters, system: str, players: Sequence[Entrant]) -> tuple[Finding, ...]:
    """1.2: a warning where the registration has its players in another order."""
    if system != "swiss":
        return ()
    for have, want in zip(players, initial_order(p, players), strict=True):
        if have != want:
            text = f"The initial ranking order has {want.id} where the registration has {have.id}."
            return (Finding("warning", "initial-order", "1.2", text, None, "players"),)
    return ()


def rounds_of_each_day(p: Parameters, registration: Registration) -> tuple[Finding, ...]:
    """4.1, 4.2: rounds on each day."""
    found: list[Finding] = []
    black = registration.time_control_black or registration.time_control
    headings = {time_control.heading(p, stages) for stages in (registration.time_control, black)}
    article = "4.2" if time_control.GUILLOTINE in headings else "4.1"
    for day, rounds in calendar.rounds_by_day(registration.rounds):
        found += rounds_of_a_day(p, rounds, article, f"{day}: ")
    return tuple(found)


def rounds_of_a_day(p: Parameters, rounds: int, article: str, prefix: str) -> tuple[Finding, ...]:
    """4.1: at most two rounds a day; 4.2: the same with a quick finish."""
    if rounds <= p.rounds_per_day:
        return ()
    text = f"{prefix}{rounds} rounds; at most {p.rounds_per_day} on one day."
    return (Finding("error", "too-many-rounds", article, text, None, "rounds"),)


def duration(p: Parameters, start: date, end: date, authorizations: Collection[str]) -> tuple[Finding, ...]:
    """5.1: less than 90 days; 5.11: more with the federation's leave."""
    length = calendar.days(start, end)
    if length <= p.maximum_days:
        return ()
    text = f"The event lasts {length} days; at most {p.maximum_days}."
    if "longer-duration" in authorizations:
        return (Finding("warning", "too-long", "5.11", f"{text} Authorized.", "longer-duration", "end"),)
    return (Finding("error", "too-long", "5.1", text, "longer-duration", "end"),)


def composition(
    p: Parameters, system: str, players: int, rated: int, flags: Collection[str]
) -> tuple[Finding, ...]:
    """7.3-7.33 for round robins; no article limits the unrated players of other events."""
    if system not in ("round-robin", "double-round-robin"):
        return ()
    championship = "national-championship" in flags
    double = system == "double-round-robin"
    articles = composition_faults(p, players, rated, double=double, championship=championship)
    texts = {
        "7.3": f"at least {show(p.rated_share * players)} are needed",
        "7.31": f"at least {p.small_event_rated} in an event of {p.small_event} players or fewer",
        "7.32": f"a double round robin with unrated players needs {p.double_players}, "
        f"{p.double_rated} of them rated",
        "7.33": f"a championship needs {p.championship_rated}",
    }
    return tuple(
        Finding(
            "error",
            "too-few-rated",
            article,
            f"{rated} of {players} players are rated; {texts[article]}.",
            None,
            "players",
        )
        for article in articles
    )


def composition_faults(
    p: Parameters, players: int, rated: int, *, double: bool, championship: bool
) -> tuple[str, ...]:
    """The articles that a round robin does not meet."""
    found = []
    if championship:
        if rated < p.championship_rated:
            found.append("7.33")
    else:
        if rated < p.rated_share * players:
            found.append("7.3")
        if (
            players <= p.small_event
            and rated < p.small_event_rated
            and not (p.small_event_all_rated and rated == players)
        ):
            found.append("7.31")
    small = players < p.double_players or rated < p.double_rated
    if double and rated < players and small and not (championship and p.championship_overrides_double):
        found.append("7.32")
    return tuple(found)
