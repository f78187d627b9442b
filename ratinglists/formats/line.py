"""One line of a rating list, as every writer of this package takes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal


@dataclass(frozen=True, slots=True)
class ListLine:
    """A player on a list.

    ``rating`` None means unrated, ``games`` are those of the period, ``k`` the K-factor,
    ``birth_year`` None unknown; ``title`` is the open title and ``women_title`` the women's;
    ``national_id`` is the number that the list's federation gave; ``printed`` is the rating as the
    regulation has it printed (three digits in a rapid list of 2004);
    ``birth_date`` is there only where the system prints full dates;
    ``flag`` holds "i" for an inactive player ("" otherwise); ``record`` is the number of the player's
    page on the portal, and ``career_games`` are all counted games so far.
    """

    fide_id: str
    name: str
    sex: Literal["m", "f", ""]
    federation: str
    title: str
    rating: int | None
    games: int
    k: int | None
    birth_year: int | None
    flag: str = ""
    women_title: str = ""
    national_id: str = ""
    status: str = ""
    printed: str = ""
    birth_date: date | None = None
    record: int = 0
    career_games: int = 0
