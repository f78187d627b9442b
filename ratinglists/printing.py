"""The columns that a regulation has its list print, and a player's cells in them."""

from __future__ import annotations

from ratinglists.formats.line import ListLine
from ratinglists.formats.table import Column, Value
from regulations.base import PRINTED, Regulation

NUMBER = Column("number", "Number", 11)
NAME = Column("name", "Name", 30)
TITLE = Column("title", "Title", 5)
FEDERATION = Column("federation", "Fed.", 5)
RATING = Column("rating", "Rating", 6, number=True)
STATUS = Column("status", "Status", 11)
#: by the names of ``regulations.base.PRINTED``; the change is told by the list of changes
COLUMNS = {
    "id": NUMBER,
    "name": NAME,
    "title": TITLE,
    "federation": FEDERATION,
    "rating": RATING,
    "k": Column("k", "K", 4, number=True),
    "games": Column("games", "Games", 6, number=True),
    "birth_date": Column("born", "Born", 10),
    "birth_year": Column("born", "Born", 10),
    "sex": Column("sex", "Sex", 4),
    "status": STATUS,
    "career_games": Column("career_games", "All games", 9, number=True),
}
#: what says nothing of a player without a rating
OF_THE_RATED = ("rating", "k", "games", "status", "career_games")


def columns_of(rules: Regulation | None, *, rated: bool = True) -> tuple[Column, ...]:
    """The columns in the order of the text; everything that can be printed where no regulation is known.
    Without those of the rating where nobody is ``rated``."""
    names = [each for each in (rules.printed if rules else PRINTED) if each in COLUMNS]
    found = [COLUMNS[each] for each in names if rated or each not in OF_THE_RATED]
    return tuple(dict.fromkeys(found))


def cells(line: ListLine, columns: tuple[Column, ...]) -> list[Value]:
    """What a list prints of a player in these columns: numbers as numbers, numbers of players as text."""
    return [_CELLS[column.key](line) for column in columns]


def number_of(national_id: str, fide_id: str) -> str:
    """The number by which a list knows a player: the one of its federation, or else FIDE's."""
    return national_id or fide_id


def _rating(line: ListLine) -> Value:
    return int(line.printed) if line.printed.isascii() and line.printed.isdigit() else line.printed


def _born(line: ListLine) -> Value:
    return line.birth_date.isoformat() if line.birth_date else line.birth_year


_CELLS = {
    "number": lambda line: number_of(line.national_id, line.fide_id),
    "name": lambda line: line.name,
    "title": lambda line: line.title,
    "federation": lambda line: line.federation,
    "rating": _rating,
    "k": lambda line: line.k,
    "games": lambda line: line.games,
    "born": _born,
    "sex": lambda line: line.sex,
    "status": lambda line: line.status,
    "career_games": lambda line: line.career_games,
}
