"""Articles 5, 6 and 8 (4, 5 and 7 of the rapid and blitz text): what one event means, game by game.

The numbers in the docstrings are those of the standard text; ``p.article`` turns them into those of
the text in question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction
from functools import partial
from typing import Any

from regulations import per_game, tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, show, sum_text
from regulations.fide_2024 import registration
from regulations.fide_2024.coefficient import k_factor, k_of_period, period_k
from regulations.fide_2024.parameters import RapidBlitz, Shared, Standard
from regulations.fide_rapid_blitz_2022.registration import hybrid
from regulations.model import (
    Event,
    EventPlayer,
    EventResult,
    Finding,
    PlayerResult,
    Step,
    Uncounted,
)
from regulations.per_game import Articles


def articles_of(p: Shared) -> Articles:
    """The shared rules by the numbers of the text in question; only rapid and blitz have the first."""
    return Articles(
        standard_rating="7.2.1",
        unrated=p.article("8.2.2"),
        difference=p.article("8.3.1"),
        game=p.article("8.3.2b"),
        total=p.article("8.3.2c"),
        k=p.article("8.3.3"),
        change=p.article("8.3.2d"),
        rounding=p.article("8.3.4"),
        floor=p.article("7.2.1"),
        inactive=p.article("7.2.2"),
    )


def rate(p: Shared, event: Event, only: Collection[str] | None = None) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game; ``only`` of
    these players."""
    waived = "decided-match-games" in event.authorizations
    table = Crosstable(event, cut_decided=p.cut_decided_match and not waived)
    findings = event_findings(p, event, table, waived)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        players = (
            no_result(p, event, player, per_game.not_rated(table.lines[player.id], errors[0].article))
            for player in table.players.values()
        )
        return EventResult(False, event.system, findings, tuple(players))
    wanted = (each for each in table.players.values() if only is None or each.id in only)
    players = (player_result(p, table, player) for player in wanted)
    return EventResult(True, event.system, findings, tuple(players))


def event_findings(p: Shared, event: Event, table: Crosstable, waived: bool) -> tuple[Finding, ...]:
    """0.2 for hybrid events; 6.1 and 6.2 for matches."""
    unrated = sum(seen_by_opponents(p, player) is None for player in table.participants)
    findings = [
        *hybrid(event.flags, event.authorizations),
        *registration.match_without_unrated(p, event.system, unrated),
    ]
    if event.system == "match" and event.scheduled_games is None and p.cut_decided_match and not waived:
        text = "The scheduled number of games is not known: games after the match was decided count."
        findings.append(
            Finding(
                "warning",
                "scheduled-games-unknown",
                p.article("6.2"),
                text,
                "decided-match-games",
                "rounds",
            )
        )
    return tuple(findings)


def day_of(event: Event) -> date | None:
    """The day whose rules hold: the start, or the end where that is all that is known."""
    return event.start or event.end


def since(event: Event, first: tuple[int, int, int]) -> bool:
    """Does the event start on this day or later? One without dates is rated by the text of today."""
    day = day_of(event)
    return day is None or day >= date(*first)


def standard_stands_in(p: Shared, player: EventPlayer) -> bool:
    """7.2.1 of the rapid and blitz text: unrated at the start, but with a standard rating; then 8.2.4
    does not apply either."""
    unrated = player.rating is None or player.rated_since_event
    return isinstance(p, RapidBlitz) and unrated and player.standard_rating is not None


def own_rating(p: Shared, player: EventPlayer) -> int | None:
    """The rating that a player's own games are computed with; 8.2.4: of who is rated since, the present."""
    return player.standard_rating if standard_stands_in(p, player) else player.rating


def seen_by_opponents(p: Shared, player: EventPlayer) -> int | None:
    """8.2.4: who got a rating only since the event is unrated for the opponents."""
    if player.rated_since_event and not standard_stands_in(p, player):
        return None
    return own_rating(p, player)


