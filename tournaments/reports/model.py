"""What a report file says, as plain values: the result of every reader of this package.

Nothing here is looked up or rated. Ratings are the ones printed in the report (nominal:
the portal rates with its own list), points are exact, dates are local dates of the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a report.

    An error means that the report cannot be taken as it stands; a warning names what was
    assumed. ``line`` and ``column`` count from 1 (None: the whole file); in a typed crosstable
    ``line`` is the row and ``column`` the round. ``code`` is a key of ``problems.REMEDIES``.
    """

    severity: Severity
    line: int | None
    column: int | None
    field: str
    message: str
    remedy: str
    code: str


class Birth(NamedTuple):
    """A birth date as far as it is known; a part that is not known is None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


UNKNOWN_BIRTH = Birth()


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """A player line. Two of them are equal when they say the same, wherever they stand.

    ``rating`` is the nominal one of the report, ``fide_id`` is digits without leading zeros or
    "" (none, or not a FIDE number), ``points`` None when the report leaves them blank. ``national_id``
    and ``national_rating`` come from a national line or column and are those of the event's federation (the
    player's where the event has none), or of ``national_federation`` where the report names another one.
    ``region`` is a part of that federation as printed (FEDA's AND and CAT are not Andorra or a country).
    """

    start_number: int
    name: str
    sex: Literal["m", "f", ""] = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    birth: Birth = UNKNOWN_BIRTH
    points: Fraction | None = None
    rank: int | None = None
    national_id: str = ""
    national_rating: int | None = None
    region: str = ""
    national_federation: str = ""
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReportedTeam:
    """A team and its members by start number, in board order."""

    number: int
    name: str
    members: tuple[int, ...] = ()
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReportedTotals:
    """A player's result without single games (FEDA 10.31): points in ``games`` rated games against
    opponents of this average. ``rated`` tells the block in which the row stands."""

    start_number: int
    points: Fraction
    games: int
    average: int
    rated: bool
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game, forfeit or bye, once per pair.

    ``white`` and ``black`` are start numbers; a bye has ``black`` None and its player in
    ``white``. ``result`` is a code of ``regulations.model.RESULTS``. ``codes`` holds the letters
    of the report, white's first ("10", "WL", "+Z", "U"): they tell a W (less than one move) from
    a forfeit and a ruling such as "0=" from a double forfeit. ``line`` is white's line (row),
    ``other_line`` black's.
    """

    round: int
    white: int
    black: int | None
    result: str
    codes: str = ""
    line: int | None = field(default=None, compare=False)
    other_line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ParsedReport:
    """One event as reported. Equality ignores the format, the lines and the problems.

    ``rounds`` is the number of the last round with a paired result; ``rounds_announced`` what
    the header says (XXR, 142). ``scoring`` lists points that differ from 1, ½, 0 by the codes of
    JaVaFo's XXS; they concern the points column only, never the rating. A report holds ``games``, or
    ``totals`` where its format has no single games, or neither when it is an ``entry_list``.
    """

    format: str = field(compare=False)
    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    type_text: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control_text: str = ""
    round_dates: dict[int, date] = field(default_factory=dict)
    players: tuple[ReportedPlayer, ...] = ()
    games: tuple[ReportedGame, ...] = ()
    teams: tuple[ReportedTeam, ...] = ()
    totals: tuple[ReportedTotals, ...] = ()
    entry_list: bool = False
    rounds: int = 0
    rounds_announced: int | None = None
    scoring: tuple[tuple[str, Fraction], ...] = ()
    problems: tuple[Problem, ...] = field(default=(), compare=False)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that keep the report from being taken."""
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "warning")

    @property
    def ok(self) -> bool:
        """True when nothing but warnings was found."""
        return not self.errors
