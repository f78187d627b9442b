"""What a result is worth in the points column of a report (never in the rating)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

_DEFAULT = {
    "WW": Fraction(1),
    "BW": Fraction(1),
    "WD": Fraction(1, 2),
    "BD": Fraction(1, 2),
    "WL": Fraction(0),
    "BL": Fraction(0),
    "ZPB": Fraction(0),
    "HPB": Fraction(1, 2),
    "FPB": Fraction(1),
    "PAB": Fraction(1),
    "FW": Fraction(1),
    "FL": Fraction(0),
}
_GROUPS = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
}
# bbpPairings' own tags and TRF26's letters, in JaVaFo's words.
_BBP = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "ZPB", "BBF": "FL", "BBU": "PAB"}
_TRF26 = {"W": "W", "D": "D", "L": "L", "A": "A", "Z": "A", "P": "PAB", "X": "X"}


def read_points(text: str) -> Fraction | None:
    """Points such as 11.5, 11,5, .5 or 3; None for anything else."""
    match = re.fullmatch(r"([0-9]{0,4})(?:[.,]([0-9]{1,3}))?|([0-9]{0,4})½", text.strip())
    if match is None or not (match[1] or match[2] or match[0].endswith("½")):
        return None
    if match[0].endswith("½"):
        return int(match[3] or 0) + Fraction(1, 2)
    decimals = match[2] or ""
    return int(match[1] or 0) + Fraction(int(decimals or 0), 10 ** len(decimals))


@dataclass(slots=True)
class Adjustments:
    """Points of single players that differ from the scoring.

    ``worth`` is what a result letter is worth by (player, round or 0 for all rounds, letter), ``bonus``
    what is added for a player, ``slack`` what a blank cell (player, round) may be worth at most.
    """

    worth: dict[tuple[int, int, str], Fraction] = field(default_factory=dict)
    bonus: dict[int, Fraction] = field(default_factory=dict)
    slack: dict[tuple[int, int], Fraction] = field(default_factory=dict)

    def worth_of(self, player: int, round_: int, code: str, paired: bool) -> Fraction | None:
        """The worth of a cell with this letter; None when the scoring holds."""
        if not self.worth:
            return None
        for kind in _KINDS[paired].get(code, ""):
            for at in (round_, 0):
                if (player, at, kind) in self.worth:
                    return self.worth[player, at, kind]
        return None


# The types of TRF26's record 299 that speak of a letter, without and with an opponent.
_KINDS = (
    {"F": "F", "H": "H", "=": "H", "Z": "Z", "": "Z", "-": "-Z", "+": "+F", "U": "U"},
    {"1": "W", "W": "W", "=": "D", "D": "D", "0": "L", "L": "L", "+": "+", "-": "-", "": "Z", "Z": "Z"},
)


class Scoring:
    """Points by JaVaFo's codes; starts with 1, ½, 0.

    ``unknown`` is what a pairing without a result is worth at most (TRF26's X; else a draw).
    """

    def __init__(self) -> None:
        self.values = dict(_DEFAULT)
        self._allocated_declared = False
        self._unknown: Fraction | None = None

    @property
    def unknown(self) -> Fraction:
        return self.values["WD"] if self._unknown is None else self._unknown

    def set(self, code: str, value: Fraction) -> bool:
        """Declare one code or group of codes; False when there is no such code."""
        code = code.upper()
        if code == "X":
            self._unknown = value
            return True
        if code not in _GROUPS and code not in self.values:
            return False
        for name in _GROUPS.get(code, (code,)):
            self.values[name] = value
        return True

    def read_162(self, text: str) -> bool:
        """TRF26 pairs of letter and value; without P the allocated bye is worth a win."""
        pairs = re.findall(r"([A-Za-z])\s*([0-9.,]+)", text)
        good = bool(pairs) and not re.sub(r"[A-Za-z]\s*[0-9.,]+", "", text).strip()
        for letter, value in pairs:
            points = read_points(value)
            name = _TRF26.get(letter.upper())
            if points is None or name is None:
                good = False
                continue
            self.set(name, points)
            if name == "PAB":
                self._allocated_declared = True
            elif name == "W" and not self._allocated_declared:
                self.set("PAB", points)
        return good

    def read_xxs(self, text: str) -> bool:
        """JaVaFo's CODE=value pairs, the later one wins."""
        parts = re.sub(r"\s*=\s*", "=", text).split()
        good = bool(parts)
        for part in parts:
            code, _, value = part.partition("=")
            points = read_points(value)
            good = points is not None and self.set(code, points) and good
        return good

    def read_bbp(self, tag: str, text: str) -> bool:
        """One of bbpPairings' tags BBW BBD BBL BBZ BBF BBU."""
        points = read_points(text)
        if points is None:
            return False
        self.set(_BBP[tag], points)
        if tag == "BBU":
            self._allocated_declared = True
        elif tag == "BBW" and not self._allocated_declared:
            self.set("PAB", points)
        return True

    def declared(self) -> tuple[tuple[str, Fraction], ...]:
        """What differs from 1, ½, 0."""
        return tuple((code, value) for code, value in self.values.items() if value != _DEFAULT[code])

    def points(self, code: str, colour: str, paired: bool) -> Fraction:
        """The worth of a letter of the result column; ``colour`` "b" or anything else for white."""
        side = "B" if colour == "b" else "W"
        if code in ("1", "0", "="):
            if not paired and code == "=":
                return self.values["HPB"]
            return self.values[side + {"1": "W", "=": "D", "0": "L"}[code]]
        if code == "D":
            return self.values[side + "D"]
        names = {"W": "FW", "+": "FW", "L": side + "L", "-": "FL"}
        names |= {"H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB", "": "ZPB", "*": "ZPB"}
        return self.values[names[code]]

    def allocated_bye(self) -> str:
        """The model's code for U: the allocated bye may be worth less than a win."""
        value = self.values["PAB"]
        if value >= self.values["WW"]:
            return "bye-1"
        return "bye-1/2" if value >= self.values["WD"] and value > 0 else "bye-0"


BBP_TAGS = frozenset(_BBP)
