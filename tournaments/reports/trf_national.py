"""National lines: the federation's own rating and number of a player, under its code as tag.

Columns as in the player line, as far as 79; TRF26 names them, TRF16 files have them too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.reports.dates import read_birth
from tournaments.reports.layout import NAME_AT, NAME_WIDTH
from tournaments.reports.model import ReportedPlayer
from tournaments.reports.problems import Problems
from tournaments.reports.text import clean_text

#: More of them than players of several federations would need are not kept.
MAX_LINES = 10_000
ID_WIDTH = 11

_LINE = re.compile(r"[A-Z]{3} ([ 0-9]{4}) ")
# From the blank in column 48 to the birth date; a shifted line must hold a rating or a whole date.
_TAIL = re.compile(r" (?P<rating>[0-9 ]{4}) (?P<region>.{3}) (?P<id>.{11}) (?P<birth>[0-9./ -]{10}).*")
_WHOLE_DATE = re.compile(r"[0-9]{4}[./-][0-9]{2}[./-][0-9]{2}")
_SEXES = {"m": "m", "w": "f", "f": "f"}


@dataclass(frozen=True, slots=True)
class NationalLine:
    federation: str
    start_number: int
    name: str
    sex: str
    rating: int | None
    region: str
    number: str
    birth: str
    line: int


def is_national(line: str) -> bool:
    """Three capital letters, a blank and a starting rank in its columns."""
    match = _LINE.match(line.ljust(9))
    return match is not None and match[1].strip().isdecimal()


class National:
    """Collects national lines; ``apply`` puts what they say to the players."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.lines: list[NationalLine] = []

    def add(self, line: str, number: int) -> None:
        if len(self.lines) >= MAX_LINES:
            return
        found = _cut(line)
        start_number = int(line[4:8])
        if found is None:
            message = f"Line {number}: the fields of national line {line[:3]} do not stand in their columns."
            self._warn("national-unreadable", message, number, 48)
            return
        name, tail = found
        national_id = clean_text(tail["id"]).strip("'\"")
        self.lines.append(
            NationalLine(
                federation=line[:3],
                start_number=start_number,
                name=name,
                sex=_SEXES.get(line[9:10].lower(), ""),
                rating=int(tail["rating"].strip() or 0) or None,
                region=clean_text(tail["region"]),
                number="" if re.fullmatch(r"0*", national_id) else national_id,
                birth=tail["birth"],
                line=number,
            )
        )

    def apply(self, players: dict[int, ReportedPlayer], preferred: str, event: str) -> None:
        """Complete ``players``. Of several lines of a player counts the one of federation ``preferred``,
        else the one of his own federation, else the first. ``event`` is the event's federation."""
        by_player: dict[int, list[NationalLine]] = {}
        for line in self.lines:
            by_player.setdefault(line.start_number, []).append(line)
        for start_number, lines in by_player.items():
            player = players.get(start_number)
            if player is None:
                message = f"Line {lines[0].line}: national line {lines[0].federation} names {start_number}, "
                self._warn("national-player", f"{message}which has no player line.", lines[0].line, 5)
                continue
            wanted = {player.federation: 1, preferred: 0}
            ranks = [wanted.get(found.federation, 2) for found in lines]
            line = lines[ranks.index(min(ranks))]
            if len(lines) > 1:
                message = (
                    f"Player {start_number} has {len(lines)} national lines; {line.federation} on line "
                    f"{line.line} counts."
                )
                self._warn("national-repeated", message, lines[1].line, 1)
            self._compare(player, line)
            players[start_number] = _completed(player, line, event)
        self._duplicates(players)

    def _compare(self, player: ReportedPlayer, line: NationalLine) -> None:
        birth, _ = read_birth(line.birth)
        differs = ""
        if birth.year and player.birth.year and birth.year != player.birth.year:
            differs = f"has birth year {birth.year}, player {player.start_number} has {player.birth.year}"
        elif _strangers(line.name, player.name):
            differs = f"names {line.name!r}, player {player.start_number} is {player.name!r}"
        if differs:
            message = f"Line {line.line}: national line {line.federation} {differs}."
            self._warn("national-differs", message, line.line, 15)

    def _duplicates(self, players: Mapping[int, ReportedPlayer]) -> None:
        first: dict[tuple[str, str], NationalLine] = {}
        for line in self.lines:
            player = players.get(line.start_number)
            if player is None or not line.number or player.national_id != line.number:
                continue
            other = first.setdefault((line.federation, line.number.upper()), line)
            if other.start_number != line.start_number:
                message = (
                    f"National number {line.number} ({line.federation}) stands on line {other.line} "
                    f"(player {other.start_number}) and on line {line.line} (player {line.start_number})."
                )
                place = {"line": line.line, "column": 58}
                self.problems.error("duplicate-national-id", "national_id", message, **place)

    def _warn(self, code: str, message: str, line: int, column: int) -> None:
        self.problems.warn(code, "national line", message, line=line, column=column)


def _completed(player: ReportedPlayer, line: NationalLine, event: str) -> ReportedPlayer:
    birth = player.birth if player.birth.year else read_birth(line.birth)[0]
    federation = player.federation or line.federation
    return replace(
        player,
        sex=player.sex or line.sex,
        birth=birth,
        federation=federation,
        region=line.region,
        national_id=line.number,
        national_rating=line.rating,
        national_federation=line.federation if line.federation != (event or federation) else "",
    )


def _cut(line: str) -> tuple[str, re.Match[str]] | None:
    """Name and the fields behind it, at the smallest shift at which they stand in their columns."""
    end = NAME_AT + NAME_WIDTH
    for shift in (0, *sorted(range(-NAME_WIDTH + 1, NAME_WIDTH), key=abs)):
        match = _TAIL.fullmatch(line[end + shift :].ljust(32))
        if match is None or not re.fullmatch(r" *[0-9]*", match["rating"]):
            continue
        if shift == 0 or match["rating"].strip() or _WHOLE_DATE.fullmatch(match["birth"]):
            return clean_text(line[NAME_AT : end + shift]), match
    return None


def _strangers(one: str, other: str) -> bool:
    """Do two names in Latin letters share no word? Other scripts and initials tell nothing."""
    first, second = _words(one), _words(other)
    return bool(first and second and not first & second)


def _words(name: str) -> set[str]:
    bare = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    return set(re.findall(r"[a-z]{3,}", bare.casefold()))
