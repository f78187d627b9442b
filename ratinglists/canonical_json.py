"""Canonical JSON of any size read piece by piece, and where two canonical lists differ."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any


class NotCanonical(ValueError):
    """The text is not the canonical JSON that it should be."""


class Reader:
    """Reads a text whose layout the caller knows: he asks for what must come next."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = codecs.iterdecode(pieces, "utf-8")
        self._text, self._at = "", 0
        self._decode = json.JSONDecoder().raw_decode

    def _more(self) -> bool:
        piece = next(self._pieces, "")
        self._text, self._at = self._text[self._at :] + piece, 0
        return piece != ""

    def literal(self, text: str) -> None:
        """Just this text comes next."""
        while len(self._text) - self._at < len(text) and self._more():
            pass
        if not self._text.startswith(text, self._at):
            raise NotCanonical(f"{text!r} is missing")
        self._at += len(text)

    def end(self) -> None:
        """Nothing comes next: all was read."""
        if self._at < len(self._text) or self._more():
            raise NotCanonical("there is more than there should be")

    def value(self) -> Any:
        """Any JSON value; a number must be followed by something."""
        while True:
            try:
                value, end = self._decode(self._text, self._at)
                if end < len(self._text):
                    self._at = end
                    return value
            except json.JSONDecodeError:
                pass
            if not self._more():
                raise NotCanonical("the text breaks off")

    def array(self) -> Iterator[Any]:
        """The values of an array whose bracket was read, up to its end."""
        self._fill()
        if self._text.startswith("]", self._at):
            self._at += 1
            return
        while True:
            yield self.value()
            self._fill()
            if self._text.startswith("]", self._at):
                self._at += 1
                return
            self.literal(",")

    def _fill(self) -> None:
        if self._at == len(self._text):
            self._more()


def differing(listed: dict, other: dict) -> str:
    """In words, the first place where another list says something else than the one listed."""
    for name in ("regulation", "list_date"):
        if listed[name] != other[name]:
            return f"{name} is {other[name]}, not {listed[name]}"
    rows, others = (iter(sorted(each["players"], key=itemgetter("id"))) for each in (listed, other))
    return _row_differing(rows, others) or _sample_differing(iter(listed["samples"]), iter(other["samples"]))


def differing_texts(listed: Iterable[bytes], other: Iterable[bytes]) -> str:
    """The same of two canonical lists of any size, in pieces."""
    readers = Reader(listed), Reader(other)
    for before, name, following in (
        ('{"list_date":', "list_date", _row_differing),
        (',"regulation":', "regulation", _sample_differing),
    ):
        for reader in readers:
            reader.literal(before)
        one, two = (reader.value() for reader in readers)
        if one != two:
            return f"{name} is {two}, not {one}"
        for reader in readers:
            reader.literal(',"players":[' if following is _row_differing else ',"samples":[')
        if found := following(*(reader.array() for reader in readers)):
            return found
    return "nothing"


def _row_differing(rows: Iterator[dict], others: Iterator[dict]) -> str:
    """The first difference of rows that come in the order of their players."""
    row, other = next(rows, None), next(others, None)
    while row is not None or other is not None:
        if other is None or (row is not None and row["id"] < other["id"]):
            return f"player {row['id']} is missing"
        if row is None or other["id"] < row["id"]:
            return f"player {other['id']} is not on the list"
        for name, value in row.items():
            if other[name] != value:
                return f"player {row['id']}: {name} {other[name]}, not {value}"
        row, other = next(rows, None), next(others, None)
    return ""


def _sample_differing(samples: Iterator[dict], others: Iterator[dict]) -> str:
    listed, found = list(samples), list(others)
    for one, two in zip(listed, found, strict=False):
        if one != two:
            return f"player {one['player']}: what stays pooled towards a first rating"
    return f"{len(found)} results stay pooled, not {len(listed)}" if len(found) != len(listed) else ""
