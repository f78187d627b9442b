"""The files in which a list is published: made once, kept in the archive, and read back for the pages."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from django.conf import settings

from players.listformats.spreadsheets import bare
from ratinglists import archive, listing, privacy, special
from ratinglists.formats import pdf, xlsx
from ratinglists.formats.csv_list import csv_rows
from ratinglists.formats.fide_txt import fide_lines
from ratinglists.formats.fide_xml import xml_players
from ratinglists.formats.table import Row, csv_table
from ratinglists.models import ListFile, RatingList
from ratinglists.presentation import regulation_title
from ratinglists.printing import cells, columns_of

log = logging.getLogger(__name__)

CSV = "text/csv; charset=utf-8"
TXT = "text/plain; charset=us-ascii"
XML = "application/xml"
#: the files of everybody on a list, by the ends of their names, and what people call them
WHOLE = {"csv": "CSV", "txt": "FIDE TXT", "xml": "FIDE XML", "xlsx": "XLSX", "pdf": "PDF"}


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A file to be written: its name, what it is, and its bytes, the same at every call."""

    name: str
    media_type: str
    chunks: Callable[[], Iterable[bytes]]


def stem_of(listed: RatingList) -> str:
    """What the names of all files of a list begin with."""
    stem = f"{listed.period.system_id}-{listed.list_date}"
    return stem if listed.revision == 1 else f"{stem}-revision-{listed.revision}"


def files_of(listed: RatingList) -> Iterator[FileSpec]:
    """Every file of a list, in a fixed order: everybody in each format that can hold so many, then the
    special lists."""
    stem, count = stem_of(listed), listing.listed_rows(listed).count()
    for ending in WHOLE:
        if count <= rows_held(ending, count):
            yield whole(listed, ending, count)
    for kind in special.kinds_of(listed):
        yield FileSpec(f"{stem}-{kind}.csv", CSV, partial(special_csv, listed, kind))


def rows_held(ending: str, count: int) -> int:
    """How many players a file of this kind may hold."""
    limits = {"xlsx": min(settings.PORTAL_XLSX_ROWS, xlsx.MAX_ROWS), "pdf": settings.PORTAL_PDF_ROWS}
    return limits.get(ending, count)


def whole(listed: RatingList, ending: str, count: int | None = None, *, today: bool = False) -> FileSpec:
    """The file of everybody in one format. ``count``: how many players it has, if known. ``today``: as it
    may be handed out now, not as it is or was published."""
    system, day = listed.period.system_id, listed.list_date
    name = f"{stem_of(listed)}.{ending}"

    def lines():
        rows = listing.list_lines(listed)
        return privacy.mask_lines(rows) if today else rows

    if ending == "csv":
        return FileSpec(name, CSV, lambda: csv_rows(lines(), system=system, list_date=day))
    if ending == "txt":
        return FileSpec(name, TXT, lambda: fide_lines(lines(), list_date=day))
    if ending == "xml":
        return FileSpec(name, XML, lambda: xml_players(lines()))
    columns, about = columns_of(listing.regulation_of(listed)), facts(listed)

    def rows() -> Iterator[Row]:
        return (cells(line, columns) for line in lines())

    if ending == "xlsx":
        sheet = f"{system} {day}"
        return FileSpec(
            name, xlsx.MEDIA_TYPE, lambda: xlsx.xlsx_table(columns, rows(), sheet=sheet, about=about)
        )
    (_, federation), (_, title), *rest = about
    heading = [federation, ", ".join(value for _, value in rest)]

    def document() -> Iterator[bytes]:
        number = listing.listed_rows(listed).count() if count is None else count
        return pdf.pdf_table(columns, rows(), count=number, title=title, lines=heading)

    return FileSpec(name, pdf.MEDIA_TYPE, document)


def facts(listed: RatingList) -> list[tuple[str, str]]:
    """What a file says of its list as a whole."""
    revision = f", revision {listed.revision}" if listed.revision > 1 else ""
    return [
        ("Federation", str(listed.system.federation or "")),
        ("System", listed.system.name),
        ("List", f"List of {listed.list_date}{revision}"),
        ("Regulation", regulation_title(listed.regulation)),
    ]


def special_csv(listed: RatingList, kind: str, *, today: bool = False) -> Iterator[bytes]:
    table = special.SPECIAL[kind].table(listed)
    rows = table.rows()
    return csv_table(table.columns, privacy.mask_cells(table.columns, rows) if today else rows)


# --- what is in the archive -----------------------------------------------------------------------


def archived(listed: RatingList, what: str) -> ListFile | None:
    """A file of a published list by the end of its name, as "xlsx", or by the special list that it holds;
    None where there is none."""
    name = f"{stem_of(listed)}-{what}.csv" if what in special.SPECIAL else f"{stem_of(listed)}.{what}"
    return listed.files.filter(name=name).first()


@dataclass(frozen=True, slots=True)
class Downloads:
    """The files of a list for its page. ``too_long``: formats that cannot hold so many players."""

    whole: list[tuple[str, ListFile]]
    special: list[tuple[str, ListFile]]
    other: list[ListFile]
    too_long: list[tuple[str, int]]


def downloads(listed: RatingList) -> Downloads:
    """Every archived file of a list by what it is; empty for a draft and for a list without files."""
    stem = stem_of(listed)
    left = {each.name: each for each in listed.files.all()}
    ours = [(label, f"{stem}.{ending}") for ending, label in WHOLE.items()]
    beside = [(each.title, f"{stem}-{kind}.csv") for kind, each in special.SPECIAL.items()]
    missing = [ending for ending in ("xlsx", "pdf") if left and f"{stem}.{ending}" not in left]
    found, apart = (
        [(label, left.pop(name)) for label, name in names if name in left] for names in (ours, beside)
    )
    return Downloads(
        found, apart, list(left.values()), [(WHOLE[ending], rows_held(ending, 0)) for ending in missing]
    )


def special_rows(listed: RatingList, kind: str) -> tuple[Iterable[list[str]], int | None]:
    """The rows of a special list as text, and how many they are if that is known without reading them.

    Of a published list they are those of its file, which is what everybody else has; where the archive
    has lost it they are drawn from the list again.
    """
    if (file := archived(listed, kind)) is not None:
        try:
            return _read(file.sha256), rows_in(file.sha256)
        except FileNotFoundError:
            log.error("%s of %s is not in the archive: %s", file.name, listed, file.sha256)
    rows = special.SPECIAL[kind].table(listed).rows()
    return (["" if cell is None else str(cell) for cell in row] for row in rows), None


def _read(sha256: str) -> Iterator[list[str]]:
    with io.TextIOWrapper(archive.open_file(sha256), encoding="utf-8", newline="") as text:
        rows = csv.reader(text)
        next(rows, None)
        for row in rows:
            yield [bare(cell) for cell in row]


@lru_cache(maxsize=1024)
def rows_in(sha256: str) -> int:
    """How many rows an archived CSV has below its first; the file of this content never changes."""
    with archive.open_file(sha256) as file:
        return sum(chunk.count(b"\n") for chunk in iter(partial(file.read, 1 << 20), b"")) - 1
