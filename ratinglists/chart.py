"""The geometry of a rating history: lists by date across, ratings upwards. The template draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from players.languages.texts import said

WIDTH, HEIGHT = 760, 280
LEFT, RIGHT, TOP, BOTTOM = 56, 36, 16, 34
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MAX_LABELS = 7
#: dots of one line that lie closer together are left out; of many lines, the more room for each line
_GAP, _GAP_PER_LINE = 6, 2


@dataclass(frozen=True, slots=True)
class Reading:
    """A player's rating on one list; ``rating`` None breaks the line. ``printed`` is how that list
    prints it, where not in full."""

    day: date
    rating: int | None
    note: str = ""
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int
    title: str


@dataclass(slots=True)
class Series:
    name: str
    style: str
    points: list[Point] = field(default_factory=list)
    #: unbroken stretches, each as the text of an SVG polyline's ``points``
    lines: list[str] = field(default_factory=list)
    #: have dots been left out, where they would cover each other?
    thinned: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    at: int
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    series: tuple[Series, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM

    @property
    def thinned(self) -> bool:
        return any(series.thinned for series in self.series)


def draw(histories: dict[str, Sequence[Reading]]) -> Chart | None:
    """A chart of one line for each system; None if there is no rating to show."""
    rated = [r for readings in histories.values() for r in readings if r.rating is not None]
    if not rated:
        return None
    low, high, step = _range([r.rating for r in rated])
    first, last = min(r.day for r in rated), max(r.day for r in rated)

    def x(day: date) -> int:
        if first == last:
            return (LEFT + WIDTH - RIGHT) // 2
        return LEFT + (WIDTH - LEFT - RIGHT) * (day - first).days // (last - first).days

    def y(rating: int) -> int:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (rating - low) // (high - low)

    shown = {
        name: (f"series-{number % 4 + 1}", readings)
        for number, (name, readings) in enumerate(histories.items())
        if any(r.rating is not None for r in readings)
    }
    gap = max(_GAP, _GAP_PER_LINE * len(shown))
    series = [_series(name, style, readings, x, y, gap) for name, (style, readings) in shown.items()]
    return Chart(
        tuple(series),
        tuple(Tick(x(day), label) for day, label in _dates(sorted({r.day for r in rated}))),
        tuple(Tick(y(rating), str(rating)) for rating in range(low, high + 1, step)),
    )


def _series(name: str, style: str, readings: Sequence[Reading], x, y, gap: int) -> Series:
    made, stretch = Series(name, style), []
    for reading in sorted(readings, key=lambda r: r.day):
        if reading.rating is None:
            made.lines.append(" ".join(stretch))
            stretch = []
            continue
        shown = reading.printed or reading.rating
        point = Point(
            x(reading.day), y(reading.rating), f"{name}, {said(reading.day)}: {shown}{reading.note}"
        )
        made.points.append(point)
        stretch.append(f"{point.x},{point.y}")
    made.lines.append(" ".join(stretch))
    made.lines = [line for line in made.lines if " " in line]
    dots = _apart(made.points, gap)
    made.thinned, made.points = len(dots) < len(made.points), dots
    return made


def _apart(points: list[Point], gap: int) -> list[Point]:
    """The first, the last, the highest and the lowest point, and of the others those that leave room."""
    if not points:
        return []
    always = {0, len(points) - 1}
    always |= {choose(range(len(points)), key=lambda n: points[n].y) for choose in (min, max)}
    kept: list[Point] = []
    for number, point in enumerate(points):
        if number in always or point.x - kept[-1].x >= gap:
            kept.append(point)
    return kept


def _range(ratings: list[int]) -> tuple[int, int, int]:
    """The lowest and highest grid line and the distance of two, at most six apart."""
    low, high = min(ratings), max(ratings)
    for step in _STEPS:
        bottom, top = low // step * step, -(-high // step) * step
        top = top if top > bottom else bottom + step
        if (top - bottom) // step <= 6:
            return bottom, top, step
    return 0, -(-high // 1000) * 1000, 1000


def _dates(days: list[date]) -> list[tuple[date, str]]:
    """Years where the history is long enough for them, else dates of lists."""
    first, last = days[0], days[-1]
    years = [date(year, 1, 1) for year in range(first.year, last.year + 1)]
    years = [day for day in years if first <= day <= last]
    if len(years) >= 3:
        every = -(-len(years) // _MAX_LABELS)
        return [(day, str(day.year)) for day in years[::every]]
    every = -(-len(days) // _MAX_LABELS)
    return [(day, f"{day:%Y-%m}") for day in days[::every]]
