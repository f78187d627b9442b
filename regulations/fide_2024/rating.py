"""Articles 5, 6 and 8 (4, 5 and 7 of the rapid and blitz text): what one event means, game by game.

The numbers in the docstrings are those of the standard text; ``p.article`` turns them into those of
the text in question.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, mean, show, sum_text
from regulations.fide_2024 import registration
from regulations.fide_2024.coefficient import k_factor, k_text, period_k
from regulations.fide_2024.parameters import RapidBlitz, Shared, Standard
from regulations.fide_rapid_blitz_2022.registration import hybrid
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


def rate(p: Shared, event: Event) -> EventResult:
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
    rating, games, day = own_rating(p, player) or 0, player.career_games, day_of(event)
    if games is None:
        games = 0 if player.rating is None else p.k_new_games
    return k_factor(p, rating, games, player.reached_k10, player.birth_year, day and day.year)


def not_rated(p: Shared, table: Crosstable, player: EventPlayer, article: str) -> PlayerResult:
    """A player of an event that is not rated: no game counts."""
    uncounted = tuple(
        Uncounted(line.round, line.opponent, article, "event not rated") for line in table.lines[player.id]
    )
    return no_result(p, table.event, player, uncounted)


def no_result(p: Shared, event: Event, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts: a rated player's change is 0, an unrated player's result is not kept."""
    zero = Fraction(0)
    if own_rating(p, player) is None:
        return PlayerResult(player.id, "unrated", 0, zero, pooled=False, uncounted=uncounted)
    k = period_k(p, k_of_player(p, event, player)[0], player.games_in_period or 0)
    return PlayerResult(player.id, "rated", 0, zero, expected=zero, k=k, change=zero, uncounted=uncounted)


def too_unequal(p: Shared, event: Event, own: int, opponent: int) -> bool:
    """7.3.1 of the rapid and blitz text: from December 2024 a game with 600 points between the players
    is not rated where one of them is above 2600."""
    return (
        isinstance(p, RapidBlitz)
        and since(event, p.excluded_start)
        and abs(own - opponent) >= p.excluded_difference
        and max(own, opponent) > p.excluded_above
    )


def why_uncounted(p: Shared, table: Crosstable, player: EventPlayer, line: Line) -> tuple[str, str] | None:
    """5.1: not played; 6.2: after the decision; 8.2.2, 8.3.1: an unrated opponent; 7.3.1 of the rapid
    and blitz text: too unequal. The article and the reason, or None for a game that counts."""
    if line.why_unplayed:
        return p.article("5.1"), line.why_unplayed
    if line.decided:
        return p.article("6.2"), "after the match was decided"
    own = own_rating(p, player)
    opponent = seen_by_opponents(p, table.players[line.opponent or ""])
    if opponent is None:
        return p.article("8.2.2" if own is None else "8.3.1"), "unrated opponent"
    if own is not None and too_unequal(p, table.event, own, opponent):
        reason = f"{abs(own - opponent)} points apart, a player above {p.excluded_above}"
        return p.article("8.3.1"), reason
    return None


def games_of(p: Shared, table: Crosstable, player: EventPlayer) -> tuple[list[Line], list[Uncounted]]:
    """The games that count for a player, and those that do not."""
    lines, uncounted = [], []
    for line in table.lines[player.id]:
        why = why_uncounted(p, table, player, line)
        if why is None:
            lines.append(line)
        else:
            uncounted.append(Uncounted(line.round, line.opponent, *why))
    return lines, uncounted


def player_result(p: Shared, table: Crosstable, player: EventPlayer) -> PlayerResult:
    """One player of an event of any kind: these texts know no special round robin. 8.2.1: zero in
    the first event is disregarded."""
    lines, uncounted = games_of(p, table, player)
    own = own_rating(p, player)
    if own is None and player.first_event and not sum(line.score for line in lines):
        uncounted += [
            Uncounted(line.round, line.opponent, p.article("8.2.1"), "zero in the first event")
            for line in lines
        ]
        uncounted.sort(key=lambda each: each.round)
        lines = []
    if not lines:
        return no_result(p, table.event, player, tuple(uncounted))
    ratings = [seen_by_opponents(p, table.players[line.opponent or ""]) or 0 for line in lines]
    if own is None:
        return unrated_result(p, player, lines, ratings, uncounted)
    return rated_result(p, table.event, player, lines, ratings, uncounted)


