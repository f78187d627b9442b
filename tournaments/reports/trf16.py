"""FIDE's tournament report TRF16, with the dialects of TRF06, JaVaFo and bbpPairings.

The columns, the dialects and the codes are in docs/formats/trf16.md. Records of TRF26 in such a file
are read as well; the report then has the format ``trf26``.
"""

from __future__ import annotations

from tournaments.reports import trf_reader
from tournaments.reports.model import ParsedReport
from tournaments.reports.trf_writer import write

__all__ = ["CODE", "parse", "write"]

CODE = "trf16"


def parse(data: bytes) -> ParsedReport:
    """Read a report file. Never raises for its content: what is wrong is in ``problems``."""
    return trf_reader.read(data)
