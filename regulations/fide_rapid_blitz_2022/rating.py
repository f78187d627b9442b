"""Articles 4, 5 and 7: what one event means for each of its players, game by game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from regulations import per_game, tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, mean, mean_text, show
from regulations.fide_rapid_blitz_2022 import registration
from regulations.fide_rapid_blitz_2022.parameters import Parameters
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
    standard_rating="7.21",
    unrated="7.22",
    difference="7.31",
    game="7.32b",
    total="7.32c",
    k="7.32",
    change="7.32d",
    rounding="7.33",
    floor="6.21",
    inactive="6.22",
)


def rate(p: Parameters, event: Event, only: Collection[str] | None = None) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game; ``only`` of
    these players."""
    waived = "decided-match-games" in event.authorizations
    table = Crosstable(event, cut_decided=p.cut_decided_match and not waived)
    findings = event_findings(p, event, table, waived)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        players = (
            no_result(p, player, per_game.not_rated(table.lines[player.id], errors[0].article))
            for player in table.players.values()
        )
        return EventResult(False, event.system, findings, tuple(players))
    wanted = (each for each in table.players.values() if only is None or each.id in only)
    players = (player_result(p, table, player) for player in wanted)
    return EventResult(True, event.system, findings, tuple(players))


def event_findings(p: Parameters, event: Event, table: Crosstable, waived: bool) -> tuple[Finding, ...]:
    """0.2 for hybrid events; 5.1 and 5.2 for matches."""
    unrated = sum(seen_by_opponents(player) is None for player in table.participants)
    findings = [
        *registration.hybrid(event.flags, event.authorizations),
        *registration.match_without_unrated(event.system, unrated),
    ]
    if event.system == "match" and event.scheduled_games is None and p.cut_decided_match and not waived:
        text = "The scheduled number of games is not known: games after the match was decided count."
        findings.append(
            Finding("warning", "scheduled-games-unknown", "5.2", text, "decided-match-games", "rounds")
        )
    return tuple(findings)


def seen_by_opponents(player: EventPlayer) -> int | None:
    """7.24: who got a rating only since the event is unrated for the opponents."""
    return player.standard_rating if player.rated_since_event else effective_rating(player)


def no_result(p: Parameters, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts; K of a rated player is that of the games that his period has elsewhere."""
    rated = effective_rating(player) is not None
    k = period_k(p, player.games_in_period or 0) if rated else None
    return per_game.no_result(player, k, uncounted)


def games_of(table: Crosstable, player: EventPlayer) -> tuple[list[Line], list[Uncounted]]:
    """4.1: not played; 5.2: after the decision; 7.22, 7.31: only rated opponents."""
    lines, uncounted = [], []
    rated = effective_rating(player) is not None
    for line in table.lines[player.id]:
        if line.why_unplayed:
            uncounted.append(Uncounted(line.round, line.opponent, "4.1", line.why_unplayed))
        elif line.decided:
            uncounted.append(Uncounted(line.round, line.opponent, "5.2", "after the match was decided"))
        elif seen_by_opponents(table.players[line.opponent or ""]) is None:
            article = "7.31" if rated else "7.22"
            uncounted.append(Uncounted(line.round, line.opponent, article, "unrated opponent"))
        else:
            lines.append(line)
    return lines, uncounted


def player_result(p: Parameters, table: Crosstable, player: EventPlayer) -> PlayerResult:
    """One player of an event of any kind: these regulations know no special round robin."""
    lines, uncounted = games_of(table, player)
    own = effective_rating(player)
    if own is None and lines and player.first_event and not sum(line.score for line in lines):
        uncounted += [
            Uncounted(line.round, line.opponent, "7.22", "zero in the first event") for line in lines
        ]
        uncounted.sort(key=lambda each: each.round)
        lines = []
    if not lines:
        return no_result(p, player, tuple(uncounted))
    met = [(line, seen_by_opponents(table.players[line.opponent or ""]) or 0) for line in lines]
    if own is None:
        ru, steps = performance(p, [rating for _, rating in met], per_game.score_of(met))
        return per_game.unrated_result(ARTICLES, player, met, uncounted, ru, steps)
    return rated_result(p, player, own, met, uncounted)


def performance(
    p: Parameters, ratings: Sequence[int | Fraction], score: Fraction
) -> tuple[int, tuple[Step, ...]]:
    """7.22: Ra is the average of the rated opponents; 7.23: Ru, rounded to a whole number."""
    games, ra = len(ratings), mean(tuple(ratings))
    above = 2 * score - games
    average = Step("7.22", "Ra", show(ra), mean_text(tuple(ratings)))
    if above == 0:
        ru, text = ra, f"{show(ra)}, at 50 %"
    elif above > 0:
        ru = ra + p.half_point_bonus * above
        text = f"{show(ra)} + {show(p.half_point_bonus)} × {show(above)}"
    else:
        share = tables.hundredths(score, games)
        dp = tables.dp(share, p.dp_certain)
        ru, text = ra + dp, f"{show(ra)} - {-dp}, p {show(Fraction(share, 100))}"
    whole = half_up(ru)
    return whole, (average, Step("7.23", "Ru", str(whole), f"{text}, to the nearest whole number"))


def period_k(p: Parameters, games: Any) -> Any:
    """7.32: 20, or the greatest K with which n × K does not pass 700; of a number of games or a column."""
    greatest = p.nk_limit // (games + (games == 0))
    return p.k - (p.k - greatest) * ((p.k > greatest) & (games > 0))


def k_text(p: Parameters, games: int) -> str:
    """Why K is what it is."""
    if games * p.k <= p.nk_limit:
        return f"{games} × {p.k} = {games * p.k}, not over {p.nk_limit}"
    return f"{games} × {p.k} = {games * p.k} is over {p.nk_limit}; greatest K with {games} × K within it"


def k_of_period(p: Parameters, games: int) -> tuple[int, str]:
    """7.32: K and why."""
    return period_k(p, games), k_text(p, games)


def rated_result(
    p: Parameters, player: EventPlayer, own: int, met: Sequence[tuple[Line, int]], uncounted: list[Uncounted]
) -> PlayerResult:
    """7.31, 7.32: the sum of score - PD over the games, times K."""
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
