"""Articles 5, 6 and 8: what one event means for each of its players, game by game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from regulations import per_game
from regulations.crosstable import Crosstable, Line
from regulations.exact import mean, mean_text, show
from regulations.fide_rapid_blitz_2018 import registration, round_robin
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2022.rating import seen_by_opponents
from regulations.model import (
    Event,
    EventPlayer,
    EventResult,
    Finding,
    PlayerResult,
    Step,
    Uncounted,
)
from regulations.per_game import Articles, effective_rating, game_change

ARTICLES = Articles(
    standard_rating="8.22",
    unrated="8.21",
    difference="8.51",
    game="8.55b",
    total="8.55c",
    k="8.56",
    change="8.55c",
    rounding="8.57",
    floor="7.21",
    inactive="7.23",
)

_MEETINGS = {"round-robin": 1, "double-round-robin": 2}


def rate(p: Parameters, event: Event, only: Collection[str] | None = None) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game; ``only`` of
    these players."""
    table = Crosstable(event, cut_decided=is_cut(p, event))
    treated_as, findings = treatment(event, table)
    findings += event_findings(p, event, table, treated_as)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        players = (
            no_result(p, player, per_game.not_rated(table.lines[player.id], errors[0].article))
            for player in table.players.values()
        )
        return EventResult(False, treated_as, tuple(findings), tuple(players))
    dropped = ignored(p, table, everybody=treated_as in _MEETINGS)
    average = round_robin.average(p, table, dropped) if treated_as in _MEETINGS else None
    wanted = (each for each in table.players.values() if only is None or each.id in only)
    found = tuple(player_result(p, table, player, dropped, average) for player in wanted)
    return EventResult(True, treated_as, tuple(findings), found, average and average.ra)


def is_cut(p: Parameters, event: Event) -> bool:
    """6.5: only a match scheduled for more than 8 games ends, for the rating, when it is decided."""
    return (event.scheduled_games or 0) > p.decided_match_above


def treatment(event: Event, table: Crosstable) -> tuple[str, list[Finding]]:
    """6.4: a round robin with an unplayed game is rated as a Swiss tournament."""
    meetings = _MEETINGS.get(event.system)
    if meetings is None or table.every_pair_played(meetings):
        return event.system, []
    games = "its game" if meetings == 1 else "two games"
    text = f"Not every pair played {games}: rated as a Swiss tournament."
    return "swiss", [Finding("warning", "treated-as-swiss", "6.4", text, None, "system")]


def event_findings(p: Parameters, event: Event, table: Crosstable, treated_as: str) -> list[Finding]:
    """4.1, 6.2 and 6.6 on the event as it was played; 6.5 where the length of a match is not known."""
    findings: list[Finding] = []
    if event.start is not None and event.end is not None:
        findings += registration.duration(p, event.start, event.end, event.authorizations)
    rated = sum(seen_by_opponents(player) is not None for player in table.participants)
    findings += registration.composition(p, treated_as, len(table.participants), rated)
    if event.system == "match" and event.scheduled_games is None:
        text = "The scheduled number of games is not known: games after the match was decided count."
        findings.append(Finding("warning", "scheduled-games-unknown", "6.5", text, None, "rounds"))
    return findings


