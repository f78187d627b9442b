"""The evaluation file of FEDA's article 10.31: a row per player with his points, games and average.

Two blocks: the players with a rating, and those who earn a part of their first one. The sample in the
regulation has slips (widths, blank lines, a dot for the last comma), so fields are parted by commas
and never by columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from regulations.feda_1996.parameters import Parameters
from regulations.feda_1996.report_file import birth_date
from tournaments.reports.feda_text import decode_spanish
from tournaments.reports.model import UNKNOWN_BIRTH, Birth, ParsedReport, ReportedPlayer, ReportedTotals
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import read_points
from tournaments.reports.text import clean_text, is_control, split_lines

MAX_PLAYERS = 2000
MAX_LINES = 10_000
MAX_LINE = 500
MAX_NAME = 100
AVERAGES = range(1000, 3001)
RATED_HEADING = "PARA JUGADORES CLASIFICADOS"
UNRATED_HEADING = "PARA BLOQUES DE ELO FEDA"
NO_CODE = "00000000"
FIELDS = ("Codigo", "name", "Sx", "Fed", "FechaNac", "Pto", "Jg", "Rival")

_HEADINGS = {
    re.compile(r"\W*PARA\s+JUGADORES\s+CLASIFICADOS\W*", re.IGNORECASE): True,
    re.compile(r"\W*PARA\s+BLOQUES\s+DE\s+ELO(\s+FEDA)?\W*", re.IGNORECASE): False,
}
_ANY_HEADING = re.compile(rb"PARA\s+(JUGADORES\s+CLASIFICADOS|BLOQUES\s+DE\s+ELO)", re.IGNORECASE)
_TITLES = re.compile(r"\s*C.{1,2}digo\s+Apellidos.*", re.IGNORECASE)
_RULER = re.compile(r"[\s_=-]+")
_DATE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{2})")

FEDA_REMEDIES = {
    "name-missing": "Write surnames and first name between the first two commas.",
    "name-too-long": "Shorten the name; the format has room for 20 characters.",
    "no-players": "Write a row for each player below the two headings.",
    "too-many-players": "Split the event: at most 2000 players in one file.",
    "control-character": "Delete the control character; write the file again if there are many.",
    "not-trf": "Send the text file that the program wrote for article 10.31.",
}


def recognises(content: bytes) -> bool:
    """Does the text hold a heading of one of the two blocks?"""
    return _ANY_HEADING.search(content) is not None


def parse(content: bytes, on: date | None = None) -> ParsedReport:
    """Read a file; ``on`` is a day of the event, from which the century of the births follows.

    Never raises. The players are numbered in the order of the file.
    """
    problems = Problems(FEDA_REMEDIES)
    text = decode_spanish(content, problems)
    reader = _Reader(on, problems)
    for number, line in enumerate(split_lines(text or ""), start=1):
        reader.read(line, number)
        if reader.rows > MAX_PLAYERS or number > MAX_LINES:
            message = f"More than {MAX_PLAYERS} rows or {MAX_LINES} lines; the rest was not read."
            problems.error("too-many-players", "players", message, line=number)
            break
    if text is not None and not reader.rows:
        problems.error("no-players", "players", "The file has no players.")
    return ParsedReport(
        format="feda1031",
        players=tuple(reader.players),
        totals=tuple(reader.totals),
        problems=problems.all(),
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """A field as it stands in the line; ``column`` of its first character that is no blank, from 1."""

    text: str
    column: int


class _Reader:
    def __init__(self, on: date | None, problems: Problems) -> None:
        self.on = on
        self.problems = problems
        self.rated: bool | None = None
        self.rows = 0
        self.players: list[ReportedPlayer] = []
        self.totals: list[ReportedTotals] = []
        self.seen: dict[tuple[str, ...], int] = {}
        self.no_century = False
        self.line = 0

    def read(self, line: str, number: int) -> None:
        self.line = number
        short = line[: MAX_LINE + 1]
        for heading, rated in _HEADINGS.items():
            if heading.fullmatch(short):
                self.rated = rated
                return
        if not short.strip() or _RULER.fullmatch(short) or _TITLES.fullmatch(short):
            return
        if len(line) > MAX_LINE:
            self._error("feda-line", "line", f"Line {number} has {len(line)} characters.", MAX_LINE)
        elif any(is_control(c) for c in line):
            column = next(at for at, c in enumerate(line, start=1) if is_control(c))
            message = f"Line {number} has a control character in column {column}; the line was not read."
            self._error("control-character", "line", message, column)
            self.rows += 1
        elif line.count(",") >= 4:
            self.rows += 1
            if self.rated is None:
                message = f"Line {number} is a row, but no heading of a block stands above it."
                self._error("feda-heading", "line", message, 1)
            else:
                self._row(line)
        elif re.search(r"[0-9,]", line):
            self._error("feda-line", "line", f"Line {number} is neither a heading nor a row.", 1)
        else:
            message = f"Line {number} was not read: {clean_text(line)[:60]!r}."
            self.problems.warn("feda-text", "line", message, line=number, column=1)

    def _error(self, code: str, field: str, message: str, column: int) -> None:
        self.problems.error(code, field, message, line=self.line, column=column)

    # --- one row ---

    def _row(self, line: str) -> None:
        fields = self._fields(line)
        if fields is None:
            return
        code, name, sex, region, born, points_field, games_field, average_field = fields
        national_id = self._code(code)
        name_text = self._name(name)
        birth = self._birth(born)
        if sex.text.lower() not in ("m", "f"):
            self._fault("feda-sex", "Sx", sex, "is not m or f")
        if not re.fullmatch(r"[A-Za-z]{3}", region.text):
            self._fault("feda-region", "Fed", region, "is not a code of three letters")
        points = read_points(points_field.text)
        if points is None or (2 * points).denominator != 1:
            self._fault("feda-points", "Pto", points_field, "is not a number of halves")
            points = None
        games = self._games(games_field)
        if points is not None and games is not None and points > games:
            self._fault("feda-points-games", "Pto", points_field, f"is more than {games} games can give")
        elif points == 0 and games and not self.rated:
            text = "is no result: without a point an unrated player earns nothing"
            self._fault("feda-zero", "Pto", points_field, text)
        average = self._average(average_field)
        self._once(code, national_id, name_text, birth)
        start_number = len(self.players) + 1
        self.players.append(
            ReportedPlayer(
                start_number=start_number,
                name=name_text,
                sex=sex.text.lower() if sex.text.lower() in ("m", "f") else "",
                birth=birth,
                national_id=national_id,
                region=region.text.upper() if re.fullmatch(r"[A-Za-z]{3}", region.text) else "",
                line=self.line,
            )
        )
        if points is not None and games is not None and average is not None:
            rated = bool(self.rated)
            self.totals.append(ReportedTotals(start_number, points, games, average, rated, self.line))

    def _fields(self, line: str) -> list[_Field] | None:
        """The eight fields. Where a slip can be seen through, they are as they were meant."""
        fields, at = [], 0
        for part in line.split(","):
            blanks = len(part) - len(part.lstrip()) if part.strip() else 0
            fields.append(_Field(clean_text(part), at + blanks + 1))
            at += len(part) + 1
        texts = [field.text for field in fields]
        if len(fields) == 7 and (match := re.fullmatch(r"([0-9]{1,2})\s*\.\s*([0-9]{4})", texts[6])):
            message = (
                f"Jg and Rival {texts[6]!r} have a dot between them: {match[1]} games against {match[2]}?"
            )
            self._error("feda-dot", "Rival", message, fields[6].column)
            at = fields[6].column
            return [*fields[:6], _Field(match[1], at), _Field(match[2], at + match.start(2))]
        if len(fields) == 9 and _DATE.fullmatch(texts[4]) and texts[5].isdecimal() and texts[6].isdecimal():
            meant = f"{texts[5]}.{texts[6]}"
            message = f"The row has a comma too many: points {meant}?"
            self._error("feda-points-comma", "Pto", message, fields[5].column)
            return [*fields[:5], _Field(meant, fields[5].column), *fields[7:]]
        extra = len(fields) - len(FIELDS)
        if extra > 0 and _DATE.fullmatch(texts[4 + extra]):
            meant = clean_text(" ".join(texts[1 : 2 + extra]))
            message = f"The row has a comma too many: the name {meant!r}?"
            self._error("feda-name-comma", "name", message, line.index(",", line.index(",") + 1) + 1)
            return [fields[0], _Field(meant, fields[1].column), *fields[2 + extra :]]
        if extra:
            message = f"The row has {len(fields)} fields, not {len(FIELDS)}."
            self._error("feda-fields", "line", message, 1)
            return None
        return fields

    def _fault(self, code: str, name: str, field: _Field, text: str) -> None:
        shown = repr(field.text[:60])
        self._error(code, name, f"{name} {shown} {text}.", field.column)

    def _code(self, field: _Field) -> str:
        """The code without the zeros that fill it up; "" for none."""
        if not re.fullmatch(r"[0-9]{1,10}", field.text):
            self._fault("feda-code", "Codigo", field, "is not a number")
            return ""
        code = field.text.lstrip("0")
        if not code and self.rated:
            self._fault("feda-code-none", "Codigo", field, "is no code, and the block is of rated players")
        return code

    def _name(self, field: _Field) -> str:
        if not field.text:
            self._error("name-missing", "name", "The row has no name.", field.column)
        elif len(field.text) > MAX_NAME:
            message = f"The name has {len(field.text)} characters; it was cut to {MAX_NAME}."
            place = {"line": self.line, "column": field.column}
            self.problems.warn("name-too-long", "name", message, **place)
        return field.text[:MAX_NAME].strip()

    def _birth(self, field: _Field) -> Birth:
        if not re.search(r"[1-9]", field.text) and re.fullmatch(r"[0 -]*", field.text):
            return UNKNOWN_BIRTH
        match = _DATE.fullmatch(field.text)
        if match is None:
            self._fault("feda-date", "FechaNac", field, "is not dd-mm-yy")
            return UNKNOWN_BIRTH
        day, month, year = map(int, match.groups())
        if not any(_is_day(century + year, month, day) for century in (1900, 2000)):
            self._fault("feda-date", "FechaNac", field, "is no day of the calendar")
            return UNKNOWN_BIRTH
        if self.on is None:
            if not self.no_century:
                message = "The day of the event is not known, so years of two figures were left out."
                place = {"line": self.line, "column": field.column}
                self.problems.warn("feda-century", "FechaNac", message, **place)
            self.no_century = True
            return UNKNOWN_BIRTH
        p = Parameters()
        born = birth_date(p, day, month, year, self.on)
        if born is None:
            text = f"does not make the player {p.least_age} to {p.most_age} years old"
            self._fault("feda-date", "FechaNac", field, text)
            return UNKNOWN_BIRTH
        return Birth(born.year, born.month, born.day)

    def _games(self, field: _Field) -> int | None:
        if not re.fullmatch(r"[0-9]{1,2}", field.text):
            negative = re.fullmatch(r"-\s*[0-9]+", field.text)
            self._fault("feda-games", "Jg", field, "is negative" if negative else "is not a number of games")
            return None
        if not int(field.text):
            self._fault("feda-games", "Jg", field, "means that no rated game was played")
            return None
        return int(field.text)

    def _average(self, field: _Field) -> int | None:
        if not re.fullmatch(r"[0-9]{1,5}", field.text):
            self._fault("feda-average", "Rival", field, "is not a whole number")
            return None
        if int(field.text) not in AVERAGES:
            self._fault("feda-average", "Rival", field, "cannot be the average of rated opponents")
            return None
        return int(field.text)

    def _once(self, code: _Field, national_id: str, name: str, birth: Birth) -> None:
        """One row for a code; without a code, one for a name and birth date."""
        if not national_id and not name:
            return
        key = (national_id,) if national_id else (name.casefold(), str(tuple(birth)))
        first = self.seen.setdefault(key, self.line)
        if first != self.line:
            what = f"Codigo {national_id}" if national_id else f"“{name}” without a code"
            message = f"{what} stands in line {first} and in line {self.line}."
            self._error("feda-duplicate", "Codigo", message, code.column)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
