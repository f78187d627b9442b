"""A rating list in the fixed columns of FIDE's single lists (standard_rating_list.txt).

136 columns, ASCII, CRLF, no byte order mark, one header line. Rapid and blitz lists have the
same layout; see docs/formats/fide-txt.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from players.listformats import fide_txt
from ratinglists.formats.line import ListLine

FIELDS = fide_txt.SINGLE
WIDTH = 136


def fide_lines(lines: Iterable[ListLine], *, list_date: date) -> Iterator[bytes]:
    """The list line by line, the header first, each ``WIDTH`` characters and CRLF.

    Text that does not fit its field is cut, a number becomes the largest that fits, so that no
    column ever moves. Unrated is 0, an unknown year 0, the flag i, w or wi as FIDE writes it; a rating
    stands as its regulation has it printed.
    """
    yield fide_txt.header(FIELDS, list_date)
    for each in lines:
        who = fide_txt.person(
            each.fide_id, each.name, each.federation, each.sex, each.title, each.women_title, "", ""
        )
        rating = each.printed or each.rating or 0
        values = [*who, rating, each.games, each.k or 0, each.birth_year or 0, flag(each)]
        yield fide_txt.line(FIELDS, values)


def flag(line: ListLine) -> str:
    """FIDE's flag: w marks a woman, i an inactive player, wi both."""
    return ("w" if line.sex == "f" else "") + ("i" if "i" in line.flag.lower() else "")
