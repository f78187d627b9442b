"""Whether a text or a file names one of many dates with day and month, in whatever spelling."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from datetime import date

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(\d\d?)(?:st|nd|rd|th)?"
_BETWEEN = r"(?:[-/. ]|&[a-z0-9#]+;|\\/|%2F|\s|,)"
#: between numbers there has to be more than the blank or comma that parts two columns
_MARK = r"(?:[-/.]|&#?[a-z0-9]+;|\\/|%2F) ?"
_SHORT = [(re.compile(r"(?<![\d.:])(?=(\d\d)[-/.](\d\d)[-/.](\d\d)(?!\d))"), "dmy mdy ymd")]
#: so many letters beside a year a date can have
BESIDE = 40
#: pattern -> how its three groups make year, month and day
_FULL = [
    (re.compile(rf"(?=(\d{{4}}){_MARK}(\d\d?){_MARK}(\d\d?)(?!\d))"), "ymd"),
    (re.compile(r"(?=(\d{4})(\d\d)(\d\d))"), "ymd"),
    (re.compile(rf"(?<!\d)(?=(\d\d?){_MARK}(\d\d?){_MARK}(\d{{4}}))"), "dmy mdy"),
    (re.compile(r"(?=(\d\d)(\d\d)(\d{4}))"), "dmy mdy"),
    (re.compile(rf"(?<!\d){_DAY}{_BETWEEN}*(?:of )?{_MONTH}{_BETWEEN}*(\d{{4}})", re.I), "dmy"),
    (re.compile(rf"{_MONTH}{_BETWEEN}*{_DAY}{_BETWEEN}*(\d{{4}})", re.I), "mdy"),
    (re.compile(rf"(\d{{4}}){_BETWEEN}*{_MONTH}{_BETWEEN}*(\d\d?)(?!\d)", re.I), "ymd"),
]


def spellings(day: date) -> list[str]:
    """A date as people and programs write it."""
    english = f"{day:%B}", f"{day:%b}"
    return [
        day.isoformat(),
        f"{day:%Y/%m/%d}",
        f"{day:%Y.%m.%d}",
        f"{day:%Y%m%d}",
        f"{day.year}-{day.month}-{day.day}",
        f"{day:%d.%m.%Y}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day:%d/%m/%Y}",
        f"{day:%m/%d/%Y}",
        f"{day:%d-%m-%Y}",
        f"{day:%d%m%Y}",
        f"{day:%d-%m-%y}",
        f"{day:%m/%d/%y}",
        *(f"{day.day} {month} {day.year}" for month in english),
        *(f"{month} {day.day}, {day.year}" for month in english),
        f"{english[0]} {day.day}th, {day.year}",
        f"{day.year} {english[1]} {day.day:02d}",
        f'{{"birth": "{day:%Y\\/%m\\/%d}"}}',
    ]


class Watch:
    """Dates that are looked for: full years are exact, years of two figures only with separators."""

    def __init__(self, days: Collection[date]) -> None:
        self.days = {(day.year, day.month, day.day): day for day in days}
        self._years = re.compile("|".join(sorted({str(day.year) for day in days})))
        self.short = {(day.year % 100, day.month, day.day): day for day in days}

    def found(self, text: str) -> set[date]:
        """The dates that a text names. Full dates are looked for beside their years only, which few texts
        have."""
        hits = self._known(_SHORT, text, self.short)
        for year in self._years.finditer(text):
            beside = text[max(0, year.start() - BESIDE) : year.end() + BESIDE]
            hits |= self._known(_FULL, beside, self.days)
        return hits

    @staticmethod
    def _known(patterns, text: str, known: dict[tuple, date]) -> set[date]:
        hits = set()
        for pattern, orders in patterns:
            for match in pattern.finditer(text):
                for order in orders.split():
                    part = dict(zip(order, match.groups(), strict=True))
                    month = part["m"].lower()[:3]
                    month = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
                    if day := known.get((int(part["y"]), month, int(part["d"]))):
                        hits.add(day)
        return hits


def texts_of(content: bytes) -> Iterator[str]:
    """What a file says: archives and workbooks unpacked, everything else as text. The letters of a PDF are
    not text: who makes one has to be watched (``drawn``)."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for name in packed.namelist():
                yield from texts_of(packed.read(name))
    elif len(content) > 257 + 5 and content[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(content)) as packed:
            for member in packed:
                yield member.name
                if member.isfile():
                    yield from texts_of(packed.extractfile(member).read())
    else:
        yield content.decode("utf-8", errors="replace")
