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
