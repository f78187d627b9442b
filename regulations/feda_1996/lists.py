"""Articles 8, 9.3, 9.4 and 9.53-9.55: the list that follows another."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from regulations import calendar, lists
from regulations.exact import show, sum_text
from regulations.feda_1996 import championship, formulas
from regulations.feda_1996.formulas import ZERO, k_factor
from regulations.feda_1996.parameters import Parameters
from regulations.feda_1996.periods import PERIODS_OF_A_YEAR
from regulations.feda_1996.rating import is_ignored
from regulations.model import EventShare, ListInput, ListPlayer, ListResult, ListRow, Sample, Step


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation,
    which rates an event anew for a player who was unrated then and is rated now."""
    rows, kept = [], []

    def rating_of(player: ListPlayer, _: Sequence[lists.Entry]) -> int | None:
        return player.rating if p.rated_since_event else None

    people = (
        (player, [entry for entry in entries if not formulas.is_foreign(entry.player)], pool)
        for player, entries, pool in lists.everybody(given)
    )
    for player, own, pool in lists.became_rated(p, people, rating_of):
        if player.rating is not None:
            rows.append(rated_row(p, player, own))
        else:
            row, samples = unrated_row(p, player, own, pool, given.list_date)
            rows.append(row)
            kept += samples
    return lists.in_list_order(rows, kept)


def rated_row(p: Any, player: ListPlayer, entries: Sequence[lists.Entry]) -> ListRow:
    """9.54, 9.55: Rn = Ro + the sum of the changes of all events, rounded once."""
    old = player.rating or 0
    shares, games, steps = event_by_event(p, player, entries)
    change = sum((share.change for share in shares), ZERO)
    new = formulas.to_step(p, old + change)
    rounded = f"{sum_text([old, change])}, to the nearest multiple of {p.rounding_step}"
    steps += [
        Step("9.54", "change", show(change), sum_text([share.change for share in shares]) or "no games"),
        Step("9.55", "Rn", str(new), rounded),
    ]
    career = games_before(player, entries) + games
    reached = reached_strong(p, player.reached_k10, old, new)
    k_now, why = k_factor(p, career, new, reached)
    k_used = shares[-1].k if shares else k_factor(p, player.career_games, old, player.reached_k10)[0]
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    status, flags, inactive, rating, k_next = "active", (), 0, new, k_now
    if new < p.floor:
        status, rating, k_next = "delisted", None, None
        steps.append(Step("8.21", "status", "delisted", f"{new} is below {p.floor}: FUERA DE LISTA (0)"))
    else:
        steps.append(Step("9.53.a", "K from this list on", str(k_now), why))
        if lists.is_inactive(year, PERIODS_OF_A_YEAR, p.active_games, player.inactive_lists > 0):
            status, inactive = "inactive", player.inactive_lists + 1
            flags = (lists.INACTIVE,) if is_shown(p, inactive) else (lists.INACTIVE, lists.NOT_SHOWN)
            text = f"{sum(year)} games in a year, fewer than {p.active_games}; list {inactive} since then"
            steps.append(Step("8.22", "status", "inactive", text))
    return ListRow(
        player.id,
        status,
        rating,
        change,
        games,
        k_used,
        flags,
        tuple(steps),
        tuple(shares),
        career,
        reached,
        year,
        inactive,
        k_next=k_next,
    )


def games_before(player: ListPlayer, entries: Sequence[lists.Entry]) -> int:
    """9.53.a: games up to the previous list; where it does not say, up to the first event."""
    if player.career_games is None:
        told = (entry.player.career_games for entry in entries)
        first = next((games for games in told if games is not None), None)
        if first is not None:
            return first
    return lists.career_games(player)


def event_by_event(
    p: Any, player: ListPlayer, entries: Sequence[lists.Entry]
) -> tuple[list[EventShare], int, list[Step]]:
    """9.53.a: K by what was completed before each event, in order of the events' ends."""
    before, games = games_before(player, entries), 0
    shares, steps = [], []
    for entry in entries:
        result = entry.result
        if result.status == "unrated":
            text = f"{entry.event.id}: played without a rating"
            steps.append(Step("9.5", "not counted", str(result.games), text))
            continue
        if not result.games:
            continue
        reached = entry.player.reached_k10
        reached = player.reached_k10 if reached is None else reached
        k, why = k_factor(p, before + games, entry.player.rating, reached)
        change = k * (result.score - (result.expected or ZERO))
        if k != result.k:
            steps.append(Step("9.53.a", f"K of {entry.event.id}", str(k), why))
        shares.append(EventShare(entry.event.id, change, k))
        games += result.games
    return shares, games, steps


