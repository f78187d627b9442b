"""One cell of a crosstable as arbiters type it, and the Berger table."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: what the opponent's cell says when one side of a game is typed
MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "L": "W", "D": "D"}
HALF = re.compile(r"½|1/2|0?[.,]5")
#: a result in a grid of players against players
RESULT = re.compile(r"[10=+WDL-]")
_BYE_IN_FULL = re.compile(r"0{1,4} *-? *([HFUZ+=-])")
#: letters of games without an opponent, as some reports have them; four zeros, since 0-1 is a slip
_STRAY_IN_FULL = re.compile(r"0000 *- *([10WDL])")
_OPPONENT_FIRST = re.compile(r"([0-9]{1,4})(?: *([WB])(?: *([10=+WDLHFUZ*-]))?| *([=+DLHFUZ*-])| +([10]))?")
_COLOUR_FIRST = re.compile(r"([WB]) *([0-9]{1,4})(?: *([=+WDLHFUZ*-])| +([10]))?")
_ALONE = re.compile(r"[HFUZ+=*-]")
#: no cell is longer; what is longer is refused unread
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell as typed: opponent's start number or None, "w", "b" or "", and a result letter."""

    opponent: int | None = None
    colour: str = ""
    code: str = ""


def parse_cell(text: str) -> Entry:
    """Read one cell such as ``12w1``.

    Opponent, colour and result may stand apart and in any case (``12 W ½``), the colour may come
    first (``w12 1``) or be left out if a blank parts opponent and result (``12 1``, ``12=``). A
    draw is ``=``, ``½``, ``0.5`` or ``1/2``. Without opponent: ``H F U Z + - =`` or nothing.

    Raises:
        ValueError: the text is none of these, with a message for the arbiter.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"{text[:_LONGEST]!r}… is not opponent, colour and result")
    compact = HALF.sub("=", " ".join(text.split())).upper()
    if not compact:
        return Entry()
    if match := _BYE_IN_FULL.fullmatch(compact) or _STRAY_IN_FULL.fullmatch(compact):
        return Entry(code=match[1])
    if _ALONE.fullmatch(compact):
        return Entry(code=compact)
    if (match := _OPPONENT_FIRST.fullmatch(compact)) and int(match[1]):
        return Entry(int(match[1]), (match[2] or "").lower(), match[3] or match[4] or match[5] or "")
    if (match := _COLOUR_FIRST.fullmatch(compact)) and int(match[2]):
        return Entry(int(match[2]), match[1].lower(), match[3] or match[4] or "")
    raise ValueError(f"{text!r} is not opponent, colour and result")


def berger(a: int, b: int, seats: int) -> tuple[int, bool]:
    """Round in which numbers ``a`` and ``b`` meet by the Berger table, and whether a has white.

    ``seats`` is the even number of places. The last number is met in the round in which twice a
    number is the round plus one (modulo seats - 1); of two others the lower has white when their
    sum is odd; the last number has black against the first half.
    """
    low, high = sorted((a, b))
    cycle = seats - 1
    total = 2 * low if high == seats else low + high
    round_ = (total - 2) % cycle + 1
    low_white = low <= seats // 2 if high == seats else total % 2 == 1
    return round_, low_white == (a == low)
