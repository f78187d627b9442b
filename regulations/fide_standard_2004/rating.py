"""Articles 5, 6 and 10: what one event means for each of its players."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_away, mean, mean_text, show
from regulations.fide_standard_2004 import registration, round_robin
from regulations.fide_standard_2004.parameters import Parameters
from regulations.model import (
    CountedGame,
    Event,
    EventPlayer,
    EventResult,
    Finding,
    PlayerResult,
    Step,
    Uncounted,
)

_MEETINGS = {"round-robin": 1, "double-round-robin": 2}


@dataclass(frozen=True, slots=True)
class Counted:
    """The games of one player that count, and those that do not."""

    lines: tuple[Line, ...]
    uncounted: tuple[Uncounted, ...]

    @property
    def score(self) -> Fraction:
        return sum((line.score for line in self.lines), Fraction(0))


def rate(p: Parameters, event: Event) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game."""
    table = Crosstable(event)
    treated_as, findings = treatment(event, table)
    findings += event_findings(p, event, table, treated_as)
    if any(finding.severity == "error" for finding in findings):
        reason = next(finding for finding in findings if finding.severity == "error")
        players = tuple(not_rated(p, table, player, reason.article) for player in table.players.values())
        return EventResult(False, treated_as, tuple(findings), players)
    if treated_as in _MEETINGS:
        results, ra = round_robin.results(p, table, _MEETINGS[treated_as])
        return EventResult(True, treated_as, tuple(findings), results, ra)
    results = tuple(swiss_result(p, table, player) for player in table.players.values())
    return EventResult(True, treated_as, tuple(findings), results)


def treatment(event: Event, table: Crosstable) -> tuple[str, list[Finding]]:
    """6.43: a round robin with an unplayed game is rated as a Swiss tournament."""
    meetings = _MEETINGS.get(event.system)
    if meetings is None or table.every_pair_played(meetings):
        return event.system, []
    text = (
        f"Not every pair played {'its game' if meetings == 1 else 'two games'}: rated as a Swiss tournament."
    )
    return "swiss", [Finding("warning", "treated-as-swiss", "6.43", text, None, "system")]


def event_findings(p: Parameters, event: Event, table: Crosstable, treated_as: str) -> list[Finding]:
    """4.1 and 6.3-6.4 on the event as it was played; 6.5 where the length of a match is not known."""
    findings: list[Finding] = []
    if event.start is not None and event.end is not None:
        findings += registration.duration(p, event.start, event.end, event.flags)
    rated = sum(seen_by_opponents(player) is not None for player in table.participants)
    findings += registration.composition(p, treated_as, len(table.participants), rated, event.flags)
    if event.system == "match" and event.scheduled_games is None:
        text = "The scheduled number of games is not known: games after the match was decided count."
        findings.append(Finding("warning", "scheduled-games-unknown", "6.5", text, None, "rounds"))
    return findings


def seen_by_opponents(player: EventPlayer) -> int | None:
    """10.4: who got a rating only since the event is unrated for the opponents."""
    return None if player.rated_since_event else player.rating


def not_rated(p: Parameters, table: Crosstable, player: EventPlayer, article: str) -> PlayerResult:
    """A player of an event that is not rated: no game counts."""
    uncounted = tuple(
        Uncounted(line.round, line.opponent, article, "event not rated") for line in table.lines[player.id]
    )
    return no_result(p, player, uncounted)


def no_result(p: Parameters, player: EventPlayer, uncounted: tuple[Uncounted, ...]) -> PlayerResult:
    """Nothing counts: a rated player's change is 0, an unrated player's result is not kept."""
    zero = Fraction(0)
    if player.rating is None:
        return PlayerResult(player.id, "unrated", 0, zero, pooled=False, uncounted=uncounted)
    k, _ = development_coefficient(p, player)
    return PlayerResult(player.id, "rated", 0, zero, expected=zero, k=k, change=zero, uncounted=uncounted)


