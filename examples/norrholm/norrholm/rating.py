"""Articles 1.3, 2 and 3.1: what one event means for each of its players."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from norrholm.parameters import Parameters
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_up, mean, mean_text, show, sum_text
from regulations.model import CountedGame, Event, EventPlayer, EventResult, PlayerResult, Step, Uncounted

#: games that count, each with the opponent's rating
Met = list[tuple[Line, int]]


def rate(p: Parameters, event: Event) -> EventResult:
    """Every event is rated: what the text asks of it was asked at its registration."""
    table = Crosstable(event)
    players = tuple(player_result(p, table, player) for player in table.players.values())
    return EventResult(True, event.system, (), players)


def player_result(p: Parameters, table: Crosstable, player: EventPlayer) -> PlayerResult:
    met, uncounted = games_of(table, player)
    if player.rating is None:
        return unrated_result(player, met, uncounted)
    return rated_result(p, player, player.rating, met, uncounted)


def rating_at_the_start(player: EventPlayer) -> int | None:
    """3.3: who has a rating only since the event played it without one."""
    return None if player.rated_since_event else player.rating


def games_of(table: Crosstable, player: EventPlayer) -> tuple[Met, tuple[Uncounted, ...]]:
    """1.3: over the board; 2.4, 3.1: against a rated opponent; 3.3. Each game left out has its reason."""
    met: Met = []
    uncounted = []
    for line in table.lines[player.id]:
        rating = rating_at_the_start(table.players[line.opponent]) if line.opponent else None
        if line.why_unplayed:
            uncounted.append(Uncounted(line.round, line.opponent, "1.3", line.why_unplayed))
        elif player.rated_since_event:
            uncounted.append(Uncounted(line.round, line.opponent, "3.3", "played without a rating"))
        elif rating is None:
            uncounted.append(Uncounted(line.round, line.opponent, "2.4", "unrated opponent"))
        else:
            met.append((line, rating))
    return met, tuple(uncounted)


def expected(p: Parameters, own: int, opponent: int) -> tuple[int, Fraction]:
    """2.1: the difference; 2.2: the expected score."""
    difference = max(-p.difference_limit, min(own - opponent, p.difference_limit))
    higher = max(value for least, value in p.table if abs(difference) >= least)
    return difference, Fraction(higher if difference >= 0 else 100 - higher, 100)


def rated_result(
    p: Parameters, player: EventPlayer, own: int, met: Met, uncounted: tuple[Uncounted, ...]
) -> PlayerResult:
    """2.3: K times the sum of score less expected score."""
    counted, gains, steps = [], [], []
    for line, rating in met:
        difference, due = expected(p, own, rating)
        gains.append(line.score - due)
        text = f"{line.opponent}: {own} - {rating}, counted as {difference}; {show(line.score)} - {show(due)}"
        steps.append(Step("2.2", f"gain round {line.round}", show(gains[-1]), text))
        counted.append(
            CountedGame(line.round, line.opponent, line.white, line.score, rating, difference, due, "2.2")
        )
    total = sum(gains, Fraction(0))
    score = score_of(met)
    if met:
        steps.append(Step("2.3", "gain", show(total), sum_text(gains)))
        steps.append(Step("2.3", "change", show(p.k * total), f"{p.k} × {show(total)}"))
    return PlayerResult(
        player.id,
        "rated",
        len(met),
        score,
        rc=mean([rating for _, rating in met]) if met else None,
        expected=score - total,
        k=p.k,
        change=p.k * total,
        counted=tuple(counted),
        uncounted=uncounted,
        steps=tuple(steps),
    )


def unrated_result(player: EventPlayer, met: Met, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """3.1: what the event alone would give; the list takes the games of the whole period together."""
    if not met:
        return PlayerResult(player.id, "unrated", 0, Fraction(0), pooled=False, uncounted=uncounted)
    rating, steps = performance([rating for _, rating in met], score_of(met))
    counted = tuple(
        CountedGame(line.round, line.opponent, line.white, line.score, rating, article="3.1")
        for line, rating in met
    )
    return PlayerResult(
        player.id,
        "unrated",
        len(met),
        score_of(met),
        performance=Fraction(rating),
        pooled=True,
        counted=counted,
        uncounted=uncounted,
        steps=steps,
    )


def performance(ratings: Sequence[int], score: Fraction) -> tuple[int, tuple[Step, ...]]:
    """3.1: the average of the opponents, more or less by the score."""
    games, average = len(ratings), mean(list(ratings))
    value = average + 400 * (2 * score - games) / games
    text = f"{show(average)} + 400 × (2 × {show(score)} - {games})/{games}, to the nearest whole number"
    steps = (Step("3.1", "average", show(average), mean_text(list(ratings))),)
    return half_up(value), (*steps, Step("3.1", "performance", str(half_up(value)), text))


def score_of(met: Met) -> Fraction:
    return sum((line.score for line, _ in met), Fraction(0))
