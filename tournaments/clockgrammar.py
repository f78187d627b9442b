"""From the tokens of one colour's time control to its stages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations.model import Stage
from tournaments.clocktokens import (
    COLON,
    DELAY,
    FROM_MOVE,
    INCREMENT,
    MOVES,
    NUM,
    PER_MOVE,
    PLUS,
    REST,
    SEPARATOR,
    SLASH,
    TIME,
    VALUES,
    WITH,
    WITHOUT,
    Fault,
    Token,
)

MAX_STAGES, MAX_MOVES, MAX_MINUTES, MAX_INCREMENT = 9, 500, 9999, 3600
#: a control of moves alone, such as 40/120; with other numbers 5/3 is meant for 5+3
USUAL_MOVES = range(20, 61)


@dataclass(slots=True)
class _Part:
    """A stage being read; ``joined`` says that a plus stood before it."""

    at: int
    moves: int | None = None
    minutes: Fraction | None = None
    increment: int | None = None
    rest: bool = False
    named: bool = False  # its time had a unit
    joined: bool = False
    hung: bool = False  # its increment stood after a plus
    bare: bool = False  # and was a number without unit


class Grammar:
    """One reading of one colour's tokens; ``seconds`` takes bare times for seconds."""

    def __init__(self, tokens: list[Token], end: int, *, seconds: bool = False) -> None:
        self.tokens, self.end, self.seconds = tokens, end, seconds
        self.faults: list[Fault] = []
        self.parts: list[_Part] = []
        self.part = _Part(tokens[0].at if tokens else end)
        self.at = 0
        self.plus: Token | None = None
        self.forward = False  # the word increment stands before the next value
        self.whole: int | None = None  # an increment in a clause of its own
        self.whole_from = 1
        self.longest = Fraction(0)
        self.doubtful: Token | None = None

    def longest_bare(self) -> Fraction:
        """The greatest time that has no unit."""
        self._read()
        return self.longest

    def stages(self) -> tuple[Stage, ...]:
        """The stages; empty if there are ``faults``."""
        self._read()
        if not self.parts and not self.faults:
            self._fault(self.end, "", "a time control")
        if not self.faults:
            self._spread()
            self._complete()
        if self.faults:
            return ()
        return tuple(Stage(part.moves, part.minutes, part.increment or 0) for part in self.parts)

    # --- reading ---

    def _read(self) -> None:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            self._take(token)
        if self.plus is not None:
            self._fault(self.plus.at, self.plus.text, "a number after the plus")
        self._push()

    def _take(self, token: Token) -> None:
        if token.kind in VALUES:
            self._value(token)
        elif token.kind == MOVES:
            self._moves(token)
        elif token.kind == PLUS:
            self.plus = token
        elif token.kind == SLASH:
            self._slash()
        elif token.kind in (SEPARATOR, COLON):
            if self.part.minutes is not None:
                self._push()
        elif token.kind == REST:
            self._rest(token)
        elif token.kind == INCREMENT:
            following = self._kind(1) if self._kind() in (SLASH, COLON, PLUS, WITH) else self._kind()
            self.forward = following in VALUES
        elif token.kind == WITHOUT:
            self._without(token)
        elif token.kind == FROM_MOVE:
            self._from(token)
        elif token.kind == DELAY:
            self._delay(token)
        elif token.kind not in (PER_MOVE, WITH):
            self._fault(token.at, token.text, "a number before the unit")

    def _kind(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""

    def _fault(self, at: int, found: str, expected: str) -> None:
        self.faults.append(Fault(at, found, expected))

    def _value(self, token: Token) -> None:
        backward = self._kind() == PER_MOVE or (self._kind() == INCREMENT and self._kind(1) not in VALUES)
        if self._kind() == DELAY and self._kind(1) not in VALUES:
            return  # the delay that follows complains, or is none
        if self.forward or backward:
            self._increment(token)
        elif token.kind == NUM:
            self._number(token)
        elif token.kind == TIME:
            self._time(token, token.value, named=True)
        elif self.plus or self.part.minutes is not None or (self._in_own_clause() and self._kind() != REST):
            self._increment(token)
        else:
            self._time(token, token.value / 60, named=True)
        self.plus, self.forward = None, False

    def _in_own_clause(self) -> bool:
        return bool(self.parts) and self.part.moves is None and not self.part.rest

    def _number(self, token: Token) -> None:
        part, empty = self.part, self.part.minutes is None and self.part.moves is None and not self.part.rest
        if self._kind() == SLASH and empty:
            self._moves(token)
        elif (part.minutes is None and not (self.plus and empty)) or (self.plus and self._kind() == REST):
            self._bare_time(token)
        elif self.plus:
            if part.moves and not part.named and self._kind() == SLASH and self._kind(1) in (NUM, TIME):
                self.doubtful = token
            self._increment(token)
        else:
            self._fault(token.at, token.text, "a plus, or a separator such as a comma, before this number")

    def _bare_time(self, token: Token) -> None:
        self.longest = max(self.longest, token.value)
        self._time(token, token.value / 60 if self.seconds else token.value, named=False)

    def _time(self, token: Token, minutes: Fraction, *, named: bool) -> None:
        if self.part.minutes is not None:
            self._push()
            self.part.joined = self.plus is not None
        if minutes > MAX_MINUTES:
            self._fault(token.at, token.text, f"at most {MAX_MINUTES} minutes")
        if self.part.moves is None and not self.part.rest:
            self.part.at = token.at
        self.part.minutes, self.part.named = minutes, named

    def _moves(self, token: Token) -> None:
        if not token.value:
            if token.text.startswith("0"):
                self._fault(token.at, token.text, "a number of moves from 1 on")
            return  # "all moves in", "the remaining moves"
        if token.value.denominator != 1 or token.value > MAX_MOVES:
            self._fault(token.at, token.text, f"a whole number of moves up to {MAX_MOVES}")
            return
        part = self.part
        after_time = part.minutes is not None and part.increment is None and not self.plus
        if part.moves is not None or (part.minutes is not None and not after_time):
            self._push()
        if self.part.rest:
            self._fault(token.at, token.text, "no number of moves for the rest of the game")
        if self.part.minutes is None:
            self.part.at = token.at
            self.part.joined = self.plus is not None
        self.part.moves, self.plus = int(token.value), None

    def _slash(self) -> None:
        part = self.part
        if part.minutes is None:
            return
        open_moves = part.moves is None and not part.rest and part.increment is None
        if open_moves and self._kind() in (REST, MOVES):
            return
        if open_moves and part.named and self._kind() == NUM and self._kind(1) != SLASH:
            self.at += 1
            self._moves(self.tokens[self.at - 1])
            return
        self._push()

    def _rest(self, token: Token) -> None:
        part = self.part
        ahead = 1 if self._kind() in (SLASH, COLON, REST) else 0
        before_time = self._kind(ahead) in VALUES and self._kind(ahead + 1) != PER_MOVE
        if part.minutes is not None and part.moves is None:
            part.rest = True
        elif part.minutes is not None and before_time:
            self._push()
            self.part.joined = self.plus is not None
            self.part.rest, self.part.at, self.plus = True, token.at, None
        elif part.minutes is None and part.moves is not None:
            self._fault(token.at, token.text, "the time for these moves")
        elif before_time or not self.parts:
            part.rest, part.at, self.plus = True, token.at, None

    def _increment(self, token: Token) -> None:
        seconds = token.value * 60 if token.kind == TIME else token.value
        if seconds.denominator != 1 or seconds > MAX_INCREMENT:
            self._fault(token.at, token.text, f"whole seconds per move, at most {MAX_INCREMENT}")
            return
        part = self.part
        if part.minutes is None:
            if part.moves is not None or part.rest or self.whole is not None:
                self._fault(token.at, token.text, "a time, and one increment")
                return
            self.whole = int(seconds)
        elif part.increment is None:
            part.increment, part.hung = int(seconds), self.plus is not None
            part.bare = part.hung and token.kind == NUM
        elif part.bare and part.moves and self.plus and token.kind != TIME:
            # 40/90+30+30: 40 moves in 90 minutes, 30 minutes for the rest, 30 seconds a move
            minutes = Fraction(part.increment, 60 if self.seconds else 1)
            part.increment = None
            self._push()
            self.part.minutes, self.part.joined, self.part.at = minutes, True, token.at
            self.part.increment, self.part.hung = int(seconds), True
        else:
            what = "one increment for a stage; two stages are written 40/90+30, 30+30"
            self._fault(token.at, token.text, what)

    def _without(self, token: Token) -> None:
        if self._kind() != INCREMENT:
            self._fault(token.at, token.text, "the word increment after it")
            return
        self.at += 1
        if self.part.minutes is not None and self.part.increment is None:
            self.part.increment = 0

    def _from(self, token: Token) -> None:
        if self.part.increment is not None:
            self.whole, self.part.increment = self.part.increment, None
        if self.whole is None:
            self._fault(token.at, token.text, "the seconds added per move before it")
        self.whole_from = int(token.value)

    def _delay(self, token: Token) -> None:
        ahead = 1 if self._kind() in (COLON, SLASH) else 0
        before = self.tokens[self.at - 2] if self.at >= 2 else token
        value = before
        if self._kind(ahead) in VALUES:
            value = self.tokens[self.at + ahead]
            self.at += ahead + 1
        if value.kind not in VALUES or value.value:
            self._fault(token.at, token.text, "no delay: the regulations know time and increments only")

    def _push(self) -> None:
        part = self.part
        if part.minutes is not None:
            self.parts.append(part)
        elif part.moves is not None or (part.rest and not self.parts):
            self._fault(part.at, "", "a time for these moves" if part.moves else "a time")
        place = self.tokens[self.at].at if self.at < len(self.tokens) else self.end
        self.part = _Part(place)

    # --- the whole ---

    def _spread(self) -> None:
        """Give an increment that is written once to the stages that it holds for."""
        last = self.parts[-1]
        once = len(self.parts) > 1 and all(part.increment is None for part in self.parts[:-1])
        of_all = not last.hung or last.joined or last.rest
        if self.whole is None and once and last.increment and of_all:
            self.whole, last.increment = last.increment, None
        if self.whole is None:
            return
        start, begins = 1, {}
        for number, part in enumerate(self.parts):
            begins[start] = number
            start += part.moves or 0
        first = begins.get(self.whole_from) if self.whole_from != 1 else 0
        open_parts = [part for part in self.parts[first or 0 :] if part.increment is None]
        if first is None:
            self._fault(self.end, "", f"a stage that begins at move {self.whole_from}")
        elif not open_parts:
            self._fault(self.end, "", "one increment only for each stage")
        for part in open_parts:
            part.increment = self.whole

    def _complete(self) -> None:
        last = self.parts[-1]
        if len(self.parts) > MAX_STAGES:
            self._fault(self.parts[MAX_STAGES].at, "", f"at most {MAX_STAGES} stages")
        for part in self.parts[:-1]:
            if part.moves is None:
                what = "a number of moves, as another stage follows (an increment is written +30)"
                self._fault(part.at, "", what)
        if last.moves is not None:
            self._last_of_moves(last)
        if self.doubtful and last.bare and len({part.increment for part in self.parts}) > 1:
            found = self.doubtful
            what = f"{found.text}s for an increment, or a comma before the next stage: this could be either"
            self._fault(found.at, found.text, what)
        if not any(part.minutes or part.increment for part in self.parts):
            self._fault(last.at, "", "more than no time")

    def _last_of_moves(self, last: _Part) -> None:
        if self.seconds:
            return
        if last.bare and last.increment:
            what = f"what follows the {last.moves} moves: +{last.increment} could be minutes or seconds"
            self._fault(last.at, "", f"{what} (write 40/90+30, 30+30 or 40/90, 30)")
        elif not last.named and last.moves not in USUAL_MOVES:
            self._fault(last.at, "", f"a plus, if {last.moves} are minutes (5+3), or what follows the moves")