def reached_strong(p: Parameters, known: bool | None, *ratings: int) -> bool:
    """9.53.a: has a published rating ever reached 2200?"""
    return bool(known) or any(rating >= p.k_strong_rating for rating in ratings)


def is_shown(p: Parameters, list_number: int) -> bool:
    """8.22.b: three lists show an inactive player; then he stands apart."""
    return list_number <= p.inactive_lists_shown


def unrated_row(
    p: Any,
    player: ListPlayer,
    entries: Sequence[lists.Entry],
    pool: Sequence[Sample],
    list_date: date,
) -> tuple[ListRow, list[Sample]]:
    """8.14, 9.3: the first rating, or what stays pooled towards it; 9.4: that of a championship."""
    kept, steps = pooled(p, pool, entries, list_date)
    for entry in entries:
        if entry.result.status == "rated" and entry.result.games:
            text = f"{entry.event.id}: played with a rating, no longer on the list"
            steps.append(Step("8.21", "change not applied", show(entry.result.change or 0), text))
    rating, first_steps = first_rating(p, kept)
    steps += first_steps
    counted = sum(sample.games for sample in kept)
    if rating is not None and (counted < p.first_rating_games or rating < p.floor):
        rating = None
    games, more = 0, 0
    for entry in entries:
        if entry.result.status == "rated":
            continue
        award = championship.award(p, entry.event, entry.player)
        played = entry.result.games
        if award is not None:
            least, played, award_steps = award
            more += max(0, played - entry.result.games)
            steps += award_steps
            rating = max(rating or 0, least)
            steps.append(Step("9.4", "Rn", str(rating), f"{entry.event.id}: every round of a championship"))
        games += played
    career, reached = lists.career_games(player), bool(player.reached_k10)
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    if rating is None:
        row = ListRow(
            player.id, "unrated", None, None, games, None, (), tuple(steps), (), career, reached, year
        )
        return row, kept
    career += counted + more
    reached = reached_strong(p, reached, rating)
    k, why = k_factor(p, career, rating, reached)
    steps.append(Step("9.53.a", "K from this list on", str(k), why))
    row = ListRow(
        player.id, "active", rating, None, games, k, (), tuple(steps), (), career, reached, year, k_next=k
    )
    return row, []


def pooled(
    p: Parameters, pool: Sequence[Sample], entries: Sequence[lists.Entry], list_date: date
) -> tuple[list[Sample], list[Step]]:
    """8.14.c: results of this period and the three before; 9.31: while nothing else is pooled, a
    performance under 1805 is ignored."""
    now = calendar.index(list_date, calendar.HALF_YEARLY)
    kept, steps = [], []
    for sample in (*pool, *lists.samples_of(entries, list_date)):
        shown, of = show(sample.performance), f"{sample.games} games of the list of {sample.list_date}"
        if now - calendar.index(sample.list_date, calendar.HALF_YEARLY) >= p.first_rating_lists:
            text = f"{of}: before the last {p.first_rating_lists} periods"
            steps.append(Step("8.14.c", "no longer pooled", shown, text))
        elif not kept and is_ignored(p, sample.performance):
            steps.append(Step("9.31", "ignored", shown, f"{of}: first performance under {p.floor}"))
        else:
            kept.append(sample)
    return kept, steps


def first_rating(p: Parameters, samples: Sequence[Sample]) -> tuple[int | None, list[Step]]:
    """9.3: the average of all performances by games; 9.32: to a multiple of 5, then 1805 at least."""
    games = sum(sample.games for sample in samples)
    if not games:
        return None, []
    exact = sum((sample.performance * sample.games for sample in samples), Fraction(0)) / games
    rating = formulas.to_step(p, exact)
    products = " + ".join(f"{show(sample.performance)} × {sample.games}" for sample in samples)
    text = f"({products})/{games} = {show(exact)}, to the nearest multiple of {p.rounding_step}"
    steps = [Step("9.3", "Rn", str(rating), text)]
    if games < p.first_rating_games:
        steps.append(Step("8.14", "published", "no", f"{games} of {p.first_rating_games} games"))
    elif rating < p.floor:
        steps.append(Step("9.32", "published", "no", f"{rating} is below {p.floor}"))
    else:
        steps.append(Step("8.14", "published", "yes", f"{games} games"))
    return rating, steps
