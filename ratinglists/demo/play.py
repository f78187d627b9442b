"""Pairing and playing of invented tournaments. Chance comes from one seeded generator."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from regulations.tables import pd
from tournaments.reports.model import ReportedGame

SCORES = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "+/-": (2, 0), "-/+": (0, 2), "-/-": (0, 0)}
BYES = {"bye-1": 2, "bye-1/2": 1, "bye-0": 0}


@dataclass(slots=True)
class Seat:
    """A player at a tournament; points in half points."""

    number: int
    strength: int
    points: int = 0
    balance: int = 0
    met: set[int] = field(default_factory=set)
    had_bye: bool = False


def outcome(random: Random, white: Seat, black: Seat, *, forfeits: bool = True) -> str:
    """A result by the strengths: one game in fifty is forfeited, a third or so are drawn."""
    if forfeits and random.randrange(50) == 0:
        return random.choice(["+/-", "-/+"])
    expected = pd(white.strength - black.strength + 30)
    draws = min(expected, 100 - expected) * 2 // 3
    roll = random.randrange(100)
    if roll < draws:
        return "1/2-1/2"
    return "1-0" if roll < expected + draws // 2 else "0-1"


def _record(game: ReportedGame, seats: dict[int, Seat]) -> ReportedGame:
    white = seats[game.white]
    if game.black is None:
        white.points += BYES[game.result]
        return game
    black = seats[game.black]
    for seat, score, colour in zip((white, black), SCORES[game.result], (1, -1), strict=True):
        seat.points += score
        seat.balance += colour
    white.met.add(black.number)
    black.met.add(white.number)
    return game


def swiss(random: Random, strengths: list[int], rounds: int) -> list[ReportedGame]:
    """Start numbers 1.. by the order given; pairs within score groups, nobody twice."""
    seats = {n: Seat(n, strength) for n, strength in enumerate(strengths, start=1)}
    games = []
    for number in range(1, rounds + 1):
        waiting = sorted(seats.values(), key=lambda seat: (-seat.points, seat.number))
        if random.randrange(3) == 0 and len(waiting) % 2 == 0:
            resting = random.choice(waiting)
            waiting.remove(resting)
            games.append(_record(ReportedGame(number, resting.number, None, "bye-1/2"), seats))
        if len(waiting) % 2:
            resting = next((s for s in reversed(waiting) if not s.had_bye), waiting[-1])
            resting.had_bye = True
            waiting.remove(resting)
            games.append(_record(ReportedGame(number, resting.number, None, "bye-1"), seats))
        for one, other in _pairs(waiting):
            white, black = (
                (one, other) if (one.balance, other.number) <= (other.balance, one.number) else (other, one)
            )
            result = outcome(random, white, black)
            games.append(_record(ReportedGame(number, white.number, black.number, result), seats))
    return games


def _pairs(waiting: list[Seat]) -> list[tuple[Seat, Seat]]:
    pairs, rest = [], list(waiting)
    while rest:
        one = rest.pop(0)
        other = next((seat for seat in rest if seat.number not in one.met), rest[0])
        rest.remove(other)
        pairs.append((one, other))
    return pairs


def round_robin(random: Random, strengths: list[int], *, double: bool = False) -> list[ReportedGame]:
    """Everybody against everybody by turning the table; the second cycle with colours reversed."""
    seats = {n: Seat(n, strength) for n, strength in enumerate(strengths, start=1)}
    order: list[int | None] = [*seats, *([None] if len(seats) % 2 else [])]
    games = []
    cycle = len(order) - 1
    for number in range(1, cycle + 1):
        half = len(order) // 2
        for place in range(half):
            one, other = order[place], order[-1 - place]
            if one is None or other is None:
                continue
            if (number + place) % 2:
                one, other = other, one
            games.append((number, one, other))
            if double:
                games.append((number + cycle, other, one))
        order.insert(1, order.pop())
    return [
        ReportedGame(number, white, black, outcome(random, seats[white], seats[black], forfeits=False))
        for number, white, black in sorted(games)
    ]


def match(random: Random, strengths: list[int], games: int) -> list[ReportedGame]:
    seats = [Seat(1, strengths[0]), Seat(2, strengths[1])]
    played = []
    for number in range(1, games + 1):
        white, black = seats if number % 2 else seats[::-1]
        played.append(ReportedGame(number, white.number, black.number, outcome(random, white, black)))
    return played


def half_points(games: list[ReportedGame], number: int) -> int:
    """A player's score in the crosstable, byes and forfeits included, in half points."""
    total = 0
    for game in games:
        if game.black is None:
            total += BYES[game.result] if game.white == number else 0
        elif number in (game.white, game.black):
            total += SCORES[game.result][number == game.black]
    return total