def k_of_player(p: Shared, event: Event, player: EventPlayer) -> tuple[int, str]:
    """8.3.3: K by the list in force at the start, and by the year of the event."""
    games, day = player.career_games, day_of(event)
    if games is None:
        games = 0 if player.rating is None else p.k_new_games
    year = day and day.year
    own, highest = own_rating(p, player), player.highest_rating
    return k_factor(p, own, games, player.reached_k10, player.birth_year, year, highest)


def no_result(p: Shared, event: Event, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts; K of a rated player is that of the games that his period has elsewhere."""
    rated = own_rating(p, player) is not None
    k = period_k(p, k_of_player(p, event, player)[0], player.games_in_period or 0) if rated else None
    return per_game.no_result(player, k, uncounted)


def too_unequal(p: Shared, event: Event, own: int, opponent: int) -> bool:
    """7.3.1 of the rapid and blitz text: from December 2024 a game with 600 points between the players
    is not rated where one of them is above 2600."""
    return excludes_unequal(p, event) and are_too_unequal(p, own, opponent)


def excludes_unequal(p: Shared, event: Event) -> bool:
    """Does the event start when the rapid and blitz text leaves games out that are too unequal?"""
    return isinstance(p, RapidBlitz) and since(event, p.excluded_start)


def are_too_unequal(p: RapidBlitz, own: Any, opponent: Any) -> Any:
    """7.3.1: 600 points between the players, one of them above 2600; integers or columns."""
    above = (own > p.excluded_above) | (opponent > p.excluded_above)
    return (abs(own - opponent) >= p.excluded_difference) & above


def too_fast(p: Shared, event: Event, player: EventPlayer, opponent: EventPlayer) -> bool:
    """1.1 of the standard text: less time than the two ratings at the start ask of the game."""
    minutes = event.minutes_for_60_moves
    if minutes is None or not isinstance(p, Standard):
        return False
    own, other = seen_by_opponents(p, player), seen_by_opponents(p, opponent)
    return not registration.game_has_time(p, minutes, own, other)


def why_uncounted(p: Shared, table: Crosstable, player: EventPlayer, line: Line) -> tuple[str, str] | None:
    """5.1: not played; 6.2: after the decision; 1.1: too fast; 8.2.2, 8.3.1: an unrated opponent; 7.3.1
    of the rapid and blitz text: too unequal. The article and the reason, or None for a game that counts."""
    if line.why_unplayed:
        return p.article("5.1"), line.why_unplayed
    if line.decided:
        return p.article("6.2"), "after the match was decided"
    opponent = table.players[line.opponent]
    if too_fast(p, table.event, player, opponent):
        return "1.1", "too fast for these players"
    own, rating = own_rating(p, player), seen_by_opponents(p, opponent)
    if rating is None:
        return p.article("8.2.2" if own is None else "8.3.1"), "unrated opponent"
    if own is not None and too_unequal(p, table.event, own, rating):
        reason = f"{abs(own - rating)} points apart, a player above {p.excluded_above}"
        return p.article("8.3.1"), reason
    return None


def games_of(
    p: Shared, table: Crosstable, player: EventPlayer
) -> tuple[list[tuple[Line, int]], list[Uncounted]]:
    """The games that count for a player, with the ratings of the opponents, and those that do not."""
    met, uncounted = [], []
    for line in table.lines[player.id]:
        why = why_uncounted(p, table, player, line)
        if why is None:
            met.append((line, seen_by_opponents(p, table.players[line.opponent])))
        else:
            uncounted.append(Uncounted(line.round, line.opponent, *why))
    return met, uncounted


def player_result(p: Shared, table: Crosstable, player: EventPlayer) -> PlayerResult:
    """One player of an event of any kind: these texts know no special round robin. 8.2.1: zero in
    the first event is disregarded."""
    met, uncounted = games_of(p, table, player)
    unrated = own_rating(p, player) is None
    if unrated and player.first_event and not per_game.score_of(met):
        why = p.article("8.2.1"), "zero in the first event"
        uncounted += [Uncounted(line.round, line.opponent, *why) for line, _ in met]
        uncounted.sort(key=lambda each: each.round)
        met = []
    if not met:
        return no_result(p, table.event, player, tuple(uncounted))
    if unrated:
        ru, steps = performance(p, [rating for _, rating in met], per_game.score_of(met))
        return per_game.unrated_result(articles_of(p), player, met, uncounted, ru, steps)
    return rated_result(p, table.event, player, met, uncounted)


def performance(
    p: Shared, ratings: Sequence[int | Fraction], score: Fraction
) -> tuple[int, tuple[Step, ...]]:
    """8.2.2: Ra is the average of the rated opponents and two more of 1800, with draws against them;
    8.2.3: Ru = Ra + dp, to a whole number, 2200 at most."""
    added = p.hypothetical_opponents
    games = len(ratings) + added
    ra = (sum(ratings, Fraction(0)) + added * p.hypothetical_rating) / games
    points = score + Fraction(added, 2)
    share = tables.hundredths(points, games)
    dp = tables.dp(share, p.dp_certain)
    whole = half_up(ra + dp)
    ru, shown = min(whole, p.first_rating_maximum), show(Fraction(share, 100))
    article = p.article("8.2.2")
    average = f"({sum_text(tuple(ratings))} + {added} × {p.hypothetical_rating})/{games}"
    fraction = f"({show(score)} + {show(Fraction(added, 2))})/{games}, rounded to two decimals"
    steps = (
        Step(article, "Ra", show(ra), average),
        Step(article, "p", shown, fraction),
        Step(p.article("8.1.1"), "dp", str(dp), f"p {shown}"),
        Step(p.article("8.2.3"), "Ru", str(whole), f"{sum_text((ra, dp))}, to a whole number"),
    )
    if ru != whole:
        text = f"{whole} is over {ru}, the highest first rating"
        steps += (Step(p.article("8.2.3"), "Ru", str(ru), text),)
    return ru, steps


def has_full_differences(p: Shared, event: Event) -> bool:
    """8.3.1 of the standard text: from October 2025 a player rated 2650 or more has no limit of 400."""
    return isinstance(p, Standard) and since(event, p.full_difference_start)


def difference(p: Shared, full: bool, own: Any, opponent: Any) -> Any:
    """8.3.1: D, at most 400, unless the event knows full differences and the player has them; integers
    or columns."""
    held = per_game.difference(p, own, opponent)
    return held + (own - opponent - held) * (own >= p.full_difference_from) if full else held


def game_change(
    p: Shared, event: Event, own: int, opponent: int, score: Fraction
) -> tuple[int, Fraction, Fraction]:
    """8.3.1: D, at most 400 unless the player has the full difference; 8.3.2a: PD; 8.3.2b: score - PD."""
    return per_game.change_by(difference(p, has_full_differences(p, event), own, opponent), score)


def limit_text(p: Shared, difference: int, d: int) -> str:
    """What became of the limit."""
    if d == difference and abs(d) > p.difference_limit:
        return f", in full from {p.full_difference_from} on"
    return per_game.limit_text(p, difference, d)


def rated_result(
    p: Shared,
    event: Event,
    player: EventPlayer,
    met: Sequence[tuple[Line, int]],
    uncounted: Sequence[Uncounted],
) -> PlayerResult:
    """8.3.1-8.3.3: the sum of score - PD over the games, times K."""
    own = own_rating(p, player)
    return per_game.rated_result(
        articles_of(p),
        player,
        own,
        met,
        uncounted,
        game=partial(game_change, p, event, own),
        limit=partial(limit_text, p),
        k_of=partial(k_of_period, p, *k_of_player(p, event, player)),
        from_standard=standard_stands_in(p, player),
    )
