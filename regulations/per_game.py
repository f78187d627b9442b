"""What the texts that rate game by game share: rapid and blitz of 2018 and 2022, and today's two texts.

Each has its own numbers for the same rules (``Articles``), its own K and its own rules on which games
count; the docstrings here give the numbers of the rapid and blitz text of 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from regulations import calendar, lists, tables
from regulations.crosstable import Line
from regulations.exact import ROUNDINGS, mean, show, sum_text
from regulations.model import (
    CountedGame,
    Entrant,
    EventPlayer,
    EventShare,
    ListPlayer,
    ListRow,
    PlayerResult,
    Step,
    Uncounted,
)

ZERO = Fraction(0)
#: games of a period → K and why
KOfPeriod = Callable[[int], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Articles:
    """The number that a text gives to each of the shared rules."""

    standard_rating: str
    unrated: str
    difference: str
    game: str
    total: str
    k: str
    change: str
    rounding: str
    floor: str
    inactive: str


def effective_rating(player: Entrant | EventPlayer) -> int | None:
    """Without a rating of this kind the standard rating at the start of the event serves (7.21)."""
    return player.rating if player.rating is not None else player.standard_rating


# --- an event -------------------------------------------------------------------------------------


def not_rated(lines: Sequence[Line], article: str) -> tuple[Uncounted, ...]:
    """The games of a player of an event that is not rated."""
    return tuple(Uncounted(line.round, line.opponent, article, "event not rated") for line in lines)


def no_result(player: EventPlayer, k: int | None, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts: the change of a rated player, who has a K, is 0; another's result is not kept."""
    if k is None:
        return PlayerResult(player.id, "unrated", 0, ZERO, pooled=False, uncounted=uncounted)
    return PlayerResult(player.id, "rated", 0, ZERO, expected=ZERO, k=k, change=ZERO, uncounted=uncounted)


def unrated_result(
    articles: Articles,
    player: EventPlayer,
    met: Sequence[tuple[Line, int]],
    uncounted: Sequence[Uncounted],
    ru: int | Fraction,
    steps: Sequence[Step],
) -> PlayerResult:
    """7.22, 7.23: Ru of this event; it is pooled with others towards a first rating (6.14)."""
    counted = tuple(
        CountedGame(line.round, line.opponent or "", line.white, line.score, rating, article=articles.unrated)
        for line, rating in met
    )
    return PlayerResult(
        player.id,
        "unrated",
        len(counted),
        score_of(met),
        performance=Fraction(ru),
        pooled=True,
        counted=counted,
        uncounted=tuple(uncounted),
        steps=tuple(steps),
    )


def score_of(met: Sequence[tuple[Line, int]]) -> Fraction:
    return sum((line.score for line, _ in met), ZERO)


def game_change(p: Any, own: int, opponent: int, score: Fraction) -> tuple[int, Fraction, Fraction]:
    """7.31: D within the limit of the text; 7.32a: PD; 7.32b: score - PD."""
    return change_by(difference(p, own, opponent), score)


def difference(p: Any, own: Any, opponent: Any) -> Any:
    """7.31: D within the limit of the text; integers or columns."""
    return tables.limited(own - opponent, p.difference_limit)


def gain(d: Any, halves: Any, pd: Callable[[Any], Any] = tables.pd) -> tuple[Any, Any]:
    """7.32a-b: PD and score - PD, both in hundredths, of D and a score in half points; integers or
    columns. ``pd`` is the table, or a quicker look into it."""
    expected = pd(d)
    return expected, 50 * halves - expected


def change_by(d: int, score: Fraction) -> tuple[int, Fraction, Fraction]:
    """7.32a-b: D, PD and score - PD."""
    return (d, *_exact_gain(d, (2 * score).numerator))


@lru_cache(maxsize=1 << 14)
def _exact_gain(d: int, halves: int) -> tuple[Fraction, Fraction]:
    expected, delta = gain(d, halves)
    return Fraction(expected, 100), Fraction(delta, 100)


def limit_text(p: Any, difference: int, d: int) -> str:
    """What became of a difference of ratings before it counted."""
    return f", limited to {p.difference_limit}" if difference != d else ""


