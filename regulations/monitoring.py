"""Does the scale of a system drift? Figures for its administrator (A 12.3, B 10.3, FEDA 11.1).

The texts ask for the detection of drift and, but for FEDA's group of leading players, leave the means
open. Here are three: a fixed group followed from list to list, the scores that ratings promise against
those that were made, and the points that come into a list and leave it. All figures are exact; an
interval is one of 95 % by the normal approximation, its root taken to ``ROOT_DIGITS`` digits and upwards,
so that it is never too narrow. Observations without any spread have no interval: thirty wins in thirty
games do not show that the thirty-first is certain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

#: of the standard normal distribution, for 95 % on both sides together
NORMAL_QUANTILE = Fraction(196, 100)
#: decimal digits of a square root
ROOT_DIGITS = 6
#: with fewer observations the normal approximation says little
LEAST_OBSERVATIONS = 30
#: FEDA 11.1: the first 50 of the ranking, for instance
GROUP_SIZE = 50
#: from how many points on each band of rating differences runs
DIFFERENCE_BORDERS = (0, 50, 100, 150, 200, 300, 400)
#: from which rating on each band of players runs
RATING_BORDERS = (1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600)


# --- estimates ------------------------------------------------------------------------------------


def root(value: Fraction, digits: int = ROOT_DIGITS) -> Fraction:
    """The least number of so many decimals that is not below the square root."""
    scale = 10**digits
    scaled = value * scale * scale
    least = -(-scaled.numerator // scaled.denominator)
    whole = isqrt(least)
    return Fraction(whole + (whole * whole < least), scale)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of ``n`` observations and how far off it may be; None where there is nothing to tell by."""

    n: int
    mean: Fraction | None
    half_width: Fraction | None = None

    @property
    def low(self) -> Fraction | None:
        return None if self.mean is None or self.half_width is None else self.mean - self.half_width

    @property
    def high(self) -> Fraction | None:
        return None if self.mean is None or self.half_width is None else self.mean + self.half_width

    @property
    def excludes_zero(self) -> bool:
        """Is 0 outside the interval?"""
        return self.half_width is not None and abs(self.mean or 0) > self.half_width

    def is_sign(self, least: int = LEAST_OBSERVATIONS) -> bool:
        """Is this a sign of drift: 0 outside the interval, and observations enough?"""
        return self.n >= least and self.excludes_zero


def estimate(values: Iterable[int | Fraction]) -> Estimate:
    """The mean of independent observations with its interval."""
    return clustered(Counter((Fraction(value), 1) for value in values))


def clustered(clusters: Mapping[tuple[Fraction, int], int]) -> Estimate:
    """The mean of observations that are independent only between clusters (two players of one game).

    ``clusters`` counts how often a cluster of that sum and that many observations occurs. Clusters of
    one give the familiar s²/n.
    """
    number = sum(clusters.values())
    n = sum(size * times for (_, size), times in clusters.items())
    if not n:
        return Estimate(0, None)
    mean = sum((total * times for (total, _), times in clusters.items()), Fraction(0)) / n
    squares = sum(
        ((total - mean * size) ** 2 * times for (total, size), times in clusters.items()), Fraction(0)
    )
    if not squares:  # one alone, or all alike: nothing tells how far off the mean may be
        return Estimate(n, mean)
    variance = squares * number / ((number - 1) * n * n)
    return Estimate(n, mean, NORMAL_QUANTILE * root(variance))


# --- a fixed group over the lists (FEDA 11.1) -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """The group on one list: those of it who are still rated, beside themselves on the starting list."""

    label: Hashable
    still_rated: int
    mean: Fraction | None
    start_mean: Fraction | None
    #: of each member's rating against his own at the start
    difference: Estimate


def leading(ratings: Mapping[Hashable, int], size: int = GROUP_SIZE) -> tuple[Hashable, ...]:
    """The first players of a list; equal ratings in the order of the list."""
    return tuple(sorted(ratings, key=lambda player: -ratings[player])[:size])


def follow(
    lists: Sequence[tuple[Hashable, Mapping[Hashable, int]]], size: int = GROUP_SIZE
) -> tuple[Reading, ...]:
    """FEDA 11.1: the leading players of the first list on each list; who is not rated is left out."""
    if not lists:
        return ()
    start = lists[0][1]
    group = leading(start, size)
    return tuple(_reading(label, ratings, start, group) for label, ratings in lists)


def _reading(
    label: Hashable, ratings: Mapping[Hashable, int], start: Mapping[Hashable, int], group: Iterable[Hashable]
) -> Reading:
    rated = [player for player in group if player in ratings]
    return Reading(
        label,
        len(rated),
        _mean(sum(ratings[player] for player in rated), len(rated)),
        _mean(sum(start[player] for player in rated), len(rated)),
        estimate(ratings[player] - start[player] for player in rated),
    )


def _mean(total: int | Fraction, number: int) -> Fraction | None:
    return Fraction(total) / number if number else None


# --- expected against actual scores ---------------------------------------------------------------


class Game(NamedTuple):
    """A counted game of two rated players from the side of one of them."""

    rating: int
    opponent: int
    expected: Fraction
    score: Fraction

    def turned(self) -> Game:
        """The same game from the other side."""
        return Game(self.opponent, self.rating, 1 - self.expected, 1 - self.score)

    def from_above(self) -> Game:
        """From the side of the higher rated; of equals from the side that was given."""
        return self.turned() if self.opponent > self.rating else self


