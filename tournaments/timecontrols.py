"""Time controls as people type them, as programs write them (TRF26, row 222), and in words.

``90+30``, ``40/90'+30"; 30'+30"``, ``G60;+10``, ``3|2``, ``W: 5 B: 4`` and whole sentences are understood.
Bare numbers are minutes and, after a plus, seconds per move; from 300 on they are seconds, as in
``5400+30``. An increment written once at the end of several stages holds from the first move, unless it
hangs with a plus on the last of stages that are parted by commas (``40/120, 20/60, 15+30``). ``words``
says what was understood, so that whoever typed it sees it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from regulations.exact import show
from regulations.model import Stage
from tournaments import clocktokens as tok
from tournaments.clockgrammar import Grammar
from tournaments.clocktokens import MAX_TEXT, Fault

EXAMPLES = ("90+30", "40/90+30, 30+30", "40/120, 20/60, G/30", "G60;+10", "5'+3\"", "W: 5 B: 4")
#: a bare number from here on is no game of minutes but one of seconds
SECONDS_FROM = 300
_CODE_STAGE = r"(?:\d{1,3}/)?\d{1,7}(?:\.\d{1,4})?(?:\+\d{1,4})?"
_CODE_SIDE = rf"{_CODE_STAGE}(?::{_CODE_STAGE})*"
_CODE = re.compile(rf"{_CODE_SIDE}|W{_CODE_SIDE}-B{_CODE_SIDE}", re.ASCII | re.IGNORECASE)
_COLOUR = re.compile(
    r"(?<![^\W_])(?:(?P<w>white|blancas?|weiss|weiß|w)|(?P<b>black|negras?|schwarz|b))(?=[\s:=]|\d)[\s:=]*"
)
_LOOSE = " ,;/-"


@dataclass(frozen=True, slots=True)
class Clock:
    """The stages of a time control; ``black`` is None where both players have the same."""

    white: tuple[Stage, ...]
    black: tuple[Stage, ...] | None = None

    @property
    def sides(self) -> tuple[tuple[Stage, ...], ...]:
        return (self.white,) if self.black is None else (self.white, self.black)


@dataclass(frozen=True, slots=True)
class Parsed:
    """``clock``, or None with every fault found."""

    clock: Clock | None
    faults: tuple[Fault, ...] = ()

    def messages(self) -> list[str]:
        """The faults for people: what stands where, what was expected, and examples."""
        lines = [
            f"At character {fault.position + 1}{f', “{fault.found}”' if fault.found else ''}: "
            f"expected {fault.expected}."
            for fault in self.faults
        ]
        return [*lines, f"Examples: {' · '.join(EXAMPLES)}."] if lines else []


def parse(text: str) -> Parsed:
    """Read a typed time control. Never raises; text without any content is a fault too."""
    if len(text) > MAX_TEXT:
        return Parsed(None, (Fault(MAX_TEXT, "", f"at most {MAX_TEXT} characters"),))
    return _read(text, seconds=None)


def read_code(text: str) -> Parsed:
    """Read the coded form of TRF26's row 222, in which every number is of seconds. Never raises."""
    text = text[: MAX_TEXT + 1].strip()
    if not _CODE.fullmatch(text):
        return Parsed(None, (Fault(0, text[:20], "a coded time such as 40/5400+30:1800+30 or W300-B240"),))
    return _read(text, seconds=True)


def _read(text: str, seconds: bool | None) -> Parsed:
    plain = tok.plain(text)
    parts, faults = _by_colour(plain)
    lexed = {}
    for colour, (start, end) in parts.items():
        lexed[colour], found = tok.tokens(plain[start:end], start)
        faults += found
    if faults:
        return Parsed(None, tuple(sorted(faults, key=lambda fault: fault.position)))
    if seconds is None:
        seconds = any(
            Grammar(tokens, parts[colour][1]).longest_bare() >= SECONDS_FROM
            for colour, tokens in lexed.items()
        )
    sides = {}
    for colour, tokens in lexed.items():
        grammar = Grammar(tokens, parts[colour][1], seconds=seconds)
        sides[colour] = grammar.stages()
        faults += grammar.faults
    if faults:
        return Parsed(None, tuple(faults))
    white, black = sides.get("", sides.get("w", ())), sides.get("b")
    return Parsed(Clock(white, None if black == white else black))


