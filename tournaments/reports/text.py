"""From bytes to lines: encodings, line ends and characters that have no place in a report."""

from __future__ import annotations

import re
import unicodedata

from tournaments.reports.problems import Problems

MAX_BYTES = 1 << 20
#: No field is longer; the time that composing accents takes grows with the square of it.
MAX_TEXT = 500

_HALF = re.compile("[\ud800-\udfff]")
_LINE_END_BYTES = re.compile(rb"\r\n|\n|\r")

# Characters that are invisible, steer terminals or reverse text; a lone tab is handled apart.
_CONTROL_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def is_control(character: str) -> bool:
    return unicodedata.category(character) in _CONTROL_CATEGORIES


def blank_controls(text: str) -> str:
    """The text with a blank for each control character and each kind of white space."""
    if text.isprintable():
        return text
    return "".join(" " if c.isspace() or is_control(c) else c for c in text)


def clean_text(text: str) -> str:
    """Text of a field, cut at ``MAX_TEXT``: composed accents, single blanks, no control characters."""
    text = blank_controls(text[:MAX_TEXT])
    return " ".join(unicodedata.normalize("NFC", text).split())


def decode(data: bytes, problems: Problems) -> str | None:
    """The text of a file: byte order mark, else UTF-8, else Windows-1252.

    A UTF-8 file of which a few lines are damaged (a name cut within a letter) stays UTF-8, with a
    replacement character there: it has more lines whose accents are UTF-8 than lines that are not.
    Returns None (with an error) for a file that is too big or not text.
    """
    if len(data) > MAX_BYTES:
        problems.error("too-big", "file", f"The file has {len(data)} bytes; at most {MAX_BYTES} are read.")
        return None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        problems.error("encoding", "file", "The file is in UTF-16.")
        return None
    if data.startswith((b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"\x1f\x8b")):
        problems.error("not-trf", "file", "The file is a document or an archive, not a text report.")
        return None
    data = data.removeprefix(b"\xef\xbb\xbf").rstrip(b"\x1a")  # DOS programs end a text with Ctrl-Z
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        if (halves := _halves(data)) is not None:
            return halves
        accented = [
            (at, line) for at, line in enumerate(_LINE_END_BYTES.split(data), 1) if not line.isascii()
        ]
        broken = [at for at, line in accented if not _is_utf8(line)]
        if len(accented) > 2 * len(broken):
            message = f"Line {broken[0]} holds a letter that is not UTF-8 ({len(broken)} such lines in all)."
            problems.warn("encoding-guessed", "file", message, line=broken[0])
            return data.decode("utf-8", errors="replace")
        problems.warn("encoding-guessed", "file", "The file is not UTF-8; it was read as Windows-1252.")
        return data.decode("cp1252", errors="replace")


def _halves(data: bytes) -> str | None:
    """Text that is UTF-8 but for halves of surrogate pairs: each becomes a control character, a fault
    of its line."""
    try:
        return _HALF.sub("\x1a", data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return None


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def split_lines(text: str) -> list[str]:
    """Lines ended by CRLF, LF or CR alone; other Unicode line breaks stay in their line."""
    return [line.rstrip(" \t") for line in re.split(r"\r\n|\n|\r", text)]
