"""The lines above a table that say what event it is: ``# name: Open of Valdeprueba``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from players.listformats.spreadsheets import bare, protect
from tournaments.reports.crosstable import Header
from tournaments.reports.dates import candidates, is_standard
from tournaments.reports.layout import MAX_ROUNDS
from tournaments.reports.model import ParsedReport
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text
from tournaments.reports.trf_writer import points as decimal

_KEYS = {
    "name": "name event tournament nombre torneo",
    "city": "city place ciudad lugar",
    "federation": "federation fed federacion",
    "start": "start begin inicio comienzo",
    "end": "end fin final",
    "type": "type tipo",
    "arbiter": "arbiter chiefarbiter arbitro arbitroprincipal",
    "deputy": "deputy deputyarbiter deputies adjunto arbitroadjunto",
    "time": "time timecontrol ritmo ritmodejuego",
    "rounds": "rounds rondas",
    "scoring": "scoring puntuacion",
}
_KEY_OF = {name: key for key, names in _KEYS.items() for name in names.split()}
_ACCENTS = str.maketrans("áéíóú", "aeiou")
_ROUND = re.compile(r"(?:round|ronda)([0-9]{1,3})")
_MAX_TEXT = 500
_MAX_DEPUTIES = 50


@dataclass(slots=True)
class Head:
    """What the lines said so far."""

    problems: Problems
    texts: dict[str, str] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    dates: dict[str, date] = field(default_factory=dict)
    round_dates: dict[int, date] = field(default_factory=dict)
    rounds: int | None = None
    scoring: tuple[tuple[str, Fraction], ...] = ()

    def read(self, key: str, value: str, line: int | None, where: str) -> None:
        """Take one line; ``where`` names it in messages ("Row 3")."""
        plain = re.sub(r"[^a-z0-9]", "", key.casefold().translate(_ACCENTS))
        value = clean_text(bare(value.strip()[: 2 * _MAX_TEXT]))
        if not value:
            return
        if match := _ROUND.fullmatch(plain):
            self._round(int(match[1]), value, line, where)
            return
        known = _KEY_OF.get(plain)
        if known is None:
            message = f"{where}: {key[:60].strip()!r} is nothing that is known of an event; it was not read."
            self.problems.warn("head-unknown", "header", message, line=line)
        elif known == "deputy":
            if len(self.deputies) < _MAX_DEPUTIES:
                self.deputies.append(value[:_MAX_TEXT].strip())
        elif known in self.texts:
            if value != self.texts[known]:
                message = f"{where} says {known} once more and otherwise; the first one counts."
                self.problems.warn("head-twice", "header", message, line=line)
        else:
            self.texts[known] = value[:_MAX_TEXT].strip()
            self._understand(known, value, line, where)

    def _understand(self, key: str, value: str, line: int | None, where: str) -> None:
        if key in ("start", "end"):
            if day := self._date(key, value, line, where):
                self.dates[key] = day
        elif key == "rounds":
            if re.fullmatch(r"[0-9]{1,3}", value) and 1 <= int(value) <= MAX_ROUNDS:
                self.rounds = int(value)
            else:
                message = f"{where}: {value[:60]!r} is not a number of rounds from 1 to {MAX_ROUNDS}."
                self.problems.error("head-rounds", "header", message, line=line)
        elif key == "scoring":
            scoring = Scoring()
            if not scoring.read_xxs(value):
                message = f"{where}: scoring {value[:60]!r} could not be read in full."
                self.problems.warn("scoring-unreadable", "header", message, line=line)
            self.scoring = scoring.declared()

    def _date(self, key: str, value: str, line: int | None, where: str) -> date | None:
        found = next(candidates(value.replace(" 00:00:00", "")), None)
        if found is None:
            message = f"{where}: {key} {value[:60]!r} is not a date."
            self.problems.error("date-unreadable", "header", message, line=line)
        elif not is_standard(value.replace("-", "/")):
            message = f"{where}: {key} {value[:60]!r} was read as {found}."
            self.problems.warn("date-form", "header", message, line=line)
        return found

    def _round(self, number: int, value: str, line: int | None, where: str) -> None:
        if not 1 <= number <= MAX_ROUNDS:
            message = f"{where}: round {number} is not from 1 to {MAX_ROUNDS}."
            self.problems.error("head-rounds", "header", message, line=line)
        elif day := self._date(f"round {number}", value, line, where):
            self.round_dates.setdefault(number, day)

    def header(self) -> Header:
        texts = self.texts
        return Header(
            name=texts.get("name", ""),
            city=texts.get("city", ""),
            federation=texts.get("federation", ""),
            start=self.dates.get("start"),
            end=self.dates.get("end"),
            type_text=texts.get("type", ""),
            chief_arbiter=texts.get("arbiter", ""),
            deputies=tuple(self.deputies),
            time_control_text=texts.get("time", ""),
            round_dates=self.round_dates,
            rounds_announced=self.rounds,
            scoring=self.scoring,
        )


def split_head(cells: Sequence[str], delimiter: str = ",") -> tuple[str, str] | None:
    """Key and value of a row that begins with "#", or None for a comment.

    Both forms are read: ``# name: Open`` in one cell, and ``# name`` beside ``Open``. A value with the
    delimiter in it may have fallen into several cells.
    """
    texts = [cell.strip() for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    first = texts[0].lstrip("# ")
    key, colon, value = first.partition(":")
    if not colon and len(texts) < 2:
        return None
    rest = f"{delimiter} ".join(texts[1:]) if delimiter != "\t" else " ".join(texts[1:])
    if colon and value and rest:
        return key, f"{value}{delimiter} {rest}"
    return key, value or rest


def head_lines(report: ParsedReport) -> list[tuple[str, str]]:
    """Key and value of every line that an event needs, made safe for a spreadsheet."""
    return [(key, protect(clean_text(value))) for key, value in _head(report)]


def _head(report: ParsedReport) -> Iterator[tuple[str, str]]:
    yield "name", report.name
    yield "city", report.city
    yield "federation", report.federation
    yield "start", report.start.isoformat() if report.start else ""
    yield "end", report.end.isoformat() if report.end else ""
    yield "type", report.type_text
    yield "arbiter", report.chief_arbiter
    for deputy in report.deputies:
        yield "deputy", deputy
    yield "time control", report.time_control_text
    yield "rounds", str(report.rounds_announced or "")
    yield "scoring", " ".join(f"{code}={decimal(value)}" for code, value in report.scoring)
    for round_, day in sorted(report.round_dates.items()):
        yield f"round {round_}", day.isoformat()
