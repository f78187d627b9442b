"""Comparing names as people and programs write them."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = str.maketrans(
    {"ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_PARTICLES = {"dr", "prof"}


def name_parts(name: str) -> frozenset[str]:
    """The words of a name without case, accents, order, initials' dots or academic titles."""
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LETTERS)
    plain = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return frozenset(re.findall(r"[^\W\d_]+", plain)) - _PARTICLES


def same_name(one: str, other: str) -> bool:
    return name_parts(one) == name_parts(other)


def compatible_names(one: str, other: str) -> bool:
    """Could both be one person: is every word of one a word, or the initial of one, of the other?"""
    parts, others = name_parts(one), name_parts(other)
    return _within(parts, others) or _within(others, parts)


def _within(short: frozenset[str], long: frozenset[str]) -> bool:
    return bool(short) and all(
        word in long or (len(word) == 1 and any(other.startswith(word) for other in long)) for word in short
    )


def name_key(name: str) -> str:
    """The words of a name as one text to index and search: folded, sorted, separated by blanks."""
    return " ".join(sorted(name_parts(name)))
