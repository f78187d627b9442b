"""Texts that a spreadsheet would run as formulas, made harmless and read back."""

from __future__ import annotations

import re

#: what a formula begins with, also in the full width of East Asian keyboards
FORMULA_START = "=+-@＝＋－＠"
_PROTECTED = re.compile(rf"'+[{re.escape(FORMULA_START)}].*", re.DOTALL)


def protect(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would run it; ``bare`` takes it away."""
    inside = text.lstrip("'")
    return f"'{text}" if inside and inside[0] in FORMULA_START else text


def bare(cell: str) -> str:
    """The text of a cell as it was before ``protect``."""
    return cell[1:] if _PROTECTED.fullmatch(cell) else cell
