"""A table as PDF on A4: who made it above, the heading on every page, page x of y below.

The same table gives the same bytes. Letters are those of the font that reportlab brings, which are
embedded: the Latin of western Europe with Polish, Croatian, Turkish and Icelandic letters; of others the
base letter is printed (ő as o, ş stays); Cyrillic and Greek are spelt in Latin letters, and a question mark
stands for a letter of another script.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from players.listformats.ascii_names import to_ascii
from ratinglists.formats.latin import latin
from ratinglists.formats.table import Column, Row, Value

MEDIA_TYPE = "application/pdf"
_PLAIN, _BOLD = "PortalVera", "PortalVeraBold"
_SIZE, _LINE, _MARGIN, _GAP = 7.5, 10.5, 15 * mm, 7
_TOP, _FOOT = 22 * mm, 14 * mm
_CHUNK = 1 << 16
#: rows below the heading of a page
ROWS = int((A4[1] - _MARGIN - _TOP - _FOOT) // _LINE) - 1


@cache
def _letters() -> frozenset[int]:
    """Register the fonts, and tell which letters both have."""
    found = []
    for name, file in ((_PLAIN, "Vera.ttf"), (_BOLD, "VeraBd.ttf")):
        pdfmetrics.registerFont(TTFont(name, file))
        found.append(set(pdfmetrics.getFont(name).face.charToGlyph))
    return frozenset(code for code in found[0] & found[1] if chr(code).isprintable())


def readable(text: str) -> str:
    """The text in letters that the font has: others without their accents, in Latin letters, or as a "?"."""
    known = _letters()
    if all(ord(letter) in known for letter in text):
        return text
    return "".join(letter if ord(letter) in known else _other(letter) for letter in text)


def _other(letter: str) -> str:
    if letter.isspace():
        return " "
    spelt = latin(letter)
    return to_ascii(letter) if spelt is None else spelt


def pdf_table(
    columns: Sequence[Column], rows: Iterable[Row], *, count: int, title: str, lines: Sequence[str]
) -> Iterator[bytes]:
    """The document. ``count`` rows come, by which the pages are numbered; ``title`` and up to two
    ``lines`` stand above each page. Raises ValueError where other than ``count`` rows come."""
    _letters()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setSubject(" · ".join(lines))
    canvas.setAuthor(lines[0] if lines else title)
    canvas.setCreator("Chess rating portal")
    page = _Page(
        canvas, columns, max(1, -(-count // ROWS)), readable(title), [readable(each) for each in lines]
    )
    done = 0
    page.begin()
    for row in rows:
        done += 1
        if page.is_full:
            page.end()
            page.begin()
        page.add(row)
    page.end()
    if done != count:
        raise ValueError(f"{done} rows came, not {count}: the pages are numbered wrongly.")
    canvas.save()
    view = out.getbuffer()
    for start in range(0, len(view), _CHUNK):
        yield bytes(view[start : start + _CHUNK])


class _Page:
    """The page being drawn, and what all pages have in common."""

    def __init__(
        self, canvas: Canvas, columns: Sequence[Column], pages: int, title: str, lines: Sequence[str]
    ) -> None:
        self.canvas, self.columns, self.pages, self.title, self.lines = canvas, columns, pages, title, lines
        self.number = self.filled = 0
        width = A4[0] - 2 * _MARGIN
        unit = (width - _GAP * (len(columns) - 1)) / sum(column.letters for column in columns)
        #: from the left margin: where each column begins, and how wide it is
        self.places: list[tuple[float, float]] = []
        left = 0.0
        for column in columns:
            self.places.append((left, column.letters * unit))
            left += column.letters * unit + _GAP
        self.numbers = [column.number for column in columns]

    @property
    def is_full(self) -> bool:
        return self.filled == ROWS

    def begin(self) -> None:
        self.number += 1
        self.filled = 0
        top, canvas = A4[1] - _MARGIN, self.canvas
        canvas.setFont(_BOLD, 11)
        canvas.drawString(_MARGIN, top - 6, self.title)
        canvas.setFont(_PLAIN, _SIZE)
        for place, line in enumerate(self.lines):
            canvas.drawString(_MARGIN, top - 20 - 10 * place, line)
        canvas.line(_MARGIN, top - _TOP - 3, A4[0] - _MARGIN, top - _TOP - 3)
        # One text of the whole page: one for each cell, as drawString makes, is twice the bytes and slower.
        self.text = canvas.beginText(_MARGIN, top - _TOP)
        self.text.setFont(_BOLD, _SIZE)
        self._cells([column.title for column in self.columns], _BOLD)
        self.text.setFont(_PLAIN, _SIZE)

    def add(self, row: Row) -> None:
        self._cells(row, _PLAIN)
        self.filled += 1

    def end(self) -> None:
        self.canvas.drawText(self.text)
        self.canvas.setFont(_PLAIN, _SIZE)
        self.canvas.drawRightString(A4[0] - _MARGIN, _MARGIN - 4, f"Page {self.number} of {self.pages}")
        self.canvas.showPage()

    def _cells(self, row: Sequence[Value], font: str) -> None:
        at = 0.0
        for (left, width), number, value in zip(self.places, self.numbers, row, strict=True):
            if value is None or value == "":
                continue
            shown = str(value) if isinstance(value, int) else readable(value)
            if number:
                left += width - pdfmetrics.stringWidth(shown, font, _SIZE)
            else:
                shown = fitting(shown, font, width)
            self.text.moveCursor(left - at, 0)
            self.text.textOut(shown)
            at = left
        self.text.moveCursor(-at, _LINE)


def fitting(text: str, font: str, width: float) -> str:
    """As much of the text as is not wider than this, with … for the rest."""
    if pdfmetrics.stringWidth(text, font, _SIZE) <= width:
        return text
    while text and pdfmetrics.stringWidth(text + "…", font, _SIZE) > width:
        text = text[:-1]
    return text.rstrip() + "…"
