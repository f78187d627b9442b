"""FIDE's tournament report TRF26: TRF16 with records of its own for rounds, scoring, national ratings,
teams, byes, forfeits and abnormal points. See docs/formats/trf26.md.
"""

from __future__ import annotations

import re

from tournaments.reports import trf_reader
from tournaments.reports.model import ParsedReport
from tournaments.reports.trf26_writer import write

__all__ = ["CODE", "parse", "recognises", "write"]

CODE = "trf26"

_PLAYER = re.compile(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?001[ \t]+[0-9]")
_TAG = re.compile(
    rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?(?:###|(?:%b)[ \t])" % "|".join(sorted(trf_reader.TRF26_TAGS)).encode()
)


def recognises(content: bytes) -> bool:
    """Is it a report of player lines with a tag or comment (###) that TRF16 does not have?"""
    return _PLAYER.search(content) is not None and _TAG.search(content) is not None


def parse(data: bytes) -> ParsedReport:
    """Read a report file. Never raises for its content: what is wrong is in ``problems``."""
    return trf_reader.read(data, CODE)