def no_result(p: Parameters, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts; K of a rated player is that of the games that his period has elsewhere."""
    rated = effective_rating(player) is not None
    k = period_k(p, player.games_in_period or 0) if rated else None
    return per_game.no_result(player, k, uncounted)


def reason_of(line: Line) -> tuple[str, str] | None:
    """5.1: not played. 6.5: played after the match was decided."""
    if line.why_unplayed:
        return "5.1", line.why_unplayed
    return ("6.5", "after the match was decided") if line.decided else None


def ignored(p: Parameters, table: Crosstable, *, everybody: bool) -> frozenset[str]:
    """6.1, 6.31: unrated players with zero or half a point in their first event; of all games in a
    round robin (``everybody``), of those against rated players elsewhere."""
    found = set()
    for player in table.participants:
        if seen_by_opponents(player) is not None or not player.first_event:
            continue
        score = sum(
            line.score
            for line in table.lines[player.id]
            if reason_of(line) is None and (everybody or _rated(table, line.opponent))
        )
        if score <= p.dropped_score:
            found.add(player.id)
    return frozenset(found)


def _rated(table: Crosstable, player: str | None) -> bool:
    return seen_by_opponents(table.players[player or ""]) is not None


def games_of(
    table: Crosstable, player: EventPlayer, dropped: frozenset[str], ratings: Mapping[str, int] | None
) -> tuple[list[Line], list[Uncounted]]:
    """5.1, 6.1, 6.5, and outside round robins 6.32: which games count. ``ratings`` are what
    opponents count for in a round robin, None elsewhere."""
    lines, uncounted = [], []
    own = effective_rating(player)
    for line in table.lines[player.id]:
        why = reason_of(line)
        if why is None and ratings is None and not _rated(table, line.opponent):
            why = ("8.21" if own is None else "6.32"), "unrated opponent"
        elif why is None and player.id in dropped and own is None:
            why = "6.1", "zero or half a point in the first event"
        elif why is None and ratings is not None and line.opponent not in ratings:
            why = "6.1", "unrated opponent with zero or half a point in his first event"
        if why is None:
            lines.append(line)
        else:
            uncounted.append(Uncounted(line.round, line.opponent, *why))
    return lines, uncounted


def player_result(
    p: Parameters,
    table: Crosstable,
    player: EventPlayer,
    dropped: frozenset[str],
    average: round_robin.Average | None,
) -> PlayerResult:
    """One player of an event of any kind."""
    ratings = None if average is None else average.ratings
    lines, uncounted = games_of(table, player, dropped, ratings)
    if not lines:
        return no_result(p, player, tuple(uncounted))
    own = effective_rating(player)
    if ratings is None:
        used = [seen_by_opponents(table.players[line.opponent or ""]) or 0 for line in lines]
    else:
        used = [ratings[line.opponent or ""] for line in lines]
    met = list(zip(lines, used, strict=True))
    if own is None:
        ru, steps = performance_of(p, player, met, average)
        return per_game.unrated_result(ARTICLES, player, met, uncounted, ru, steps)
    return rated_result(p, player, own, met, uncounted)


def performance_of(
    p: Parameters,
    player: EventPlayer,
    met: Sequence[tuple[Line, int]],
    average: round_robin.Average | None,
) -> tuple[Fraction, tuple[Step, ...]]:
    """8.21-8.26: Ru of this event; its games are pooled with others towards a first rating (7.14)."""
    if average is not None:
        return average.ru[player.id], (*average.steps, *average.explained[player.id])
    ratings = tuple(rating for _, rating in met)
    rc = mean(ratings)
    ru, step = performance(p, rc, per_game.score_of(met), len(met))
    return ru, (Step("8.21", "Rc", show(rc), mean_text(ratings)), step)


def period_k(p: Parameters, games: Any) -> Any:
    """8.56: 20 up to 35 games in a period, then 700 divided by their number, rounded down; of a number of
    games or a column."""
    return p.k + (p.nk_limit // (games + (games == 0)) - p.k) * (games > p.k_games)


def k_text(p: Parameters, games: int) -> str:
    """Why K is what it is."""
    if games <= p.k_games:
        return f"{games} games, not more than {p.k_games}"
    return f"{games} games, more than {p.k_games}: {p.nk_limit}/{games}, rounded down"


def k_of_period(p: Parameters, games: int) -> tuple[int, str]:
    """8.56: K and why."""
    return period_k(p, games), k_text(p, games)


def rated_result(
    p: Parameters,
    player: EventPlayer,
    own: int,
    met: Sequence[tuple[Line, int]],
    uncounted: Sequence[Uncounted],
) -> PlayerResult:
    """8.51-8.55: the sum of score - PD over the games, times K."""
    return per_game.rated_result(
        ARTICLES,
        player,
        own,
        met,
        uncounted,
        game=partial(game_change, p, own),
        limit=partial(per_game.limit_text, p),
        k_of=partial(k_of_period, p),
        from_standard=player.rating is None,
    )
