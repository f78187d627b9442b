"""The header lines of a report (tags ending in 2, XXR, 142) and the checks on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from regulations.calendar import span
from tournaments import timecontrols
from tournaments.reports.dates import TOKEN, candidates, is_standard
from tournaments.reports.layout import MAX_ROUNDS
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import BBP_TAGS, Scoring
from tournaments.reports.text import MAX_TEXT, clean_text

#: Tag -> what it holds. Those with a single value may stand once.
SINGLE = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start date",
    "052": "end date",
    "062": "number of players",
    "092": "type of event",
    "102": "chief arbiter",
    "122": "time control",
    "142": "number of rounds",
    "172": "ranking method",
    "192": "coded type of event",
    "222": "coded time control",
    "XXR": "number of rounds",
}
REPEATED = frozenset({"112", "132", "162", "XXS"}) | BBP_TAGS
#: Read by nobody, knowingly: numbers that are counted anyway, and what concerns pairing, standings
#: and match points but no result of a player.
SKIPPED = frozenset(
    {"072", "082", "152", "182", "202", "212", "250", "260", "300", "352", "362", "801", "802"}
    | {"DAT", "XXA", "XXB", "XXC", "XXP", "XXZ"}
)
_REQUIRED = {"012": "error", "022": "warning", "032": "error", "042": "error", "052": "error"}
_REQUIRED |= {"102": "warning", "132": "warning"}
_NAMES = {"132": "dates of the rounds"} | SINGLE
_FIRST_DATE_COLUMN = 92
_MAX_DATES = _FIRST_DATE_COLUMN + 10 * MAX_ROUNDS


class Header:
    """Collects header lines; ``finish`` checks them once the whole file has been seen."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.texts: dict[str, tuple[str, int]] = {}
        self.deputies: list[str] = []
        self.date_lines: list[tuple[str, int]] = []
        self.scoring = Scoring()
        self.start: date | None = None
        self.end: date | None = None
        self.round_dates: dict[int, date] = {}

    def add(self, tag: str, line: str, number: int) -> None:
        """Take one line whose tag is in ``SINGLE`` or ``REPEATED``."""
        if len(line) > MAX_TEXT + 4 and tag not in ("132", "162", "XXS"):
            message = f"Line {number}: the value of tag {tag} was cut at {MAX_TEXT} characters."
            self.problems.warn("header-too-long", tag, message, line=number, column=5)
        value = clean_text(line[4:])
        if tag == "112":
            if value:
                self.deputies.append(value)
        elif tag == "132":
            if len(self.date_lines) < MAX_ROUNDS:
                self.date_lines.append((line[:_MAX_DATES], number))
        elif tag == "162":
            self._scored(self.scoring.read_162(line[4 : MAX_TEXT + 4]), tag, value, number)
        elif tag == "XXS":
            self._scored(self.scoring.read_xxs(line[4 : MAX_TEXT + 4]), tag, value, number)
        elif tag in BBP_TAGS:
            self._scored(self.scoring.read_bbp(tag, line[4 : MAX_TEXT + 4]), tag, value, number)
        elif tag in self.texts and self.texts[tag][0]:
            if value and value != self.texts[tag][0]:
                message = f"Line {number} repeats tag {tag} with another value; the first one counts."
                self.problems.warn("header-repeated", tag, message, line=number, column=1)
        else:
            self.texts[tag] = (value, number)

    def _scored(self, good: bool, tag: str, value: str, number: int) -> None:
        if not good:
            message = f"Scoring {value!r} (tag {tag}) could not be read in full."
            self.problems.warn("scoring-unreadable", tag, message, line=number, column=5)

    def text(self, tag: str) -> str:
        return self.texts.get(tag, ("", 0))[0]

    def number(self, tag: str) -> int | None:
        """The first number of a tag ("15 (12)" is 15)."""
        match = re.match(r"[0-9]{1,5}", self.text(tag))
        return int(match[0]) if match else None

    @property
    def rounds_announced(self) -> int | None:
        """What 142 (which wins) or XXR says, if it can be."""
        numbers = (self.number("142"), self.number("XXR"))
        return next((n for n in numbers if n is not None and 1 <= n <= MAX_ROUNDS), None)

    def finish(self) -> None:
        """Check everything that does not need the players."""
        for tag, severity in _REQUIRED.items():
            if not self.text(tag) and not (
                tag == "132" and any(line[4:].strip() for line, _ in self.date_lines)
            ):
                line = self.texts[tag][1] if tag in self.texts else None
                message = f"The {_NAMES[tag]} (tag {tag}) is missing."
                self.problems.add(severity, "header-missing", tag, message, line=line)
        federation = self.text("032")
        if federation and not re.fullmatch(r"[A-Za-z]{3}", federation):
            self._at(
                "error", "federation-code", "032", f"{federation!r} is not a three-letter federation code."
            )
        for tag in ("022", "102"):
            if re.match(r"https?://|www\.", self.text(tag), re.IGNORECASE):
                message = f"Tag {tag} should hold the {_NAMES[tag]}, not an address on the web."
                self._at("warning", "header-meaning", tag, message)
        if self.number("142") and self.number("XXR") and self.number("142") != self.number("XXR"):
            message = f"142 says {self.number('142')} rounds, XXR says {self.number('XXR')}; 142 counts."
            self._at("warning", "round-count", "XXR", message)
        self._dates()

    @property
    def type_text(self) -> str:
        """The type in free text (092), else the coded one (192)."""
        return self.text("092") or self.text("192")

    @property
    def time_control_text(self) -> str:
        """The time control in free text (122), else the coded one (222) in words."""
        coded = self.text("222")
        clock = timecontrols.read_code(coded).clock
        return self.text("122") or (timecontrols.words(clock) if clock else coded)

    @property
    def rating_federation(self) -> str:
        """Whose ratings the national lines hold: by 172, else that of the event."""
        match = re.match(r"[A-Z]{3}(?= |$)", self.text("172").upper())
        return match[0] if match else self.federation

    @property
    def federation(self) -> str:
        text = self.text("032").upper()
        return text if re.fullmatch(r"[A-Z]{3}", text) else ""

    # --- dates ---

    def _dates(self) -> None:
        self.start, self.end = self._span(self._readings("042"), self._readings("052"))
        for tag, day in (("042", self.start), ("052", self.end)):
            text = self.text(tag)
            if day and not is_standard(text):
                self._at("warning", "date-form", tag, f"{text!r} was read as {day:%Y/%m/%d}.")
        if self.start and self.end:
            if self.end < self.start:
                message = f"The event ends on {self.end} (052) before it starts on {self.start} (042)."
                self._at("error", "date-order", "052", message)
            elif self.end - self.start > timedelta(days=150) and self._swapped_is_shorter():
                message = f"The event lasts from {self.start} to {self.end}."
                self._at("warning", "dates-swapped", "052", message)
        self._read_round_dates()

    def _readings(self, tag: str) -> list[date | None]:
        """What a date can mean; a date in the right form means one day only."""
        text = self.text(tag)
        found = list(candidates(text))
        if text and not found:
            self._at("error", "date-unreadable", tag, f"{text!r} is not a date.")
        return found[: 1 if is_standard(text) else None] or [None]

    def _span(
        self, starts: Sequence[date | None], ends: Sequence[date | None]
    ) -> tuple[date | None, date | None]:
        """Of ambiguous dates the pair that the round dates agree with, then the shortest event."""
        tokens = [token for line, _ in self.date_lines for token in TOKEN.findall(line[4:])][:MAX_ROUNDS]
        rounds = [day for token in tokens for day in list(candidates(token))[:1]]

        def rank(pair: tuple[date | None, date | None]) -> tuple[int, int]:
            start, end = pair
            if start is None or end is None:
                return 0, 0
            outside = sum(not start <= day <= end for day in rounds)
            return outside, (end - start).days if end >= start else 1_000_000

        return min(((s, e) for s in starts for e in ends), key=rank)

    def _swapped_is_shorter(self) -> bool:
        if self.start is None or self.end is None:
            return False
        swapped = [
            (self._swap(self.start), self.end),
            (self.start, self._swap(self.end)),
        ]
        return any(a and b and timedelta(0) <= b - a <= timedelta(days=31) for a, b in swapped)

    @staticmethod
    def _swap(day: date) -> date | None:
        return day.replace(month=day.day, day=day.month) if day.day <= 12 else None

    def _read_round_dates(self) -> None:
        after = 0
        for line, number in self.date_lines:
            rest = line[4:]
            for match in TOKEN.finditer(rest):
                column = match.start() + 5
                if column >= _FIRST_DATE_COLUMN - 1:
                    round_ = (column - _FIRST_DATE_COLUMN + 1) // 10 + 1
                else:
                    round_ = after + 1
                after = round_
                if round_ > MAX_ROUNDS:
                    return
                self._round_date(round_, match[0], number, column)
            if TOKEN.sub("", rest).strip():
                message = f"Line {number} holds dates of rounds that could not be read."
                self.problems.warn("round-date-unreadable", "132", message, line=number, column=5)

    def _round_date(self, round_: int, text: str, line: int, column: int) -> None:
        found = list(candidates(text))
        inside = [d for d in found if (not self.start or self.start <= d) and (not self.end or d <= self.end)]
        if not found:
            message = f"The date {text!r} of round {round_} could not be read."
            self.problems.warn("round-date-unreadable", "132", message, line=line, column=column)
            return
        read = inside[0] if inside else found[0]
        if not inside:
            message = f"Round {round_} is dated {read}, outside the event ({span(self.start, self.end)})."
            self.problems.warn("round-date-outside", "132", message, line=line, column=column)
        elif read != found[0] and f"{read:%y/%m/%d}" != text:
            message = f"The date {text!r} of round {round_} was read as {read:%Y/%m/%d}."
            self.problems.warn("date-form", "132", message, line=line, column=column)
        self.round_dates[round_] = read

    def _at(self, severity: str, code: str, tag: str, message: str) -> None:
        self.problems.add(severity, code, tag, message, line=self.texts[tag][1], column=5)