def rated_result(
    articles: Articles,
    player: EventPlayer,
    own: int,
    met: Sequence[tuple[Line, int]],
    uncounted: Sequence[Uncounted],
    *,
    game: Callable[[int, Fraction], tuple[int, Fraction, Fraction]],
    limit: Callable[[int, int], str],
    k_of: KOfPeriod,
    from_standard: bool,
) -> PlayerResult:
    """7.31, 7.32: the sum of score - PD over the games, times K.

    ``game`` gives D, PD and score - PD of an opponent's rating and a score; ``limit`` tells what became
    of a difference.
    """
    counted, deltas = [], []
    steps = [Step(articles.standard_rating, "R", str(own), "the standard rating")] if from_standard else []
    for line, opponent in met:
        d, expected, delta = game(opponent, line.score)
        counted.append(
            CountedGame(
                line.round,
                line.opponent or "",
                line.white,
                line.score,
                own - d,
                d,
                expected,
                articles.difference,
            )
        )
        deltas.append(delta)
        text = (
            f"{line.opponent}: D {own} - {opponent} = {own - opponent}{limit(own - opponent, d)}; "
            f"PD {show(expected)}; {show(line.score)} - {show(expected)}"
        )
        steps.append(Step(articles.game, f"ΔR round {line.round}", show(delta), text))
    score, total = score_of(met), sum(deltas, ZERO)
    k, why = k_of(max(player.games_in_period or 0, len(met)))
    rounding = f"rounded with the period's sum ({articles.rounding})"
    steps += [
        Step(articles.total, "ΣΔR", show(total), sum_text(deltas)),
        Step(articles.k, "K", str(k), why),
        Step(articles.change, "change", show(k * total), f"{k} × {show(total)}; {rounding}"),
    ]
    return PlayerResult(
        player.id,
        "rated",
        len(met),
        score,
        rc=mean(tuple(rating for _, rating in met)),
        expected=score - total,
        k=k,
        change=k * total,
        counted=tuple(counted),
        uncounted=tuple(uncounted),
        steps=tuple(steps),
    )


# --- a list ---------------------------------------------------------------------------------------


def is_inactive(p: Any, year: tuple[int, ...], was_inactive: bool) -> bool:
    """6.22a: no rated game in a year."""
    return lists.is_inactive(year, calendar.YEAR, p.active_games, was_inactive)


def rated_row(
    articles: Articles,
    p: Any,
    player: ListPlayer,
    base: int,
    entries: Sequence[lists.Entry],
    *,
    k_of: KOfPeriod,
    below_floor: Literal["unrated", "delisted"],
) -> ListRow:
    """7.32, 7.33: the sum over the whole period, K by all games of the period, one rounding. The K of
    the next list is left to the text."""
    parts = [(entry.event.id, entry.result) for entry in entries if entry.result.games]
    games = sum(result.games for _, result in parts)
    k, why = k_of(games)
    deltas = [result.score - (result.expected or ZERO) for _, result in parts]
    total = sum(deltas, ZERO)
    change = k * total
    rounded = ROUNDINGS[p.change_rounding](change)
    new = base + rounded
    article, source = articles.rounding, ""
    if player.rating is None:
        article, source = articles.standard_rating, ", from the standard rating"
    steps = [
        Step(articles.total, "ΣΔR", show(total), sum_text(deltas) or "no games"),
        Step(articles.k, "K", str(k), why),
        Step(articles.change, "change", show(change), f"{k} × {show(total)}"),
        Step(articles.rounding, "rounded", str(rounded), f"{show(change)}, {p.change_rounding}"),
        Step(article, "Rn", str(new), sum_text([base, rounded]) + source),
    ]
    year = lists.year_of_games(games, player.games_by_period, calendar.YEAR)
    status, flags, inactive, rating = "active", (), 0, new
    if new < p.floor:
        status, rating = below_floor, None
        steps.append(Step(articles.floor, "status", status, f"{new} is below {p.floor}"))
    elif is_inactive(p, year, player.inactive_lists > 0):
        status, flags, inactive = "inactive", (lists.INACTIVE,), player.inactive_lists + 1
        steps.append(Step(articles.inactive, "status", status, "no rated game in a year"))
    return ListRow(
        player.id,
        status,
        rating,
        change,
        games,
        k,
        flags,
        tuple(steps),
        tuple(EventShare(event, k * delta, k) for (event, _), delta in zip(parts, deltas, strict=True)),
        lists.career_games(player) + games,
        bool(player.reached_k10),
        year,
        inactive,
    )