def unplayed(line: Line) -> Uncounted | None:
    """5.1: not played. 6.5: played after the match was decided."""
    if line.why_unplayed:
        return Uncounted(line.round, line.opponent, "5.1", line.why_unplayed)
    if line.decided:
        return Uncounted(line.round, line.opponent, "6.5", "after the match was decided")
    return None


def swiss_games(table: Crosstable, player: EventPlayer) -> Counted:
    """6.4, 6.41: only games against rated opponents count."""
    lines, uncounted = [], []
    for line in table.lines[player.id]:
        reason = unplayed(line)
        if reason is None and seen_by_opponents(table.players[line.opponent or ""]) is None:
            reason = Uncounted(line.round, line.opponent, "6.4", "unrated opponent")
        if reason is None:
            lines.append(line)
        else:
            uncounted.append(reason)
    return Counted(tuple(lines), tuple(uncounted))


def swiss_result(p: Parameters, table: Crosstable, player: EventPlayer) -> PlayerResult:
    """One player of a Swiss or team tournament, a match or a Scheveningen tournament."""
    games = swiss_games(table, player)
    if player.rating is None:
        games = disregarded(p, games)
    if not games.lines:
        return no_result(p, player, games.uncounted)
    ratings = [table.players[line.opponent or ""].rating or 0 for line in games.lines]
    if player.rating is None:
        return swiss_performance(p, player, games, ratings)
    used = [limited_opponent(p, player.rating, rating) for rating in ratings]
    rc = mean(used)
    changed = sum(a != b for a, b in zip(used, ratings, strict=True))
    note = f"; {changed} more than {p.difference_limit} points away" if changed else ""
    steps = (Step("10.51", "Rc", show(rc), mean_text(used) + note),)
    return rated_result(p, player, games, counted_games(games, used, "6.41"), rc, steps)


def limited_opponent(p: Parameters, own: int | Fraction, opponent: int | Fraction) -> int | Fraction:
    """10.51: an opponent further away than 350 points counts as 350 points away."""
    return own - tables.limited(own - opponent, p.difference_limit)


def disregarded(p: Parameters, games: Counted) -> Counted:
    """6.1: zero or half a point; 6.42: fewer than three different rated opponents."""
    if not games.lines:
        return games
    opponents = {line.opponent for line in games.lines}
    if games.score <= p.dropped_score:
        article, reason = "6.1", "zero or half a point in the event"
    elif len(opponents) < p.rated_opponents:
        article, reason = "6.42", f"fewer than {p.rated_opponents} rated opponents"
    else:
        return games
    dropped = tuple(Uncounted(line.round, line.opponent, article, reason) for line in games.lines)
    return Counted((), tuple(sorted((*games.uncounted, *dropped), key=lambda each: each.round)))


def swiss_performance(p: Parameters, player: EventPlayer, games: Counted, ratings: list[int]) -> PlayerResult:
    """10.21a: Rc is the average of the opponents; 10.22-10.24: Ru."""
    rc = mean(ratings)
    ru, step = performance(p, rc, games.score, len(games.lines))
    steps = (Step("10.21a", "Rc", show(rc), mean_text(ratings)), step)
    counted = counted_games(games, ratings, "6.42")
    return unrated_result(p, player, games, counted, ru, steps)


def performance(
    p: Parameters, rc: int | Fraction, score: Fraction, games: int, opponents: int | None = None
) -> tuple[Fraction, Step]:
    """10.22-10.25: Ru. ``opponents`` is n of a round robin, None for a Swiss or team tournament."""
    above = 2 * score - games
    if above == 0:
        return Fraction(rc), Step("10.22", "Ru", show(rc), f"{show(rc)}, at 50 %")
    if above > 0:
        ru = rc + p.half_point_bonus * above
        text = f"{show(rc)} + {show(p.half_point_bonus)} × {show(above)}"
        return ru, Step("10.23", "Ru", show(ru), text)
    share = tables.hundredths(score, games)
    dp = tables.dp(share, p.dp_certain)
    if opponents is None or p.round_robin_low_ru == "1":
        article = "10.24" if opponents is None else "10.25"
        ru = Fraction(rc + dp)
        return ru, Step(article, "Ru", show(ru), f"{show(rc)} - {-dp}, p {show(Fraction(share, 100))}")
    ru = rc + Fraction(dp * opponents, opponents + 1)
    text = f"{show(rc)} - {-dp} × {opponents}/{opponents + 1}, p {show(Fraction(share, 100))}"
    return ru, Step("10.25", "Ru", show(ru), text)


