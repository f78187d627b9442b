"""A rating list in the fixed columns of FIDE's single lists (standard_rating_list.txt).

136 columns, ASCII, CRLF, no byte order mark, one header line. Rapid and blitz lists have the
same layout; see docs/formats/fide-txt.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from players.listformats.ascii_names import to_ascii
from ratinglists.formats.line import ListLine

WIDTH = 136
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
#: Header and width of each field, in order; the rating's header is the month of the list.
FIELDS = (
    ("ID Number", 15),
    ("Name", 61),
    ("Fed", 4),
    ("Sex", 4),
    ("Tit", 5),
    ("WTit", 5),
    ("OTit", 15),
    ("FOA", 4),
    ("", 6),
    ("Gms", 4),
    ("K", 3),
    ("B-day", 6),
    ("Flag", 4),
)


def fide_lines(lines: Iterable[ListLine], *, list_date: date) -> Iterator[bytes]:
    """The list line by line, the header first, each ``WIDTH`` characters and CRLF.

    Text that does not fit its field is cut, a number becomes the largest that fits, so that no
    column ever moves. Unrated is 0, an unknown year 0, the flag i, w or wi as FIDE writes it; a rating
    stands as its regulation has it printed.
    """
    month = f"{_MONTHS[list_date.month - 1]}{list_date:%y}"
    header = "".join((name or month).ljust(width) for name, width in FIELDS)
    yield f"{header}\r\n".encode("ascii")
    for line in lines:
        yield _line(
            [
                to_ascii(line.fide_id),
                to_ascii(line.name),
                to_ascii(line.federation).upper(),
                {"m": "M", "f": "F"}.get(line.sex, ""),
                to_ascii(line.title),
                to_ascii(line.women_title),
                "",
                "",
                line.printed or line.rating or 0,
                line.games,
                line.k or 0,
                line.birth_year or 0,
                flag(line),
            ]
        )


def flag(line: ListLine) -> str:
    """FIDE's flag: w marks a woman, i an inactive player, wi both."""
    return ("w" if line.sex == "f" else "") + ("i" if "i" in line.flag.lower() else "")


def _line(values: list[str | int]) -> bytes:
    cells = (_cell(value, width) for value, (_, width) in zip(values, FIELDS, strict=True))
    return ("".join(cells) + "\r\n").encode("ascii")


def _cell(value: str | int, width: int) -> str:
    """One field: text keeps a blank before the next field, a number may use the whole width."""
    if isinstance(value, int):
        return str(max(0, min(value, 10**width - 1))).ljust(width)
    return value[: width - 1].ljust(width)
