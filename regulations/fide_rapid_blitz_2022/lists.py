"""Articles 6, 7.33 and 8.1: the calendar of lists and the list itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from typing import Any

from regulations import calendar, lists, per_game
from regulations.exact import show
from regulations.fide_rapid_blitz_2022.parameters import Parameters
from regulations.fide_rapid_blitz_2022.rating import ARTICLES, k_of_period, performance
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


def list_in_force(day: date) -> date:
    """6.11: the list that is valid on this day."""
    return calendar.list_in_force(day, calendar.MONTHLY)


def next_list_date(after: date) -> date:
    """6.1: a list on the first day of each month."""
    return calendar.next_list_date(after, calendar.MONTHLY)


def closing_date(p: Parameters, list_date: date, *, official: bool = False) -> date:
    """6.13: three days before the list; FIDE's official events until the eve."""
    return list_date - timedelta(days=p.closing_days_official if official else p.closing_days)


def list_for_end(p: Parameters, end: date, *, official: bool = False) -> date:
    """6.13: the first list that an event ending on this day can come into."""
    found = next_list_date(end)
    while closing_date(p, found, official=official) < end:
        found = next_list_date(found)
    return found


def aimed_list(p: Parameters, end: date) -> date:
    """8.1: the list to report for: the next one, or the one after if five days or fewer are left."""
    found = next_list_date(end)
    left = (found - timedelta(days=1) - end).days
    return next_list_date(found) if left <= p.aim_days else found


def last_possible_list(p: Parameters, end: date) -> date:
    """8.1: not in by the third list after the end of the event, not rated."""
    return calendar.add_months(end, p.last_list)


def report_findings(
    p: Parameters,
    end: date,
    received: date,
    list_date: date,
    *,
    official: bool = False,
    articles: tuple[str, str] = ("6.13", "8.1"),
) -> tuple[Finding, ...]:
    """6.13 and 8.1 on a report for this list; an error means: not in this list. ``articles`` are the
    numbers of the two in a later text that says the same."""
    findings = []
    of_the_closing, of_the_report = articles
    closing = closing_date(p, list_date, official=official)
    if end > closing:
        text = (
            f"The event ends on {end}, after {closing}: for the list of "
            f"{list_for_end(p, end, official=official)}."
        )
        findings.append(Finding("error", "ends-after-closing", of_the_closing, text, None, "end"))
    last, aim = last_possible_list(p, end), aimed_list(p, end)
    if max(list_date, next_list_date(received - timedelta(days=1))) > last:
        text = f"Not in by the list of {last}, the third after the end on {end}: not rated."
        findings.append(Finding("error", "report-too-late", of_the_report, text, None, "received"))
    elif received > aim:
        text = f"Received on {received}; it was due for the list of {aim}."
        findings.append(Finding("warning", "report-late", of_the_report, text, None, "received"))
    return tuple(findings)


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation,
    which rates a player's event anew where 7.22 or 7.24 say so."""
    rows, kept = [], []
    rating_of = partial(base_rating, standard=given.reference_standard)
    for player, own, pool in lists.became_rated(p, lists.everybody(given), rating_of):
        base = rating_of(player, own)
        if base is not None:
            rows.append(rated_row(p, player, base, own))
        else:
            row, samples = unrated_row(p, player, own, pool, given.list_date)
            rows.append(row)
            kept += samples
    return lists.in_list_order(rows, kept)


def base_rating(player: ListPlayer, entries: Sequence[lists.Entry], standard: dict[str, int]) -> int | None:
    """The rating that the change is added to: the published one, or by 7.21 the standard rating of
    an unrated player whose games were rated with it."""
    if player.rating is not None:
        return player.rating
    for entry in entries:
        own = entry.player
        if entry.result.status == "rated" and own.rating is None and entry.result.games:
            return standard.get(player.id, own.standard_rating)
    return None


def rated_row(p: Any, player: ListPlayer, base: int, entries: Sequence[lists.Entry]) -> ListRow:
    """7.32, 7.33: the sum over the whole period, K by all games of the period, one rounding."""
    row = per_game.rated_row(
        ARTICLES, p, player, base, entries, k_of=partial(k_of_period, p), below_floor="unrated"
    )
    return replace(row, k_next=p.k if row.rating is not None else None)


