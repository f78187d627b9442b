"""Articles 3 and 4: the calendar and the list."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from norrholm.parameters import Parameters
from norrholm.rating import performance
from regulations import calendar, lists
from regulations.exact import half_away, show, sum_text
from regulations.model import EventShare, Finding, ListInput, ListPlayer, ListResult, ListRow, Step

PERIODS_OF_A_YEAR = 2


def next_list_date(after: date) -> date:
    """4.1: on 1 January and 1 July."""
    return calendar.next_list_date(after, calendar.HALF_YEARLY)


def last_list_for(p: Parameters, end: date) -> date:
    """4.3: the second list after the end of the event."""
    day = end
    for _ in range(p.last_list):
        day = next_list_date(day)
    return day


def report_findings(p: Parameters, end: date, received: date, list_date: date) -> tuple[Finding, ...]:
    """4.3: an error means that no list counts the event any more; a warning, that the report was late."""
    last, due = last_list_for(p, end), end + timedelta(days=p.report_days)
    if list_date > last:
        text = f"Not in by the list of {last}, the last that could count it."
        return (Finding("error", "report-too-late", "4.3", text, None, "received"),)
    if received > due:
        text = f"Received on {received}; it was due on {due}."
        return (Finding("warning", "report-late", "4.3", text, None, "received"),)
    return ()


def next_list(p: Parameters, given: ListInput) -> ListResult:
    """Everybody of the previous list and of the period's events; nothing is kept for later (3.2)."""
    rows = []
    for player, entries, _ in lists.everybody(given):
        status = "unrated" if player.rating is None else "rated"
        counting = [entry for entry in entries if entry.result.status == status and entry.result.games]
        others = [entry for entry in entries if entry.result.status != status and entry.result.games]
        steps = [
            Step("3.3", "not counted", entry.event.id, f"played {entry.result.status}, {status} by now")
            for entry in others
        ]
        make = unrated_row if player.rating is None else rated_row
        rows.append(make(p, player, counting, steps))
    return lists.in_list_order(rows, ())


def rated_row(p: Parameters, player: ListPlayer, entries: list[lists.Entry], steps: list[Step]) -> ListRow:
    """4.4: one rounding a period; 4.5: the floor; 4.6: activity."""
    changes = [entry.result.change for entry in entries]
    change = sum(changes, Fraction(0))
    rounded = half_away(change)
    rating: int | None = player.rating + rounded
    steps += [
        Step("4.4", "change", show(change), sum_text(changes) or "no games"),
        Step("4.4", "new rating", str(rating), f"{player.rating} + {rounded}; {show(change)}, rounded"),
    ]
    games = sum(entry.result.games for entry in entries)
    year = lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR)
    idle = lists.is_inactive(year, PERIODS_OF_A_YEAR, p.active_games, player.inactive_lists > 0)
    status = "inactive" if idle else "active"
    if rating < p.floor:
        steps.append(Step("4.5", "status", "unrated", f"{rating} is below {p.floor}"))
        rating, status, idle = None, "unrated", False
    shares = (EventShare(entry.event.id, entry.result.change, p.k) for entry in entries)
    return ListRow(
        player.id,
        status,
        rating,
        change,
        games,
        p.k,
        (lists.INACTIVE,) if idle else (),
        tuple(steps),
        tuple(shares),
        career_games=lists.career_games(player) + games,
        games_by_period=year,
        inactive_lists=player.inactive_lists + 1 if idle else 0,
        k_next=None if rating is None else p.k,
    )


def unrated_row(p: Parameters, player: ListPlayer, entries: list[lists.Entry], steps: list[Step]) -> ListRow:
    """3.1: a first rating from all games of the period; 3.2: or nothing."""
    opponents = [game.opponent_rating for entry in entries for game in entry.result.counted]
    games, rating = len(opponents), None
    if games:
        found, more = performance(opponents, sum((entry.result.score for entry in entries), Fraction(0)))
        steps += more
        enough = games >= p.first_rating_games
        if enough and found >= p.floor:
            rating = found
        why = f"{games} games, {p.first_rating_games} are needed; {found}, at least {p.floor}"
        steps.append(Step("3.1, 4.5", "published", "no" if rating is None else "yes", why))
    return ListRow(
        player.id,
        "unrated" if rating is None else "active",
        rating,
        None,
        games,
        None if rating is None else p.k,
        steps=tuple(steps),
        career_games=lists.career_games(player) + games,
        games_by_period=lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR),
        k_next=None if rating is None else p.k,
    )
