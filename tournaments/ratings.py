"""How tournaments learn ratings without knowing the lists: lookups named in the settings.

The lists live in an app above this one; ``PORTAL_RATING_LOOKUP`` and ``PORTAL_COUNTED_LOOKUP`` name
its functions, of the signatures of ``facts_in_force`` and ``lists_that_counted`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.utils.module_loading import import_string

from regulations.model import Step, Totals


@dataclass(frozen=True, slots=True)
class RatingFacts:
    """What a system's list in force on a day says of a player (``rating`` None: unrated)."""

    rating: int | None = None
    career_games: int | None = None
    reached_k10: bool | None = None
    first_event: bool = True
    standard_rating: int | None = None
    rated_since_event: bool = False
    list_date: date | None = None
    highest_rating: int | None = None
    provisional: bool = False
    totals: Totals | None = None

    def on_that_day(self, reference: str | None) -> str:
        """For an entry list: the rating of the day, else that of the reference system, else "unrated"."""
        if self.rating is not None and not self.rated_since_event:
            return str(self.rating)
        return "unrated" if self.standard_rating is None else f"{self.standard_rating} ({reference})"


def facts_in_force(
    system, player_ids: Iterable[int], on: date, before: date | None = None
) -> dict[int, RatingFacts]:
    """The facts of each player asked for, by primary key, from the list in force on a day.

    ``before`` leaves out what the list of that date and later ones made known since.
    """
    lookup = _ahead.get() or import_string(settings.PORTAL_RATING_LOOKUP)
    return lookup(system, list(player_ids), on, before)


#: system, players, day, before -> the facts of each player
Lookup = Callable[..., dict[int, RatingFacts]]
_ahead: ContextVar[Lookup | None] = ContextVar("ahead", default=None)


@contextmanager
def looked_up_by(lookup: Lookup) -> Iterator[None]:
    """Inside, ratings are looked up by this function: for what looks ahead of the published lists."""
    token = _ahead.set(lookup)
    try:
        yield
    finally:
        _ahead.reset(token)


def lists_that_counted(tournament) -> tuple[date, ...]:
    """The dates of the published lists that dealt with a tournament, oldest first."""
    return import_string(settings.PORTAL_COUNTED_LOOKUP)(tournament)


def closing_days_of(system) -> dict[date, date]:
    """The closing day of each period whose list is not published yet, by the date of the list."""
    return import_string(settings.PORTAL_PERIODS_LOOKUP)(system)


@dataclass(frozen=True, slots=True)
class Effect:
    """What an event alone makes of a player on the next list: rating before and after (None: none),
    the status there, and the regulation's steps."""

    before: int | None
    after: int | None
    status: str
    steps: tuple[Step, ...] = ()


def effect_on_list(tournament, list_date: date, parts) -> dict[int, Effect]:
    """The effect of a tournament's rated parts on the list of this date, by player's primary key."""
    return import_string(settings.PORTAL_EFFECT_LOOKUP)(tournament, list_date, parts)