def unrated_row(
    p: Any,
    player: ListPlayer,
    entries: Sequence[lists.Entry],
    pool: Sequence[Sample],
    list_date: date,
) -> tuple[ListRow, list[Sample]]:
    """6.14, 7.22, 7.23: the first rating from all pooled games, or what stays pooled towards it."""
    kept, steps = in_window(p, pool, list_date)
    had_events = bool(pool) or lists.career_games(player) > 0 or any(player.games_by_period)
    fresh, more = new_samples(p, entries, had_events, list_date)
    kept += fresh
    steps += more
    games = sum(sample.games for sample in fresh)
    career = lists.career_games(player)
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    rating, first_steps = first_rating(p, kept)
    steps += first_steps
    total = sum(sample.games for sample in kept)
    reached = bool(player.reached_k10)
    if rating is not None and total >= p.first_rating_games and rating >= p.floor:
        row = ListRow(
            player.id,
            "active",
            rating,
            None,
            games,
            p.k,
            (),
            tuple(steps),
            (),
            career + total,
            reached,
            year,
            k_next=p.k,
        )
        return row, []
    row = ListRow(player.id, "unrated", None, None, games, None, (), tuple(steps), (), career, reached, year)
    return row, kept


def in_window(
    p: Parameters, pool: Sequence[Sample], list_date: date, article: str = "6.14"
) -> tuple[list[Sample], list[Step]]:
    """6.14: results of at most 26 consecutive months."""
    now = calendar.index(list_date, calendar.MONTHLY)
    kept, steps = [], []
    for sample in pool:
        if now - calendar.index(sample.list_date, calendar.MONTHLY) < p.first_rating_months:
            kept.append(sample)
        else:
            text = (
                f"{sample.games} games of the list of {sample.list_date}: over {p.first_rating_months} months"
            )
            steps.append(Step(article, "no longer pooled", show(sample.performance), text))
    return kept, steps


def new_samples(
    p: Any, entries: Sequence[lists.Entry], had_events: bool, list_date: date, article: str = "6.21"
) -> tuple[list[Sample], list[Step]]:
    """This period's results. Only the very first event can be disregarded for a zero (7.22)."""
    kept, steps = [], []
    for entry in entries:
        if entry.result.status == "rated":
            if entry.result.games:
                text = f"{entry.event.id}: played with a rating, no longer on the list"
                steps.append(Step(article, "change not applied", show(entry.result.change or 0), text))
            continue
        if had_events and entry.player.first_event:
            entry = replace(entry, result=not_the_first(p, entry))
        had_events = had_events or entry.met_rated
        kept.append(entry)
    return lists.samples_of(kept, list_date), steps


def not_the_first(p: Any, entry: lists.Entry) -> Any:
    """The player's result where an earlier event is known, so that a zero counts."""
    if entry.result.games or not entry.result.uncounted:
        return entry.result
    event = lists.cut_to(entry.event, entry.result.id)
    players = tuple(
        replace(each, first_event=False) if each.id == entry.result.id else each for each in event.players
    )
    rated = p.rate(replace(event, players=players))
    return next(each for each in rated.players if each.id == entry.result.id)


def first_rating(
    p: Parameters,
    samples: Sequence[Sample],
    performance: Callable[..., tuple[int, tuple[Step, ...]]] = performance,
    article: str = "6.14",
) -> tuple[int | None, list[Step]]:
    """7.22, 7.23 on all pooled games as if they were one event; 6.14: when it is published.
    ``performance`` is Ru by this or a later text."""
    opponents = [rating for sample in samples for rating in sample.opponents]
    games = sum(sample.games for sample in samples)
    if not games:
        return None, []
    if len(opponents) != games:
        raise ValueError(
            f"Pooled results of player {samples[0].player}: {games} games, {len(opponents)} ratings."
        )
    score = sum((sample.score for sample in samples), Fraction(0))
    rating, found = performance(p, opponents, score)
    said, why = "yes", f"{games} games"
    if games < p.first_rating_games:
        said, why = "no", f"{games} of {p.first_rating_games} games"
    elif rating < p.floor:
        said, why = "no", f"{rating} is below {p.floor}"
    return rating, [*found, Step(article, "published", said, why)]
