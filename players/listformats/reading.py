"""A list opened without being told its format: the first bytes decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import BinaryIO

from players.listformats import csv_list, fide_txt, fide_xml
from players.listformats.model import RATES, Faulty, ListedPlayer, broken_file
from players.listformats.source import MAX_UNPACKED, BrokenSource, Source

FORMATS = {"fide-txt": "FIDE TXT", "fide-xml": "FIDE XML", "csv": "CSV"}


class PlayerList:
    """A list being read: iterate over it once for its players and its faults, in the file's order.

    ``single`` says what kind of rating a list of one kind holds ("" leaves it to the name of the
    file). ``format`` is a key of FORMATS, "" if the file cannot be read at all; ``list_date`` the
    date that a single list in fixed columns names. The file has to be seekable and stays open.
    """

    def __init__(
        self, file: BinaryIO, name: str = "", *, single: str = "", max_unpacked: int = MAX_UNPACKED
    ) -> None:
        self.format = ""
        self.list_date: date | None = None
        self._source: Source | None = None
        self._broken: Faulty | None = None
        self._layout: fide_txt.Layout | None = None
        try:
            self._source = Source(file, name, max_unpacked=max_unpacked)
            self._look(self._source.peek())
        except BrokenSource as error:
            self._broken = broken_file(*error.args)
        self.single = single or self._kind_by_name(self._source.name if self._source else name)

    @property
    def bytes_read(self) -> int:
        """How much of the file, as it lies on disk, is read."""
        return self._source.bytes_read if self._source else 0

    def _look(self, start: bytes) -> None:
        text = start.removeprefix(b"\xef\xbb\xbf")
        if not text.strip():
            self._broken = broken_file("The file is empty.", "Choose the list again.")
        elif text.lstrip().startswith(b"<"):
            self.format = "fide-xml"
        elif fide_txt.is_header(text):
            self.format = "fide-txt"
            layout = fide_txt.read_layout(start.split(b"\n", 1)[0])
            if isinstance(layout, Faulty):
                self._broken = layout
            else:
                self._layout, self.list_date = layout, layout.list_date
        elif b"fide_id" in text.split(b"\n", 1)[0].lower():
            self.format = "csv"
        else:
            self._broken = broken_file(
                "This is no list of players.",
                "Choose FIDE's list (TXT or XML, zipped or not), or CSV whose first row names fide_id.",
            )

    def _kind_by_name(self, name: str) -> str:
        words = name.lower()
        found = [rate for rate in RATES if rate in words]
        return found[0] if len(found) == 1 else ""

    def __iter__(self) -> Iterator[ListedPlayer | Faulty]:
        if self._broken is not None:
            yield self._broken
            return
        if self._layout is not None and self._layout.single and not self.single:
            remedy = "Say whether it is standard, rapid or blitz."
            yield broken_file("The list has one kind of rating and does not say which.", remedy)
            return
        try:
            if self._layout is not None:
                yield from fide_txt.read_players(self._source, self._layout, self.single)
            elif self.format == "fide-xml":
                yield from fide_xml.read_players(self._source, self.single)
            else:
                yield from csv_list.read_players(self._source, self.single)
        except BrokenSource as error:
            yield broken_file(*error.args)


WRITERS = {
    "fide-txt": fide_txt.write_players,
    "fide-xml": fide_xml.write_players,
    "csv": csv_list.write_players,
}
