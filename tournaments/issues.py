"""What reading a report finds: issues, persons, and what the regulation makes of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date

from players.models import Player
from regulations.model import EventResult
from tournaments.models import Tournament
from tournaments.queries import EventPart
from tournaments.reports.model import ParsedReport, ReportedPlayer

#: instead of a person: put the reported player on the register
NEW = "new"


@dataclass(frozen=True, slots=True)
class Issue:
    """A fault or doubt: where it is, what is wrong, and what to do about it."""

    severity: str
    field: str
    message: str
    remedy: str
    line: int | None = None
    column: int | None = None
    article: str = ""
    code: str = ""

    def as_json(self) -> dict:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A person on the register whom a reported player may be, and what speaks for it."""

    player: Player
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reported player who is nobody certain: the sender corrects the number or chooses."""

    row: ReportedPlayer
    suggestions: tuple[Suggestion, ...] = ()
    #: the number is another person's, so that no new player can have it
    taken: bool = False


@dataclass(frozen=True, slots=True)
class GameChange:
    """A game that differs from the report before, in words ("" where it was not, or is not any more)."""

    round: int
    players: str
    before: str
    now: str


@dataclass(slots=True)
class Changes:
    """A report compared with the one it replaces."""

    added_rounds: dict[int, int] = field(default_factory=dict)
    corrected: list[GameChange] = field(default_factory=list)
    removed: list[GameChange] = field(default_factory=list)
    same: int = 0

    @property
    def nothing(self) -> bool:
        return not (self.added_rounds or self.corrected or self.removed)

    def as_json(self) -> dict:
        def told(found: list[GameChange]) -> list[dict]:
            return [{name: getattr(g, name) for name in g.__dataclass_fields__} for g in found[:200]]

        added = {str(number): games for number, games in self.added_rounds.items()}
        return {
            "added": added,
            "corrected": told(self.corrected),
            "removed": told(self.removed),
            "same": self.same,
        }


@dataclass(slots=True)
class Reading:
    """A report as read: who plays, what is wrong, and what the regulation makes of it.

    ``people`` is whom the sender chose for start numbers that have no certain person, by primary
    key or ``NEW``; ``received`` the day on which the federation has the report.
    """

    tournament: Tournament
    filename: str
    content: bytes
    parsed: ParsedReport
    received: date
    people: dict[int, int | str] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    unresolved: list[Unresolved] = field(default_factory=list)
    changes: Changes | None = None
    issues: list[Issue] = field(default_factory=list)
    parts: list[tuple[EventPart, EventResult]] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def errors(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.severity == "error"]

    @property
    def nothing_new(self) -> bool:
        """Is all that keeps the report from being sent that it is sent already?"""
        return bool(self.errors) and all(issue.code in ("file-known", "nothing-new") for issue in self.errors)

    @property
    def warnings(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.severity != "error"]

    @property
    def ok(self) -> bool:
        return not self.errors
