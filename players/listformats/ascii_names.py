"""Names in plain ASCII letters, as FIDE's lists hold them."""

from __future__ import annotations

import unicodedata

# Letters that have no decomposition into a base letter and a mark.
_LETTERS = {
    "ß": "ss",
    "ẞ": "SS",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "Ð": "D",
    "þ": "th",
    "Þ": "Th",
    "æ": "ae",
    "Æ": "Ae",
    "œ": "oe",
    "Œ": "Oe",
    "ı": "i",
    "ħ": "h",
    "Ħ": "H",
    "ŋ": "n",
    "Ŋ": "N",
    "ə": "a",
    "Ə": "A",
    "ŧ": "t",
    "Ŧ": "T",
    "·": ".",
    "‘": "'",
    "’": "'",
    "ʻ": "'",
    "ʼ": "'",
    "–": "-",
    "—": "-",
    "‐": "-",
    "‑": "-",
}


def to_ascii(text: str) -> str:
    """``text`` without accents and in printable ASCII; a letter of another script becomes ?."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    plain = unicodedata.normalize("NFKD", "".join(_LETTERS.get(c, c) for c in text))
    kept = "".join(_LETTERS.get(c, c) for c in plain if not unicodedata.combining(c))
    return " ".join("".join(_printable(c) for c in kept).split())


def _printable(character: str) -> str:
    if " " <= character <= "~":
        return character
    category = unicodedata.category(character)
    return " " if character.isspace() or category.startswith(("Z", "Cc")) else "?"
