"""Articles 7, 8.3.3, 8.3.4 and 9.1 (6, 7.3.3, 7.3.4 and 8.1 of the rapid and blitz text): the list.

The numbers in the docstrings are those of the standard text. The calendar and the pooling of first
results are those of the text of 2022, with the figures and the articles of this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from regulations import calendar, lists
from regulations.exact import ROUNDINGS, show, sum_text
from regulations.fide_2024.coefficient import has_reached_strong, k_factor, k_text, period_k
from regulations.fide_2024.parameters import Shared
from regulations.fide_2024.rating import performance
from regulations.fide_rapid_blitz_2022 import lists as monthly
from regulations.model import (
    EventShare,
    Finding,
    ListInput,
    ListPlayer,
    ListResult,
    ListRow,
    Sample,
    Step,
)

PERIODS_OF_A_YEAR = calendar.YEAR


def report_findings(
    p: Shared, end: date, received: date, list_date: date, *, official: bool
) -> tuple[Finding, ...]:
    """7.1.3 and 9.1 on a report for this list; an error means: not in this list."""
    articles = (p.article("7.1.3"), p.article("9.1"))
    return monthly.report_findings(p, end, received, list_date, official=official, articles=articles)


def year_of_k(list_date: date) -> int:
    """8.3.3, 7.1.2: the changes of a list take the K that the previous list shows, a month before."""
    return calendar.add_months(list_date, -1).year


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation,
    which rates a player's event anew where 8.2.1 or 8.2.4 say so."""
    rows, kept = [], []

    def rating_of(player: ListPlayer, entries: Sequence[lists.Entry]) -> int | None:
        return base_rating(p, player, entries)[0]

    for player, own, pool in lists.became_rated(p, lists.everybody(given), rating_of):
        base, article = base_rating(p, player, own)
        if base is not None:
            rows.append(rated_row(p, player, base, article, own, given.list_date))
        else:
            row, samples = unrated_row(p, player, own, pool, given.list_date)
            rows.append(row)
            kept += samples
    return lists.in_list_order(rows, kept)


def base_rating(p: Shared, player: ListPlayer, entries: Sequence[lists.Entry]) -> tuple[int | None, str]:
    """The rating that the change is added to: the published one, or by 7.2.1 of the rapid and blitz
    text the standard rating with which an unrated player's first games of the period were rated."""
    if player.rating is not None:
        return player.rating, p.article("8.3.4")
    for entry in entries:
        own = entry.player
        if entry.result.status == "rated" and own.rating is None and entry.result.games:
            return own.standard_rating, "7.2.1"
    return None, ""


def birth_year(player: ListPlayer, entries: Sequence[lists.Entry]) -> int | None:
    """As the list has it, or else a report of the period."""
    years = (player.birth_year, *(entry.player.birth_year for entry in entries))
    return next((year for year in years if year is not None), None)


def highest(player: ListPlayer) -> int | None:
    """8.3.3: the highest rating that a list has printed so far, the previous one included."""
    return max((each for each in (player.highest_rating, player.rating) if each is not None), default=None)


def rated_row(
    p: Any,
    player: ListPlayer,
    base: int,
    article: str,
    entries: Sequence[lists.Entry],
    list_date: date,
) -> ListRow:
    """8.3.2-8.3.4: the sum over the whole period, K by the player's record on the previous list and by
    all games of the period, one rounding."""
    parts = [(entry.event.id, entry.result) for entry in entries if entry.result.games]
    games = sum(result.games for _, result in parts)
    born, before = birth_year(player, entries), lists.career_games(player)
    listed_k, why = k_factor(
        p, base, before, player.reached_k10, born, year_of_k(list_date), player.highest_rating
    )
    k = period_k(p, listed_k, games)
    deltas = [result.score - (result.expected or Fraction(0)) for _, result in parts]
    shares = tuple(EventShare(event, k * delta, k) for (event, _), delta in zip(parts, deltas, strict=True))
    total = sum(deltas, Fraction(0))
    change = k * total
    rounded = ROUNDINGS[p.change_rounding](change)
    new = base + rounded
    from_standard = ", from the standard rating" if player.rating is None else ""
    steps = [
        Step(p.article("8.3.2c"), "ΣΔR", show(total), sum_text(deltas) or "no games"),
        Step(p.article("8.3.3"), "K", str(k), k_text(p, listed_k, why, games)),
        Step(p.article("8.3.2d"), "change", show(change), f"{k} × {show(total)}"),
        Step(p.article("8.3.4"), "rounded", str(rounded), f"{show(change)}, {p.change_rounding}"),
        Step(article, "Rn", str(new), sum_text([base, rounded]) + from_standard),
    ]
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    status, flags, inactive, rating, k_next = "active", (), 0, new, None
    if new < p.floor:
        status, rating = "unrated", None
        steps.append(Step(p.article("7.2.1"), "status", "unrated", f"{new} is below {p.floor}"))
    elif is_inactive(p, year, player.inactive_lists > 0):
        status, flags, inactive = "inactive", (lists.INACTIVE,), player.inactive_lists + 1
        steps.append(Step(p.article("7.2.2"), "status", "inactive", "no rated game in a year"))
    reached = has_reached_strong(p, player.reached_k10, player.rating, player.highest_rating, rating)
    if rating is not None:
        k_next, why = k_factor(p, rating, before + games, reached, born, list_date.year, highest(player))
        steps.append(Step(p.article("8.3.3"), "K from this list on", str(k_next), why))
    return ListRow(
        player.id,
        status,
        rating,
        change,
        games,
        k,
        flags,
        tuple(steps),
        shares,
        before + games,
        reached,
        year,
        inactive,
        k_next=k_next,
    )


def is_inactive(p: Shared, year: tuple[int, ...], was_inactive: bool) -> bool:
    """7.2.2: no rated game in a year."""
    return lists.is_inactive(year, PERIODS_OF_A_YEAR, p.active_games, was_inactive)


def unrated_row(
    p: Any,
    player: ListPlayer,
    entries: Sequence[lists.Entry],
    pool: Sequence[Sample],
    list_date: date,
) -> tuple[ListRow, list[Sample]]:
    """7.1.4, 8.2.1-8.2.3: the first rating from all pooled games as if they were one event, or what
    stays pooled towards it."""
    kept, steps = monthly.in_window(p, pool, list_date, p.article("7.1.4"))
    had_events = bool(pool) or lists.career_games(player) > 0 or any(player.games_by_period)
    fresh, more = monthly.new_samples(p, entries, had_events, list_date, p.article("7.2.1"))
    kept += fresh
    steps += more
    games = sum(sample.games for sample in fresh)
    career = lists.career_games(player)
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    rating, first_steps = monthly.first_rating(p, kept, performance, p.article("7.1.4"))
    steps += first_steps
    total = sum(sample.games for sample in kept)
    if rating is None or total < p.first_rating_games or rating < p.floor:
        reached = bool(player.reached_k10)
        row = ListRow(
            player.id, "unrated", None, None, games, None, (), tuple(steps), (), career, reached, year
        )
        return row, kept
    reached = has_reached_strong(p, player.reached_k10, rating)
    born = birth_year(player, entries)
    k, why = k_factor(p, rating, career + total, reached, born, list_date.year, highest(player))
    steps.append(Step(p.article("8.3.3"), "K from this list on", str(k), why))
    row = ListRow(
        player.id,
        "active",
        rating,
        None,
        games,
        k,
        (),
        tuple(steps),
        (),
        career + total,
        reached,
        year,
        k_next=k,
    )
    return row, []
