"""The coded time control of TRF26 (tag 222, in seconds) and the same in minutes as people write it.

40/6000+30:900+30      40/100+30/15+30
W300-B240              W5-B4
"""

from __future__ import annotations

import re
from fractions import Fraction

_CODED = re.compile(r"(?:(?P<moves>[0-9]{1,3})/)?(?P<seconds>[0-9]{1,6})(?:\+(?P<increment>[0-9]{1,4}))?")
_PER_COLOUR = re.compile(r"W([^-]+)-B([^-]+)", re.IGNORECASE)
_WORDS = re.compile(r"""minutes?\b|min\b|m\b|'|′|seconds?\b|sec\b|s\b|"|″|/\s*(?:move|mv)\b|per move\b|\s""")
_TYPED = re.compile(
    r"(?P<stages>(?:[0-9]{1,3}/[0-9]{1,3}(?:\+[0-9]{1,3})?[/,;:])*)(?P<last>[0-9]{1,3}(?:\+[0-9]{1,3})?)"
)
#: No last period is longer, so that "5400" is never taken for minutes.
_MOST_MINUTES = 600


def to_text(code: str) -> str:
    """The time control in minutes and seconds per move; a code that cannot be read stays as it is."""
    code = code.strip()
    sides = _PER_COLOUR.fullmatch(code)
    if sides:
        white, black = (_periods(side) for side in sides.groups())
        return f"W{white}-B{black}" if white and black else code
    return _periods(code) or code


def to_code(text: str) -> str:
    """The code of a time control typed as ``90+30`` or ``40/90+30/30+30``; "" for any other text."""
    text = _WORDS.sub("", text.strip().lower())
    match = _TYPED.fullmatch(text)
    if match is None:
        return ""
    coded = []
    for stage in re.findall(r"([0-9]+)/([0-9]+)(\+[0-9]+)?", match["stages"]):
        coded.append(f"{int(stage[0])}/{int(stage[1]) * 60}{stage[2]}")
    minutes, plus, increment = match["last"].partition("+")
    if int(minutes) > _MOST_MINUTES:
        return ""
    return ":".join([*coded, f"{int(minutes) * 60}{plus}{increment}"])


def _periods(code: str) -> str:
    stages = []
    for part in code.split(":"):
        match = _CODED.fullmatch(part.strip())
        if match is None:
            return ""
        minutes = Fraction(int(match["seconds"]), 60)
        text = str(minutes) if minutes.denominator == 1 else f"{int(match['seconds'])}s"
        moves = f"{int(match['moves'])}/" if match["moves"] else ""
        increment = f"+{int(match['increment'])}" if match["increment"] else ""
        stages.append(moves + text + increment)
    return "/".join(stages)
