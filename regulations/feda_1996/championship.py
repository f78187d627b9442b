"""Article 9.4: a rating for half of the points in a national championship."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regulations.crosstable import Crosstable, Line
from regulations.exact import mean, mean_text, show
from regulations.feda_1996 import formulas
from regulations.feda_1996.parameters import Parameters
from regulations.model import Event, EventPlayer, Step

FLAG = "national-championship"
#: 9.4 speaks of national championships; 7.33, which has the same flag, of the others too
SCOPES = (None, "national", "international")
MEETINGS = {"round-robin": 1, "double-round-robin": 2}


def award(p: Parameters, event: Event, player: EventPlayer) -> tuple[int, int, tuple[Step, ...]] | None:
    """9.4: the rating that an unrated player takes from this event, his games in it, and the steps;
    None where the article gives him none."""
    if FLAG not in event.flags or event.scope not in SCOPES:
        return None
    if formulas.is_foreign(player) or formulas.own_rating(p, player) is not None:
        return None
    table = Crosstable(event, cut_decided=False)
    lines = [line for line in table.lines[player.id] if not line.why_unplayed]
    if not played_all_rounds(table, lines):
        return None
    ratings = [number(p, table.players[line.opponent or ""]) for line in lines]
    found = rating(p, ratings, formulas.total(lines))
    return None if found is None else (found[0], len(lines), found[1])


def played_all_rounds(table: Crosstable, lines: Sequence[Line]) -> bool:
    """9.4: a game over the board in every round; in a round robin, against everybody."""
    meetings = MEETINGS.get(table.event.system)
    if meetings is not None and len({game.phase for game in table.event.games}) == 1:
        return bool(lines) and len(lines) == meetings * (len(table.participants) - 1)
    rounds = {game.round for game in table.event.games}
    return bool(lines) and {line.round for line in lines} == rounds


def number(p: Parameters, opponent: EventPlayer) -> int:
    """9.4: in this rule only, an unrated opponent counts as 1800."""
    seen = formulas.seen_by_opponents(opponent)
    return p.championship_unrated if seen is None else seen


def rating(p: Parameters, ratings: Sequence[int], score: Fraction) -> tuple[int, tuple[Step, ...]] | None:
    """9.4: with half of the points or more, the performance but not less than 1805."""
    games = len(ratings)
    if score < p.championship_share * games:
        return None
    ra = mean(list(ratings))
    ru, step = formulas.performance(p, ra, score, games)
    if ru is None:
        return None
    found = max(p.floor, formulas.to_step(p, ru))
    text = f"{show(ru)} to the nearest multiple of {p.rounding_step}, at least {p.floor}"
    steps = (
        Step(
            "9.4",
            "Ra",
            show(ra),
            f"{mean_text(list(ratings))}, unrated opponents as {p.championship_unrated}",
        ),
        Step("9.4", "Ru", step.value, step.text),
        Step("9.4", "rating at least", str(found), text),
    )
    return found, steps