def unrated_result(
    p: Shared, player: EventPlayer, lines: list[Line], ratings: list[int], uncounted: list[Uncounted]
) -> PlayerResult:
    """8.2.2, 8.2.3: Ru of this event; it is pooled with others towards a first rating (7.1.4)."""
    score = sum((line.score for line in lines), Fraction(0))
    ru, steps = performance(p, ratings, score)
    counted = tuple(
        CountedGame(
            line.round, line.opponent or "", line.white, line.score, rating, article=p.article("8.2.2")
        )
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
    ru = min(whole, p.first_rating_maximum)
    limit = f" = {whole}, limited to {p.first_rating_maximum}" if ru != whole else ""
    shown = Fraction(share, 100)
    return ru, (
        Step(
            p.article("8.2.2"),
            "Ra",
            show(ra),
            f"({sum_text(tuple(ratings))} + {added} × {p.hypothetical_rating})/{games}",
        ),
        Step(
            p.article("8.2.2"),
            "p",
            show(shown),
            f"({show(score)} + {show(Fraction(added, 2))})/{games}, to two decimals",
        ),
        Step(p.article("8.1.1"), "dp", str(dp), f"p {show(shown)}"),
        Step(p.article("8.2.3"), "Ru", str(ru), f"{sum_text((ra, dp))}, to a whole number{limit}"),
    )


def has_full_difference(p: Shared, event: Event, own: int) -> bool:
    """8.3.1 of the standard text: from October 2025 a player rated 2650 or more has no limit of 400."""
    return isinstance(p, Standard) and own >= p.full_difference_from and since(event, p.full_difference_start)


def game_change(
    p: Shared, event: Event, own: int, opponent: int, score: Fraction
) -> tuple[int, Fraction, Fraction]:
    """8.3.1: D, at most 400 unless the player has the full difference; 8.3.2a: PD; 8.3.2b: score - PD."""
    d = own - opponent
    if not has_full_difference(p, event, own):
        d = tables.limited(d, p.difference_limit)
    expected = tables.expected(d)
    return d, expected, score - expected


def difference_text(p: Shared, event: Event, own: int, opponent: int, d: int) -> str:
    """D as a person would write it, and what became of the limit."""
    text = f"D {own} - {opponent} = {own - opponent}"
    if d != own - opponent:
        return f"{text}, limited to {p.difference_limit}"
    if abs(d) > p.difference_limit:
        return f"{text}, in full from {p.full_difference_from} on"
    return text


def rated_result(
    p: Shared,
    event: Event,
    player: EventPlayer,
    lines: list[Line],
    ratings: list[int],
    uncounted: list[Uncounted],
) -> PlayerResult:
    """8.3.1-8.3.3: the sum of score - PD over the games, times K."""
    own = own_rating(p, player) or 0
    counted, steps = [], []
    if standard_stands_in(p, player):
        steps.append(Step("7.2.1", "R", str(own), "the standard rating"))
    for line, opponent in zip(lines, ratings, strict=True):
        d, expected, delta = game_change(p, event, own, opponent, line.score)
        counted.append(
            CountedGame(
                line.round,
                line.opponent or "",
                line.white,
                line.score,
                own - d,
                d,
                expected,
                p.article("8.3.1"),
            )
        )
        text = (
            f"{line.opponent}: {difference_text(p, event, own, opponent, d)}; PD {show(expected)}; "
            f"{show(line.score)} - {show(expected)}"
        )
        steps.append(Step(p.article("8.3.2b"), f"ΔR round {line.round}", show(delta), text))
    deltas = [game.score - (game.expected or 0) for game in counted]
    n = max(player.games_in_period or 0, len(lines))
    base, why = k_of_player(p, event, player)
    k, total = period_k(p, base, n), sum(deltas, Fraction(0))
    steps += [
        Step(p.article("8.3.2c"), "ΣΔR", show(total), sum_text(deltas)),
        Step(p.article("8.3.3"), "K", str(k), k_text(p, base, why, n)),
        Step(
            p.article("8.3.2d"),
            "change",
            show(k * total),
            f"{k} × {show(total)}; rounded with the period's sum ({p.article('8.3.4')})",
        ),
    ]
    score = sum((line.score for line in lines), Fraction(0))
    return PlayerResult(
        player.id,
        "rated",
        len(lines),
        score,
        rc=mean(tuple(ratings)),
        expected=score - total,
        k=k,
        change=k * total,
        counted=tuple(counted),
        uncounted=tuple(uncounted),
        steps=tuple(steps),
    )
