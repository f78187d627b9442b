"""The text of a file from a DOS or Windows program in Spain: which of three encodings it is in."""

from __future__ import annotations

import re

from tournaments.reports.problems import Problems
from tournaments.reports.text import decode

_LETTERS = frozenset("áàéèíïóòúüñçÁÀÉÈÍÏÓÒÚÜÑÇªº·")
#: so many letters tell the encoding; a hostile megabyte of them need not be weighed
_SAMPLE = 2000


def decode_spanish(data: bytes, problems: Problems) -> str | None:
    """The text: UTF-8 if it is that, else Windows-1252 or the DOS code page 850, whichever makes more
    of the other bytes letters of Spain in words of one case.

    None (with an error) for a file that is too big or not text.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        dos = data.decode("cp850", errors="replace")
        if _likeness(dos) > _likeness(data.decode("cp1252", errors="replace")):
            found = Problems()
            if decode(dos.encode(), found) is not None:
                message = "The file is not UTF-8; it was read as DOS text (code page 850)."
                problems.warn("encoding-guessed", "file", message)
                return dos.rstrip("\x1a")
    return decode(data, problems)


def _likeness(text: str) -> int:
    score = 0
    for count, match in enumerate(re.finditer(r"[^\x00-\x7f]", text)):
        if count == _SAMPLE:
            break
        letter, at = match[0], match.start()
        if letter not in _LETTERS:
            score -= 1
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if letter.isupper():
            fits = not before.isalpha() or before.isupper()
        else:
            fits = before.isalpha() and not after.isupper()
        score += 2 if fits else 1
    return score
