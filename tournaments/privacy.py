"""What tournaments hold of a person who is erased. Report files stay as they were received."""

from __future__ import annotations

from players import erasing
from players.erasing import Person
from tournaments.models import Entry


def follow(person: Person) -> None:
    """The names that reports gave an erased player."""
    if person.erased:
        Entry.objects.filter(player__in=person.records).update(reported_name="")


def register() -> None:
    """Tell the register in which texts of tournaments names can stand."""
    erasing.follow(follow)
    erasing.sweep("tournaments.ReportDraft", "players")
    erasing.sweep("tournaments.Report", "findings", "remark", "changes")
    erasing.sweep("tournaments.RegistrationCheck", "why", "findings")
    erasing.sweep("tournaments.StateChange", "reason")
    erasing.sweep("tournaments.DistinctEvents", "reason")
    erasing.sweep("tournaments.Waiver", "reason")
