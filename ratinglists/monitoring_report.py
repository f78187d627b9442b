"""The figures of monitoring in words and digits: the lines of the tables, the charts and the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from players.listformats.spreadsheets import Figure, line
from ratinglists.monitoring import Figures
from ratinglists.whiskers import Value, Whiskers, draw
from regulations.exact import half_up, show
from regulations.monitoring import LEAST_OBSERVATIONS, Band, Estimate, Flow, Reading
from tournaments.exact import MINUS, signed

#: decimals of mean ratings and of mean scores
RATING_PLACES, SCORE_PLACES = 1, 3
COLUMNS = ("figure", "of", "n", "reference", "observed", "difference", "low", "high", "sign")


def digits(value: Fraction | int | None, places: int, *, plus: bool = False) -> str:
    """For people, with so many decimals, half up; ``plus`` gives a positive number its sign."""
    if value is None:
        return ""
    scaled = half_up(Fraction(value) * 10**places)
    sign = MINUS if scaled < 0 else "+" if plus and scaled > 0 else ""
    text = f"{abs(scaled):0{places + 1}d}"
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else sign + text


@dataclass(frozen=True, slots=True)
class Line:
    """A mean observed beside the one to be expected, and what the difference says."""

    label: str
    n: int
    reference: str
    observed: str
    difference: str
    low: str
    high: str
    verdict: str
    sign: bool


def _line(
    label: str, reference: Fraction | None, observed: Fraction | None, of: Estimate, places: int
) -> Line:
    return Line(
        label,
        of.n,
        digits(reference, places),
        digits(observed, places),
        digits(of.mean, places, plus=True),
        digits(of.low, places, plus=True),
        digits(of.high, places, plus=True),
        verdict(of),
        of.is_sign(),
    )


def verdict(of: Estimate) -> str:
    if of.n < LEAST_OBSERVATIONS:
        return "too few to tell"
    if of.half_width is None:
        return "all alike, no interval"
    if not of.is_sign():
        return "within chance"
    return "higher" if of.mean > 0 else "lower"


def group_lines(readings: Iterable[Reading]) -> list[Line]:
    return [_line(str(r.label), r.start_mean, r.mean, r.difference, RATING_PLACES) for r in readings]


def band_lines(bands: Iterable[Band]) -> list[Line]:
    return [_line(b.label, b.expected, b.actual, b.difference, SCORE_PLACES) for b in bands]


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A line of the balance: ``points`` with its sign where it adds or takes away."""

    key: str
    label: str
    players: int | None
    points: str
    mean: str
    total: bool = False


def flow_lines(flow: Flow | None) -> list[FlowLine]:
    """From the total of one list to that of the next; the points add up."""
    if flow is None:
        return []

    def share(key: str, label: str, of, sign: int = 0) -> FlowLine:
        points = digits(sign * of.points, 0, plus=True) if sign else str(of.points)
        return FlowLine(key, label, of.players, points, digits(of.mean, RATING_PLACES), not sign)

    def change(key: str, label: str, points: Fraction) -> FlowLine:
        stayed = flow.stayed.players
        mean = digits(points / stayed, RATING_PLACES + 1, plus=True) if stayed else ""
        return FlowLine(key, label, stayed, signed(show(points)), mean)

    return [
        share("before", "List before", flow.before),
        share("newcomers", "Newcomers", flow.newcomers, 1),
        share("returned", "Rated again", flow.returned, 1),
        share("departures", "No longer rated", flow.departures, -1),
        change("computed", "Changes of those who stayed, as computed", flow.computed),
        change("rounding", "Rounding of these", flow.rounding),
        share("after", "This list", flow.after),
    ]


# --- charts ---------------------------------------------------------------------------------------


def chart_of(lines: list[Line], estimates: list[Estimate], labels: list[str], what: str) -> Whiskers | None:
    """One mark for each line that has a mean; the titles say what the table says."""
    return draw(
        [
            Value(
                label,
                of.mean,
                of.low,
                of.high,
                f"{line.label}: {line.difference} {what}{_span(line)}",
                line.sign,
            )
            for line, of, label in zip(lines, estimates, labels, strict=True)
            if of.mean is not None
        ]
    )


def _span(line: Line) -> str:
    return f" ({line.low} to {line.high})" if line.low else ""


def short_label(band: Band) -> str:
    if band.low is None:
        return "" if band.high is None else f"<{band.high + 1}"
    return f"{band.low}+" if band.high is None else f"{band.low}–{band.high}"


@dataclass(frozen=True, slots=True)
class Section:
    """A table of estimates with its chart."""

    key: str
    lines: list[Line]
    chart: Whiskers | None

    @property
    def signs(self) -> list[Line]:
        return [line for line in self.lines if line.sign]


def group_section(found: Figures) -> Section:
    lines = group_lines(found.group)
    estimates = [r.difference for r in found.group]
    return Section("group", lines, chart_of(lines, estimates, [line.label[:7] for line in lines], "points"))


def band_section(key: str, bands: tuple[Band, ...]) -> Section:
    lines = band_lines(bands)
    labels = [short_label(band) for band in bands]
    return Section(key, lines, chart_of(lines, [b.difference for b in bands], labels, "a game"))


# --- file -----------------------------------------------------------------------------------------


def csv_rows(found: Figures) -> Iterator[bytes]:
    """All figures as one table, four decimals: UTF-8, RFC 4180, the header row first."""
    yield line(COLUMNS)
    for reading in found.group:
        yield line(_cells("group", str(reading.label), reading.start_mean, reading.mean, reading.difference))
    for key, bands in (("difference", found.scores.by_difference), ("rating", found.scores.by_rating)):
        for band in bands:
            yield line(_cells(key, band.label, band.expected, band.actual, band.difference))
    for each in flow_lines(found.flow):
        yield line(("flow", each.key, each.players, "", _figure(each.points.lstrip("+")), "", "", "", ""))


def _cells(key: str, label: str, reference: Fraction | None, observed: Fraction | None, of: Estimate):
    numbers = (_figure(digits(value, 4)) for value in (reference, observed, of.mean, of.low, of.high))
    return (key, label, of.n, *numbers, "yes" if of.is_sign() else "no")


def _figure(text: str) -> Figure:
    return Figure(text.replace(MINUS, "-"))
