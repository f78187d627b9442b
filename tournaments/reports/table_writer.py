"""A report as the rows of a table, and empty tables to fill in: what CSV and XLSX have in common."""

from __future__ import annotations

from fractions import Fraction

from players.listformats.spreadsheets import protect
from tournaments.reports.crosstable import MAX_CELLS, MAX_ROWS
from tournaments.reports.layout import MAX_ROUNDS
from tournaments.reports.model import Birth, ParsedReport, ReportedPlayer
from tournaments.reports.text import clean_text
from tournaments.reports.trf_writer import CODES
from tournaments.reports.trf_writer import points as decimal

#: fields that every table has; the others are written where a player has one
FIELDS = (
    "start_no",
    "name",
    "fide_id",
    "national_id",
    "sex",
    "title",
    "federation",
    "birth",
    "rating",
    "points",
    "rank",
)
_EXTRA = {"region": "federation", "national_rating": "rating"}
#: titles of the lines about an event in an empty table
HEAD_KEYS = ("name", "city", "federation", "start", "end", "type", "arbiter", "time control", "rounds")

Value = str | int | Fraction | None

HELP = (
    ("One row for each player, one column for each round.", ""),
    ("start_no", "1 to 9999; by this number the others name the opponent"),
    ("name", "Last, First"),
    ("fide_id", "FIDE number, digits only; blank if there is none"),
    ("national_id", "number of the national federation"),
    ("sex", "m or f"),
    ("title", "GM IM FM CM WGM WIM WFM WCM"),
    ("federation", "three letters"),
    ("birth", "YYYY-MM-DD, or the year alone"),
    ("rating", "for comparison; the portal rates with its own list"),
    ("points", "compared with the results; may be blank for all"),
    ("rank", "may be blank"),
    ("r1, r2 …", "opponent, colour, result: 12w1, 12b=, 12w0"),
    ("", "win and loss without a game: 12w+, 12b-; draw without a game: 12wD"),
    ("", "byes: H half a point, F full point, U allocated by the pairing, Z none"),
    ("", "a game may be filled in once; a blank cell of the opponent gets the other side"),
    ("Before round 1", "delete the columns of the rounds and send the table as a list of entries"),
)


def titles(report: ParsedReport) -> list[str]:
    """The titles of the columns."""
    names = list(FIELDS)
    if report.entry_list and all(player.points is None for player in report.players):
        names.remove("points")
    for field, after in _EXTRA.items():
        if any(getattr(player, field) not in ("", None) for player in report.players):
            names.insert(names.index(after) + 1, field)
    last = max((game.round for game in report.games), default=0 if report.entry_list else 1)
    return names + [f"r{number}" for number in range(1, last + 1)]


def rows(report: ParsedReport) -> list[list[Value]]:
    """The players, in the columns of ``titles``; texts are safe for a spreadsheet."""
    names = titles(report)
    results = [name for name in names if name[1:].isdecimal()]
    cells: dict[tuple[int, int], str] = {}
    for game in report.games:
        codes = game.codes or CODES[game.result]
        if game.black is None:
            cells[game.white, game.round] = _bye(codes)
        else:
            cells[game.white, game.round] = f"{game.black}w{codes[0]}"
            cells[game.black, game.round] = f"{game.white}b{codes[1]}"
    made = []
    for player in report.players:
        fields = _fields(player)
        row = [fields[name] for name in names if name in fields]
        made.append(row + [cells.get((player.start_number, int(name[1:])), "") for name in results])
    return made


def _bye(code: str) -> str:
    """A letter of a bye as it is; a sign, with which a formula may begin, and what stands for no bye in
    the long form of the TRF."""
    return code if code in "HFUZ" else f"0000 - {code}"


def _fields(player: ReportedPlayer) -> dict[str, Value]:
    return {
        "start_no": player.start_number,
        "name": protect(clean_text(player.name)),
        "fide_id": player.fide_id,
        "national_id": protect(clean_text(player.national_id)),
        "sex": player.sex,
        "title": player.title,
        "federation": player.federation,
        "region": protect(clean_text(player.region)),
        "birth": _birth(player.birth),
        "rating": player.rating,
        "national_rating": player.national_rating,
        "points": player.points,
        "rank": player.rank,
    }


def _birth(birth: Birth) -> str:
    """The known parts. A month without a day gets 00: a spreadsheet would make a day of 1990-05."""
    if not birth.year:
        return ""
    if not birth.month:
        return str(birth.year)
    return f"{birth.year:04d}-{birth.month:02d}-{birth.day or 0:02d}"


def as_text(value: Value) -> str:
    """A value as a CSV file holds it."""
    if value is None:
        return ""
    return decimal(value) if isinstance(value, Fraction) else str(value)


def check_size(players: int, rounds: int) -> None:
    """Raises ValueError for an empty table that nobody could send back."""
    if not 1 <= players <= MAX_ROWS or not 0 <= rounds <= MAX_ROUNDS or players * rounds > MAX_CELLS:
        raise ValueError(f"{players} players and {rounds} rounds")


def template_titles(rounds: int) -> list[str]:
    """The titles of an empty table; without rounds it is one for entries, without points and ranks."""
    if not rounds:
        return [name for name in FIELDS if name not in ("points", "rank")]
    return [*FIELDS, *(f"r{number}" for number in range(1, rounds + 1))]
