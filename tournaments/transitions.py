"""How services move a tournament from state to state: who may, from where, and the row that tells it."""

from __future__ import annotations

from datetime import date

from django.utils import timezone

from players import audit
from regulations.characters import without_forbidden
from tournaments.models import StateChange, Tournament


class NotAllowedNow(Exception):
    """The tournament or report is in a state in which this cannot be done; the text says why."""


def allowed(why_not: str) -> None:
    """NotAllowedNow with this text, unless there is none (``tournaments.access``)."""
    if why_not:
        raise NotAllowedNow(why_not)


def locked(tournament: Tournament, *states: str) -> Tournament:
    """The tournament's row, locked; raises NotAllowedNow unless it is in one of the states."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state not in states:
        wanted = " or ".join(Tournament.State(state).label for state in states)
        raise NotAllowedNow(f"{row.name} is {row.get_state_display()}; this needs it to be {wanted}.")
    return row


#: what the audit log calls the step into a state; a list that is published is an act of its own
_ACTS = {
    Tournament.State.DRAFT: "tournament.reopened",
    Tournament.State.REGISTERED: "tournament.registered",
    Tournament.State.REFUSED: "tournament.refused",
    Tournament.State.APPEALED: "tournament.appealed",
    Tournament.State.REPORTED: "report.submitted",
    Tournament.State.RETURNED: "report.returned",
    Tournament.State.ACCEPTED: "report.accepted",
    Tournament.State.CANCELLED: "tournament.cancelled",
}


def move(row: Tournament, state: str, by=None, reason: str = "", due_on: date | None = None, **data) -> None:
    """Put a locked tournament into a state and write down the step; an act of a person goes into the audit
    log with ``data``. The reason stays in the step, whose key the log has: it may speak of persons."""
    now = timezone.now()
    row.state, row.state_since, row.due_on = state, now, due_on
    row.save(update_fields=["state", "state_since", "due_on"])
    step = StateChange.objects.create(
        tournament=row, state=state, at=now, by=by, reason=reason, due_on=due_on
    )
    if by is not None:
        audit.record(_ACTS[state], by, row, row.name, step=step.pk, **data)


def said(text: str, missing: str) -> str:
    """A reason as given; raises NotAllowedNow without one."""
    if not (text := without_forbidden(text).strip()):
        raise NotAllowedNow(missing)
    return text
