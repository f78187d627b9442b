"""The geometry of means with their intervals side by side, and a line at 0. The template draws it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ratinglists.chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Tick
from regulations.exact import half_up, show
from tournaments.exact import MINUS

_MOST_LINES, _MOST_LABELS = 7, 9


@dataclass(frozen=True, slots=True)
class Value:
    """A mean with its interval, as it is to be drawn; ``title`` says it in words."""

    label: str
    mean: Fraction
    low: Fraction | None
    high: Fraction | None
    title: str
    sign: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """``low`` and ``high`` are heights too, None where there is no interval."""

    x: int
    y: int
    low: int | None
    high: int | None
    title: str
    style: str


@dataclass(frozen=True, slots=True)
class Whiskers:
    marks: tuple[Mark, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    zero: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def draw(values: Sequence[Value]) -> Whiskers | None:
    """A chart of the values in their order; None if there are none."""
    if not values:
        return None
    ends = [end for v in values for end in (v.mean, v.low, v.high) if end is not None]
    low, high, step = _range(min(0, *ends), max(0, *ends))

    def x(place: int) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * (2 * place + 1) // (2 * len(values))

    def y(value: Fraction | None) -> int | None:
        if value is None:
            return None
        return HEIGHT - BOTTOM - half_up((HEIGHT - TOP - BOTTOM) * (value - low) / (high - low))

    every = -(-len(values) // _MOST_LABELS)
    lines = range(int((high - low) / step) + 1)
    return Whiskers(
        marks=tuple(
            Mark(x(place), y(v.mean), y(v.low), y(v.high), v.title, "series-2" if v.sign else "series-1")
            for place, v in enumerate(values)
        ),
        across=tuple(Tick(x(place), v.label) for place, v in enumerate(values) if place % every == 0),
        upwards=tuple(Tick(y(low + step * n), show(low + step * n).replace("-", MINUS)) for n in lines),
        zero=y(Fraction(0)),
    )


def _range(low: Fraction | int, high: Fraction | int) -> tuple[Fraction, Fraction, Fraction]:
    """The lowest and highest grid line and the distance of two: 1, 2 or 5 of a decimal place."""
    for step in _steps():
        bottom, top = low // step, max(-(-high // step), low // step + 1)
        if top - bottom < _MOST_LINES:
            return bottom * step, top * step, step
    raise AssertionError("steps never end")


def _steps() -> Iterator[Fraction]:
    step = Fraction(1, 100)
    while True:
        yield from (step, 2 * step, 5 * step)
        step *= 10
