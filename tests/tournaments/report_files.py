"""Small report files in which each has one trap; all names are invented."""

from __future__ import annotations

from collections.abc import Iterable


def line(
    number: int, name: str, rating: int | None, fide_id: str, points: str, rank: int, *cells: str, born=1980
) -> str:
    """A player line of TRF16; a cell is given as "   2 w 1"."""
    person = f"001 {number:4d} m    {name:33} {rating or '':>4} XAA {fide_id:>11} {born}/01/05"
    shown = f"{person} {points:>4} {rank:4d}"
    return (shown + "".join(f"  {cell}" for cell in cells)).rstrip()


def report(name: str, start: str, end: str, players: Iterable[str]) -> bytes:
    players = list(players)
    head = [
        f"012 {name}",
        "022 Port",
        "032 XAA",
        f"042 {start}",
        f"052 {end}",
        f"062 {len(players)}",
        "092 Individual: Swiss-System",
        "102 Arbiter, Ana",
        "122 90 min + 30 s/move",
    ]
    return "".join(f"{each}\r\n" for each in [*head, *players]).encode()


NOMINAL = report(
    "Nominal",
    "2004/05/01",
    "2004/05/02",
    [
        line(1, "Alder, Tom", 2143, "7000011", "2.0", 1, "   3 w 1", "   2 b 1"),
        line(2, "Birch, Lou", 2010, "7000012", "1.0", 2, "   4 b 1", "   1 w 0"),
        line(3, "Cedar, Pat", 2000, "7000013", "1.0", 3, "   1 b 0", "   4 w 1"),
        line(4, "Dogwood, Jo", 1905, "7000014", "0.0", 4, "   2 w 0", "   3 b 0"),
    ],
)
ASYMMETRIC = report(
    "Asymmetric",
    "2004/05/01",
    "2004/05/02",
    [
        line(1, "Alder, Tom", 1700, "7000011", "1.5", 1, "   2 w 1"),
        line(2, "Birch, Lou", 1650, "7000012", "1.0", 2, "   1 b 1"),
    ],
)
CODES = report(
    "Codes",
    "2004/05/01",
    "2004/05/02",
    [
        line(1, "Alder, Tom", 1800, "7000011", "3.5", 1, "   2 w +", "   3 b W", "   4 w 1", "0000 - H"),
        line(2, "Birch, Lou", 1790, "7000012", "1.0", 3, "   1 b -", "0000 - U", "   3 w -", "   4 b 0"),
        line(3, "Cedar, Pat", 1780, "7000013", "0.0", 4, "   4 b 0", "   1 w L", "   2 b -", "0000 - Z"),
        line(4, "Dogwood, Jo", 1770, "7000014", "3.0", 2, "   3 w 1", "0000 - F", "   1 b 0", "   2 w 1"),
    ],
)
HALF_A_POINT = report(
    "Half",
    "2004/05/01",
    "2004/05/03",
    [
        line(1, "Alder, Tom", None, "7000011", "0.5", 4, "   2 w 0", "   3 b =", "   4 w 0"),
        line(2, "Birch, Lou", 2050, "7000012", "3.0", 1, "   1 b 1", "   4 w 1", "   3 b 1"),
        line(3, "Cedar, Pat", 1990, "7000013", "0.5", 3, "   4 w 0", "   1 w =", "   2 w 0"),
        line(4, "Dogwood, Jo", 1960, "7000014", "2.0", 2, "   3 b 1", "   2 b 0", "   1 b 1"),
    ],
)
