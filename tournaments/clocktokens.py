"""Words, numbers and signs of a typed time control, in English and Spanish and as programs print them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

#: longer texts than this are no time control
MAX_TEXT = 2000

NUM, TIME, SECONDS, MOVES = "number", "time", "seconds", "moves"
HOURS, MINUTES, PER_MOVE, FROM_MOVE = "hours", "minutes", "per move", "from move"
PLUS, SLASH, COLON, SEPARATOR, WITH = "+", "/", ":", ",", "with"
REST, INCREMENT, WITHOUT, DELAY = "rest", "increment", "without", "delay"
VALUES = (NUM, TIME, SECONDS)
_NEGATIVE = re.compile(r"(?:^|[+|/:=])\s*(-)(?=\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Fault:
    """What cannot be read: where (characters from 0), what stands there, and what was expected."""

    position: int
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Token:
    """``value`` is in minutes for TIME, in seconds for SECONDS, as written for the others."""

    kind: str
    at: int
    text: str
    value: Fraction = Fraction(0)


_LIKE = str.maketrans(
    {
        **dict.fromkeys("\u2032\u2018\u2019\u00b4\u0060\u02b9\u02bc\uff07", "'"),
        **dict.fromkeys("\u2033\u201c\u201d\u201e\u02ba\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\t\r\n", " "),
        "\u2044": "/",
        "\u2215": "/",
        "\uff0b": "+",
        "\u00a6": "|",
    }
)

_MOVE = r"(?:moves?|mov|movs|mv|mvs|jugadas?|jug|movimientos?|lances?|coups?|mosse|mossa|z[uü]ge|zug)\b\.?"
_ONE = r"(?:\d{1,3}(?:st|nd|rd|th|ª|º|\.)?|one|uno|una|first|primera?|primer)"
_FROM = re.compile(
    rf"(?:starting\s+|commencing\s+|beginning\s+)?\b(?:from|at|desde|a\s+partir\s+de)\s+"
    rf"(?:the\s+|la\s+|el\s+)?(?:{_MOVE}\s*(?P<after>{_ONE})\b|(?P<before>{_ONE})\s*{_MOVE})"
)
_PER = re.compile(
    rf"(?:/\s*|\b(?:per|for\s+each|for\s+every|each|every|a|por|por\s+cada|cada|pro|je|par)\s+){_MOVE}"
)
_BARE_MOVE = re.compile(_MOVE)
_SILENT = re.compile(r"nothing is said of the moves after")
_HOUR_LIKE = re.compile(r"(?<![\d:/.+])\d:[0-5]\d(?![\d:/])", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_COMMA = re.compile(r"(\d+),(?:(5|25|50|75)(?!\d)(?!\s*/\s*\d)|(\d)(?=\s*(?:h|m|s|'|\")))", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+\.?")

_WORDS = {
    HOURS: "h hr hrs hour hours hora horas std stunde stunden heure heures",
    MINUTES: "m mn min mins minute minutes minuto minutos minuti minuten",
    SECONDS: "s sec secs second seconds seg segs segundo segundos secondes sek sekunden",
    REST: "g sd game rest resto remainder remaining sudden ko qpf finish end fin final partida partie "
    "all whole entire toda todas",
    INCREMENT: "inc incr increment increments incremento incrementos bonus bonificacion bonificación",
    DELAY: "d delay delays bronstein retardo retraso td",
    WITH: "with con mit avec",
    WITHOUT: "without sin no ohne",
    PLUS: "plus más mas",
    SEPARATOR: "then followed luego después despues seguido seguidos puis dann",
    "": "in en im for para pour für the la el los las of de del an a to by and y e und per por each player "
    "jugador time times control ritmo juego rate play added addition additional adding cumulative fischer "
    "acumulativo acumulativos adicional adicionales añadidos first primeras primeros next siguientes death "
    "muerte súbita subita standard classical clásico clasico rapid rápido rapido blitz is limit tempo",
}
_KIND = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_SIGNS = {"+": PLUS, "|": PLUS, "/": SLASH, ":": COLON, ",": SEPARATOR, ";": SEPARATOR, "-": SEPARATOR}
_SIGNS |= dict.fromkeys("()[].&", "")
_TIME_EXPECTED = "minutes, seconds or moves"


def plain(text: str) -> str:
    """The text in small letters with one kind of primes, dashes and blanks: as long as it was."""
    text = text.translate(_LIKE)
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def tokens(text: str, start: int = 0) -> tuple[list[Token], list[Fault]]:
    """The tokens of ``plain`` text, numbers joined to their units; positions count from ``start``."""
    read, faults, at = [], [], 0
    while at < len(text):
        token, length = _token(text, at, start)
        if isinstance(token, Fault):
            faults.append(token)
        elif token is not None:
            read.append(token)
        at += length
    faults += [
        Fault(start + sign.start(1), "-", "a number without a minus") for sign in _NEGATIVE.finditer(text)
    ]
    return _joined(read), faults


def _token(text: str, at: int, start: int) -> tuple[Token | Fault | None, int]:
    def made(kind: str, found: str, value: Fraction = Fraction(0)):
        return (Token(kind, start + at, found, value) if kind else None), len(found)

    if text[at] == " ":
        return None, 1
    if found := _SILENT.match(text, at):
        return None, len(found[0])
    if found := _FROM.match(text, at):
        digits = re.match(r"\d+", found["after"] or found["before"], re.ASCII)
        return made(FROM_MOVE, found[0], Fraction(digits[0] if digits else 1))
    if found := _PER.match(text, at):
        return made(PER_MOVE, found[0])
    if found := _HOUR_LIKE.match(text, at):
        what = f"minutes or hours named as such: “{found[0]}” could be either, write 1h30 or 90'"
        return Fault(start + at, found[0], what), len(found[0])
    if found := _number(text, at):
        if len(found) > 9:
            return Fault(start + at, found[:20], "a shorter number"), len(found)
        return made(NUM, found, Fraction(found.replace(",", ".")))
    if found := _BARE_MOVE.match(text, at):
        return made(MOVES, found[0])
    if text[at] in "'\"":
        double = text.startswith("''", at)
        return made(SECONDS if double or text[at] == '"' else MINUTES, "''" if double else text[at])
    if found := _WORD.match(text, at):
        kind = _KIND.get(found[0].rstrip("."))
        return made(kind, found[0]) if kind is not None else _unknown(found[0], start + at)
    return made(_SIGNS[text[at]], text[at]) if text[at] in _SIGNS else _unknown(text[at], start + at)


def _number(text: str, at: int) -> str:
    # A comma is a decimal sign in 7,5 and parts two stages in 40/120,20/60.
    after_moves = re.search(r"\d\s*/\s*$", text[max(0, at - 8) : at])
    if not after_moves and (found := _COMMA.match(text, at)):
        return found[0]
    found = _NUMBER.match(text, at)
    return found[0] if found else ""


def _unknown(found: str, at: int) -> tuple[Fault, int]:
    return Fault(at, found[:20], _TIME_EXPECTED), len(found)


def _joined(read: list[Token]) -> list[Token]:
    """A number and its unit as one token: 1 h 30 min is a time of 90 minutes."""
    joined: list[Token] = []
    at = 0

    def kind(place: int) -> str:
        return read[place].kind if place < len(read) else ""

    while at < len(read):
        token, unit = read[at], kind(at + 1)
        at += 1
        if token.kind != NUM or unit not in (HOURS, MINUTES, SECONDS, MOVES):
            joined.append(token)
            continue
        at += 1
        if unit == MOVES:
            joined.append(Token(MOVES, token.at, token.text, token.value))
        elif unit == SECONDS:
            joined.append(Token(SECONDS, token.at, token.text, token.value))
        elif unit == MINUTES:
            joined.append(Token(TIME, token.at, token.text, token.value))
        else:
            minutes = token.value * 60
            part = kind(at) == NUM and read[at].value < 60 and kind(at + 1) not in (SLASH, SECONDS, MOVES)
            if part:
                minutes += read[at].value
                at += 2 if kind(at + 1) == MINUTES else 1
            joined.append(Token(TIME, token.at, token.text, minutes))
    return joined
