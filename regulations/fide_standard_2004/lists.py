"""Articles 9 and 10.3-10.56: the calendar of lists and the list itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from regulations import calendar, lists
from regulations.exact import half_up, show, sum_text
from regulations.fide_standard_2004.parameters import Parameters
from regulations.fide_standard_2004.rating import below_floor, k_factor
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


def months(p: Parameters) -> int:
    """9.1: four lists a year; 9.4: one a month."""
    return calendar.MONTHLY if p.calendar == "monthly" else calendar.QUARTERLY


def periods_of_a_year(p: Parameters) -> int:
    return calendar.YEAR // months(p)


def list_in_force(p: Parameters, day: date) -> date:
    """9.11, 9.41: the list that events starting on this day are rated with."""
    return calendar.list_in_force(day, months(p))


def next_list_date(p: Parameters, after: date) -> date:
    return calendar.next_list_date(after, months(p))


def closing_date(p: Parameters, list_date: date) -> date:
    """9.13: a month before the list; 9.43: 30 days before a monthly list."""
    if p.calendar == "monthly":
        return list_date - timedelta(days=p.closing_days_monthly)
    return calendar.add_months(list_date, -1)


def list_for_end(p: Parameters, end: date) -> date:
    """9.13: the first list whose closing date is not before this day."""
    found = next_list_date(p, end)
    while closing_date(p, found) < end:
        found = next_list_date(p, found)
    return found


def report_findings(p: Parameters, end: date, received: date, list_date: date) -> tuple[Finding, ...]:
    """9.13: what is completed or received after the closing date comes into a later list."""
    closing, findings = closing_date(p, list_date), []
    for day, code, what, subject in (
        (end, "completed-after-closing", "Completed", "end"),
        (received, "received-after-closing", "Received", "received"),
    ):
        if day > closing:
            text = (
                f"{what} on {day}, after the closing date {closing} of the list of {list_date}: "
                f"for the list of {list_for_end(p, max(end, received))}."
            )
            findings.append(Finding("error", code, "9.13", text, None, subject))
    return tuple(findings)


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation,
    which rates an event anew for a player who was unrated then and is rated now (10.4)."""
    rows, kept = [], []
    for player, own, pool in lists.became_rated(p, lists.everybody(given), lambda player, _: player.rating):
        if player.rating is not None:
            rows.append(rated_row(p, player, own))
        else:
            row, samples = unrated_row(p, player, own, pool, given.list_date)
            rows.append(row)
            kept += samples
    return lists.in_list_order(rows, kept)


def rated_row(p: Any, player: ListPlayer, entries: Sequence[lists.Entry]) -> ListRow:
    """10.55, 10.56: Rn = Ro + the sum of the changes of all events, rounded once."""
    old = player.rating or 0
    shares = []
    games = 0
    for entry in entries:
        if entry.result.games:
            shares.append(EventShare(entry.event.id, entry.result.change or Fraction(0), entry.result.k))
            games += entry.result.games
    change = sum((share.change for share in shares), Fraction(0))
    new = half_up(old + change)
    steps = [
        Step("10.55", "change", show(change), sum_text([share.change for share in shares]) or "no games"),
        Step("10.56", "Rn", str(new), f"{sum_text([old, change])}, to the nearest whole number"),
    ]
    career = lists.career_games(player) + games
    reached = reached_strong(p, player.reached_k10, old, new)
    k_now, why = k_factor(p, career, new, reached)
    k_used = shares[-1].k if shares else k_factor(p, player.career_games, old, player.reached_k10)[0]
    steps.append(Step("10.54", "K from this list on", str(k_now), why))
    year = lists.year_of_games(games, player.games_by_period, periods_of_a_year(p))
    status, flags, inactive, rating = "active", (), 0, new
    if new < p.floor:
        status, rating = "delisted", None
        steps.append(Step("9.21", "status", "delisted", f"{new} is below {p.floor}"))
    elif is_inactive(p, year, player.inactive_lists > 0):
        status, inactive = "inactive", player.inactive_lists + 1
        flags = (lists.INACTIVE,) if is_shown(p, inactive) else (lists.INACTIVE, lists.NOT_SHOWN)
        text = f"{sum(year)} games in a year, fewer than {p.active_games}; list {inactive} since then"
        steps.append(Step("9.23", "status", "inactive", text))
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
        k_next=k_now,
    )


