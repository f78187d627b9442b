"""A regulation's findings, arranged for the registration form that they are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from regulations.model import CheckResult, Finding
from tournaments.models import Tournament

#: subject of a finding -> field or inline (by its related name) of the form
PLACES = {
    "time_control": "stages",
    "time_control_black": "stages",
    "rate": "stages",
    "rounds": "rounds",
    "players": "entries",
    "arbiters": "appointments",
    "flags": "hybrid",
}
INLINES = frozenset({"stages", "rounds", "entries", "appointments"})


def of_postal(tournament: Tournament) -> tuple[Finding, ...]:
    """What the registration of a postal event says that no list will use, or leaves open: games count as
    they are reported finished, without a clock and until the event is over."""
    if tournament.regulation is None or not tournament.regulation.counts_finished_games:
        return ()
    found = []
    if tournament.stages.exists():
        text = "A time control is entered: postal chess has none, so nothing looks at it. Remove the stages."
        found.append(Finding("warning", "time-control-unused", "", text, None, "time_control"))
    if tournament.games_in_event is None:
        text = (
            "How many games the event has is not entered: it goes on until its end date, "
            f"{tournament.end}, even if all games are finished before. Enter the number of games."
        )
        found.append(Finding("warning", "games-in-event-missing", "", text, None, "games_in_event"))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with what staff can do about it; ``waived`` says that a waiver lifted it."""

    finding: Finding
    waived: bool

    @property
    def can_be_waived(self) -> bool:
        return self.finding.waivable and not self.waived


def by_place(result: CheckResult, granted: Collection[str]) -> dict[str, list[Shown]]:
    """Findings by the field or inline they stand beside; "" holds those of the whole registration."""
    fields = {field.name for field in Tournament._meta.concrete_fields if field.editable}
    fields |= INLINES
    found: dict[str, list[Shown]] = defaultdict(list)
    for finding in result.findings:
        place = PLACES.get(finding.subject, finding.subject)
        found[place if place in fields else ""].append(Shown(finding, finding.authorization in granted))
    return dict(found)
