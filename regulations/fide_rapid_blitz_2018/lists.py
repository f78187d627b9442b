"""Articles 7, 8.3, 8.55-8.57 and 9.1: the calendar of lists and the list itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from typing import Any

from regulations import calendar, lists, per_game
from regulations.exact import half_up, mean, mean_text, show
from regulations.fide_rapid_blitz_2018.parameters import Parameters
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2018.rating import ARTICLES, k_of_period
from regulations.fide_rapid_blitz_2022.lists import (
    base_rating,
    closing_date,
    in_window,
    list_for_end,
    new_samples,
    next_list_date,
)
from regulations.model import Finding, ListInput, ListPlayer, ListResult, ListRow, Sample, Step

PERIODS_OF_A_YEAR = calendar.YEAR


def deadlines(p: Parameters, end: date) -> tuple[date, date]:
    """9.1: until when the chief arbiter reports, and until when the federation uploads."""
    return end + timedelta(days=p.arbiter_days), end + timedelta(days=p.federation_days)


def last_receipt(p: Parameters, list_date: date) -> date:
    """7.13: the last day for any event of this list, FIDE's official ones included."""
    return list_date - timedelta(days=p.closing_days_official)


def list_for_receipt(p: Parameters, received: date) -> date:
    """7.13: the first list that a report received on this day can come into."""
    found = next_list_date(received)
    return found if received <= last_receipt(p, found) else next_list_date(found)


def report_findings(
    p: Parameters, end: date, received: date, list_date: date, *, official: bool = False
) -> tuple[Finding, ...]:
    """7.13: an error means that a later list includes the event; 9.1: a warning, that it came late."""
    findings = []
    closing = closing_date(p, list_date, official=official)
    if end > closing:
        later = list_for_end(p, end, official=official)
        text = f"The event ends on {end}, after {closing}: for the list of {later}."
        findings.append(Finding("error", "ends-after-closing", "7.13", text, None, "end"))
    if received > last_receipt(p, list_date):
        later = list_for_receipt(p, received)
        text = f"Received on {received}, when the list of {list_date} was closed: for the list of {later}."
        findings.append(Finding("error", "received-after-closing", "7.13", text, None, "received"))
    arbiter, federation = deadlines(p, end)
    if received > arbiter:
        until, days = (federation, p.federation_days) if received > federation else (arbiter, p.arbiter_days)
        text = f"Received on {received}; it was due by {until}, {days} days after the end."
        findings.append(Finding("warning", "report-late", "9.1", text, None, "received"))
    return tuple(findings)


def next_list(p: Any, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events. ``p`` is the whole regulation, which
    rates a player's event anew where 6.1 or 8.4 say so."""
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


def rated_row(p: Any, player: ListPlayer, base: int, entries: Sequence[lists.Entry]) -> ListRow:
    """8.55-8.57: the sum over the whole period, K by all games of the period, one rounding."""
    row = per_game.rated_row(
        ARTICLES, p, player, base, entries, k_of=partial(k_of_period, p), below_floor="delisted"
    )
    return replace(row, k_next=p.k if row.rating is not None else None)


def unrated_row(
    p: Any, player: ListPlayer, entries: Sequence[lists.Entry], pool: Sequence[Sample], list_date: date
) -> tuple[ListRow, list[Sample]]:
    """7.14, 7.22, 8.3: the first rating from all pooled games, or what stays pooled towards it."""
    kept, steps = in_window(p, pool, list_date, "7.14c")
    had_events = bool(pool) or lists.career_games(player) > 0 or any(player.games_by_period)
    fresh, more = new_samples(p, entries, had_events, list_date, "7.21")
    kept += fresh
    alone = len(kept) == 1 and any(
        entry.event.id == kept[0].event and entry.event.system in lists.ROUND_ROBINS for entry in entries
    )
    rating, first_steps = first_rating(p, kept, alone=alone)
    steps += [*more, *first_steps]
    games, total = sum(each.games for each in fresh), sum(each.games for each in kept)
    career, reached = lists.career_games(player), bool(player.reached_k10)
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    if rating is not None and total >= p.first_rating_games and rating >= p.floor:
        shared = (tuple(steps), (), career + total, reached, year)
        return ListRow(player.id, "active", rating, None, games, p.k, (), *shared, k_next=p.k), []
    status = "titled-unrated" if player.title else "unrated"
    if player.title:
        steps.append(Step("7.22", "status", status, f"{player.title} without a rating: the separate list"))
    return ListRow(
        player.id, status, None, None, games, None, (), tuple(steps), (), career, reached, year
    ), kept


def first_rating(
    p: Parameters, samples: Sequence[Sample], *, alone: bool = False
) -> tuple[int | None, list[Step]]:
    """7.14e, 8.3: all games as if they were one tournament, the opponents averaged together, Ru to the
    nearest whole number; 7.14: when it is published. ``alone``: all games are those of one round
    robin, so that tournament has its Ru already, by 8.26 with n/(n+1) (decision 31)."""
    opponents = tuple(rating for sample in samples for rating in sample.opponents)
    games = sum(sample.games for sample in samples)
    if not games:
        return None, []
    if len(opponents) != games:
        raise ValueError(
            f"Pooled results of player {samples[0].player}: {games} games, {len(opponents)} ratings."
        )
    score = sum((sample.score for sample in samples), Fraction(0))
    if alone:
        ru = samples[0].performance
        steps = [Step("8.26", "Ru", show(ru), "of the round robin that all games belong to")]
    else:
        rc = mean(opponents)
        ru, step = performance(p, rc, score, games)
        steps = [Step("7.14e", "Rc", show(rc), mean_text(opponents)), step]
    rating = half_up(ru)
    steps.append(Step("8.3", "Rn", str(rating), f"{show(ru)}, to the nearest whole number"))
    if games < p.first_rating_games:
        steps.append(Step("7.14", "published", "no", f"{games} of {p.first_rating_games} games"))
    elif rating < p.floor:
        steps.append(Step("7.14d", "published", "no", f"{rating} is below {p.floor}"))
    else:
        steps.append(Step("7.14", "published", "yes", f"{games} games"))
    return rating, steps