def reached_strong(p: Parameters, known: bool | None, *ratings: int) -> bool:
    """10.54: has a published rating ever reached 2400?"""
    return bool(known) or any(rating >= p.k_strong_rating for rating in ratings)


def is_inactive(p: Parameters, year: tuple[int, ...], was_inactive: bool) -> bool:
    """9.23a, c: fewer than four games in a year."""
    return lists.is_inactive(year, periods_of_a_year(p), p.active_games, was_inactive)


def is_shown(p: Parameters, list_number: int) -> bool:
    """9.23b: the seven lists after a player became inactive still show him, with a flag."""
    return list_number <= p.inactive_lists_shown


def unrated_row(
    p: Any,
    player: ListPlayer,
    entries: Sequence[lists.Entry],
    pool: Sequence[Sample],
    list_date: date,
) -> tuple[ListRow, list[Sample]]:
    """9.14, 10.3: the first rating, or what stays pooled towards it."""
    kept, steps = pooled(p, pool, entries, list_date)
    games = sum(entry.result.games for entry in entries if entry.result.status == "unrated")
    for entry in entries:
        if entry.result.status == "rated" and entry.result.games:
            text = f"{entry.event.id}: played with a rating, no longer on the list"
            steps.append(Step("9.21", "change not applied", show(entry.result.change or 0), text))
    total = sum(sample.games for sample in kept)
    career = lists.career_games(player)
    year = lists.year_of_games(games, player.games_by_period, periods_of_a_year(p))
    reached = bool(player.reached_k10)
    rating, first_steps = first_rating(p, kept)
    steps += first_steps
    if rating is not None and total >= p.first_rating_games and rating >= p.floor:
        career += total
        reached = reached_strong(p, reached, rating)
        k, why = k_factor(p, career, rating, reached)
        steps.append(Step("10.54", "K from this list on", str(k), why))
        row = ListRow(
            player.id, "active", rating, None, games, k, (), tuple(steps), (), career, reached, year, k_next=k
        )
        return row, []
    status = "titled-unrated" if player.title else "unrated"
    if player.title:
        steps.append(Step("9.22", "status", status, f"{player.title} without a rating: the separate list"))
    row = ListRow(player.id, status, None, None, games, None, (), tuple(steps), (), career, reached, year)
    return row, kept


def pooled(
    p: Parameters, pool: Sequence[Sample], entries: Sequence[lists.Entry], list_date: date
) -> tuple[list[Sample], list[Step]]:
    """9.14c: results of this list and the seven before; 10.31: while nothing else is pooled, a
    performance under 1801 is ignored."""
    now = calendar.index(list_date, months(p))
    kept, steps = [], []
    for sample in (*pool, *lists.samples_of(entries, list_date)):
        shown, of = show(sample.performance), f"{sample.games} games of the list of {sample.list_date}"
        if now - calendar.index(sample.list_date, months(p)) >= p.first_rating_lists:
            steps.append(
                Step(
                    "9.14c", "no longer pooled", shown, f"{of}: before the last {p.first_rating_lists} lists"
                )
            )
        elif not kept and below_floor(p, sample.performance):
            steps.append(Step("10.31", "ignored", shown, f"{of}: first performance under {p.floor}"))
        else:
            kept.append(sample)
    return kept, steps


def first_rating(p: Parameters, samples: Sequence[Sample]) -> tuple[int | None, list[Step]]:
    """10.3: the average of all performances by games, 10.32: to the nearest whole number."""
    games = sum(sample.games for sample in samples)
    if not games:
        return None, []
    rating = half_up(sum(sample.performance * sample.games for sample in samples) / games)
    products = " + ".join(f"{show(sample.performance)} × {sample.games}" for sample in samples)
    steps = [Step("10.3", "Rn", str(rating), f"({products})/{games}")]
    if games < p.first_rating_games:
        steps.append(Step("9.14", "published", "no", f"{games} of {p.first_rating_games} games"))
    elif rating < p.floor:
        steps.append(Step("10.32", "published", "no", f"{rating} is below {p.floor}"))
    else:
        steps.append(Step("9.14", "published", "yes", f"{games} games"))
    return rating, steps
