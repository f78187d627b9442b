"""Characters that stand in no text on purpose: they steer terminals, reverse what is read, or are none."""

from __future__ import annotations

import re

#: C0 without tab and line ends, DEL and C1, overrides of the writing direction, halves of surrogate pairs, a
#: byte order mark within a text, and what Unicode promises never to be a character
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def forbidden(text: str) -> str:
    """The first such character of a text as U+202E, and its place from 1; nothing if there is none."""
    found = _FORBIDDEN.search(text)
    return f"U+{ord(found[0]):04X} (character {found.start() + 1})" if found else ""


def without_forbidden(text: str) -> str:
    """The text with a blank for each."""
    return _FORBIDDEN.sub(" ", text)
