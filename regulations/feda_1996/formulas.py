"""Articles 9.1, 9.2, 9.5 and 9.56: ratings as an event sees them, Ru, We and K."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from regulations import tables
from regulations.crosstable import Crosstable, Line
from regulations.exact import half_away, half_up, show
from regulations.feda_1996.parameters import Parameters
from regulations.model import CountedGame, EventPlayer, Step, Uncounted

ZERO = Fraction(0)
#: p in hundredths where 9.1 leaves dp open
UNDEFINED = (0, 100)


@dataclass(frozen=True, slots=True)
class Seen:
    """An event as its players are rated: ``ratings`` as opponents, ``dropped`` by 7.1."""

    ratings: Mapping[str, int]
    dropped: frozenset[str]


@dataclass(frozen=True, slots=True)
class Part:
    """What one phase of an event means for a player: W and We of a rated one, Ru of an unrated one."""

    games: int = 0
    score: Fraction = ZERO
    ra: Fraction | None = None
    expected: Fraction = ZERO
    ru: Fraction | None = None
    counted: tuple[CountedGame, ...] = ()
    uncounted: tuple[Uncounted, ...] = ()
    steps: tuple[Step, ...] = ()


def is_foreign(player: EventPlayer) -> bool:
    """9.56: not affiliated; where that is not known, whoever has a FIDE rating only."""
    if player.affiliated is None:
        return player.rating is None and player.fide_rating is not None
    return not player.affiliated


def seen_by_opponents(player: EventPlayer) -> int | None:
    """9.56: a foreigner counts with his FIDE rating. Who got a rating only since the event is unrated
    for the opponents."""
    if is_foreign(player):
        return player.fide_rating
    return None if player.rated_since_event else player.rating


def own_rating(p: Parameters, player: EventPlayer) -> int | None:
    """The rating that a player's own change is computed from."""
    if is_foreign(player) or (player.rated_since_event and not p.rated_since_event):
        return None
    return player.rating


def seen(table: Crosstable, himself: EventPlayer | None = None) -> Seen:
    """The event as everybody sees it; ``himself`` is rated in it for his own result."""
    ratings = {
        player.id: rating
        for player in table.players.values()
        if (rating := seen_by_opponents(player)) is not None
    }
    if himself is not None and himself.rating is not None:
        ratings[himself.id] = himself.rating
    dropped = {
        player.id
        for player in table.participants
        if player.id not in ratings and scores_nothing(table.lines[player.id])
    }
    return Seen(ratings, frozenset(dropped))


def scores_nothing(lines: Sequence[Line]) -> bool:
    """7.1: no half point in any game really played."""
    return not any(line.score for line in lines if not line.why_unplayed)


def split(
    player: str, lines: Sequence[Line], sight: Seen, opponents: Collection[str]
) -> tuple[list[Line], list[Uncounted]]:
    """6.1: not played; 7.1: an unrated player's zero; 7.4: an opponent who has no number here."""
    counting, uncounted = [], []
    for line in lines:
        article, reason = "", ""
        if line.why_unplayed:
            article, reason = "6.1", line.why_unplayed
        elif player in sight.dropped:
            article, reason = "7.1", "zero in the event"
        elif line.opponent in sight.dropped:
            article, reason = "7.1", "unrated opponent with zero in the event"
        elif line.opponent not in opponents:
            article, reason = "7.4", "unrated opponent"
        if reason:
            uncounted.append(Uncounted(line.round, line.opponent, article, reason))
        else:
            counting.append(line)
    return counting, uncounted


def without(lines: Sequence[Line], uncounted: Sequence[Uncounted], article: str, reason: str) -> Part:
    """A part in which these games do not count either."""
    more = [Uncounted(line.round, line.opponent, article, reason) for line in lines]
    return Part(uncounted=in_rounds((*uncounted, *more)))


def in_rounds(uncounted: Sequence[Uncounted]) -> tuple[Uncounted, ...]:
    """Uncounted games in the order in which they were played."""
    return tuple(sorted(uncounted, key=lambda each: each.round))


