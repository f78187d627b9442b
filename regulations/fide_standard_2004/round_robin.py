"""Articles 10.21b, 10.25 and 10.51: round robins, where unrated players count as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable
from regulations.exact import half_up, mean, mean_text, show, sum_text
from regulations.fide_standard_2004 import rating as single
from regulations.fide_standard_2004.parameters import Parameters
from regulations.model import EventPlayer, PlayerResult, Step, Uncounted


@dataclass(frozen=True, slots=True)
class Average:
    """The tournament average Ra and what it came from; ``ru`` holds the first Ru of each unrated player."""

    opponents: int
    meetings: int
    ratings: Mapping[str, int]
    ra: Fraction
    ru: Mapping[str, Fraction]
    steps: tuple[Step, ...]

    def rating(self, player: str) -> int | Fraction:
        """What a player counts for as an opponent: the rating, or Ru of an unrated one."""
        return self.ratings[player] if player in self.ratings else self.ru[player]


def results(
    p: Parameters, table: Crosstable, meetings: int
) -> tuple[tuple[PlayerResult, ...], Fraction | None]:
    """Everybody's result, and Ra where unrated players took part."""
    seen = {
        player.id: rating
        for player in table.participants
        if (rating := single.seen_by_opponents(player)) is not None
    }
    games = games_that_count(p, table, seen)
    if not any(games[player].lines for player in seen):
        return tuple(
            single.no_result(p, player, games[player.id].uncounted if player.id in games else ())
            for player in table.players.values()
        ), None
    average = tournament_average(p, games, seen, meetings)
    found = []
    for player in table.players.values():
        if player.rated_since_event and player.rating is not None and player.id in games:
            own = {**seen, player.id: player.rating}  # 10.4: rated for himself only
            own_games = games_that_count(p, table, own)
            found.append(player_result(p, player, own_games, tournament_average(p, own_games, own, meetings)))
        else:
            found.append(player_result(p, player, games, average))
    unrated = len(seen) < len(table.participants)
    return tuple(found), average.ra if unrated else None


def games_that_count(
    p: Parameters, table: Crosstable, ratings: Mapping[str, int]
) -> dict[str, single.Counted]:
    """6.1: an unrated player with zero or half a point, and all games with him, are disregarded."""
    dropped = {
        player.id
        for player in table.participants
        if player.id not in ratings
        and sum(line.score for line in table.lines[player.id] if not line.why_unplayed) <= p.dropped_score
    }
    found = {}
    for player in table.participants:
        lines, uncounted = [], []
        for line in table.lines[player.id]:
            reason = single.unplayed(line)
            if reason is None and player.id in dropped:
                reason = Uncounted(line.round, line.opponent, "6.1", "zero or half a point in the event")
            elif reason is None and line.opponent in dropped:
                reason = Uncounted(
                    line.round,
                    line.opponent,
                    "6.1",
                    "unrated opponent with zero or half a point in the event",
                )
            if reason is None:
                lines.append(line)
            else:
                uncounted.append(reason)
        found[player.id] = single.Counted(tuple(lines), tuple(uncounted))
    return found


def tournament_average(
    p: Parameters, games: Mapping[str, single.Counted], ratings: Mapping[str, int], meetings: int
) -> Average:
    """10.21b: Ra = Rar - dpa × n/(n+1); without unrated players simply the average."""
    players = [player for player, own in games.items() if own.lines]
    rated = {player: ratings[player] for player in players if player in ratings}
    unrated = [player for player in players if player not in ratings]
    n = len(players) - 1
    rar = mean(list(rated.values()))
    if not unrated:
        steps = (Step("10.51", "Ra", show(rar), mean_text(list(rated.values()))),)
        return Average(n, meetings, rated, rar, {}, steps)
    dps = [
        tables.dp(tables.hundredths(games[player].score, len(games[player].lines)), p.dp_certain)
        for player in rated
    ]
    dpa = mean(dps)
    exact = rar - dpa * n / (n + 1)
    ra = Fraction(half_up(exact)) if p.ra_whole else exact
    whole = f" = {show(exact)}, rounded" if p.ra_whole and ra != exact else ""
    steps = (
        Step("10.21b", "Rar", show(rar), mean_text(list(rated.values()))),
        Step("10.21b", "dpa", show(dpa), mean_text(dps)),
        Step("10.21b", "Ra", show(ra), f"{show(rar)} - {show(dpa)} × {n}/{n + 1}{whole}"),
    )
    ru = {
        player: _whole(p, single.performance(p, ra, games[player].score, len(games[player].lines), n)[0])
        for player in unrated
    }
    return Average(n, meetings, rated, ra, ru, steps)


def player_result(
    p: Parameters, player: EventPlayer, games: Mapping[str, single.Counted], average: Average
) -> PlayerResult:
    """One player's change or performance."""
    own = games.get(player.id, single.Counted((), ()))
    if not own.lines:
        return single.no_result(p, player, own.uncounted)
    if player.id in average.ratings:
        return rated_player(p, player, own, average)
    return unrated_player(p, player, own, average)


def rated_player(p: Parameters, player: EventPlayer, own: single.Counted, average: Average) -> PlayerResult:
    """10.51: Rc = (Ra (n+1) - R)/n, then the limit of 350 points for each opponent."""
    rating, n = player.rating or 0, average.opponents
    rc = _whole(p, (average.ra * (n + 1) - rating) / n)
    text = f"({show(average.ra)} × {n + 1} - {rating})/{n}"
    steps = (*average.steps, Step("10.51", "Rc", show(rc), text))
    rc, used, steps = limited(p, rating, rc, own, average, steps, "Rc")
    return single.rated_result(p, player, own, single.counted_games(own, used, "10.21b"), rc, steps)


def unrated_player(p: Parameters, player: EventPlayer, own: single.Counted, average: Average) -> PlayerResult:
    """10.22-10.25: Ru with Rc = Ra, then the limit of 350 points for each opponent."""
    _, step = single.performance(p, average.ra, own.score, len(own.lines), average.opponents)
    steps = (*average.steps, Step("10.21b", "Rc", show(average.ra), "Ra"), step)
    first = average.ru[player.id]
    ru, used, steps = limited(p, first, first, own, average, steps, "Ru")
    counted = single.counted_games(own, used, "10.21b")
    return single.unrated_result(p, player, own, counted, ru, steps)


def limited(
    p: Parameters,
    own_rating: int | Fraction,
    value: Fraction,
    own: single.Counted,
    average: Average,
    steps: tuple[Step, ...],
    label: str,
) -> tuple[Fraction, list[int | Fraction], tuple[Step, ...]]:
    """10.51 with FIDE's example 10.58: one pass that moves each opponent beyond 350 points to 350
    and shifts ``value`` (Rc or Ru) by the average of these corrections."""
    ratings = [average.rating(line.opponent or "") for line in own.lines]
    if not p.limit_in_round_robin:
        return value, ratings, steps
    used = [single.limited_opponent(p, own_rating, rating) for rating in ratings]
    shifts = [a - b for a, b in zip(used, ratings, strict=True) if a != b]
    if not shifts:
        return value, used, steps
    games = average.opponents * average.meetings
    exact = value + Fraction(sum(shifts)) / games
    final = _whole(p, exact)
    text = f"{show(value)} + ({sum_text(shifts)})/{games}: differences over {p.difference_limit}"
    return final, used, (*steps, Step("10.51", label, show(final), text))


def _whole(p: Parameters, value: Fraction) -> Fraction:
    """The worked example rounds Rc and Ru at each step; the text does not say so."""
    return Fraction(half_up(value)) if p.round_robin_whole else value
