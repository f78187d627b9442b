"""Article 2: under which of its three headings a time control is accepted, or why it is not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations.exact import show
from regulations.feda_1996.parameters import Parameters
from regulations.model import Finding, Stage

NORMAL, GUILLOTINE, ELECTRONIC = "2.1", "2.2", "2.3"


def accepted_under(
    p: Parameters, stages: Sequence[Stage], other: Sequence[Stage] | None = None
) -> str | None:
    """The article under which a player may have this control while the opponent has ``other``
    (None: the same); None if the two are refused."""
    return None if findings(p, stages, other) else heading(p, stages)


def heading(p: Parameters, stages: Sequence[Stage]) -> str:
    """2.3 for increments of ten seconds or more upon an hour, 2.2 where a stage ends the game, else 2.1."""
    if is_electronic(p, stages):
        return ELECTRONIC
    return GUILLOTINE if any(stage.moves is None for stage in stages) else NORMAL


def is_electronic(p: Parameters, stages: Sequence[Stage]) -> bool:
    """2.3: an hour for each player, and the increment for every move."""
    increments = all(stage.increment_seconds >= p.electronic_increment for stage in stages)
    return increments and sum(stage.minutes for stage in stages) >= p.electronic_minutes


def findings(p: Parameters, white: Sequence[Stage], black: Sequence[Stage] | None) -> tuple[Finding, ...]:
    """2.1-2.3 for the control of each colour; ``black`` None means that of White."""
    found = list(one_colour(p, white, "time_control"))
    if black is not None:
        found += one_colour(p, black, "time_control_black")
    if GUILLOTINE in (heading(p, white), heading(p, black or white)):
        found += whole_game(p, white, black or white)
    return tuple(found)


def one_colour(p: Parameters, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """What one player's control does not meet."""
    under = heading(p, stages)
    if under == ELECTRONIC:
        return ()
    if under == GUILLOTINE:
        return (
            *first_control(p, stages, subject),
            *later_rate(p, stages, subject),
            *finish(p, stages, subject),
        )
    return rate_of_play(p, stages, "2.1", subject)


def minutes_of(stage: Stage) -> Fraction:
    """A stage's minutes with the increments of its moves; those of a finish are not foreseeable."""
    return stage.minutes + Fraction((stage.moves or 0) * stage.increment_seconds, 60)


def rate_of_play(p: Parameters, stages: Sequence[Stage], article: str, subject: str) -> tuple[Finding, ...]:
    """2.1, 2.23: at most 23 moves an hour in each phase that counts moves."""
    found = []
    for stage in stages:
        if stage.moves is not None and stage.moves * 60 > p.moves_per_hour * minutes_of(stage):
            text = (
                f"{stage.moves} moves in {show(minutes_of(stage))} minutes; "
                f"at most {p.moves_per_hour} moves an hour."
            )
            found.append(Finding("error", "time-control-too-fast", article, text, None, subject))
    return tuple(found)


def first_control(p: Parameters, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """2.22: a first control with an hour for each player; 2.23: not faster than 23 moves an hour."""
    first = stages[0]
    if first.moves is None:
        text = (
            "A quick finish needs a control before it; without one each player needs at least "
            f"{p.electronic_minutes} minutes and {p.electronic_increment} seconds a move (2.3)."
        )
        return (Finding("error", "no-first-control", "2.22", text, None, subject),)
    found = []
    if minutes_of(first) < p.first_control_minutes:
        text = (
            f"{show(minutes_of(first))} minutes for the first control; "
            f"at least {p.first_control_minutes} for each player."
        )
        found.append(Finding("error", "first-control-short", "2.22", text, None, subject))
    return (*found, *rate_of_play(p, stages[:1], "2.23", subject))


def later_rate(p: Parameters, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """2.1: a phase between the first control and the finish is a phase like any other."""
    return rate_of_play(p, stages[1:], "2.1", subject)


def finish(p: Parameters, stages: Sequence[Stage], subject: str) -> tuple[Finding, ...]:
    """2.24: an hour for each player after the first control."""
    left = sum((minutes_of(stage) for stage in stages[1:]), Fraction(0))
    if stages[0].moves is None or left >= p.finish_minutes:
        return ()
    text = f"{show(left)} minutes after the first control; at least {p.finish_minutes} for each player."
    return (Finding("error", "finish-short", "2.24", text, None, subject),)


def whole_game(p: Parameters, white: Sequence[Stage], black: Sequence[Stage]) -> tuple[Finding, ...]:
    """2.21: a game with a quick finish lasts four hours, by the clocks of both players together."""
    times = [sum((minutes_of(stage) for stage in stages), Fraction(0)) for stages in (white, black)]
    minutes = sum(times) if p.guillotine_both else min(times)
    if minutes >= p.guillotine_minutes:
        return ()
    whose = "both players together" if p.guillotine_both else "each player"
    text = f"{show(minutes)} minutes for the whole game; at least {p.guillotine_minutes} for {whose}."
    return (Finding("error", "game-short", "2.21", text, None, "time_control"),)
