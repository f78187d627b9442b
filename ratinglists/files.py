"""The files in which a list is published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ratinglists import listing
from ratinglists.formats.csv_list import csv_rows
from ratinglists.formats.fide_txt import fide_lines
from ratinglists.formats.fide_xml import xml_players
from ratinglists.models import RatingList


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A file to be written: its name, what it is, and its bytes, the same at every call."""

    name: str
    media_type: str
    chunks: Callable[[], Iterable[bytes]]


def files_of(listed: RatingList) -> Iterator[FileSpec]:
    """Every file of a list, in a fixed order."""
    system, day = listed.period.system_id, listed.list_date
    stem = f"{system}-{day}" if listed.revision == 1 else f"{system}-{day}-revision-{listed.revision}"
    yield FileSpec(
        f"{stem}.csv",
        "text/csv; charset=utf-8",
        lambda: csv_rows(listing.list_lines(listed), system=system, list_date=day),
    )
    yield FileSpec(
        f"{stem}.txt",
        "text/plain; charset=us-ascii",
        lambda: fide_lines(listing.list_lines(listed), list_date=day),
    )
    yield FileSpec(f"{stem}.xml", "application/xml", lambda: xml_players(listing.list_lines(listed)))
