"""One step of the computation, and one event as if it were a whole period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from regulations.crosstable import Crosstable
from regulations.fecap_postal import phase_1, phase_2, registration
from regulations.fecap_postal.parameters import Parameters
from regulations.fecap_postal.standing import Outcome, Played, Standing, standing_of
from regulations.model import (
    CountedGame,
    Event,
    EventResult,
    PlayerResult,
    Uncounted,
)


def play(
    p: Parameters, standings: Mapping[str, Standing], games: Mapping[str, Sequence[Played]]
) -> dict[str, Outcome]:
    """Phase 1 for the provisional players, then phase 2 for the others, who meet them at their RRP.

    Within a phase nobody's result depends on another's, so that no order can matter.
    """
    found = {
        player: phase_1.assign(p, standing, games.get(player, ()), standings)
        for player, standing in standings.items()
        if standing.provisional
    }
    met = {player: found[player].after if player in found else standings[player] for player in standings}
    for player, standing in standings.items():
        own = games.get(player, ())
        if player in found:
            found[player] = with_games(found[player], own, met)
        else:
            found[player] = phase_2.vary(p, standing, own, met)
    return found


def with_games(outcome: Outcome, played: Sequence[Played], met: Mapping[str, Standing]) -> Outcome:
    """Phase 1: all games of a provisional player count for P, each shown with the opponent's rating."""
    counted = tuple(
        CountedGame(
            game.round,
            game.opponent,
            game.white,
            game.score,
            met[game.opponent].rating or 0,
            article="Fase 1",
        )
        for game in played
    )
    return replace(outcome, counted=counted, events=tuple(game.event for game in played))


def games_of(table: Crosstable) -> dict[str, list[Played]]:
    """General 8: the finished games of each player; one that was not played has no result to rate."""
    return {
        player: [
            Played(table.event.id, line.round, line.opponent or "", line.white, line.score)
            for line in lines
            if not line.why_unplayed
        ]
        for player, lines in table.lines.items()
    }


def rate(p: Parameters, event: Event) -> EventResult:
    """Changes of the rated, RRP of the provisional players, and a reason for each uncounted game."""
    table = Crosstable(event)
    findings = registration.other_rate(event.rate)
    if findings:
        lines = {player: [] for player in table.lines}
        article, why = findings[0].article, "event not rated"
    else:
        lines, article, why = games_of(table), "General 8", ""
    standings = {player.id: standing_of(p, player) for player in table.players.values()}
    outcomes = play(p, standings, lines)
    players = []
    for player, outcome in outcomes.items():
        uncounted = tuple(
            Uncounted(line.round, line.opponent, article, why or line.why_unplayed)
            for line in table.lines[player]
            if why or line.why_unplayed
        )
        players.append(player_result(player, outcome, uncounted))
    players.sort(key=lambda each: each.id)
    return EventResult(not findings, event.system, findings, tuple(players))


def player_result(player: str, outcome: Outcome, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """What the event means for a player: a change, or the rating that a provisional player is assigned."""
    games = len(outcome.counted)
    if outcome.before.provisional:
        return PlayerResult(
            player,
            "unrated",
            games,
            outcome.score,
            performance=Fraction(outcome.after.rating or 0) if games else None,
            pooled=bool(games),
            counted=outcome.counted,
            uncounted=uncounted,
            steps=outcome.steps if games else (),
        )
    return PlayerResult(
        player,
        "rated",
        games,
        outcome.score,
        rc=outcome.average,
        expected=outcome.expected,
        k=whole(outcome.factor),
        change=outcome.change,
        counted=outcome.counted,
        uncounted=uncounted,
        steps=outcome.steps,
    )


def whole(factor: Fraction | None) -> int | None:
    """f as a K, where it is a whole number."""
    return int(factor) if factor is not None and factor.denominator == 1 else None
