"""Small TRF16 texts with invented players, put together column by column."""

from __future__ import annotations

HEAD = (
    "012 Open de Valdeprueba",
    "022 Valdeprueba",
    "032 ESP",
    "042 2026/03/06",
    "052 2026/03/08",
    "102 Arbitro, Inventado",
    "132".ljust(91) + "26/03/06  26/03/07  26/03/08",
)
#: The line number of the first player below ``HEAD``.
FIRST = len(HEAD) + 1


def player(
    number: int | str,
    name: str,
    *cells: str,
    points: str = "",
    sex: str = "m",
    title: str = "",
    rating: str = "1800",
    federation: str = "ESP",
    fide_id: str = "",
    birth: str = "1990/05/17",
    rank: str = "",
    tag: str = "001",
) -> str:
    """A player line; each cell is its eight columns ("   2 w 1")."""
    line = (
        f"{tag} {number:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {fide_id:>11}"
        f" {birth:10} {points:>4} {rank:>4}"
    )
    return line + "".join("  " + cell for cell in cells)


def cell(opponent: int | str, colour: str, result: str) -> str:
    return f"{opponent:>4} {colour} {result}"


def report(*lines: str, head: tuple[str, ...] = HEAD, end: str = "\r\n", encoding: str = "utf-8") -> bytes:
    return "".join(line + end for line in (*head, *lines)).encode(encoding)


def duel(first: str, second: str, points: tuple[str, str] = ("", ""), **changes: str) -> bytes:
    """Two players, one round: the results that each of them reports (white, black)."""
    return report(
        player(1, "Alba, Tomas", cell(2, "w", first), points=points[0], **changes),
        player(2, "Bruno, Luis", cell(1, "b", second), points=points[1]),
    )


def national(
    tag: str,
    number: int,
    name: str = "",
    *,
    rating: str = "",
    region: str = "",
    id: str = "",
    birth: str = "",
) -> str:
    """A national line."""
    return f"{tag} {number:>4} m    {name:33} {rating:>4} {region:3} {id:>11} {birth:10}"


def team_013(name: str, *members: int) -> str:
    return f"013 {name:32}" + " ".join(f"{member:4d}" for member in members)


def team_310(number: int | str, name: str, *members: int, values: str = "") -> str:
    """``values`` are the columns 41 to 73 (nickname, strength, points, rank)."""
    return f"310 {number:>3} {name:32}{values:33}" + " ".join(f"{member:4d}" for member in members)
