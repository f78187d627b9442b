"""What would make a registration ratable: tried on its regulation, without knowing the articles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from regulations.exact import show
from regulations.model import CheckResult, Entrant, Registration, Stage
from regulations.timecontrol import minutes_for_60_moves
from tournaments.models import Tournament
from tournaments.queries import registration_of

MAX_WITHDRAWN = 10
STEP, MOST = 5, 180  # minutes
_GENERAL = (
    "Have the federation reopen the registration, correct what is found and register it again; or tell the "
    "players before round 1 that the tournament will not be rated."
)


def remedies(tournament: Tournament, result: CheckResult) -> Iterator[str]:
    """Sentences on what can be done before round 1, the surest first; nothing if it is ratable."""
    if result.ratable:
        return
    yield from dict.fromkeys(
        f"The federation can grant a waiver “{finding.authorization}” (article {finding.article})."
        for finding in result.findings
        if finding.waivable and finding.severity == "error"
    )
    regulation = tournament.regulation
    registration = registration_of(tournament) if regulation else None
    if registration is None or not registration.time_control:
        yield _GENERAL
        return

    def ratable(changed: Registration) -> bool:
        return regulation.check(changed).ratable

    found = [text for text in (_withdrawal(registration, ratable), _time(registration, ratable)) if text]
    yield from found or [_GENERAL]


def _withdrawal(registration: Registration, ratable) -> str:
    """The fewest entries from either end of the rating order without which it is ratable."""
    order = sorted(registration.players, key=lambda player: -(player.rating or 0))
    for count in range(1, min(MAX_WITHDRAWN, max(len(order) - 1, 1)) + 1):
        for gone in (order[:count], order[-count:]):
            left = tuple(player for player in registration.players if player not in gone)
            if ratable(replace(registration, players=left)):
                return f"Withdraw {_named(gone)} from the entry list."
    return ""


def _named(players: Sequence[Entrant]) -> str:
    return ", ".join(
        f"{player.id} ({'unrated' if player.rating is None else player.rating})" for player in players
    )


def _time(registration: Registration, ratable) -> str:
    """The nearest time for the first stage, in steps of five minutes, with which it is ratable."""
    sides = [side for side in (registration.time_control, registration.time_control_black) if side]
    now = min(side[0].minutes for side in sides)
    for distance in range(STEP, MOST + STEP, STEP):
        for minutes in ((now // STEP) * STEP + distance, -(-now // STEP) * STEP - distance):
            if minutes <= 0:
                continue
            changed = replace(
                registration,
                time_control=_with_first(registration.time_control, minutes),
                time_control_black=registration.time_control_black
                and _with_first(registration.time_control_black, minutes),
            )
            if ratable(changed):
                return _change_of_time(registration.time_control, changed.time_control)
    return ""


def _change_of_time(before: Sequence[Stage], after: Sequence[Stage]) -> str:
    stage = "the first stage" if len(after) > 1 else "the game"
    return (
        f"Change the time control: {show(after[0].minutes)} minutes for {stage} instead of "
        f"{show(before[0].minutes)}, so that there are {show(minutes_for_60_moves(after))} for 60 moves. "
        "The federation reopens the registration for that."
    )


def _with_first(stages: Sequence[Stage], minutes: Fraction | int) -> tuple[Stage, ...]:
    return (replace(stages[0], minutes=Fraction(minutes)), *stages[1:])
