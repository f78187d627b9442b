"""A rating list as CSV: UTF-8, RFC 4180, one header row, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import chain

from players.listformats.spreadsheets import lines as as_csv
from ratinglists.formats.line import ListLine

COLUMNS = (
    "list_date",
    "system",
    "fide_id",
    "name",
    "sex",
    "federation",
    "title",
    "women_title",
    "rating",
    "games",
    "k",
    "birth_year",
    "flag",
    "national_id",
    "status",
    "printed_rating",
    "birth_date",
)


def csv_rows(lines: Iterable[ListLine], *, system: str, list_date: date) -> Iterator[bytes]:
    """The list row by row, each as UTF-8 with CRLF, the header row first.

    Numbers stay bare numbers; what is unknown is an empty cell.
    """
    day = list_date.isoformat()
    return as_csv(
        chain(
            [COLUMNS],
            (
                (
                    day,
                    system,
                    line.fide_id,
                    line.name,
                    line.sex,
                    line.federation,
                    line.title,
                    line.women_title,
                    line.rating,
                    line.games,
                    line.k,
                    line.birth_year,
                    line.flag,
                    line.national_id,
                    line.status,
                    line.printed,
                    line.birth_date and line.birth_date.isoformat(),
                )
                for line in lines
            ),
        )
    )
