"""FIDE's lists in fixed columns: each column begins where its name stands in the header line.

Combined lists of today (162 columns) and of old (158, without FOA), and single lists whose rating
column is named after the month; docs/formats/fide-txt.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from players.listformats.ascii_names import to_ascii
from players.listformats.fields import build, flag_of, rating_texts
from players.listformats.model import RATES, Fault, Faulty, ListedPlayer, broken_file
from players.listformats.source import MAX_LINE, Source

_NAMES = {
    "ID NUMBER": "fide_id",
    "NAME": "name",
    "FED": "federation",
    "SEX": "sex",
    "TIT": "title",
    "WTIT": "women_title",
    "OTIT": "other_titles",
    "FOA": "foa_title",
    "SRTNG": "standard_rating",
    "SGM": "standard_games",
    "SK": "standard_k",
    "RRTNG": "rapid_rating",
    "RGM": "rapid_games",
    "RK": "rapid_k",
    "BRTNG": "blitz_rating",
    "BGM": "blitz_games",
    "BK": "blitz_k",
    "GMS": "games",
    "K": "k",
    "B-DAY": "birth_year",
    "FLAG": "flag",
}
_REQUIRED = ("fide_id", "name", "federation")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_month = re.compile(rf"({'|'.join(_MONTHS)})([0-9]{{2}})", re.ASCII).fullmatch
_names_of = re.compile(r"ID NUMBER|\S+").finditer
_HEADER_REMEDY = "The first line must be FIDE's header: ID Number, Name, Fed and so on."


class Layout(NamedTuple):
    """Where the fields stand, as the header says: field, start, end (None: to the end), from 0.

    ``list_date`` is that of a single list, else None; ``single`` tells a list of one kind of rating.
    """

    fields: tuple[tuple[str, int, int | None], ...]
    list_date: date | None
    single: bool

    @property
    def first_number(self) -> int | None:
        """Where the first rating starts: a digit stands there in every line that is not shifted."""
        return next((start for name, start, _ in self.fields if name.endswith("rating")), None)


def is_header(line: bytes) -> bool:
    return line.lstrip(b"\xef\xbb\xbf").upper().startswith(b"ID NUMBER")


def read_layout(line: bytes) -> Layout | Faulty:
    """The layout of a list from its header line."""
    header = line.decode("latin-1").removeprefix("ï»¿").upper().rstrip()
    names, list_date = [], None
    for found in _names_of(header):
        name = _NAMES.get(found[0])
        if name is None and (month := _month(found[0])):
            name, list_date = "rating", date(2000 + int(month[2]), _MONTHS.index(month[1]) + 1, 1)
        if name is None or name in [known for known, _ in names]:
            what = f"The column {found[0][:20]!r} is not known or stands twice."
            return broken_file(what, _HEADER_REMEDY, line=1, column=found.start() + 1)
        names.append((name, found.start()))
    missing = [name for name in _REQUIRED if name not in dict(names)]
    if missing:
        return broken_file(f"The header lacks {', '.join(missing)}.", _HEADER_REMEDY, line=1)
    ends = [start for _, start in names[1:]] + [None]
    fields = tuple((name, start, end) for (name, start), end in zip(names, ends, strict=True))
    return Layout(fields, list_date, "rating" in dict(names))


def read_players(source: Source, layout: Layout, single: str = "") -> Iterator[ListedPlayer | Faulty]:
    """The players of a list, line by line; ``single`` is the kind of rating of a single list."""
    columns = {name: start + 1 for name, start, _ in layout.fields}
    for number, line in source.lines():
        if number == 1 or (line is not None and not line.strip(b" \x1a")):
            continue
        if line is None:
            message = f"The line has more than {MAX_LINE} bytes."
            yield Faulty((Fault(number, None, "line", message, "One player stands on each line."),))
            continue
        given = _fields(line, layout)
        yield build(given, number, columns, single)


def _fields(line: bytes, layout: Layout) -> dict[str, str]:
    """The fields of a line.

    A title that overflows OTit moves what follows by one column, and a program that counts bytes
    moves it by the letters beyond ASCII: the first rating, always a number, shows where it went.
    """
    first = layout.first_number
    if line.isascii():
        text = line.decode("ascii")
        return _cut(text, layout, int(first is not None and _moved(text, first)))
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", errors="replace")
    as_bytes = line.decode("latin-1")
    if first is not None and not _digit_at(text, first) and _digit_at(as_bytes, first):
        given = _cut(as_bytes, layout, 0)
        return {name: _again(value) for name, value in given.items()}
    return _cut(text, layout, int(first is not None and _moved(text, first)))


def _cut(text: str, layout: Layout, moved: int) -> dict[str, str]:
    if not moved:
        return {name: text[start:end].strip(" ") for name, start, end in layout.fields}
    given, shift = {}, 0
    for name, start, end in layout.fields:
        begin = start + shift
        shift = moved if shift or name == "other_titles" else 0
        given[name] = text[begin : None if end is None else end + shift].strip(" ")
    return given


def _digit_at(text: str, place: int) -> bool:
    return "0" <= text[place : place + 1] <= "9"


def _moved(text: str, first: int) -> bool:
    return not _digit_at(text, first) and _digit_at(text, first + 1)


def _again(value: str) -> str:
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value


_PERSON = (
    ("ID Number", 15),
    ("Name", 61),
    ("Fed", 4),
    ("Sex", 4),
    ("Tit", 5),
    ("WTit", 5),
    ("OTit", 15),
    ("FOA", 4),
)
_END = (("B-day", 6), ("Flag", 4))
#: the combined list of today: header and width of each column
COMBINED = (
    *_PERSON,
    ("SRtng", 6),
    ("SGm", 4),
    ("SK", 3),
    ("RRtng", 6),
    ("RGm", 4),
    ("Rk", 3),
    ("BRtng", 6),
    ("BGm", 4),
    ("BK", 3),
    *_END,
)
#: a list of one kind of rating, whose header is the month of the list
SINGLE = (*_PERSON, ("", 6), ("Gms", 4), ("K", 3), *_END)
#: how much more or less than its width a text may have: other titles move the rest of their line
_ROOM = {"ID Number": -1, "Name": -1, "OTit": 1}
_SEX = {"m": "M", "f": "F"}


def header(columns: tuple[tuple[str, int], ...], list_date: date | None = None) -> bytes:
    """The first line; a single list names its month in it."""
    month = f"{_MONTHS[list_date.month - 1]}{list_date:%y}" if list_date else ""
    return ("".join((name or month).ljust(width) for name, width in columns) + "\r\n").encode("ascii")


def line(columns: tuple[tuple[str, int], ...], values: Iterable[str | int]) -> bytes:
    """A player's line: text in ASCII and cut where it does not fit, a number at most the largest that
    fits."""
    cells = []
    for value, (name, width) in zip(values, columns, strict=True):
        if isinstance(value, int):
            cells.append(str(max(0, min(value, 10**width - 1))).ljust(width))
        else:
            cells.append(to_ascii(value)[: width + _ROOM.get(name, 0)].ljust(width))
    return ("".join(cells) + "\r\n").encode("ascii")


def person(
    number: str, name: str, federation: str, sex: str, title: str, women_title: str, other: str, foa: str
) -> list[str]:
    """What every list says of a player first."""
    other = _fitting(to_ascii(other), 16)
    return [number, name, federation.upper(), _SEX.get(sex, ""), title, women_title, other, foa]


def write_players(players: Iterable[ListedPlayer]) -> Iterator[bytes]:
    """The combined list of today, the header first: ASCII, CRLF.

    Names lose their accents and are cut where they do not fit; other titles are left out from the
    end. As with FIDE, other titles one letter too long move the rest of their line by a column.
    """
    yield header(COMBINED)
    for each in players:
        values = person(*each[1:9])
        for rate in RATES:
            values += [text or "0" for text in rating_texts(getattr(each, rate))]
        yield line(COMBINED, [*values, each.birth_year or 0, flag_of(each)])


def _fitting(titles: str, width: int) -> str:
    while len(titles) > width:
        titles = titles.rpartition(",")[0]
    return titles
