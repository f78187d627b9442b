"""Reads a report for ``players.apart``: bytes in, plain values out."""

from __future__ import annotations

from datetime import date

from tournaments.reports import formats
from tournaments.reports.plain import as_plain


def read(content: bytes, *, filename: str, on: str | None) -> list:
    """The report as plain values; ``on`` is a day of the event (YYYY-MM-DD)."""
    return as_plain(formats.parse(content, filename, date.fromisoformat(on) if on else None))
