"""From where lists are looked at: as published now, or as they were when a list was computed.

While a correction computes a list again, the lists in force are those before it, as the correction
leaves them, and records are the persons that the list took them for. Who reads lists for a
computation asks here (``queries.published``, ``persons.aliases``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standpoint:
    """``lists`` are the keys of a system's lists, one a date; ``persons`` leads from each record that is
    not a person of its own to the record that is."""

    system: str
    lists: tuple[int, ...]
    persons: Mapping[int, int]

    def aliases(self, player_ids: Iterable[int] | None = None) -> dict[int, int]:
        """Record -> person, of these persons or of all."""
        if player_ids is None:
            return dict(self.persons)
        wanted = set(player_ids)
        return {record: person for record, person in self.persons.items() if person in wanted}


_current: ContextVar[Standpoint | None] = ContextVar("standpoint", default=None)


def current() -> Standpoint | None:
    """Where one stands; None: today, on the published lists."""
    return _current.get()


@contextmanager
def taken(point: Standpoint) -> Iterator[None]:
    """Look from there within the block."""
    token = _current.set(point)
    try:
        yield
    finally:
        _current.reset(token)