def total(lines: Sequence[Line]) -> Fraction:
    """W: the points of these games."""
    return sum((line.score for line in lines), ZERO)


def counted_games(
    lines: Sequence[Line], ratings: Sequence[int | Fraction], article: str
) -> tuple[CountedGame, ...]:
    """The counted games with the rating that each opponent counted for."""
    return tuple(
        CountedGame(line.round, line.opponent or "", line.white, line.score, rating, article=article)
        for line, rating in zip(lines, ratings, strict=True)
    )


def performance(
    p: Parameters, ra: int | Fraction, score: Fraction, games: int, opponents: int | None = None
) -> tuple[Fraction | None, Step]:
    """9.22-9.25: Ru; None at 0 %, where 9.1 has no dp. ``opponents`` is n of a round robin, None for a
    Swiss or team tournament."""
    above = 2 * score - games
    if above == 0:
        return Fraction(ra), Step("9.22", "Ru", show(ra), f"{show(ra)}, at 50 %")
    if above > 0:
        ru = ra + p.half_point_bonus * above
        return ru, Step("9.23", "Ru", show(ru), f"{show(ra)} + {show(p.half_point_bonus)} × {show(above)}")
    share = tables.hundredths(score, games)
    if share in UNDEFINED:
        return None, Step("9.1", "Ru", "none", "dp is not defined at 0 %")
    dp, p_text = tables.dp(share), f"p {show(Fraction(share, 100))}"
    if opponents is None:
        ru = Fraction(ra + dp)
        return ru, Step("9.24", "Ru", show(ru), f"{show(ra)} - {-dp}, {p_text}")
    ru = ra + Fraction(dp * opponents, opponents + 1)
    return ru, Step("9.25", "Ru", show(ru), f"{show(ra)} - {-dp} × {opponents}/{opponents + 1}, {p_text}")


def expected_share(
    p: Parameters, rating: int, ra: int | Fraction, *, limit: bool
) -> tuple[Fraction, tuple[Step, ...]]:
    """9.52: D = R - Ra to a whole number, and PD; ``limit``: at most 350 points (9.51)."""
    exact = half_away(rating - ra)
    d = tables.limited(exact, p.difference_limit) if limit else exact
    share = tables.expected(d)
    text = f"{rating} - {show(ra)}, to a whole number"
    steps = [Step("9.52", "D", str(exact), text)]
    if d != exact:
        steps.append(Step("9.51", "D", str(d), f"not more than {p.difference_limit} points"))
    return share, (*steps, Step("9.1.c", "PD", show(share), f"D {d}"))


def limited_opponent(p: Parameters, own: int, opponent: int | Fraction) -> int | Fraction:
    """9.51: an opponent further away than 350 points counts as 350 points away."""
    return own - tables.limited(own - opponent, p.difference_limit)


def to_step(p: Parameters, rating: int | Fraction) -> int:
    """9.32, 9.55: the nearest multiple of 5, half up."""
    return p.rounding_step * half_up(Fraction(rating) / p.rounding_step)


def change_steps(
    score: Fraction, expected: Fraction, games: int, k: int, why: str
) -> tuple[Fraction, tuple[Step, ...]]:
    """9.53: K (W - We)."""
    change = k * (score - expected)
    return change, (
        Step("9.53", "W", show(score), f"{games} games"),
        Step("9.53.a", "K", str(k), why),
        Step("9.53", "change", show(change), f"{k} × ({show(score)} - {show(expected)})"),
    )


def k_factor(p: Parameters, games: int | None, rating: int | None, reached: bool | None) -> tuple[int, str]:
    """9.53.a: 25 until 30 games are completed; 10 for good once the published rating reached 2200;
    else 15. Unknown games mean 30 for a rated player, an unknown past means the present rating."""
    if games is None:
        games = 0 if rating is None else p.k_new_games
    if games < p.k_new_games:
        return p.k_new, f"{games} of {p.k_new_games} games"
    if reached or (rating is not None and rating >= p.k_strong_rating):
        return p.k_strong, f"published rating has reached {p.k_strong_rating}"
    return p.k_normal, f"below {p.k_strong_rating}, {p.k_new_games} games or more"