@dataclass(frozen=True, slots=True)
class Band:
    """The games or players from ``low`` to ``high`` points; None: no border on that side."""

    low: int | None
    high: int | None
    expected: Fraction
    actual: Fraction
    #: actual minus expected score of a game
    difference: Estimate

    @property
    def n(self) -> int:
        return self.difference.n

    @property
    def label(self) -> str:
        if self.low is None:
            return "all" if self.high is None else f"below {self.high + 1}"
        return f"{self.low} and more" if self.high is None else f"{self.low} to {self.high}"


class _Sums:
    """What a band adds up: scores, and the differences game by game."""

    def __init__(self) -> None:
        self.expected = self.actual = Fraction(0)
        self.clusters: Counter[tuple[Fraction, int]] = Counter()

    def add(self, sides: Sequence[Game], times: int) -> None:
        self.expected += sum(side.expected for side in sides) * times
        self.actual += sum(side.score for side in sides) * times
        gained = sum((side.score - side.expected for side in sides), Fraction(0))
        self.clusters[gained, len(sides)] += times


def by_difference(games: Iterable[Game], borders: Sequence[int] = DIFFERENCE_BORDERS) -> tuple[Band, ...]:
    """Each game once, from the side of the higher rated, by the difference of the ratings."""
    sums: dict[int, _Sums] = {}
    for (place, _), (given, times) in _alike(
        games, lambda rating, opponent: (bisect_right(borders, abs(rating - opponent)), rating < opponent)
    ):
        sums.setdefault(place, _Sums()).add([given.from_above()], times)
    return _bands(sums, borders)


def by_rating(games: Iterable[Game], borders: Sequence[int] = RATING_BORDERS) -> tuple[Band, ...]:
    """Each player's side of each game by his rating. A game of two players of one band counts there
    for both, and as one observation for the interval: what one gains is what the other loses."""
    sums: dict[int, _Sums] = {}
    for places, (game, times) in _alike(
        games, lambda rating, opponent: (bisect_right(borders, rating), bisect_right(borders, opponent))
    ):
        sides: dict[int, list[Game]] = {}
        for place, side in zip(places, (game, game.turned()), strict=True):
            sides.setdefault(place, []).append(side)
        for place, together in sides.items():
            sums.setdefault(place, _Sums()).add(together, times)
    return _bands(sums, borders)


def _alike(
    games: Iterable[Game], places: Callable[[int, int], tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], tuple[Game, int]]]:
    """Games that are alike for their places, as one of them and their number: a list has so many games
    that adding fractions up one by one would take a minute."""
    found: dict[tuple[int, ...], tuple[Game, int]] = {}
    for game in games:
        rating, opponent, expected, score = game
        place = places(rating, opponent)
        key = (*place, expected.numerator, expected.denominator, score.numerator, score.denominator)
        found[key] = (game, found[key][1] + 1 if key in found else 1)
    return (((key[0], key[1]), alike) for key, alike in found.items())


def _bands(sums: Mapping[int, _Sums], borders: Sequence[int]) -> tuple[Band, ...]:
    bands = []
    for place, found in sorted(sums.items()):
        difference = clustered(found.clusters)
        bands.append(
            Band(
                borders[place - 1] if place else None,
                borders[place] - 1 if place < len(borders) else None,
                found.expected / difference.n,
                found.actual / difference.n,
                difference,
            )
        )
    return tuple(bands)


def signs(bands: Iterable[Band], least: int = LEAST_OBSERVATIONS) -> tuple[Band, ...]:
    """The bands whose interval excludes 0, of those with observations enough."""
    return tuple(band for band in bands if band.difference.is_sign(least))


# --- points that come and go ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """Some players of a list and the sum of their ratings."""

    players: int
    points: int

    @property
    def mean(self) -> Fraction | None:
        return _mean(self.points, self.players)


@dataclass(frozen=True, slots=True)
class Flow:
    """The points of one list and of the next, and what lies between."""

    before: Share
    newcomers: Share
    #: not rated on the first list, but on an earlier one
    returned: Share
    departures: Share
    #: those rated on both lists, with their sum on the first
    stayed: Share
    #: of those who stayed, as computed from their games
    computed: Fraction
    #: what printing whole ratings added to that
    rounding: Fraction
    after: Share

    @property
    def changes(self) -> Fraction:
        """What those who stayed have more on the second list."""
        return self.computed + self.rounding

    @property
    def balance(self) -> Fraction:
        """0: every point is accounted for."""
        return (
            self.before.points
            + self.newcomers.points
            + self.returned.points
            - self.departures.points
            + self.changes
            - self.after.points
        )


def flow(
    before: Mapping[Hashable, int],
    after: Mapping[Hashable, int],
    computed: Mapping[Hashable, Fraction],
    once_rated: Collection[Hashable] = frozenset(),
) -> Flow:
    """Inflow and outflow between two lists; ``computed`` holds the changes before rounding, if any, and
    ``once_rated`` who was rated on a list before these two."""
    stayed = [player for player in after if player in before]
    came = {player: rating for player, rating in after.items() if player not in before}
    change = sum((computed[player] for player in stayed if player in computed), Fraction(0))
    printed = sum(after[player] - before[player] for player in stayed)
    return Flow(
        before=_share(before.values()),
        newcomers=_share(came[player] for player in came if player not in once_rated),
        returned=_share(came[player] for player in came if player in once_rated),
        departures=_share(rating for player, rating in before.items() if player not in after),
        stayed=_share(before[player] for player in stayed),
        computed=change,
        rounding=printed - change,
        after=_share(after.values()),
    )


def _share(ratings: Iterable[int]) -> Share:
    points = list(ratings)
    return Share(len(points), sum(points))
