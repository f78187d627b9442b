"""Laying rounds over the days of an event."""

from __future__ import annotations

from datetime import date, timedelta


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
