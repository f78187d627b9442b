"""Articles 7.4, 9.21.a and 9.51: Swiss and team tournaments, matches and Scheveningen matches."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from regulations.crosstable import Crosstable
from regulations.exact import mean, mean_text, show
from regulations.feda_1996 import formulas
from regulations.feda_1996.formulas import Part, Seen
from regulations.feda_1996.parameters import Parameters
from regulations.model import EventPlayer, Step


def opponents(p: Parameters, table: Crosstable, sight: Seen) -> dict[str, int | Fraction]:
    """7.4: whom a game counts against, and what he counts as: the rated players, and in a Scheveningen
    match the unrated ones too."""
    found: dict[str, int | Fraction] = dict(sight.ratings)
    if table.event.system != "scheveningen" or p.scheveningen_unrated == "no":
        return found
    for player in table.participants:
        if player.id in sight.ratings or player.id in sight.dropped:
            continue
        number = stand_in(p, table, sight, player.id)
        if number is not None:
            found[player.id] = number
    return found


def stand_in(p: Parameters, table: Crosstable, sight: Seen, player: str) -> Fraction | None:
    """7.4: what an unrated player of a Scheveningen match counts as, if he can count at all."""
    if p.scheveningen_unrated == "average":
        rated = [sight.ratings[each.id] for each in table.participants if each.id in sight.ratings]
        return mean(rated) if rated else None
    lines, _ = formulas.split(player, table.lines[player], sight, sight.ratings)
    if not lines:
        return None
    ra = mean([sight.ratings[line.opponent or ""] for line in lines])
    return formulas.performance(p, ra, formulas.total(lines), len(lines))[0]


def rated_opponents(table: Crosstable, sight: Seen, player: str) -> int:
    """7.42: how many different rated players he met over the board in the whole event."""
    return len(
        {
            line.opponent
            for line in table.lines[player]
            if not line.why_unplayed and line.opponent in sight.ratings
        }
    )


def part(
    p: Parameters,
    table: Crosstable,
    sight: Seen,
    numbers: Mapping[str, int | Fraction],
    player: EventPlayer,
    own: int | None,
    met: int,
) -> Part:
    """One player; ``own`` is his rating, ``numbers`` what the opponents count as, ``met`` how many
    rated ones he had in the whole event."""
    lines, uncounted = formulas.split(player.id, table.lines[player.id], sight, numbers)
    if own is None and lines and met < p.rated_opponents:
        return formulas.without(lines, uncounted, "7.42", f"fewer than {p.rated_opponents} rated opponents")
    if not lines:
        return Part(uncounted=tuple(uncounted))
    score, games = formulas.total(lines), len(lines)
    used = [numbers[line.opponent or ""] for line in lines]
    if own is None:
        ra = mean(used)
        ru, step = formulas.performance(p, ra, score, games)
        if ru is None:
            return formulas.without(lines, uncounted, "9.1", "no performance at 0 %")
        steps = (Step("9.21.a", "Ra", show(ra), mean_text(used)), step)
        counted = formulas.counted_games(lines, used, "7.42")
        return Part(games, score, ra, ru=ru, counted=counted, uncounted=tuple(uncounted), steps=steps)
    limited = [formulas.limited_opponent(p, own, number) for number in used]
    ra = mean(limited)
    beyond = sum(a != b for a, b in zip(limited, used, strict=True))
    note = f"; {beyond} more than {p.difference_limit} points away" if beyond else ""
    share, found = formulas.expected_share(p, own, ra, limit=False)
    expected = share * games
    steps = (
        Step("9.51", "Ra", show(ra), mean_text(limited) + note),
        *found,
        Step("9.53", "We", show(expected), f"{show(share)} × {games}"),
    )
    counted = formulas.counted_games(lines, limited, "7.41")
    return Part(games, score, ra, expected, counted=counted, uncounted=tuple(uncounted), steps=steps)
