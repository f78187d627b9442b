"""Articles 4, 5 and 7: what one event means for each of its players, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, mean, mean_text, show, sum_text
from regulations.fide_rapid_blitz_2022 import registration
from regulations.fide_rapid_blitz_2022.parameters import Parameters
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


def rate(p: Parameters, event: Event) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game."""
    waived = "decided-match-games" in event.authorizations
    table = Crosstable(event, cut_decided=p.cut_decided_match and not waived)
    findings = event_findings(p, event, table, waived)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        players = (not_rated(p, table, player, errors[0].article) for player in table.players.values())
        return EventResult(False, event.system, findings, tuple(players))
    players = (player_result(p, table, player) for player in table.players.values())
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
    ratings = [seen_by_opponents(table.players[line.opponent or ""]) or 0 for line in lines]
    if own is None:
        return unrated_result(p, player, lines, ratings, uncounted)
    return rated_result(p, player, own, lines, ratings, uncounted)


def unrated_result(
    p: Parameters, player: EventPlayer, lines: list[Line], ratings: list[int], uncounted: list[Uncounted]
) -> PlayerResult:
    """7.22, 7.23: Ru of this event; it is pooled with others towards a first rating (6.14)."""
    score = sum((line.score for line in lines), Fraction(0))
    ru, steps = performance(p, ratings, score)
    counted = tuple(
        CountedGame(line.round, line.opponent or "", line.white, line.score, rating, article="7.22")
        for line, rating in zip(lines, ratings, strict=True)
    )
    return PlayerResult(
        player.id,
        "unrated",
        len(lines),
        score,
        performance=Fraction(ru),
        pooled=True,
        counted=counted,
        uncounted=tuple(uncounted),
        steps=steps,
    )


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


def game_change(p: Parameters, own: int, opponent: int, score: Fraction) -> tuple[int, Fraction, Fraction]:
    """7.31: D, at most 400; 7.32a: PD; 7.32b: score - PD."""
    d = tables.limited(own - opponent, p.difference_limit)
    expected = tables.expected(d)
    return d, expected, score - expected


def period_k(p: Parameters, games: int) -> int:
    """7.32: 20, or the greatest K with which n × K does not pass 700."""
    return min(p.k, p.nk_limit // games) if games else p.k


def k_text(p: Parameters, games: int) -> str:
    """Why K is what it is."""
    if games * p.k <= p.nk_limit:
        return f"{games} × {p.k} = {games * p.k}, not over {p.nk_limit}"
    return f"{games} × {p.k} = {games * p.k} is over {p.nk_limit}; greatest K with {games} × K within it"


def rated_result(
    p: Parameters,
    player: EventPlayer,
    own: int,
    lines: list[Line],
    ratings: list[int],
    uncounted: list[Uncounted],
) -> PlayerResult:
    """7.31, 7.32: the sum of score - PD over the games, times K."""
    counted, steps = [], []
    if player.rating is None:
        steps.append(Step("7.21", "R", str(own), "the standard rating"))
    for line, opponent in zip(lines, ratings, strict=True):
        d, expected, delta = game_change(p, own, opponent, line.score)
        counted.append(
            CountedGame(line.round, line.opponent or "", line.white, line.score, own - d, d, expected, "7.31")
        )
        limit = f", limited to {p.difference_limit}" if own - opponent != d else ""
        text = (
            f"{line.opponent}: D {own} - {opponent} = {own - opponent}{limit}; PD {show(expected)}; "
            f"{show(line.score)} - {show(expected)}"
        )
        steps.append(Step("7.32b", f"ΔR round {line.round}", show(delta), text))
    score = sum((line.score for line in lines), Fraction(0))
    expected = sum((game.expected or Fraction(0) for game in counted), Fraction(0))
    n = max(player.games_in_period or 0, len(lines))
    k = period_k(p, n)
    total, change = score - expected, k * (score - expected)
    deltas = [game.score - (game.expected or 0) for game in counted]
    steps += [
        Step("7.32c", "ΣΔR", show(total), sum_text(deltas)),
        Step("7.32", "K", str(k), k_text(p, n)),
        Step("7.32d", "change", show(change), f"{k} × {show(total)}; rounded with the period's sum (7.33)"),
    ]
    return PlayerResult(
        player.id,
        "rated",
        len(lines),
        score,
        rc=mean(tuple(ratings)),
        expected=expected,
        k=k,
        change=change,
        counted=tuple(counted),
        uncounted=tuple(uncounted),
        steps=tuple(steps),
    )
