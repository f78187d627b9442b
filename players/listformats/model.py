"""What a list of players says, as plain values."""

from __future__ import annotations

from typing import Literal, NamedTuple

#: the kinds of rating that a list can hold
RATES = ("standard", "rapid", "blitz")
#: digits of a FIDE number, letters of a name and of other titles, at most
MAX_NUMBER, MAX_NAME, MAX_OTHER_TITLES = 9, 120, 60


class ListRating(NamedTuple):
    """A rating on a list. ``rating`` None: unrated; ``games`` of the period; ``k`` None: unknown (0)."""

    rating: int | None
    games: int
    k: int | None


class ListedPlayer(NamedTuple):
    """A player on a list.

    ``line`` counts lines of the file from 1; ``number`` is the FIDE number without leading zeros.
    Text is "" where the list says nothing. ``standard``, ``rapid`` and ``blitz`` are None where the
    list says nothing of them; ``birth_year`` None is unknown (0 in the file); ``active`` None means
    that the list does not tell.
    """

    line: int
    number: str
    name: str
    federation: str = ""
    sex: Literal["m", "f", ""] = ""
    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    foa_title: str = ""
    standard: ListRating | None = None
    rapid: ListRating | None = None
    blitz: ListRating | None = None
    birth_year: int | None = None
    active: bool | None = None


class Fault(NamedTuple):
    """A fault of a list. ``line`` None: the whole file. ``column`` counts characters (CSV: cells) from 1."""

    line: int | None
    column: int | None
    field: str
    message: str
    remedy: str

    def __str__(self) -> str:
        place = "".join(
            f"{word} {value}, "
            for word, value in (("line", self.line), ("column", self.column))
            if value is not None
        )
        return f"{place}{self.field}: {self.message} {self.remedy}"


class Faulty(NamedTuple):
    """A line that gives no player, with all its faults. ``fatal``: nothing after it can be read."""

    faults: tuple[Fault, ...]
    fatal: bool = False


def broken_file(message: str, remedy: str, *, line: int | None = None, column: int | None = None) -> Faulty:
    """The end of reading: what is wrong with the file as a whole."""
    return Faulty((Fault(line, column, "file", message, remedy),), fatal=True)
