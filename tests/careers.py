"""A player with a long career, for tests of how much a page asks for and how heavy it is."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from ratinglists.drafts import detail_json
from regulations import model as rules
from tests import factories as make

FIRST = date(2000, 1, 1)


def month(number: int) -> date:
    """The first day of a month by its number from the beginning of careers."""
    return date(FIRST.year + number // 12, number % 12 + 1, 1)


def make_career(system, player, events: int, rounds: int = 4) -> None:
    """So many events, one a month and list, each with a round robin of games against the same opponents,
    one of which does not count; ratings go up and down."""
    rivals = [make.make_player(f"Rivalsen-Longname, Player{chr(97 + n)}") for n in range(rounds)]
    arbiter = make.make_user()
    for number in range(events):
        day, rating = month(number), 2000 + 7 * (number % 13) - 4 * (number % 7)
        event = make.make_tournament(
            system, name=f"Open Championship of the Isles, number {number + 1}", start=day, rounds=rounds
        )
        games = [
            (n, *((1, n + 1) if n % 2 else (n + 1, 1)), ("1-0", "1/2-1/2", "0-1")[(n + number) % 3])
            for n in range(1, rounds)
        ]
        make.make_report(event, [player, *rivals], [*games, (rounds, 1, rounds + 1, "+/-")], by=arbiter)
        fields = {
            "rating": rating, "games": rounds - 1, "score": "1.5", "expected": "1.41", "change": "1.8",
            "list_change": "1.8", "performance": "2020", "k": 20, "detail": _detail(player, rivals, rating),
        }  # fmt: skip
        others = {rival: {"rating": 1900 + 40 * n, "games": 1} for n, rival in enumerate(rivals)}
        make.make_list(
            system,
            day,
            dict.fromkeys(rivals, 1900),
            rows={player: {"rating": rating, "change": "1.8", "games": rounds - 1, "k_next": 20}},
            events={event: {player: fields, **others}},
        )


def _detail(player, rivals, rating: int) -> dict:
    half = Fraction(1, 2)
    counted = tuple(
        rules.CountedGame(n, str(rival.pk), bool(n % 2), half, 1900, rating - 1900, half, "7.31")
        for n, rival in enumerate(rivals[:-1], start=1)
    )
    uncounted = (rules.Uncounted(len(rivals), str(rivals[-1].pk), "4.1", "forfeit"),)
    steps = (rules.Step("7.32", "K", "20", "20 up to 2300 and above"),)
    return detail_json(
        rules.PlayerResult(
            str(player.pk), "rated", len(counted), half, counted=counted, uncounted=uncounted, steps=steps
        )
    )
