"""Articles 7, 8.3.3, 8.3.4 and 9.1 (6, 7.3.3, 7.3.4 and 8.1 of the rapid and blitz text): the list.

The numbers in the docstrings are those of the standard text. The calendar and the pooling of first
results are those of the text of 2022, with the figures and the articles of this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from regulations import calendar, lists, per_game
from regulations.fide_2024.coefficient import has_reached_strong, k_factor, k_of_period
from regulations.fide_2024.parameters import Shared
from regulations.fide_2024.rating import articles_of, performance
from regulations.fide_rapid_blitz_2022 import lists as monthly
from regulations.model import (
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
    return monthly.report_findings(
        p, end, received, list_date, official=official, articles=p.calendar_articles
    )


def year_of_k(list_date: date) -> int:
    """8.3.3, 7.1.2: the changes of a list take the K that the previous list shows, a month before."""
    return calendar.add_months(list_date, -1).year


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation,
    which rates a player's event anew where 8.2.1 or 8.2.4 say so."""
    rows, kept = [], []
    for player, own, pool in lists.became_rated(p, lists.everybody(given), base_rating):
        base = base_rating(player, own)
        if base is not None:
            rows.append(rated_row(p, player, base, own, given.list_date))
        else:
            row, samples = unrated_row(p, player, own, pool, given.list_date)
            rows.append(row)
            kept += samples
    return lists.in_list_order(rows, kept)


def base_rating(player: ListPlayer, entries: Sequence[lists.Entry]) -> int | None:
    """The rating that the change is added to: the published one, or by 7.2.1 of the rapid and blitz
    text the standard rating with which an unrated player's first games of the period were rated."""
    return monthly.base_rating(player, entries, {})


def birth_year(player: ListPlayer, entries: Sequence[lists.Entry]) -> int | None:
    """As the list has it, or else a report of the period."""
    years = (player.birth_year, *(entry.player.birth_year for entry in entries))
    return next((year for year in years if year is not None), None)


def highest(player: ListPlayer) -> int | None:
    """8.3.3: the highest rating that a list has printed so far, the previous one included."""
    return max((each for each in (player.highest_rating, player.rating) if each is not None), default=None)


def rated_row(
    p: Any, player: ListPlayer, base: int, entries: Sequence[lists.Entry], list_date: date
) -> ListRow:
    """8.3.2-8.3.4: the sum over the whole period, K by the player's record on the previous list and by
    all games of the period, one rounding."""
    born, before = birth_year(player, entries), lists.career_games(player)
    listed_k, why = k_factor(
        p, base, before, player.reached_k10, born, year_of_k(list_date), player.highest_rating
    )
    row = per_game.rated_row(
        articles_of(p),
        p,
        player,
        base,
        entries,
        k_of=partial(k_of_period, p, listed_k, why),
        below_floor="unrated",
    )
    rating = row.rating
    reached = has_reached_strong(p, player.reached_k10, player.rating, player.highest_rating, rating)
    if rating is None:
        return replace(row, reached_k10=reached)
    k_next, why = k_factor(p, rating, row.career_games, reached, born, list_date.year, highest(player))
    steps = (*row.steps, Step(p.article("8.3.3"), "K from this list on", str(k_next), why))
    return replace(row, reached_k10=reached, k_next=k_next, steps=steps)


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