def counted_games(
    games: Counted, used: list[int] | list[int | Fraction], article: str
) -> tuple[CountedGame, ...]:
    """The counted games with the rating that each opponent counted for."""
    return tuple(
        CountedGame(line.round, line.opponent or "", line.white, line.score, rating, article=article)
        for line, rating in zip(games.lines, used, strict=True)
    )


def unrated_result(
    p: Parameters,
    player: EventPlayer,
    games: Counted,
    counted: tuple[CountedGame, ...],
    ru: Fraction,
    steps: tuple[Step, ...],
) -> PlayerResult:
    """10.31: a first performance under 1801 is not kept; 11.31: it is reported all the same."""
    kept = not (player.first_event and below_floor(p, ru))
    if not kept:
        steps += (Step("10.31", "kept", "no", f"first performance under {p.floor}"),)
    return PlayerResult(
        player.id,
        "unrated",
        len(games.lines),
        games.score,
        performance=ru,
        pooled=kept,
        counted=counted,
        uncounted=games.uncounted,
        steps=steps,
    )


def below_floor(p: Parameters, rating: Fraction) -> bool:
    """10.31, 10.32: compared after rounding to a whole number, a half upwards."""
    return 2 * rating + 1 < 2 * p.floor


def rated_result(
    p: Parameters,
    player: EventPlayer,
    games: Counted,
    counted: tuple[CountedGame, ...],
    rc: Fraction,
    steps: tuple[Step, ...],
) -> PlayerResult:
    """10.53, 10.54: D, PD, We and the change K (W - We)."""
    rating, n = player.rating or 0, len(games.lines)
    d = half_away(rating - rc)
    share = tables.expected(d)
    expected = share * n
    k, why = development_coefficient(p, player)
    change = k * (games.score - expected)
    steps += (
        Step("10.53", "D", str(d), f"{rating} - {show(rc)}, to a whole number"),
        Step("10.1b", "PD", show(share), f"D {d}"),
        Step("10.54", "We", show(expected), f"{show(share)} × {n}"),
        Step("10.54", "W", show(games.score), f"{n} games"),
        Step("10.54", "K", str(k), why),
        Step("10.54", "change", show(change), f"{k} × ({show(games.score)} - {show(expected)})"),
    )
    return PlayerResult(
        player.id,
        "rated",
        n,
        games.score,
        rc=rc,
        expected=expected,
        k=k,
        change=change,
        counted=counted,
        uncounted=games.uncounted,
        steps=steps,
    )


def development_coefficient(p: Parameters, player: EventPlayer) -> tuple[int, str]:
    """10.54: K by the list in force, and why."""
    return k_factor(p, player.career_games, player.rating, player.reached_k10)


def k_factor(p: Parameters, games: int | None, rating: int | None, reached: bool | None) -> tuple[int, str]:
    """10.54: 25 until 30 games are completed; 10 for good once the published rating reached 2400;
    else 15. Unknown games mean 30 for a rated player, an unknown past means the present rating."""
    if games is None:
        games = 0 if rating is None else p.k_new_games
    if games < p.k_new_games:
        return p.k_new, f"{games} of {p.k_new_games} games"
    if reached or (rating is not None and rating >= p.k_strong_rating):
        return p.k_strong, f"published rating has reached {p.k_strong_rating}"
    return p.k_normal, f"below {p.k_strong_rating}, {p.k_new_games} games or more"
