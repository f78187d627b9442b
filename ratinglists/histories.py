"""A player's rating history as his page shows it: a period of it as a chart, and the same as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from players.models import Player
from ratinglists import chart, profiles, revisions
from ratinglists.models import ListRow

#: years that the chart can be narrowed to, counted back from the player's newest list
PERIODS = {"1": 1, "3": 3, "10": 10}
#: rows that the profile's tables have, shared equally by its systems; the page of the history has all
MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class Link:
    """A way to look at the history: ``value`` of its parameter, None to leave it out."""

    label: str
    value: str | None
    current: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A system's rows, newest first, and how many there are in the period."""

    name: str
    rows: list[ListRow]
    count: int

    @property
    def is_cut(self) -> bool:
        return len(self.rows) < self.count


@dataclass(frozen=True, slots=True)
class History:
    """``chart`` is None where the period has no rating; ``periods`` and ``systems`` lead to others."""

    chart: chart.Chart | None
    tables: list[Table]
    periods: list[Link]
    systems: list[Link]

    @property
    def is_cut(self) -> bool:
        return any(table.is_cut for table in self.tables)


def read(player: Player) -> dict[str, list[ListRow]]:
    """A player's history by the systems' names, oldest first; rows that a revision changed say so."""
    rows = profiles.history(player)
    revisions.mark(rows)
    return profiles.by_system(rows)


def of(
    histories: Mapping[str, Sequence[ListRow]],
    period: str = "",
    system: str = "",
    most: int | None = MOST_ROWS,
) -> History:
    """What to show of histories as they were read; a period or system that is none means all."""
    codes = {rows[0].rating_list.period.system_id: name for name, rows in histories.items()}
    chosen = [codes[system]] if system in codes else list(histories)
    since = date.min
    if period in PERIODS and chosen:
        newest = max(histories[name][-1].rating_list.list_date for name in chosen)
        since = _before(newest, PERIODS[period])
    shown = {
        name: [row for row in rows if name in chosen and row.rating_list.list_date >= since]
        for name, rows in histories.items()
    }
    shares = sum(bool(rows) for rows in shown.values())
    share = None if most is None else most // max(shares, 1)
    return History(
        # Those that are not chosen stay in it without a reading, so that each keeps its colour.
        chart.draw({name: profiles.readings(rows) for name, rows in shown.items()}),
        [Table(name, rows[::-1][:share], len(rows)) for name, rows in shown.items() if rows],
        [
            *(
                Link(f"{years} year{'s' if years > 1 else ''}", value, value == period)
                for value, years in PERIODS.items()
            ),
            Link("all", None, period not in PERIODS),
        ],
        [
            *(Link(name, code, code == system) for code, name in codes.items()),
            Link("all", None, system not in codes),
        ]
        if len(codes) > 1
        else [],
    )


def _before(day: date, years: int) -> date:
    """The same day so many years earlier; of 29 February the last of that month."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
