"""The report formats that the portal reads and writes: one line for each module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from tournaments.reports import csv_table, feda_file, feda_writer, trf16, trf26, xlsx_table
from tournaments.reports.model import ParsedReport


@dataclass(frozen=True, slots=True)
class Format:
    """A format: ``code`` is what a report stores, ``suffix`` the ending of a file written in it.

    ``recognises`` looks at the content first and at the file name only where the content leaves it
    open. ``parse`` never raises; ``on`` is a day of the event, for formats with two-figure years.
    """

    code: str
    title: str
    suffix: str
    media_type: str
    recognises: Callable[[bytes, str], bool]
    parse: Callable[[bytes, date | None], ParsedReport]
    write: Callable[[ParsedReport], bytes]


TRF16 = Format(
    "trf16",
    "TRF16 (FIDE report)",
    ".trf",
    "text/plain; charset=utf-8",
    lambda content, filename: True,
    lambda content, on: trf16.parse(content),
    lambda report: trf16.write(report).encode(),
)

FEDA1031 = Format(
    "feda1031",
    "FEDA evaluation file (10.31)",
    ".txt",
    "text/plain; charset=utf-8",
    lambda content, filename: feda_file.recognises(content),
    feda_file.parse,
    feda_writer.write,
)
CSV = Format(
    "csv",
    "CSV table",
    ".csv",
    "text/csv; charset=utf-8",
    csv_table.recognises,
    lambda content, on: csv_table.parse(content),
    csv_table.write,
)
XLSX = Format(
    "xlsx",
    "XLSX workbook",
    ".xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    xlsx_table.recognises,
    lambda content, on: xlsx_table.parse(content),
    xlsx_table.write,
)

TRF26 = Format(
    trf26.CODE,
    "TRF26 (FIDE report)",
    ".trf",
    "text/plain; charset=utf-8",
    lambda content, filename: trf26.recognises(content),
    lambda content, on: trf26.parse(content),
    lambda report: trf26.write(report).encode(),
)

#: asked in this order; the last takes what no other recognises and says what is wrong with it
FORMATS: tuple[Format, ...] = (XLSX, FEDA1031, CSV, TRF26, TRF16)


def by_code(code: str) -> Format:
    """The format of this code; raises KeyError."""
    return {each.code: each for each in FORMATS}[code]


def recognise(content: bytes, filename: str = "") -> Format:
    return next(each for each in FORMATS if each.recognises(content, filename))


def parse(content: bytes, filename: str = "", on: date | None = None) -> ParsedReport:
    """The report, read in the format that it is recognised as."""
    return recognise(content, filename).parse(content, on)
