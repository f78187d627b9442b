"""Laying rounds over the days of an event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, time, timedelta

_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2})|\s*h)?\.?", re.ASCII)
_BETWEEN = re.compile(r"\s*(?:[,;/+]|\band\b|\by\b|\s)\s*")


def spread(start: date, end: date, rounds: int, per_day: int | None = None) -> list[date]:
    """The day of each round, from the first day on, ``per_day`` a day (None: as few as fit).

    ValueError if they do not fit between start and end.
    """
    days = (end - start).days + 1
    a_day = per_day or -(-rounds // days)
    if rounds > days * a_day:
        needed = -(-rounds // a_day)
        raise ValueError(f"{rounds} rounds at {a_day} a day need {needed} days; there are {days}.")
    return [start + timedelta(days=number // a_day) for number in range(rounds)]


def at_times(days: Sequence[date], times: Sequence[time]) -> list[tuple[date, time | None]]:
    """Each round's day with its time: the first of a day at the first of ``times``, and so on.

    ValueError if a day has more rounds than there are times; without times, rounds have none.
    """
    most = max(Counter(days).values(), default=0)
    if times and most > len(times):
        raise ValueError(f"{most} rounds a day need {most} times; {len(times)} given.")
    seen: Counter[date] = Counter()
    laid = []
    for day in days:
        laid.append((day, times[seen[day]] if times else None))
        seen[day] += 1
    return laid


def read_times(text: str) -> list[time]:
    """The times in ``10:00 and 16:00`` or ``10, 16.30``. ValueError naming what is not one, or not later
    than the one before."""
    times: list[time] = []
    for part in filter(None, _BETWEEN.split(text.strip().lower())):
        found = _TIME.fullmatch(part)
        if not found or int(found[1]) > 23 or int(found[2] or 0) > 59:
            raise ValueError(f"“{part[:20]}” is no time of day. Write them as 10:00 and 16:00.")
        at = time(int(found[1]), int(found[2] or 0))
        if times and at <= times[-1]:
            raise ValueError(f"{at:%H:%M} is not later than {times[-1]:%H:%M}: give a day's times in order.")
        times.append(at)
    return times