def _by_colour(plain: str) -> tuple[dict[str, tuple[int, int]], list[Fault]]:
    """Where each colour's text stands; "" is the one colour of a text that names none."""
    marks = list(_COLOUR.finditer(plain))
    if not marks:
        return {"": (0, len(plain))}, []
    faults = []
    if before := plain[: marks[0].start()].strip(_LOOSE):
        faults.append(Fault(0, before[:20], "White's time and Black's, each after its colour"))
    parts = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        end = following.start() if following else len(plain)
        while end > mark.end() and plain[end - 1] in _LOOSE:
            end -= 1
        if mark.lastgroup in parts:
            faults.append(Fault(mark.start(), mark[0].strip(), "each colour once"))
        parts[mark.lastgroup] = (mark.end(), end)
    faults += [
        Fault(len(plain), "", f"the time of {name} too")
        for colour, name in (("w", "White"), ("b", "Black"))
        if colour not in parts
    ]
    return parts, faults


def code(clock: Clock) -> str:
    """The form of TRF26's row 222, in seconds: ``40/5400+30:1800+30`` or ``W300-B240``."""
    sides = [":".join(map(_code_stage, side)) for side in clock.sides]
    return sides[0] if len(sides) == 1 else "W{}-B{}".format(*sides)


def _code_stage(stage: Stage) -> str:
    moves = f"{stage.moves}/" if stage.moves else ""
    added = f"+{stage.increment_seconds}" if stage.increment_seconds else ""
    return f"{moves}{show(stage.minutes * 60)}{added}"


def words(clock: Clock) -> str:
    """The time control as a sentence that ``parse`` understands again; empty without stages."""
    if clock.black is None or clock.black == clock.white:
        return _sentence(clock.white)
    return f"White: {_sentence(clock.white) or 'not given'}; Black: {_sentence(clock.black)}"


def _sentence(stages: Sequence[Stage]) -> str:
    if not stages:
        return ""
    increments = {stage.increment_seconds for stage in stages}
    same = len(increments) == 1
    clauses = []
    for stage in stages:
        clause = time = _time(stage.minutes)
        if stage.moves:
            clause = f"1 move in {time}" if stage.moves == 1 else f"{stage.moves} moves in {time}"
        elif len(stages) > 1:
            clause = f"{time} for the rest of the game"
        clauses.append(clause if same else _with_increment(clause, stage.increment_seconds))
    text = clauses[0]
    for clause in clauses[1:]:
        text = f"{text}, then {clause}"
    if same and any(increments):
        added = _seconds(stages[0].increment_seconds)
        if len(stages) > 1:
            text = f"{text}, with {added} added per move from move 1"
        else:
            text = f"{text} with {added} added per move from move 1"
    return text + ("; nothing is said of the moves after" if stages[-1].moves else "")


def _with_increment(clause: str, seconds: int) -> str:
    if not seconds:
        return f"{clause} without increment"
    return f"{clause} with {_seconds(seconds)} added per move"


def _time(minutes: Fraction) -> str:
    # A third of a minute has no decimal form; its seconds have.
    if 100 % minutes.denominator:
        return _seconds(minutes * 60)
    return "1 minute" if minutes == 1 else f"{show(minutes)} minutes"


def _seconds(number: Fraction | int) -> str:
    return "1 second" if number == 1 else f"{show(number)} seconds"


def same_clock(text: str, clock: Clock | Sequence[Stage], *, coded: bool = False) -> bool | None:
    """Does a report's time control (row 122, or 222 if ``coded``) say what was registered?

    None where that cannot be told: the text is empty or not understood, or nothing is registered.
    """
    registered = clock if isinstance(clock, Clock) else Clock(tuple(clock))
    read = (read_code if coded else parse)(text).clock
    if read is None or not registered.white:
        return None
    return (read.white, read.black or read.white) == (registered.white, registered.black or registered.white)
