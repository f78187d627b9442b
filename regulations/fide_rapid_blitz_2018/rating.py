"""Articles 5, 6 and 8: what one event means for each of its players, game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from regulations.crosstable import Crosstable, Line
from regulations.exact import mean, mean_text, show, sum_text
from regulations.fide_rapid_blitz_2018 import registration, round_robin
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2022.rating import game_change, seen_by_opponents
from regulations.model import (
    CountedGame,
    Event,
    EventPlayer,
    EventResult,
    Finding,
    PlayerResult,
    Step,
    Uncounted,
)
from regulations.per_game import effective_rating

_MEETINGS = {"round-robin": 1, "double-round-robin": 2}


def rate(p: Parameters, event: Event) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game."""
    table = Crosstable(event, cut_decided=is_cut(p, event))
    treated_as, findings = treatment(event, table)
    findings += event_findings(p, event, table, treated_as)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        players = (not_rated(p, table, player, errors[0].article) for player in table.players.values())
        return EventResult(False, treated_as, tuple(findings), tuple(players))
    dropped = ignored(p, table, everybody=treated_as in _MEETINGS)
    average = round_robin.average(p, table, dropped) if treated_as in _MEETINGS else None
    found = tuple(player_result(p, table, player, dropped, average) for player in table.players.values())
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


def not_rated(p: Parameters, table: Crosstable, player: EventPlayer, article: str) -> PlayerResult:
    """A player of an event that is not rated: no game counts."""
    uncounted = tuple(
        Uncounted(line.round, line.opponent, article, "event not rated") for line in table.lines[player.id]
    )
    return no_result(p, player, uncounted)


def no_result(p: Parameters, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts: a rated player's change is 0, an unrated player's result is not kept."""
    zero = Fraction(0)
    if effective_rating(player) is None:
        return PlayerResult(player.id, "unrated", 0, zero, pooled=False, uncounted=uncounted)
    k = period_k(p, player.games_in_period or 0)
    return PlayerResult(player.id, "rated", 0, zero, expected=zero, k=k, change=zero, uncounted=uncounted)


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
    if own is None:
        return unrated_result(p, player, lines, used, uncounted, average)
    return rated_result(p, player, own, lines, used, uncounted)


def unrated_result(
    p: Parameters,
    player: EventPlayer,
    lines: Sequence[Line],
    ratings: Sequence[int],
    uncounted: Sequence[Uncounted],
    average: round_robin.Average | None,
) -> PlayerResult:
    """8.21-8.26: Ru of this event; its games are pooled with others towards a first rating (7.14)."""
    score = sum((line.score for line in lines), Fraction(0))
    if average is None:
        rc = mean(tuple(ratings))
        ru, step = performance(p, rc, score, len(lines))
        steps: tuple[Step, ...] = (Step("8.21", "Rc", show(rc), mean_text(tuple(ratings))), step)
    else:
        ru, steps = average.ru[player.id], (*average.steps, *average.explained[player.id])
    counted = tuple(
        CountedGame(line.round, line.opponent or "", line.white, line.score, rating, article="8.21")
        for line, rating in zip(lines, ratings, strict=True)
    )
    return PlayerResult(
        player.id,
        "unrated",
        len(lines),
        score,
        performance=ru,
        pooled=True,
        counted=counted,
        uncounted=tuple(uncounted),
        steps=steps,
    )


def period_k(p: Parameters, games: int) -> int:
    """8.56: 20 up to 35 games in a period, then 700 divided by their number, rounded down."""
    return p.k if games <= p.k_games else p.nk_limit // games


def k_text(p: Parameters, games: int) -> str:
    """Why K is what it is."""
    if games <= p.k_games:
        return f"{games} games, not more than {p.k_games}"
    return f"{games} games, more than {p.k_games}: {p.nk_limit}/{games}, rounded down"


def rated_result(
    p: Parameters,
    player: EventPlayer,
    own: int,
    lines: Sequence[Line],
    ratings: Sequence[int],
    uncounted: Sequence[Uncounted],
) -> PlayerResult:
    """8.51-8.55: the sum of score - PD over the games, times K."""
    counted, steps = [], []
    if player.rating is None:
        steps.append(Step("8.22", "R", str(own), "the standard rating"))
    for line, opponent in zip(lines, ratings, strict=True):
        d, expected, delta = game_change(p, own, opponent, line.score)
        counted.append(
            CountedGame(line.round, line.opponent or "", line.white, line.score, own - d, d, expected, "8.51")
        )
        limit = f", limited to {p.difference_limit}" if own - opponent != d else ""
        text = (
            f"{line.opponent}: D {own} - {opponent} = {own - opponent}{limit}; PD {show(expected)}; "
            f"{show(line.score)} - {show(expected)}"
        )
        steps.append(Step("8.55b", f"ΔR round {line.round}", show(delta), text))
    score = sum((line.score for line in lines), Fraction(0))
    expected = sum((game.expected or Fraction(0) for game in counted), Fraction(0))
    n = max(player.games_in_period or 0, len(lines))
    k, total = period_k(p, n), score - expected
    deltas = [game.score - (game.expected or 0) for game in counted]
    steps += [
        Step("8.55c", "ΣΔR", show(total), sum_text(deltas)),
        Step("8.56", "K", str(k), k_text(p, n)),
        Step(
            "8.55c", "change", show(k * total), f"{k} × {show(total)}; rounded with the period's sum (8.57)"
        ),
    ]
    return PlayerResult(
        player.id,
        "rated",
        len(lines),
        score,
        rc=mean(tuple(ratings)),
        expected=expected,
        k=k,
        change=k * total,
        counted=tuple(counted),
        uncounted=tuple(uncounted),
        steps=tuple(steps),
    )
