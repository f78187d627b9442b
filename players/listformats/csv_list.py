"""Lists of players as CSV: columns in any order under their names, commas or semicolons, UTF-8."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain

from players.listformats.fields import (
    RATING_FIELDS,
    SINGLE_FIELDS,
    TEXT_FIELDS,
    build,
    flag_of,
    rating_texts,
)
from players.listformats.model import RATES, Fault, Faulty, ListedPlayer, broken_file
from players.listformats.source import MAX_LINE, Source
from players.listformats.spreadsheets import bare, lines

COLUMNS = (*TEXT_FIELDS[:8], *RATING_FIELDS, *TEXT_FIELDS[8:])
#: columns that the portal's own published lists have and that say nothing of a player himself
PASSED_OVER = ("list_date", "system", "national_id", "status", "printed_rating", "birth_date")
_REQUIRED = ("fide_id", "name")


def read_players(source: Source, single: str = "") -> Iterator[ListedPlayer | Faulty]:
    """The players of a CSV file; ``single`` is the kind of rating of plain rating, games and k.

    The header row decides between comma and semicolon. Ends with a fatal fault if it is not usable.
    """
    apart: list[Faulty] = []
    first = source.peek().split(b"\n", 1)[0]
    delimiter = ";" if first.count(b";") > first.count(b",") else ","
    reader = csv.reader(_texts(source, apart), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    places: dict[str, int] = {}
    while True:
        started = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error:
            message = "The row cannot be parted into cells: a quote or a cell has no end."
            yield Faulty((Fault(started, None, "row", message, "Close every quote."),))
            continue
        finally:
            yield from apart
            apart.clear()
        if not any(cell.strip() for cell in cells):
            continue
        if columns is None:
            columns = [cell.strip().lower() for cell in cells]
            if (fault := _header_fault(columns)) is not None:
                yield fault
                return
            places = {name: place for place, name in enumerate(columns, 1)}
        elif len(cells) != len(columns):
            message = f"The row has {len(cells)} cells, the header {len(columns)}."
            remedy = "Give every column a cell; quote cells that hold the separator."
            yield Faulty((Fault(started, None, "row", message, remedy),))
        else:
            given = {
                name: bare(cell.strip(" \t\r\n\xa0\u3000")) for name, cell in zip(columns, cells, strict=True)
            }
            yield build(given, started, places, single)
    if columns is None:
        yield broken_file("The file is empty.", f"Begin with the row {','.join(COLUMNS)}.")


def _texts(source: Source, apart: list[Faulty]) -> Iterator[str]:
    """The lines as text; what is none becomes an empty line and a fault in ``apart``."""
    for number, line in source.lines():
        text = ""
        try:
            if line is None:
                raise ValueError(f"The line has more than {MAX_LINE} bytes.")
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            fault = Fault(number, None, "row", "The line is not UTF-8.", "Save the file as CSV in UTF-8.")
            apart.append(Faulty((fault,)))
        except ValueError as error:
            apart.append(Faulty((Fault(number, None, "row", str(error), "Save the file as CSV again."),)))
        yield text + "\n"


def _header_fault(columns: list[str]) -> Faulty | None:
    faults = []
    for place, name in enumerate(columns, 1):
        if name not in (*COLUMNS, *SINGLE_FIELDS, *PASSED_OVER):
            what = f"Column {name[:40]!r} is not known." if name else "The column has no title."
            faults.append(Fault(1, place, name[:40] or "column", what, f"Use {', '.join(COLUMNS)}."))
        elif columns.index(name) + 1 < place:
            faults.append(Fault(1, place, name, "The column stands twice.", "Leave one column of each name."))
    for name in _REQUIRED:
        if name not in columns:
            faults.append(Fault(1, None, name, "The column is missing.", f"Add the column {name}."))
    return Faulty(tuple(faults), fatal=True) if faults else None


def write_players(players: Iterable[ListedPlayer]) -> Iterator[bytes]:
    """The list row by row, the header first; names keep their accents."""
    return lines(chain([COLUMNS], map(_cells, players)))


def _cells(player: ListedPlayer) -> list[str]:
    cells = [
        player.number,
        player.name,
        player.federation,
        player.sex,
        player.title,
        player.women_title,
        player.other_titles,
        player.foa_title,
    ]
    for rate in RATES:
        cells += rating_texts(getattr(player, rate))
    return [*cells, str(player.birth_year or ""), flag_of(player)]
